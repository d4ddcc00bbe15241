#include "nn/kernels.h"

#include <temporalot/base.h>

const nn_kernels *nn_kernels_get(void) {
#if defined(__x86_64__)
    switch (tot_cpu()) {
        case TOT_CPU_AVX512:
            return &nn_kernels_avx512;
        case TOT_CPU_AVX2:
            return &nn_kernels_avx2;
        case TOT_CPU_PORTABLE:
            break;
    }
#endif
    return &nn_kernels_portable;
}
