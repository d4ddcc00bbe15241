// Shared by the fuzz targets.
#pragma once

#include <stdlib.h>
#include <string.h>

#include <temporalot/file.h>
#include <temporalot/tensors.h>

// Called by libFuzzer; each target defines its own, some with an initialisation.
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

// Reads every element, so that a sanitizer detects an array that claims more than it has.
static inline void fuzz_touch(const tot_array *array) {
    const uint8_t *elements = array->data;
    size_t size = (size_t)tot_array_count(array) * tot_type_size(array->type);
    unsigned sum = 0;
    for (size_t k = 0; k < size; k++) {
        sum += elements[k];
    }
    __asm__ volatile("" : : "r"(sum));
}

// A failure must have a single-line text.
static inline void fuzz_check_error(void) {
    if (tot_error()[0] == '\0' || strchr(tot_error(), '\n') != NULL) {
        abort();
    }
}

// Any bytes as a weight file: a single-line error, or tensors whose elements can all be read.
static inline void fuzz_tensors(const uint8_t *bytes, size_t size) {
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
