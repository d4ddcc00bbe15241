// The software renderer's inner loops for CPUs of the kind "avx2".
#include "picture/soft_cluster_kernel.h"
#include "picture/soft_shade_kernel.h"

const tot_soft_kernel tot_soft_avx2 = {draw, draw_shadow, shade, find_dark};
