// The software renderer's inner loops for any CPU.
#include "picture/soft_cluster_kernel.h"
#include "picture/soft_shade_kernel.h"

const soft_kernel soft_portable = {draw, draw_shadow, shade, find_dark};
