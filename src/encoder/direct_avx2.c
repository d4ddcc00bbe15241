#include <immintrin.h>
#include <stdbool.h>
#include <string.h>

#include "encoder/direct_kernels.h"
#include "encoder/preprocess.h"

// 6 x 16 accumulators occupy 12 of the 16 registers
#define KERNEL_BYTES 32
#define TILE_ROWS    6
#include "nn/kernel_tile.h"

#define INLINE static inline __attribute__((always_inline))

typedef __m256 vector;

INLINE vector clamp(vector x, vector low, vector high) {
    return _mm256_min_ps(_mm256_max_ps(x, low), high);
}

// --- products -----------------------------------------------------------------------------------

enum {
    LINE = 16,    // floats per cache line
    STRETCH = 8,  // steps between two prefetches
};

// The next panel is far away in memory: it is prefetched in small steps to arrive in time.
INLINE void look_ahead(const float **ahead, int lines) {
    for (int k = 0; k < lines; k++) {
        _mm_prefetch((const char *)*ahead, _MM_HINT_T1);
        *ahead += LINE;
    }
}

INLINE void store_sums(const encoder_tile *product, const tile_sums *sum, const int rows) {
    const vector low = _mm256_set1_ps(product->ending.low);
    const vector high = _mm256_set1_ps(product->ending.high);
#pragma GCC unroll 12
    for (int k = 0; k < rows * WIDTH; k++) {
        // a row has one or two vectors
        if (k % WIDTH == 0 || product->columns > ENCODER_LANES) {
            const size_t at =
                (size_t)(k / WIDTH) * product->stride + (size_t)(k % WIDTH * ENCODER_LANES);
            vector total = (vector)sum->at[k / WIDTH][k % WIDTH];
            if (product->ending.residual != NULL) {
                total = _mm256_add_ps(total, _mm256_loadu_ps(product->ending.residual + at));
            }
            _mm256_storeu_ps(product->out + at, clamp(total, low, high));
        }
    }
}

INLINE void multiply(const encoder_tile *product, const int rows) {
    tile_sums sum;
    const float *panel = product->panel;
    const float *ahead = product->ahead;
#pragma GCC unroll 6
    for (int r = 0; r < rows; r++) {
        sum.at[r][0] = (vec)_mm256_loadu_ps(product->ending.bias);
        sum.at[r][1] = (vec)_mm256_loadu_ps(product->ending.bias + ENCODER_LANES);
        _mm_prefetch((const char *)(product->out + (size_t)r * product->stride), _MM_HINT_T0);
    }
    for (int tap = 0; tap < product->taps; tap++) {
        const float *a[ENCODER_TILE_ROWS];
#pragma GCC unroll 6
        for (int r = 0; r < rows; r++) {
            a[r] = product->rows[tap * ENCODER_TILE_ROWS + r];
        }
        int k = 0;
        for (; k + STRETCH <= product->depth; k += STRETCH) {
            look_ahead(&ahead, product->ahead_lines);
#pragma GCC unroll 8
            for (int step = 0; step < STRETCH; step++) {
                TILE_STEP(&sum, rows, a[i][k + step], panel);
                panel += ENCODER_TILE_COLUMNS;
            }
        }
        for (; k < product->depth; k++) {
            TILE_STEP(&sum, rows, a[i][k], panel);
            panel += ENCODER_TILE_COLUMNS;
        }
    }
    store_sums(product, &sum, rows);
}

#define MULTIPLY(rows)                                      \
    static void multiply_##rows(const encoder_tile *tile) { \
        multiply(tile, rows);                               \
    }

MULTIPLY(1)
MULTIPLY(2)
MULTIPLY(3)
MULTIPLY(4)
MULTIPLY(5)
MULTIPLY(6)

// --- depthwise 3x3 ------------------------------------------------------------------------------

// One output pixel, 8 channels. first, last: the taps of the kernel row that are inside the input.
INLINE vector channel_pixel(const encoder_channel_row *row, const vector *kernel, int x,
                            int channel, int first, int last) {
    vector sum = _mm256_loadu_ps(row->bias + channel);
    for (int tap = 0; tap < 3; tap++) {
        const float *pixels = row->rows[tap] + channel;
        for (int k = first; k <= last; k++) {
            const int at = x * row->stride + k - 1;
            sum = _mm256_fmadd_ps(_mm256_loadu_ps(pixels + at * row->channels), kernel[3 * tap + k],
                                  sum);
        }
    }
    return clamp(sum, _mm256_set1_ps(row->low), _mm256_set1_ps(row->high));
}

enum { TOGETHER = 4 };  // output pixels computed at once

// Four pixels in the interior of the row: each input is loaded once for all of them.
INLINE void channel_pixels(const encoder_channel_row *row, const vector *kernel, int x, int channel,
                           const int stride) {
    vector sums[TOGETHER];
    const vector bias = _mm256_loadu_ps(row->bias + channel);
#pragma GCC unroll 4
    for (int k = 0; k < TOGETHER; k++) {
        sums[k] = bias;
    }
#pragma GCC unroll 3
    for (int tap = 0; tap < 3; tap++) {
        const float *pixels = row->rows[tap] + channel + (x * stride - 1) * row->channels;
#pragma GCC unroll 10
        for (int at = 0; at < (TOGETHER - 1) * stride + 3; at++) {
            const vector pixel = _mm256_loadu_ps(pixels + at * row->channels);
#pragma GCC unroll 4
            for (int k = 0; k < TOGETHER; k++) {
                const int column = at - k * stride;
                if (column >= 0 && column < 3) {
                    sums[k] = _mm256_fmadd_ps(pixel, kernel[3 * tap + column], sums[k]);
                }
            }
        }
    }
    const vector low = _mm256_set1_ps(row->low);
    const vector high = _mm256_set1_ps(row->high);
#pragma GCC unroll 4
    for (int k = 0; k < TOGETHER; k++) {
        _mm256_storeu_ps(row->out + (size_t)(x + k) * (size_t)row->channels + channel,
                         clamp(sums[k], low, high));
    }
}

INLINE void channel_row(const encoder_channel_row *row, const int stride) {
    for (int channel = 0; channel < row->channels; channel += ENCODER_LANES) {
        vector kernel[9];
        for (int k = 0; k < 9; k++) {
            kernel[k] = _mm256_loadu_ps(row->kernel + k * row->channels + channel);
        }
        // the first pixel, and the last ones, whose taps leave the row
        for (int x = 0; x < row->count;) {
            const bool inside =
                x > 0 && (x + TOGETHER - 1) * stride + 1 < row->width && x + TOGETHER <= row->count;
            if (inside) {
                channel_pixels(row, kernel, x, channel, stride);
                x += TOGETHER;
                continue;
            }
            const vector sum =
                channel_pixel(row, kernel, x, channel, x == 0, x * stride + 1 < row->width ? 2 : 1);
            _mm256_storeu_ps(row->out + (size_t)x * (size_t)row->channels + channel, sum);
            x++;
        }
    }
}

static void by_channel(const encoder_channel_row *row) {
    if (row->stride == 1) {
        channel_row(row, 1);
    } else {
        channel_row(row, 2);
    }
}

// --- Winograd -----------------------------------------------------------------------------------

#define ADD(a, b) _mm256_add_ps(a, b)
#define SUB(a, b) _mm256_sub_ps(a, b)
// c * a + b
#define MULADD(c, a, b) _mm256_fmadd_ps(_mm256_set1_ps(c), a, b)

// one row or column of the input transform, 4 or 6 elements; y may alias x
INLINE void forward_2(const vector *x, int step, vector *y) {
    const vector first = SUB(x[0], x[2 * step]);
    const vector sum = ADD(x[step], x[2 * step]);
    const vector difference = SUB(x[2 * step], x[step]);
    const vector last = SUB(x[step], x[3 * step]);
    y[0] = first;
    y[1 * step] = sum;
    y[2 * step] = difference;
    y[3 * step] = last;
}

INLINE void forward_4(const vector *x, int step, vector *y) {
    const vector even = MULADD(-4, x[2 * step], x[4 * step]);
    const vector odd = MULADD(-4, x[step], x[3 * step]);
    const vector even_half = SUB(x[4 * step], x[2 * step]);
    const vector odd_half = SUB(x[3 * step], x[step]);
    const vector first = MULADD(4, x[0], MULADD(-5, x[2 * step], x[4 * step]));
    const vector last = MULADD(4, x[step], MULADD(-5, x[3 * step], x[5 * step]));
    y[0] = first;
    y[1 * step] = ADD(even, odd);
    y[2 * step] = SUB(even, odd);
    y[3 * step] = MULADD(2, odd_half, even_half);
    y[4 * step] = MULADD(-2, odd_half, even_half);
    y[5 * step] = last;
}

// one row or column of the output transform
INLINE void back_2(const vector *x, int step, vector *y) {
    const vector sum = ADD(x[step], x[2 * step]);
    const vector difference = SUB(x[step], x[2 * step]);
    y[0] = ADD(x[0], sum);
    y[step] = SUB(difference, x[3 * step]);
}

INLINE void back_4(const vector *x, int step, vector *y) {
    const vector near_sum = ADD(x[step], x[2 * step]);
    const vector near_difference = SUB(x[step], x[2 * step]);
    const vector far_sum = ADD(x[3 * step], x[4 * step]);
    const vector far_difference = SUB(x[3 * step], x[4 * step]);
    y[0] = ADD(x[0], ADD(near_sum, far_sum));
    y[step] = MULADD(2, far_difference, near_difference);
    y[2 * step] = MULADD(4, far_sum, near_sum);
    y[3 * step] = ADD(x[5 * step], MULADD(8, far_difference, near_difference));
}

INLINE void transform_in(const encoder_winograd_tile *tile, const int side,
                         void (*forward)(const vector *, int, vector *)) {
    for (int channel = 0; channel < tile->channels; channel += ENCODER_LANES) {
        vector x[ENCODER_MOST_POSITIONS];
        for (int k = 0; k < side * side; k++) {
            x[k] = _mm256_loadu_ps(tile->pixels[k] + channel);
        }
#pragma GCC unroll 6
        for (int k = 0; k < side; k++) {
            forward(x + k, side, x + k);
        }
#pragma GCC unroll 6
        for (int k = 0; k < side; k++) {
            forward(x + side * k, 1, x + side * k);
        }
        for (int k = 0; k < side * side; k++) {
            _mm256_storeu_ps(tile->sums + (size_t)k * tile->stride + channel, x[k]);
        }
    }
}

INLINE void store_pixel(const encoder_winograd_tile *tile, int y, int x, int channel, vector sum) {
    const size_t at = (size_t)y * tile->row + (size_t)x * tile->column + (size_t)channel;
    sum = ADD(sum, _mm256_loadu_ps(tile->ending.bias + channel));
    if (tile->ending.residual != NULL) {
        sum = ADD(sum, _mm256_loadu_ps(tile->ending.residual + at));
    }
    _mm256_storeu_ps(tile->out + at, clamp(sum, _mm256_set1_ps(tile->ending.low),
                                           _mm256_set1_ps(tile->ending.high)));
}

INLINE void transform_out(const encoder_winograd_tile *tile, const int side,
                          void (*back)(const vector *, int, vector *)) {
    const int out_side = side - 2;
    for (int channel = 0; channel < tile->channels; channel += ENCODER_LANES) {
        vector x[ENCODER_MOST_POSITIONS];
        vector half[ENCODER_MOST_POSITIONS];
        for (int k = 0; k < side * side; k++) {
            x[k] = _mm256_loadu_ps(tile->sums + (size_t)k * tile->stride + channel);
        }
#pragma GCC unroll 6
        for (int k = 0; k < side; k++) {
            back(x + k, side, half + k);
        }
        for (int y = 0; y < out_side; y++) {
            vector row[4];
            back(half + side * y, 1, row);
            for (int k = 0; k < out_side; k++) {
                if (y < tile->height && k < tile->width) {
                    store_pixel(tile, y, k, channel, row[k]);
                }
            }
        }
    }
}

static void winograd_in_2(const encoder_winograd_tile *tile) {
    transform_in(tile, 4, forward_2);
}

static void winograd_in_4(const encoder_winograd_tile *tile) {
    transform_in(tile, 6, forward_4);
}

static void winograd_out_2(const encoder_winograd_tile *tile) {
    transform_out(tile, 4, back_2);
}

static void winograd_out_4(const encoder_winograd_tile *tile) {
    transform_out(tile, 6, back_4);
}

// --- other kernels ------------------------------------------------------------------------------

static void pool(const float *const rows[3], int width, int channels, int count, float *out) {
    for (int x = 0; x < count; x++) {
        const int first = x == 0 ? 0 : 2 * x - 1;
        const int last = 2 * x + 1 < width ? 2 * x + 1 : width - 1;
        for (int channel = 0; channel < channels; channel += ENCODER_LANES) {
            vector most = _mm256_loadu_ps(rows[1] + first * channels + channel);
            for (int tap = 0; tap < 3; tap++) {
                for (int at = first; at <= last; at++) {
                    most =
                        _mm256_max_ps(most, _mm256_loadu_ps(rows[tap] + at * channels + channel));
                }
            }
            _mm256_storeu_ps(out + (size_t)x * (size_t)channels + channel, most);
        }
    }
}

// 8 pixels at a time, so that each write to a channel fills half a cache line
static void transpose(const float *in, int pixels, int channels, float *out) {
    for (int first = 0; first < pixels; first += ENCODER_LANES) {
        const int end = first + ENCODER_LANES < pixels ? first + ENCODER_LANES : pixels;
        for (int channel = 0; channel < channels; channel++) {
            for (int pixel = first; pixel < end; pixel++) {
                out[(size_t)channel * (size_t)pixels + (size_t)pixel] =
                    in[(size_t)pixel * (size_t)channels + (size_t)channel];
            }
        }
    }
}

static void load(const uint8_t *rgb, size_t pixels, float *out) {
    vector scale[3];
    vector shift[3];
    for (int k = 0; k < 3; k++) {
        float numbers[2][ENCODER_LANES];
        for (int lane = 0; lane < ENCODER_LANES; lane++) {
            numbers[0][lane] = encoder_load_scale[(k * ENCODER_LANES + lane) % 3];
            numbers[1][lane] = encoder_load_shift[(k * ENCODER_LANES + lane) % 3];
        }
        scale[k] = _mm256_loadu_ps(numbers[0]);
        shift[k] = _mm256_loadu_ps(numbers[1]);
    }
    size_t at = 0;
    for (; at + ENCODER_LANES <= pixels; at += ENCODER_LANES) {
        for (int k = 0; k < 3; k++) {
            const size_t first = 3 * at + (size_t)(k * ENCODER_LANES);
            const __m128i bytes = _mm_loadl_epi64((const __m128i *)(const void *)(rgb + first));
            const vector numbers = _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(bytes));
            _mm256_storeu_ps(out + first, _mm256_fmadd_ps(numbers, scale[k], shift[k]));
        }
    }
    encoder_load(rgb + 3 * at, pixels - at, out + 3 * at);
}

const encoder_direct_kernels encoder_direct_avx2 = {
    .multiply = {multiply_1, multiply_2, multiply_3, multiply_4, multiply_5, multiply_6},
    .by_channel = by_channel,
    .winograd_in = {winograd_in_2, winograd_in_4},
    .winograd_out = {winograd_out_2, winograd_out_4},
    .pool = pool,
    .transpose = transpose,
    .load = load,
};
