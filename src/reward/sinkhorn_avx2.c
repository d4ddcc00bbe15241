// Sinkhorn's inner loops for CPUs of the kind "avx2".
#define SINKHORN_TABLE reward_sinkhorn_avx2
#include "reward/sinkhorn_kernel.h"
