// The innermost loops, compiled once per instruction set.
#pragma once

#include "base/kernels.h"

enum { NN_PANEL = 16 };  // columns of b that are packed together, on every CPU

// Packing b into panels of [depth][NN_PANEL], the last padded with zeros, or the transpose of a
// into tiles of [depth][tile_rows].
typedef struct nn_packing {
    int64_t depth, columns;
    const float *from;
    int64_t stride;
    bool transposed;  // from is [columns][depth], else [depth][columns]
    float *to;
} nn_packing;

// Product of packed blocks: c (rows x columns), summed over depth.
typedef struct nn_block {
    int64_t rows, columns, depth;
    const float *a;             // tiles of [depth][tile_rows]
    const float *b;             // panels of [depth][NN_PANEL]
    const nn_packing *packing;  // to pack b from on the fly; NULL: b is already packed
    float *c;
    int64_t c_stride;
    bool add;           // to the existing c
    bool relu;          // after the bias
    const float *bias;  // [columns], or NULL
} nn_block;

enum { NN_FEW = 4 };  // so few columns are computed as separate dot products

typedef struct nn_dots {
    int64_t rows, columns, depth;
    const float *x;
    const float *weight;
    const float *bias;  // [columns], or NULL
    float *c;
    int64_t x_stride, weight_stride, c_stride;
    bool relu;
} nn_dots;

// A 3x3 convolution of one picture: [height and width][channels] -> [side][side][filters].
typedef struct nn_conv_map {
    const float *in;
    int64_t in_width, channels, stride;
    const float *weight;  // panels of [3][3][channels][NN_PANEL]
    const float *bias;    // [filters], or NULL
    bool relu;
    const float *gate;  // [side][side][filters]: out is 0 where this is not positive; NULL: none
    float *out;
    int64_t out_width;  // pixels from one row to the next
    int64_t side, filters;
} nn_conv_map;

// Its weight gradient for one picture, added to sum.
typedef struct nn_conv_sum {
    const float *in;
    int64_t in_width, channels, stride;
    const float *dout;
    int64_t dout_width;
    int64_t side, filters;
    float *sum;   // [3][3][channels][filters]
    float *bias;  // [filters]
} nn_conv_sum;

// Rows of a gradient and of the activation's output.
typedef struct nn_gate {
    int64_t rows, columns, stride;
    const float *y;
    float *dy;
    float *sums;  // [columns], added to; NULL: not needed
} nn_gate;

typedef struct nn_norm {
    int64_t rows, columns, y_stride;
    bool relu;  // else tanh
    const float *gain;
    const float *offset;
    float *normal;   // forward: z on entry, normalised on return
    float *inverse;  // [rows]
    float *y;
} nn_norm;

typedef struct nn_norm_gradient {
    int64_t rows, columns, stride;
    bool relu;
    const float *gain;
    const float *normal;
    const float *inverse;
    const float *y;
    float *dy;         // overwritten with dz
    float *gain_sums;  // [columns], each added to; NULL: not needed
    float *offset_sums;
} nn_norm_gradient;

typedef struct nn_adam_piece {
    int64_t count;
    float *restrict parameters;
    const float *restrict gradients;
    float *restrict first;
    float *restrict second;
    float *restrict target;  // or NULL
    float rate;              // learning rate / (1 - beta1^step)
    float root;              // sqrt(1 - beta2^step)
    float keep;              // 1 - learning rate * weight decay
    float tau;
} nn_adam_piece;

// Converts a picture to float, shifted, with channels innermost.
typedef struct nn_view {
    const uint8_t *picture;  // [channels][size][size]
    int64_t channels, size;
    int64_t x, y;  // out(y0, x0) is picture(y0 + y, x0 + x), clamped
    float *row;    // [channels][size], workspace
    float *out;    // [size][size][channels]
} nn_view;

typedef struct nn_kernels {
    const char *kind;  // instruction set: BASE_KERNEL_KIND
    int64_t tile_rows;
    void (*block)(const nn_block *block);
    void (*pack_tiles)(const nn_packing *packing);
    // c (rows x columns, few) = x weight^T + bias, one dot product per element
    void (*dot_rows)(const nn_dots *dots);
    void (*transpose)(int64_t rows, int64_t columns, const float *from, int64_t from_stride,
                      float *to, int64_t to_stride);
    void (*conv_map)(const nn_conv_map *map);
    void (*conv_sum)(const nn_conv_sum *sum);
    void (*view)(const nn_view *view);
    // out = dy where y is positive, else 0
    void (*gate)(int64_t count, const float *restrict y, const float *restrict dy,
                 float *restrict out);
    void (*gate_relu)(const nn_gate *gate);
    void (*gate_tanh)(const nn_gate *gate);
    void (*sum_rows)(const nn_gate *gate);  // y is not used
    void (*tanh_rows)(int64_t rows, int64_t columns, int64_t stride, float *y);
    void (*norm)(const nn_norm *norm);
    void (*norm_gradient)(const nn_norm_gradient *norm);
    void (*adam)(const nn_adam_piece *piece);
    void (*follow)(int64_t count, float *restrict target, const float *restrict source, float tau);
} nn_kernels;

extern const nn_kernels nn_kernels_portable;
extern const nn_kernels nn_kernels_avx2;
extern const nn_kernels nn_kernels_avx512;

// The kernels for this CPU.
static inline const nn_kernels *nn_kernels_get(void) {
    return BASE_KERNELS_GET(nn_kernels);
}
