// Handmade .npy files in memory.
#pragma once

#include "file/test_folder.h"

#include <temporalot/file.h>

typedef struct made_file {
    uint8_t bytes[4096];
    size_t size;
} made_file;

// magic, version, length, literal (padded to `length` bytes if that is longer), data
static inline made_file make_npy_padded(int version, const char *literal, size_t length,
                                        const void *data, size_t size) {
    made_file file = {0};
    size_t used = strlen(literal);
    length = length > used ? length : used;
    size_t prefix = version == 1 ? 10 : 12;
    assert_true(prefix + length + size <= sizeof file.bytes);
    memcpy(file.bytes, "\x93NUMPY", 6);
    file.bytes[6] = (uint8_t)version;
    file.bytes[8] = (uint8_t)(length & 0xff);
    file.bytes[9] = (uint8_t)(length >> 8);
    memcpy(file.bytes + prefix, literal, used);
    memset(file.bytes + prefix + used, ' ', length - used);
    if (size > 0) {
        memcpy(file.bytes + prefix + length, data, size);
    }
    file.size = prefix + length + size;
    return file;
}

static inline made_file make_npy(const char *literal, const void *data, size_t size) {
    return make_npy_padded(1, literal, 0, data, size);
}

static inline tot_status parse(tot_array *array, const made_file *file) {
    // a copy of exact size, so that a sanitizer detects reads past the end
    uint8_t *exact = malloc(file->size > 0 ? file->size : 1);
    assert_non_null(exact);
    memcpy(exact, file->bytes, file->size);
    tot_status status = tot_array_parse(array, exact, file->size, "x.npy");
    free(exact);
    return status;
}

#define F4_2_3 "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"

static const float six[6] = {1.0f, -2.5f, 3.0f, 0.0f, 1e-30f, 6.5f};
