// The software renderer's inner loops for AVX2.
#include "picture/soft_cluster_kernel.h"
#include "picture/soft_shade_kernel.h"

const soft_kernel soft_avx2 = {draw, draw_shadow, shade, find_dark};
