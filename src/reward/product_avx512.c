// The products for AVX-512.
#define PRODUCT_TABLE reward_product_avx512
#define PRODUCT_BYTES 64
#include "reward/product_kernel.h"
