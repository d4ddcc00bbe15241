// A register tile of a matrix product: TILE_ROWS rows, 16 columns. All matrix products of networks
// end here, those of the agent (kernel_block.h, kernel_conv.h) and of the encoder (direct_avx2.c).
// The including file defines KERNEL_BYTES (the size of a vector register) and TILE_ROWS, and is
// compiled for one instruction set.
#include <stdint.h>

#include "nn/kernels.h"

enum { LANES = KERNEL_BYTES / 4, WIDTH = NN_PANEL / LANES };  // WIDTH: vectors in a row of a tile

// for unaligned loads and stores
typedef float vec __attribute__((vector_size(KERNEL_BYTES), aligned(4), may_alias));
typedef int32_t mask __attribute__((vector_size(KERNEL_BYTES), aligned(4), may_alias));

#define ALWAYS static inline __attribute__((always_inline))
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

typedef struct tile_sums {
    vec at[TILE_ROWS][WIDTH];
} tile_sums;

// One step of the product: a value of every row i < height times a line of NN_PANEL values.
#define TILE_STEP(sum, height, number_of_i, from)          \
    do {                                                   \
        vec line_[WIDTH];                                  \
        UNROLL                                             \
        for (int v = 0; v < WIDTH; v++) {                  \
            line_[v] = *(const vec *)((from) + v * LANES); \
        }                                                  \
        UNROLL                                             \
        for (int i = 0; i < (height); i++) {               \
            float x_ = (number_of_i);                      \
            UNROLL                                         \
            for (int v = 0; v < WIDTH; v++) {              \
                (sum)->at[i][v] += x_ * line_[v];          \
            }                                              \
        }                                                  \
    } while (0)

// a: rows of depth values, a_stride apart; b: [depth][NN_PANEL]
ALWAYS void tile_add_rows(tile_sums *sum, int height, const float *a, int64_t a_stride,
                          const float *b, int64_t depth) {
    for (int64_t k = 0; k < depth; k++) {
        TILE_STEP(sum, height, a[i * a_stride + k], b + k * NN_PANEL);
    }
}

// a: depth times height values, a_step apart; b: depth times NN_PANEL values, b_step apart
ALWAYS void tile_add_columns(tile_sums *sum, int height, const float *a, int64_t a_step,
                             const float *b, int64_t b_step, int64_t depth) {
    for (int64_t k = 0; k < depth; k++) {
        TILE_STEP(sum, height, a[k * a_step + i], b + k * b_step);
    }
}

ALWAYS void tile_clear(tile_sums *sum, int height) {
    UNROLL
    for (int i = 0; i < height; i++) {
        UNROLL
        for (int v = 0; v < WIDTH; v++) {
            sum->at[i][v] = (vec){0};
        }
    }
}

// max(x, 0), but keeps NaN, so that a diverged run is noticed
ALWAYS vec positive(vec x) {
    return (vec)((mask)x & ~(x < 0));
}

ALWAYS void tile_load(tile_sums *sum, int height, const float *c, int64_t stride) {
    UNROLL
    for (int i = 0; i < height; i++) {
        UNROLL
        for (int v = 0; v < WIDTH; v++) {
            sum->at[i][v] = *(const vec *)(c + i * stride + v * LANES);
        }
    }
}

ALWAYS void tile_store(const tile_sums *sum, int height, float *c, int64_t stride) {
    UNROLL
    for (int i = 0; i < height; i++) {
        UNROLL
        for (int v = 0; v < WIDTH; v++) {
            *(vec *)(c + i * stride + v * LANES) = sum->at[i][v];
        }
    }
}

// adds a line to every row
ALWAYS void tile_bias(tile_sums *sum, int height, const float *bias) {
    UNROLL
    for (int v = 0; v < WIDTH; v++) {
        vec line = *(const vec *)(bias + v * LANES);
        UNROLL
        for (int i = 0; i < height; i++) {
            sum->at[i][v] += line;
        }
    }
}

ALWAYS void tile_relu(tile_sums *sum, int height) {
    UNROLL
    for (int i = 0; i < height; i++) {
        UNROLL
        for (int v = 0; v < WIDTH; v++) {
            sum->at[i][v] = positive(sum->at[i][v]);
        }
    }
}

// functions for every height up to TILE_ROWS, and the table to select from
#if TILE_ROWS == 3
#define HEIGHTS(X) X(1) X(2) X(3)
#elif TILE_ROWS == 6
#define HEIGHTS(X) X(1) X(2) X(3) X(4) X(5) X(6)
#else
#define HEIGHTS(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12)
#endif
