// The innermost loops for AVX-512.
#define KERNEL_TABLE nn_kernels_avx512
#define KERNEL_BYTES 64
#define TILE_ROWS    12
#include "nn/kernel_table.h"
