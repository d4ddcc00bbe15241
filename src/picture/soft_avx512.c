// The software renderer's inner loops for AVX-512.
#include "picture/soft_cluster_kernel.h"
#include "picture/soft_shade_kernel.h"

const soft_kernel soft_avx512 = {draw, draw_shadow, shade, find_dark};
