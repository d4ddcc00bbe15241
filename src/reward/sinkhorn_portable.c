// Sinkhorn's inner loops for CPUs of the kind "portable".
#define SINKHORN_TABLE reward_sinkhorn_portable
#include "reward/sinkhorn_kernel.h"
