// The weights of a network with batch norm folded in, and the copies of them that kernels want.
#ifndef ENCODER_WEIGHTS_H
#define ENCODER_WEIGHTS_H

#include <pthread.h>

#include "encoder/networks.h"

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
    encoder_network network;
    char hash[17];
    float *numbers;                             // all that follows
    const float *kernels[ENCODER_MOST_LAYERS];  // [out][in / groups][kernel][kernel]; NULL: pooling
    const float *biases[ENCODER_MOST_LAYERS];   // [out]
    pthread_mutex_t lock;
    encoder_packed *packed;  // under lock
};

// Makes the copy: *data from base_alloc.
typedef tot_status (*encoder_packer)(const tot_weights *weights, int layer, const void *context,
                                     void **data);

// The copy of that layer, kind and key, made by pack when there is none. It lives as long as
// weights. Any thread.
tot_status encoder_weights_pack(tot_weights *weights, int layer, const char *kind, const void *key,
                                size_t key_size, encoder_packer pack, const void *context,
                                const void **data);

#endif
