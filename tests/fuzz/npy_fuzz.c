// Any bytes as an array: a single-line error, or an array whose elements can all be read.
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    tot_array array = {0};
    if (tot_array_parse(&array, bytes, size, "fuzz") == TOT_OK) {
        fuzz_touch(&array);
    } else {
        fuzz_check_error();
        if (tot_array_count(&array) != 0) {
            abort();
        }
    }
    tot_array_free(&array);
    return 0;
}
