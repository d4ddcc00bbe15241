// Sinkhorn's inner loops for AVX2.
#define SINKHORN_TABLE reward_sinkhorn_avx2
#include "reward/sinkhorn_kernel.h"
