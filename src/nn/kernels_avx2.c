// The innermost loops for AVX2.
#define KERNEL_TABLE nn_kernels_avx2
#define KERNEL_BYTES 32
#define TILE_ROWS    6
#include "nn/kernel_table.h"
