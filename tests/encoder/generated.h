// Generated weights and pictures, identical to those of make_fixtures.py, which describes how.
#pragma once

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../asserts.h"
#include "encoder/match.h"
#include "encoder/weights.h"

// --- numbers ------------------------------------------------------------------------------------

static inline uint64_t name_start(const char *name) {
    uint64_t start = 0xCBF29CE484222325u;
    for (; *name != '\0'; name++) {
        start = (start ^ (unsigned char)*name) * 0x100000001B3u;
    }
    return start;
}

static inline uint64_t mixed_bits(uint64_t start, uint64_t index) {
    uint64_t z = start + index + 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static inline void generate_tensor(const char *name, encoder_part part, size_t count, size_t each,
                                   float *out) {
    const uint64_t start = name_start(name);
    const double bound = sqrt(6.0 / (double)each);
    for (size_t k = 0; k < count; k++) {
        const double unit = (double)(mixed_bits(start, k) >> 40) / 16777216.0;
        switch (part) {
            case ENCODER_PART_KERNEL:
                out[k] = (float)((2 * unit - 1) * bound);
                break;
            case ENCODER_PART_SCALE:
                out[k] = (float)(0.6 + 0.6 * unit);
                break;
            case ENCODER_PART_VARIANCE:
                out[k] = (float)(0.5 + unit);
                break;
            default:
                out[k] = (float)(0.4 * unit - 0.2);
        }
    }
}

// rgb: [size][size][3].
static inline void generate_picture(int which, int size, uint8_t *rgb) {
    const uint64_t start = name_start("picture");
    for (int y = 0; y < size; y++) {
        for (int x = 0; x < size; x++) {
            for (int c = 0; c < 3; c++) {
                const size_t at = ((size_t)y * (size_t)size + (size_t)x) * 3 + (size_t)c;
                const int drawn = x * (c + 2) + 3 * y + 90 * (((x / 16) ^ (y / 16)) & 1);
                rgb[at] =
                    which == 0 ? (uint8_t)(mixed_bits(start, at) >> 56) : (uint8_t)(drawn & 255);
            }
        }
    }
}

// --- a safetensors file in memory ---------------------------------------------------------------

typedef struct made_file {
    char *header;
    size_t header_size;
    float *data;
    size_t count, capacity;  // in elements
} made_file;

static inline void made_entry(made_file *file, const char *name, const char *shape, size_t count,
                              float **numbers) {
    file->header = realloc(file->header, file->header_size + 300);
    while (file->capacity < file->count + count) {
        file->capacity = 2 * file->capacity + (1 << 20);
        file->data = realloc(file->data, file->capacity * sizeof *file->data);
    }
    assert_non_null(file->header);
    assert_non_null(file->data);
    file->header_size +=
        (size_t)snprintf(file->header + file->header_size, 300,
                         "%c\"%s\":{\"dtype\":\"F32\",\"shape\":[%s],\"data_offsets\":[%zu,%zu]}",
                         file->header_size == 0 ? '{' : ',', name, shape,
                         file->count * sizeof(float), (file->count + count) * sizeof(float));
    *numbers = file->data + file->count;
    file->count += count;
}

// Called for every tensor before it is added. May change name [200] and shape [80]; returning false
// omits the tensor.
typedef bool (*made_editor)(void *context, char *name, char *shape, size_t *count);

static inline void made_part(made_file *file, const encoder_layer *layer, encoder_part part,
                             const char *prefix, made_editor edit, void *context) {
    static const char *const endings[] = {".weight", ".weight", ".bias", ".running_mean",
                                          ".running_var"};
    char plain[100];
    char name[200];
    char shape[80];
    snprintf(plain, sizeof plain, "%s%s",
             part == ENCODER_PART_KERNEL ? layer->convolution : layer->norm, endings[part]);
    snprintf(name, sizeof name, "%s%s", prefix, plain);
    size_t count = (size_t)layer->out;
    snprintf(shape, sizeof shape, "%d", layer->out);
    if (part == ENCODER_PART_KERNEL) {
        count = encoder_layer_numbers(layer);
        snprintf(shape, sizeof shape, "%d,%d,%d,%d", layer->out, layer->in / layer->groups,
                 layer->kernel, layer->kernel);
    }
    if (edit != NULL && !edit(context, name, shape, &count)) {
        return;
    }
    float *numbers;
    made_entry(file, name, shape, count, &numbers);
    generate_tensor(plain, part, count, encoder_layer_numbers(layer) / (size_t)layer->out, numbers);
}

// Ends a file: all its *size bytes, to be freed with free().
static inline uint8_t *made_end(made_file *file, size_t *size) {
    file->header[file->header_size++] = '}';
    const uint64_t header_size = file->header_size;
    *size = 8 + file->header_size + file->count * sizeof(float);
    uint8_t *bytes = malloc(*size);
    assert_non_null(bytes);
    memcpy(bytes, &header_size, 8);
    memcpy(bytes + 8, file->header, file->header_size);
    memcpy(bytes + 8 + file->header_size, file->data, file->count * sizeof(float));
    free(file->header);
    free(file->data);
    return bytes;
}

// All tensors of a network as a complete file of *size bytes; to be freed with free().
static inline uint8_t *made_weights(const char *network_name, const char *prefix, made_editor edit,
                                    void *context, size_t *size) {
    static encoder_network network;
    made_file file = {0};
    size_t index = 0;
    while (strcmp(tot_network_at(index)->name, network_name) != 0) {
        index++;
    }
    encoder_network_build(&network, index);
    for (int k = 0; k < network.count; k++) {
        for (int part = 0; part < ENCODER_PARTS && !encoder_layer_is_pool(&network.layers[k]);
             part++) {
            made_part(&file, &network.layers[k], (encoder_part)part, prefix, edit, context);
        }
    }
    return made_end(&file, size);
}

// The tensors in these bytes, which are freed.
static inline tot_tensors *made_parse(uint8_t *bytes, size_t size) {
    tot_tensors *tensors = NULL;
    assert_ok(tot_tensors_parse(&tensors, bytes, size, "made"));
    free(bytes);
    return tensors;
}

static inline tot_status made_load(tot_weights **weights, const char *network, const char *prefix,
                                   made_editor edit, void *context,
                                   const tot_weights_settings *settings) {
    size_t size;
    uint8_t *bytes = made_weights(network, prefix, edit, context, &size);
    tot_tensors *tensors = made_parse(bytes, size);
    const tot_status status = tot_weights_from(weights, tensors, settings);
    tot_tensors_free(tensors);
    return status;
}
