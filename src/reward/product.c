#include "reward/product.h"

#include <temporalot/base.h>

const reward_product *reward_product_get(void) {
#if defined(__x86_64__)
    switch (tot_cpu()) {
        case TOT_CPU_AVX512:
            return &reward_product_avx512;
        case TOT_CPU_AVX2:
            return &reward_product_avx2;
        case TOT_CPU_PORTABLE:
            break;
    }
#endif
    return &reward_product_portable;
}
