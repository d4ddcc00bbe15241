// The software renderer's inner loops for CPUs of the kind "avx512".
#include "picture/soft_cluster_kernel.h"
#include "picture/soft_shade_kernel.h"

const tot_soft_kernel tot_soft_avx512 = {draw, draw_shadow, shade, find_dark};
