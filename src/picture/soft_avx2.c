// The software renderer's inner loops for CPUs of the kind "avx2".
#include "picture/soft_cluster_kernel.h"
#include "picture/soft_shade_kernel.h"

const soft_kernel soft_avx2 = {draw, draw_shadow, shade, find_dark};
