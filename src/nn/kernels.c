#include "nn/kernels.h"

#include "base/kernels.h"

const nn_kernels *nn_kernels_get(void) {
    return BASE_KERNELS_GET(nn_kernels);
}
