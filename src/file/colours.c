// Uses the arithmetic of swscale: 15-bit chroma horizontally, 12-bit weights vertically, a 13-bit
// matrix, wrapping sums. Unlike swscale it can skip pixels, and downscaling by a large factor needs
// only a few of them.
#include "file/colours.h"

#include "base/base.h"
#include "file/resize.h"

enum { CHANNELS = 3, WHOLE = 4096 };

// For a row or column: the first of two neighbouring chroma samples, and their weights.
typedef struct blend {
    int first;
    int weights[2];
} blend;

struct file_colours {
    file_colours_kind kind;
    int luma_offset, luma, red_v, green_u, green_v, blue_u;
    int columns;    // columns that are needed
    int *column;    // [columns]
    blend *across;  // [columns]
    int row[2];     // which chroma rows are in u and v; -1: none
    int16_t *u[2];  // [columns], 15 bits
    int16_t *v[2];
    int16_t *y;        // [columns]
    uint32_t *pixels;  // [columns], red in the lowest byte
};

// --- tables ------------------------------------------------------------------------------------

// Chroma is sited between two pixels: a quarter of one neighbour and three quarters of the other,
// or all of the only one at the edges.
static blend find_blend(int index, int count) {
    const int last = count / 2 - 1;
    const int before = index % 2 == 0 ? index / 2 - 1 : index / 2;
    if (before < 0) {
        return (blend){0, {WHOLE, 0}};
    }
    if (before >= last) {
        return (blend){last - 1, {0, WHOLE}};
    }
    const int second = index % 2 == 0 ? WHOLE * 3 / 4 : WHOLE / 4;
    return (blend){before, {WHOLE - second, second}};
}

static blend find_row(const file_colours_kind *kind, int row) {
    blend found = find_blend(row, kind->height);
    if (kind->nearest) {
        found.weights[1] = found.weights[1] < WHOLE / 2 ? 0 : WHOLE / 2;
        found.weights[0] = WHOLE - found.weights[1];
    }
    return found;
}

static int round_to_13_bits(int64_t value) {
    const int64_t rounded = (value * (1 << 13) + (1 << 15)) >> 16;
    return (int)(rounded < -0x7fff ? -0x8000 : rounded > 0x7fff ? 0x7fff : rounded);
}

static void set_matrix(file_colours *colours) {
    const file_colours_kind *kind = &colours->kind;
    const int64_t share = kind->full_range ? 224 : 255;
    colours->luma = round_to_13_bits(kind->full_range ? 1 << 16 : (1 << 16) * 255 / 219);
    colours->luma_offset = kind->full_range ? 0 : 16 << 9;
    colours->red_v = round_to_13_bits(kind->matrix[0] * share / 255);
    colours->blue_u = round_to_13_bits(kind->matrix[1] * share / 255);
    colours->green_u = round_to_13_bits(-kind->matrix[2] * share / 255);
    colours->green_v = round_to_13_bits(-kind->matrix[3] * share / 255);
}

static void set_columns(file_colours *colours) {
    const file_colours_kind *kind = &colours->kind;
    int last = -1;
    for (int x = 0; x < kind->to_width; x++) {
        const file_tap tap = file_find_tap(x, kind->to_width, kind->width);
        for (int k = tap.first; k <= (tap.share > 0 ? tap.second : tap.first); k++) {
            if (k > last) {
                colours->column[colours->columns] = k;
                colours->across[colours->columns++] = find_blend(k, kind->width);
                last = k;
            }
        }
    }
}

tot_status file_colours_create(file_colours **colours, const file_colours_kind *kind) {
    *colours = NULL;
    BASE_NEW(file_colours, made, "colours");
    const size_t most = (size_t)kind->width;
    made->kind = *kind;
    made->column = base_alloc(most, sizeof *made->column, "colours");
    made->across = base_alloc(most, sizeof *made->across, "colours");
    made->pixels = base_alloc(most, sizeof *made->pixels, "colours");
    made->y = base_alloc(most, 5 * sizeof *made->y, "colours");
    if (made->column == NULL || made->across == NULL || made->pixels == NULL || made->y == NULL) {
        file_colours_free(made);
        return TOT_E_MEMORY;
    }
    *colours = made;
    for (size_t k = 0; k < 2; k++) {
        made->u[k] = made->y + (1 + k) * most;
        made->v[k] = made->y + (3 + k) * most;
    }
    set_matrix(made);
    set_columns(made);
    return TOT_OK;
}

void file_colours_free(file_colours *colours) {
    BASE_UNLESS_NULL(colours);
    BASE_RELEASE(colours->column, colours->across, colours->pixels, colours->y, colours);
}

// --- converting --------------------------------------------------------------------------------

// Upsamples a chroma row to the width of the luma.
static void spread(const file_colours *colours, const uint8_t *row, int16_t *out) {
    for (int k = 0; k < colours->columns; k++) {
        const blend *across = &colours->across[k];
        const uint8_t *pair = row + across->first;
        // 14-bit weights, dropping 7 bits
        out[k] = (int16_t)((pair[0] * across->weights[0] + pair[1] * across->weights[1]) >> 5);
    }
}

// The buffer with this chroma row. Rows are processed in order, so most are already there.
static int line_of(file_colours *colours, const uint8_t *const planes[3], const int strides[3],
                   int row, int keep) {
    for (int k = 0; k < 2; k++) {
        if (colours->row[k] == row) {
            return k;
        }
    }
    const int k = colours->row[0] == keep ? 1 : 0;
    colours->row[k] = row;
    spread(colours, planes[1] + (ptrdiff_t)row * strides[1], colours->u[k]);
    spread(colours, planes[2] + (ptrdiff_t)row * strides[2], colours->v[k]);
    return k;
}

static uint32_t to_byte(uint32_t sum) {
    const int32_t value = (int32_t)sum;
    const int32_t most = (1 << 30) - 1;
    return (uint32_t)((value < 0 ? 0 : value > most ? most : value) >> 22);
}

// Converts a luma row and two weighted chroma rows.
static void to_rgb(const file_colours *colours, const blend *down, const int16_t *restrict y,
                   const int16_t *restrict u0, const int16_t *restrict u1,
                   const int16_t *restrict v0, const int16_t *restrict v1,
                   uint32_t *restrict pixels) {
    const int w0 = down->weights[0];
    const int w1 = down->weights[1];
    const int offset = colours->luma_offset;
    const int luma = colours->luma;
    const uint32_t red_v = (uint32_t)colours->red_v;
    const uint32_t green_u = (uint32_t)colours->green_u;
    const uint32_t green_v = (uint32_t)colours->green_v;
    const uint32_t blue_u = (uint32_t)colours->blue_u;
    const int columns = colours->columns;
    for (int k = 0; k < columns; k++) {
        const uint32_t grey = (uint32_t)((y[k] * 512 - offset) * luma) + (1U << 21);
        const uint32_t u = (uint32_t)((u0[k] * w0 + u1[k] * w1 - (128 << 19)) >> 10);
        const uint32_t v = (uint32_t)((v0[k] * w0 + v1[k] * w1 - (128 << 19)) >> 10);
        const uint32_t red = to_byte(grey + v * red_v);
        const uint32_t green = to_byte(grey + v * green_v + u * green_u);
        const uint32_t blue = to_byte(grey + u * blue_u);
        pixels[k] = red | green << 8 | blue << 16;
    }
}

static void convert_row(file_colours *colours, const uint8_t *const planes[3], const int strides[3],
                        int row, uint8_t *rgb) {
    const blend down = find_row(&colours->kind, row);
    const uint8_t *luma = planes[0] + (ptrdiff_t)row * strides[0];
    const int next = down.weights[1] > 0 ? down.first + 1 : down.first;
    const int first = line_of(colours, planes, strides, down.first, next);
    const int second = line_of(colours, planes, strides, next, down.first);
    for (int k = 0; k < colours->columns; k++) {
        colours->y[k] = luma[colours->column[k]];
    }
    to_rgb(colours, &down, colours->y, colours->u[first], colours->u[second], colours->v[first],
           colours->v[second], colours->pixels);
    for (int k = 0; k < colours->columns; k++) {
        uint8_t *pixel = rgb + (size_t)colours->column[k] * CHANNELS;
        const uint32_t value = colours->pixels[k];
        pixel[0] = (uint8_t)value;
        pixel[1] = (uint8_t)(value >> 8);
        pixel[2] = (uint8_t)(value >> 16);
    }
}

void file_colours_convert(file_colours *colours, const uint8_t *const planes[3],
                          const int strides[3], uint8_t *rgb) {
    const file_colours_kind *kind = &colours->kind;
    int last = -1;
    colours->row[0] = -1;
    colours->row[1] = -1;
    for (int y = 0; y < kind->to_height; y++) {
        const file_tap tap = file_find_tap(y, kind->to_height, kind->height);
        for (int row = tap.first; row <= (tap.share > 0 ? tap.second : tap.first); row++) {
            if (row > last) {
                convert_row(colours, planes, strides, row,
                            rgb + (size_t)row * (size_t)kind->width * CHANNELS);
                last = row;
            }
        }
    }
}
