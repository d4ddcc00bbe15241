// Any bytes as a .safetensors, with and without a right length before its header: an error of one
// line, or tensors whose every element can be read.
#include "fuzz.h"

#include <temporalot/tensors.h>

static void read_all(const uint8_t *bytes, size_t size) {
    tot_tensors *tensors = NULL;
    if (tot_tensors_parse(&tensors, bytes, size, "fuzz") != TOT_OK) {
        fuzz_check_error();
        if (tensors != NULL) {
            abort();
        }
        return;
    }
    for (size_t k = 0; k < tot_tensors_count(tensors); k++) {
        fuzz_touch(tot_tensors_at(tensors, k));
    }
    tot_tensors_free(tensors);
}

// The length of the header up to its last brace.
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
    read_all(bytes, size);
    if (size > 8) {
        uint8_t *copy = malloc(size);
        memcpy(copy, bytes, size);
        mend(copy, size);
        read_all(copy, size);
        free(copy);
    }
    return 0;
}
