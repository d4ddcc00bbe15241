#include "reward/product.h"

#include "base/kernels.h"

const reward_product *reward_product_get(void) {
    return BASE_KERNELS_GET(reward_product);
}
