// The innermost loops for any CPU.
#define KERNEL_TABLE nn_kernels_portable
#define KERNEL_BYTES 16
#define TILE_ROWS    3
#include "nn/kernel_table.h"
