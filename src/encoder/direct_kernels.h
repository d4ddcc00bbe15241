// The loops of direct.c, written for one kind of CPU. Everything is float32, channels last.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
    ENCODER_TILE_ROWS = 6,      // output pixels of a tile at most
    ENCODER_TILE_COLUMNS = 16,  // output channels of a tile
    ENCODER_LANES = 8,          // channels of a vector: all layers have a multiple of it
    ENCODER_MOST_POSITIONS = 36,
};

// What becomes of a sum before it is stored.
typedef struct encoder_ending {
    const float *bias;      // by channel
    const float *residual;  // where `out` is, in another buffer (or the same); NULL: none
    float low, high;        // the activation
} encoder_ending;

// A tile of a product: out[r][c] = sum over taps t and k of rows[t][r][k] * panel[t][k][c].
typedef struct encoder_tile {
    const float *const *rows;  // [taps][ENCODER_TILE_ROWS]
    int taps, depth;
    const float *panel;  // [taps][depth][ENCODER_TILE_COLUMNS]
    float *out;
    size_t stride;  // numbers from one row of out to the next
    int columns;    // 8 or 16 are stored
    encoder_ending ending;
    const float
        *ahead;  // what will be read next: ahead_lines lines of it are asked for every 8 steps
    int ahead_lines;
} encoder_tile;

// Nine inputs of each of `count` output pixels next to each other, for one row of a 3x3 by channel.
typedef struct encoder_channel_row {
    const float *rows[3];  // the row of each tap row: pixel 0; a row of zeros outside
    int width;             // pixels of an input row
    int channels;
    int stride;
    int count;            // output pixels
    const float *kernel;  // [9][channels]
    float *out;           // [count][channels]
    const float *bias;
    float low, high;
} encoder_channel_row;

// Tiles of Winograd's F(2x2, 3x3) or F(4x4, 3x3): from pixels to sums and back.
typedef struct encoder_winograd_tile {
    const float *pixels[ENCODER_MOST_POSITIONS];  // in: each pixel's channels; zeros outside
    float *sums;                                  // [positions] at a distance of `stride`
    size_t stride;
    int channels;
    float *out;             // back: the tile's first pixel
    size_t row, column;     // numbers from a pixel to the one below and beside it
    int height, width;      // pixels that are inside
    encoder_ending ending;  // residual: that of the first pixel
} encoder_winograd_tile;

typedef struct encoder_direct_kernels {
    void (*multiply[ENCODER_TILE_ROWS])(const encoder_tile *tile);  // by rows - 1
    void (*by_channel)(const encoder_channel_row *row);
    void (*winograd_in[2])(const encoder_winograd_tile *tile);  // 2x2, 4x4
    void (*winograd_out[2])(const encoder_winograd_tile *tile);
    // The largest of nine pixels: rows as in encoder_channel_row, stride 2; outside does not count.
    void (*pool)(const float *const rows[3], int width, int channels, int count, float *out);
    // [pixels][channels] to [channels][pixels].
    void (*transpose)(const float *in, int pixels, int channels, float *out);
    void (*load)(const uint8_t *rgb, size_t pixels, float *out);
} encoder_direct_kernels;

#if defined(__x86_64__)
extern const encoder_direct_kernels encoder_direct_avx2;
#endif
