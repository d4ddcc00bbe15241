// Any bytes as a .safetensors, with and without a valid header length: a single-line error, or
// tensors whose elements can all be read.
#include "fuzz.h"

// Sets the header length so that it ends with the last brace.
static void mend(uint8_t *bytes, size_t size) {
    size_t end = size;
    while (end > 8 && bytes[end - 1] != '}') {
        end--;
    }
    for (size_t k = 0; k < 8; k++) {
        bytes[k] = k < sizeof end ? (uint8_t)((end - 8) >> (8 * k)) : 0;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    fuzz_tensors(bytes, size);
    if (size > 8) {
        uint8_t *copy = malloc(size);
        memcpy(copy, bytes, size);
        mend(copy, size);
        fuzz_tensors(copy, size);
        free(copy);
    }
    return 0;
}
