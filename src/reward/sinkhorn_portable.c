// Sinkhorn's inner loops for any CPU.
#define SINKHORN_TABLE reward_sinkhorn_portable
#include "reward/sinkhorn_kernel.h"
