#include "nn/kernels.h"

#include <temporalot/base.h>

const tot_kernels *tot_kernels_get(void) {
#if defined(__x86_64__)
    switch (tot_cpu()) {
        case TOT_CPU_AVX512:
            return &tot_kernels_avx512;
        case TOT_CPU_AVX2:
            return &tot_kernels_avx2;
        case TOT_CPU_PORTABLE:
            break;
    }
#endif
    return &tot_kernels_portable;
}
