// The products for any CPU.
#define PRODUCT_TABLE reward_product_portable
#define PRODUCT_BYTES 16
#include "reward/product_kernel.h"
