// All of kernels.h, written once with the compiler's vector types. The including file defines
// KERNEL_TABLE (the name of its table), KERNEL_BYTES (the size of a vector register) and TILE_ROWS:
// rows of the register tile, which is NN_PANEL wide.
#include "nn/kernels.h"

#include "nn/kernel_tile.h"
#include "nn/kernel_block.h"
#include "nn/kernel_conv.h"
#include "nn/kernel_rows.h"

const nn_kernels KERNEL_TABLE = {
    .kind = BASE_KERNEL_KIND,
    .tile_rows = TILE_ROWS,
    .block = multiply_block,
    .pack_tiles = pack_tiles,
    .dot_rows = dot_rows,
    .transpose = transpose,
    .conv_map = conv_map,
    .conv_sum = conv_sum,
    .view = make_view,
    .gate = gate_numbers,
    .gate_relu = gate_relu,
    .gate_tanh = gate_tanh,
    .sum_rows = sum_rows,
    .tanh_rows = tanh_rows,
    .norm = norm_rows,
    .norm_gradient = norm_rows_gradient,
    .adam = adam_piece,
    .follow = follow,
};
