// Any bytes as a weight file of PyTorch, and as the pickle inside one, whose checksum few changes
// would get past: an error of one line, or tensors whose every element can be read.
#include "fuzz.h"

#include <temporalot/tensors.h>

#include "../file/made_pth.h"

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
        const tot_array *array = tot_tensors_at(tensors, k);
        if (tot_tensors_find(tensors, tot_tensors_name(tensors, k)) != array) {
            abort();
        }
        fuzz_touch(array);
    }
    tot_tensors_free(tensors);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static made pickle, file;
    read_all(bytes, size);
    if (size <= sizeof pickle.bytes / 2) {
        pickle.size = 0;
        put(&pickle, bytes, size);
        make_pth_zip(&file, &pickle, made_storages, MADE_STORAGES, NULL);
        // of its own size, so that a sanitizer sees any read past the end
        uint8_t *exact = malloc(file.size);
        memcpy(exact, file.bytes, file.size);
        read_all(exact, file.size);
        free(exact);
    }
    return 0;
}
