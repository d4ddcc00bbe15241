#include "reward/product.h"

#include <temporalot/base.h>

const tot_product *tot_product_get(void) {
#if defined(__x86_64__)
    switch (tot_cpu()) {
        case TOT_CPU_AVX512:
            return &tot_product_avx512;
        case TOT_CPU_AVX2:
            return &tot_product_avx2;
        case TOT_CPU_PORTABLE:
            break;
    }
#endif
    return &tot_product_portable;
}
