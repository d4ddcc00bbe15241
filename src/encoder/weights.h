// The weights of a network with batch norm folded in, and copies of them in kernel-specific
// layouts.
#pragma once

#include <pthread.h>

#include "encoder/engine.h"
#include "encoder/networks.h"
#include "file/sha256.h"

// A copy of a layer's kernel, or data derived from it, in the layout some code reads.
typedef struct encoder_packed {
    struct encoder_packed *next;
    int layer;
    const char *kind;  // identifies the code that made it: a string literal
    void *data;
    size_t key_size;
    char key[];  // distinguishes copies of the same kind
} encoder_packed;

struct tot_weights {
    const encoder_family *family;
    encoder_network network;  // ONNX networks: only the info, no layers
    char hash[17];
    struct encoder_model *model;                // ONNX networks only, otherwise NULL
    float *numbers;                             // storage of kernels and biases
    const float *kernels[ENCODER_MOST_LAYERS];  // [out][in / groups][kernel][kernel]; NULL: pooling
    const float *biases[ENCODER_MOST_LAYERS];   // [out]
    pthread_mutex_t lock;
    encoder_packed *packed;  // guarded by lock
};

// Empty weights of a family. NULL if out of memory.
tot_weights *encoder_weights_create(const encoder_family *family);

// Sets the hash from the data added to sum, which is finalised.
void encoder_weights_hash(tot_weights *weights, file_sha256 *sum);

// Frees the data of encoder_layers in weights.
void encoder_layers_free(tot_weights *weights);

// Creates the packed copy; *data is allocated with base_alloc.
typedef tot_status (*encoder_packer)(const tot_weights *weights, int layer, const void *context,
                                     void **data);

// The packed copy for a layer, kind and key, created with pack on first use. Lives as long as the
// weights. Thread-safe.
tot_status encoder_weights_pack(tot_weights *weights, int layer, const char *kind, const void *key,
                                size_t key_size, encoder_packer pack, const void *context,
                                const void **data);
