// Handmade weight files in memory: pickles as PyTorch writes them, zip archives, the legacy format,
// safetensors. Does not need the test library, because the fuzzing corpus is made with it, too.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct made {
    size_t size;
    uint8_t bytes[1 << 16];
} made;

static inline void put(made *to, const void *bytes, size_t size) {
    if (size > sizeof to->bytes - to->size) {
        fprintf(stderr, "made_pth.h: a file of more than %zu bytes\n", sizeof to->bytes);
        abort();
    }
    if (size > 0) {
        memcpy(to->bytes + to->size, bytes, size);
    }
    to->size += size;
}

static inline void put_text(made *to, const char *text) {
    put(to, text, strlen(text));
}

// A text that may contain NUL bytes.
#define put_literal(to, literal) put((to), (literal), sizeof(literal) - 1)

// Little-endian.
static inline void put_number(made *to, uint64_t number, size_t size) {
    for (size_t k = 0; k < size; k++) {
        const uint8_t byte = (uint8_t)(number >> (8 * k));
        put(to, &byte, 1);
    }
}

// --- pickles -----------------------------------------------------------------------------------

static inline void pickle_start(made *to) {
    to->size = 0;
    put_literal(to, "\x80\x02");
}

static inline void pickle_text(made *to, const char *text) {
    put_text(to, "X");
    put_number(to, strlen(text), 4);
    put_text(to, text);
}

static inline void pickle_number(made *to, int64_t number) {
    if (number >= 0 && number < 256) {
        put_text(to, "K");
        put_number(to, (uint64_t)number, 1);
    } else if (number >= INT32_MIN && number <= INT32_MAX) {
        put_text(to, "J");
        put_number(to, (uint64_t)number, 4);
    } else {
        put_literal(to, "\x8a\x08");
        put_number(to, (uint64_t)number, 8);
    }
}

static inline void pickle_global(made *to, const char *module, const char *name) {
    put_text(to, "c");
    put_text(to, module);
    put_text(to, "\n");
    put_text(to, name);
    put_text(to, "\n");
}

static inline void pickle_ordered(made *to) {
    pickle_global(to, "collections", "OrderedDict");
    put_text(to, ")R");
}

typedef struct made_tensor {
    const char *name;
    const char *class;  // of the storage, "FloatStorage"
    const char *key;    // of the storage
    int64_t count;      // elements of the storage
    int64_t offset;
    int dimensions;
    int64_t shape[10], stride[10];
    bool parameter;
} made_tensor;

static inline void pickle_storage(made *to, const made_tensor *tensor, bool old) {
    put_text(to, "(");
    pickle_text(to, "storage");
    pickle_global(to, "torch", tensor->class);
    pickle_text(to, tensor->key);
    pickle_text(to, "cpu");
    pickle_number(to, tensor->count);
    put_text(to, old ? "NtQ" : "tQ");
}

// The tensor only, without its name.
static inline void pickle_tensor(made *to, const made_tensor *tensor, bool old) {
    if (tensor->parameter) {
        pickle_global(to, "torch._utils", "_rebuild_parameter");
    }
    pickle_global(to, "torch._utils", "_rebuild_tensor_v2");
    put_text(to, "(");
    pickle_storage(to, tensor, old);
    pickle_number(to, tensor->offset);
    for (int list = 0; list < 2; list++) {
        put_text(to, "(");
        for (int k = 0; k < tensor->dimensions; k++) {
            pickle_number(to, list == 0 ? tensor->shape[k] : tensor->stride[k]);
        }
        put_text(to, "t");
    }
    put_text(to, "\x89");
    pickle_ordered(to);
    put_text(to, "tR");
    if (tensor->parameter) {
        put_text(to, "\x88");
        pickle_ordered(to);
        put_text(to, "\x87R");
    }
}

// Items for a dictionary on the stack.
static inline void pickle_tensors(made *to, const made_tensor *tensors, size_t count, bool old) {
    put_text(to, "(");
    for (size_t k = 0; k < count; k++) {
        pickle_text(to, tensors[k].name);
        pickle_tensor(to, &tensors[k], old);
    }
    put_text(to, "u");
}

// --- files -------------------------------------------------------------------------------------

typedef struct made_storage {
    const char *key;
    uint64_t count;
    const void *bytes;
    size_t size;
} made_storage;

typedef struct made_entry {
    char name[100];
    const void *bytes;
    size_t size;
} made_entry;

static inline uint32_t made_crc(const uint8_t *bytes, size_t size) {
    uint32_t sum = UINT32_MAX;
    for (size_t k = 0; k < size; k++) {
        sum ^= bytes[k];
        for (int bit = 0; bit < 8; bit++) {
            sum = sum >> 1 ^ ((sum & 1) != 0 ? 0xedb88320u : 0);
        }
    }
    return ~sum;
}

// The fields shared by the local header and the directory.
static inline void put_zip_facts(made *to, const made_entry *entry) {
    put_number(to, 0, 8);  // flags, stored, time and date
    put_number(to, made_crc(entry->bytes, entry->size), 4);
    put_number(to, entry->size, 4);
    put_number(to, entry->size, 4);
    put_number(to, strlen(entry->name), 2);
    put_number(to, 0, 2);
}

static inline void make_zip(made *to, const made_entry *entries, size_t count) {
    size_t at[32] = {0};
    to->size = 0;
    for (size_t k = 0; k < count; k++) {
        at[k] = to->size;
        put_literal(to, "PK\3\4\12\0");
        put_zip_facts(to, &entries[k]);
        put_text(to, entries[k].name);
        put(to, entries[k].bytes, entries[k].size);
    }
    const size_t directory = to->size;
    for (size_t k = 0; k < count; k++) {
        put_literal(to, "PK\1\2\12\0\12\0");
        put_zip_facts(to, &entries[k]);
        put_literal(to, "\0\0\0\0\0\0\0\0\0\0");
        put_number(to, at[k], 4);
        put_text(to, entries[k].name);
    }
    const size_t end = to->size;
    put_literal(to, "PK\5\6\0\0\0\0");
    put_number(to, count, 2);
    put_number(to, count, 2);
    put_number(to, end - directory, 4);
    put_number(to, directory, 4);
    put_number(to, 0, 2);
}

// order: "little", "big", or NULL for a file from before that was recorded.
static inline void make_pth_zip(made *to, const made *pickle, const made_storage *storages,
                                size_t count, const char *order) {
    made_entry entries[32] = {{"archive/data.pkl", pickle->bytes, pickle->size},
                              {"archive/version", "3\n", 2}};
    size_t used = 2;
    if (order != NULL) {
        entries[used++] = (made_entry){"archive/byteorder", order, strlen(order)};
    }
    for (size_t k = 0; k < count; k++) {
        made_entry *entry = &entries[used++];
        snprintf(entry->name, sizeof entry->name, "archive/data/%s", storages[k].key);
        entry->bytes = storages[k].bytes;
        entry->size = storages[k].size;
    }
    make_zip(to, entries, used);
}

static inline void make_pth_old(made *to, const made *pickle, const made_storage *storages,
                                size_t count) {
    static const char beginning[] =
        "\x80\x02\x8a\x0al\xfc\x9c\x46\xf9 j\xa8P\x19."
        "\x80\x02M\xe9\x03."
        "\x80\x02}(X\x10\0\0\0protocol_versionM\xe9\x03X\x0d\0\0\0little_endian\x88u.";
    to->size = 0;
    put(to, beginning, sizeof beginning - 1);
    put(to, pickle->bytes, pickle->size);
    put_text(to, "\x80\x02](");
    for (size_t k = 0; k < count; k++) {
        pickle_text(to, storages[k].key);
    }
    put_text(to, "e.");
    for (size_t k = 0; k < count; k++) {
        put_number(to, storages[k].count, 8);
        put(to, storages[k].bytes, storages[k].size);
    }
}

static inline void make_safetensors(made *to, const char *header, const void *data, size_t size) {
    to->size = 0;
    put_number(to, strlen(header), 8);
    put_text(to, header);
    put(to, data, size);
}

// --- examples ----------------------------------------------------------------------------------

static const float made_numbers[6] = {1.0f, -2.5f, 3.0f, 0.0f, 1e-30f, 6.5f};
static const uint16_t made_halves[3] = {0x3c00, 0xc500, 0x0001};  // 1, -5, 2^-24
static const uint16_t made_bfloats[2] = {0x3fc0, 0xc2f7};         // 1.5, -123.5
static const double made_doubles[2] = {1e300, -0.5};
static const int64_t made_longs[2] = {-1, INT64_C(1) << 40};
static const int32_t made_ints[2] = {-7, 70000};
static const uint8_t made_bytes[5] = {0, 1, 2, 254, 255};

static const made_storage made_storages[] = {
    {"0", 6, made_numbers, sizeof made_numbers},  {"half", 3, made_halves, sizeof made_halves},
    {"bf", 2, made_bfloats, sizeof made_bfloats}, {"9", 2, made_doubles, sizeof made_doubles},
    {"10", 2, made_longs, sizeof made_longs},     {"int", 2, made_ints, sizeof made_ints},
    {"byte", 5, made_bytes, sizeof made_bytes},   {"bool", 5, made_bytes, sizeof made_bytes},
};

enum { MADE_STORAGES = sizeof made_storages / sizeof made_storages[0] };

// Every type, views of one storage, a scalar, and an empty tensor.
static const made_tensor made_tensors[] = {
    {"conv.weight", "FloatStorage", "0", 6, 0, 2, {2, 3}, {3, 1}, true},
    {"turned", "FloatStorage", "0", 6, 0, 2, {3, 2}, {1, 3}, false},
    {"column", "FloatStorage", "0", 6, 1, 1, {2}, {3}, false},
    {"row", "FloatStorage", "0", 6, 3, 1, {3}, {1}, false},
    {"one", "FloatStorage", "0", 6, 5, 0, {0}, {0}, false},
    {"none", "FloatStorage", "0", 6, 6, 2, {0, 4}, {4, 1}, false},
    {"half", "HalfStorage", "half", 3, 0, 1, {3}, {1}, false},
    {"bfloat", "BFloat16Storage", "bf", 2, 0, 1, {2}, {1}, false},
    {"double", "DoubleStorage", "9", 2, 0, 1, {2}, {1}, false},
    {"bn.num_batches_tracked", "LongStorage", "10", 2, 0, 1, {2}, {1}, false},
    {"int", "IntStorage", "int", 2, 0, 2, {1, 2}, {77, 1}, false},
    {"byte", "ByteStorage", "byte", 5, 0, 1, {5}, {1}, false},
    {"bool", "BoolStorage", "bool", 5, 0, 1, {5}, {1}, false},
};

enum { MADE_TENSORS = sizeof made_tensors / sizeof made_tensors[0] };

// {"epoch": 3, "lr": 0.5, "note": "hi", "best": None, "steps": [1, 2], "state_dict": OrderedDict}
static inline void make_checkpoint(made *pickle, bool old) {
    pickle_start(pickle);
    put_text(pickle, "}q");
    put_number(pickle, 0, 1);
    put_text(pickle, "(");
    pickle_text(pickle, "epoch");
    pickle_number(pickle, 3);
    pickle_text(pickle, "lr");
    put_literal(pickle, "G\x3f\xe0\0\0\0\0\0\0");
    pickle_text(pickle, "note");
    pickle_text(pickle, "hi");
    pickle_text(pickle, "best");
    put_text(pickle, "N");
    pickle_text(pickle, "steps");
    put_text(pickle, "](K\1K\2e");
    pickle_text(pickle, "state_dict");
    pickle_ordered(pickle);
    pickle_tensors(pickle, made_tensors, MADE_TENSORS, old);
    // the versions of its layers
    put_text(pickle, "}");
    pickle_text(pickle, "_metadata");
    pickle_ordered(pickle);
    put_text(pickle, "sb");
    put_text(pickle, "u.");
}

#define MADE_SAFETENSORS                                                           \
    "{\"__metadata__\":{\"format\":\"pt\"},"                                       \
    "\"conv.weight\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[8,32]}," \
    "\"half\":{\"dtype\":\"F16\",\"shape\":[3],\"data_offsets\":[32,38]},"         \
    "\"bfloat\":{\"dtype\":\"BF16\",\"shape\":[2,1],\"data_offsets\":[38,42]},"    \
    "\"long\":{\"dtype\":\"I64\",\"shape\":[],\"data_offsets\":[0,8]},"            \
    "\"none\":{\"dtype\":\"F64\",\"shape\":[0,7],\"data_offsets\":[42,42]},"       \
    "\"byte\":{\"dtype\":\"U8\",\"shape\":[5],\"data_offsets\":[42,47]},"          \
    "\"bool\":{\"dtype\":\"BOOL\",\"shape\":[5],\"data_offsets\":[47,52]}}   "

static inline void make_example_safetensors(made *to) {
    made data = {0};
    put(&data, made_longs, 8);
    put(&data, made_numbers, sizeof made_numbers);
    put(&data, made_halves, sizeof made_halves);
    put(&data, made_bfloats, sizeof made_bfloats);
    put(&data, made_bytes, sizeof made_bytes);
    put(&data, made_bytes, sizeof made_bytes);
    make_safetensors(to, MADE_SAFETENSORS, data.bytes, data.size);
}

// The example in one of its three formats: zip, legacy, safetensors.
static inline void make_form(made *pickle, made *to, int form) {
    make_checkpoint(pickle, form == 1);
    if (form == 0) {
        make_pth_zip(to, pickle, made_storages, MADE_STORAGES, "little");
    } else if (form == 1) {
        make_pth_old(to, pickle, made_storages, MADE_STORAGES);
    } else {
        make_example_safetensors(to);
    }
}
