// The weights of a network with batch norm folded in, and the copies of them that kernels want.
#pragma once

#include <pthread.h>

#include "encoder/engine.h"
#include "encoder/networks.h"
#include "file/sha256.h"

// A copy of a layer's kernel (or whatever is made of it) in the order that some code reads.
typedef struct encoder_packed {
    struct encoder_packed *next;
    int layer;
    const char *kind;  // who made it: a literal of its own
    void *key;         // what else distinguishes it; owned
    size_t key_size;
    void *data;
} encoder_packed;

struct tot_weights {
    const encoder_family *family;
    encoder_network network;  // of an ONNX network only the info: it has no layers
    char hash[17];
    struct encoder_model *model;                // of an ONNX network; else NULL
    float *numbers;                             // all that follows
    const float *kernels[ENCODER_MOST_LAYERS];  // [out][in / groups][kernel][kernel]; NULL: pooling
    const float *biases[ENCODER_MOST_LAYERS];   // [out]
    pthread_mutex_t lock;
    encoder_packed *packed;  // under lock
};

// Empty weights of a family. NULL when there is no memory.
tot_weights *encoder_weights_create(const encoder_family *family);

// The hash of what was added, which ends the sum.
void encoder_weights_hash(tot_weights *weights, file_sha256 *sum);

// Frees what encoder_layers keeps in weights.
void encoder_layers_free(tot_weights *weights);

// Makes the copy: *data from base_alloc.
typedef tot_status (*encoder_packer)(const tot_weights *weights, int layer, const void *context,
                                     void **data);

// The copy of that layer, kind and key, made by pack when there is none. It lives as long as
// weights. Any thread.
tot_status encoder_weights_pack(tot_weights *weights, int layer, const char *kind, const void *key,
                                size_t key_size, encoder_packer pack, const void *context,
                                const void **data);
