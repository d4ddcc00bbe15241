#include "weights.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "encoder/networks.h"

// A layer's tensors in the file: its kernel, then the four vectors of its batch norm.
static const char *const endings[] = {".weight", ".weight", ".bias", ".running_mean",
                                      ".running_var"};

enum { PARTS = sizeof endings / sizeof *endings };

static size_t part_numbers(const encoder_layer *layer, int part) {
    return part == 0 ? encoder_layer_numbers(layer) : (size_t)layer->out;
}

// The header of a safetensors file with all tensors of a network. Returns its length.
static size_t write_header(const encoder_network *network, char *text, size_t capacity) {
    size_t length = 0;
    size_t offset = 0;
    for (int k = 0; k < network->count; k++) {
        const encoder_layer *layer = &network->layers[k];
        for (int part = 0; part < PARTS && !encoder_layer_is_pool(layer); part++) {
            const size_t bytes = part_numbers(layer, part) * sizeof(float);
            char shape[64];
            snprintf(shape, sizeof shape, part == 0 ? "%d,%d,%d,%d" : "%d", layer->out,
                     layer->in / layer->groups, layer->kernel, layer->kernel);
            length += (size_t)snprintf(
                text + length, capacity - length,
                "%c\"%s%s\":{\"dtype\":\"F32\",\"shape\":[%s],\"data_offsets\":[%zu,%zu]}",
                length == 0 ? '{' : ',', part == 0 ? layer->convolution : layer->norm,
                endings[part], shape, offset, offset + bytes);
            offset += bytes;
        }
    }
    text[length] = '}';
    return length + 1;
}

// Values scaled to keep the outputs in range.
static void write_numbers(const encoder_network *network, float *numbers) {
    tot_random random;
    tot_random_init(&random, 0, "bench weights");
    for (int k = 0; k < network->count; k++) {
        const encoder_layer *layer = &network->layers[k];
        const double bound = sqrt(6.0 * layer->out / (double)encoder_layer_numbers(layer));
        for (int part = 0; part < PARTS && !encoder_layer_is_pool(layer); part++) {
            for (size_t i = 0; i < part_numbers(layer, part); i++) {
                const double unit = (double)tot_random_word(&random) / 4294967296.0;
                *numbers++ = part == 0                ? (float)((2 * unit - 1) * bound)
                             : part == 1 || part == 4 ? 1.0F
                                                      : (float)(0.2 * unit - 0.1);
            }
        }
    }
}

// The bytes of a safetensors file; to be freed with base_free.
static tot_status make_file(const char *name, uint8_t **file, size_t *size) {
    enum { HEADER = 1 << 18 };
    encoder_network *network = base_alloc(1, sizeof *network, "network");
    BASE_HAVE(network);
    size_t index = 0;
    while (strcmp(tot_network_at(index)->name, name) != 0) {
        index++;
    }
    encoder_network_build(network, index);
    size_t numbers = 0;
    for (int k = 0; k < network->count; k++) {
        const encoder_layer *layer = &network->layers[k];
        numbers += encoder_layer_is_pool(layer)
                       ? 0
                       : encoder_layer_numbers(layer) + 4 * (size_t)layer->out;
    }
    uint8_t *bytes = base_alloc(8 + HEADER + numbers * sizeof(float), 1, "weights");
    if (bytes != NULL) {
        uint64_t header = write_header(network, (char *)bytes + 8, HEADER - 8);
        while (header % 8 != 0) {
            bytes[8 + header++] = ' ';
        }
        memcpy(bytes, &header, sizeof header);
        write_numbers(network, (float *)(void *)(bytes + 8 + header));
        *file = bytes;
        *size = 8 + (size_t)header + numbers * sizeof(float);
    }
    base_free(network);
    return bytes != NULL ? TOT_OK : TOT_E_MEMORY;
}

tot_status bench_weights(tot_weights **weights, const char *network) {
    uint8_t *bytes = NULL;
    size_t size = 0;
    tot_tensors *tensors = NULL;
    BASE_TRY(make_file(network, &bytes, &size));
    tot_status status = tot_tensors_parse(&tensors, bytes, size, "weights of the benchmark");
    base_free(bytes);
    BASE_THEN(status, tot_weights_from(weights, tensors, NULL));
    tot_tensors_free(tensors);
    return status;
}

tot_status bench_write_weights(const char *network, const char *path) {
    uint8_t *bytes = NULL;
    size_t size = 0;
    BASE_TRY(make_file(network, &bytes, &size));
    FILE *file = fopen(path, "wb");
    const bool written = file != NULL && fwrite(bytes, 1, size, file) == size;
    const bool closed = file != NULL && fclose(file) == 0;
    base_free(bytes);
    return written && closed ? TOT_OK : base_fail(TOT_E_FILE, "%s: could not be written", path);
}
