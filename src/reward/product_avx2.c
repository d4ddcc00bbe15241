// The products for AVX2.
#define PRODUCT_TABLE reward_product_avx2
#define PRODUCT_BYTES 32
#include "reward/product_kernel.h"
