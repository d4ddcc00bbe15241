// The inner loops of direct.c for one CPU kind. All data is float32, channels last.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
    ENCODER_TILE_ROWS = 6,      // maximum output pixels per tile
    ENCODER_TILE_COLUMNS = 16,  // output channels per tile
    ENCODER_LANES = 8,          // channels per vector: all layers have a multiple of this
    ENCODER_MOST_POSITIONS = 36,
};

// Applied to a sum before it is stored.
typedef struct encoder_ending {
    const float *bias;      // by channel
    const float *residual;  // laid out like `out`, in another or the same buffer; NULL: none
    float low, high;        // clamping range: the activation
} encoder_ending;

// A tile of a matrix product: out[r][c] = sum over taps t and k of rows[t][r][k] * panel[t][k][c].
typedef struct encoder_tile {
    const float *const *rows;  // [taps][ENCODER_TILE_ROWS]
    int taps, depth;
    const float *panel;  // [taps][depth][ENCODER_TILE_COLUMNS]
    float *out;
    size_t stride;  // elements between rows of out
    int columns;    // columns to store: 8 or 16
    encoder_ending ending;
    const float *ahead;  // next data to prefetch: ahead_lines cache lines every 8 steps
    int ahead_lines;
} encoder_tile;

// One row of a depthwise 3x3: `count` adjacent output pixels with nine inputs each.
typedef struct encoder_channel_row {
    const float *rows[3];  // pixel 0 of the input row for each kernel row; a row of zeros outside
    int width;             // pixels per input row
    int channels;
    int stride;
    int count;            // output pixels
    const float *kernel;  // [9][channels]
    float *out;           // [count][channels]
    const float *bias;
    float low, high;
} encoder_channel_row;

// A tile of Winograd's F(2x2, 3x3) or F(4x4, 3x3), for the input and the output transform.
typedef struct encoder_winograd_tile {
    const float *pixels[ENCODER_MOST_POSITIONS];  // input: each pixel's channels; zeros outside
    float *sums;                                  // [positions], `stride` elements apart
    size_t stride;
    int channels;
    float *out;             // output: the tile's first pixel
    size_t row, column;     // elements to the pixel below and to the one on the right
    int height, width;      // pixels inside the map
    encoder_ending ending;  // residual: at the first pixel
} encoder_winograd_tile;

typedef struct encoder_direct_kernels {
    void (*multiply[ENCODER_TILE_ROWS])(const encoder_tile *tile);  // indexed by rows - 1
    void (*by_channel)(const encoder_channel_row *row);
    void (*winograd_in[2])(const encoder_winograd_tile *tile);  // 2x2, 4x4
    void (*winograd_out[2])(const encoder_winograd_tile *tile);
    // Max pooling 3x3 with stride 2: rows as in encoder_channel_row; pixels outside are ignored.
    void (*pool)(const float *const rows[3], int width, int channels, int count, float *out);
    // [pixels][channels] to [channels][pixels].
    void (*transpose)(const float *in, int pixels, int channels, float *out);
    void (*load)(const uint8_t *rgb, size_t pixels, float *out);
} encoder_direct_kernels;

#if defined(__x86_64__)
extern const encoder_direct_kernels encoder_direct_avx2;
#endif
