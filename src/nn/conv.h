// Internals of a tot_conv.
#pragma once

#include "nn/nn.h"

enum {
    NN_CONV_MOST_LAYERS = 16,
    // a batch is split into this many parts, independent of the number of threads: each sums its
    // own gradient, and the parts are added in order
    NN_CONV_PARTS = 16,
};

typedef struct nn_conv_layer {
    int64_t channels, stride;
    int64_t in_side, side;  // of its input and output
    int64_t weight, bias;   // offsets in the parameters
    float *forward;         // packed weight: panels of [3][3][channels][NN_PANEL]
    float *backward;        // the same for the gradient with respect to the input: panels of
                            // [3][3][filters]
    float *output;          // [batch][side][side][filters]; NULL for the last layer
} nn_conv_layer;

typedef struct nn_conv_worker {
    float *view;  // input picture: [size][size][channels]
    float *row;   // [channels][size]
    float *even;  // outputs of layers that are not kept
    float *odd;
    float *padded[NN_CONV_MOST_LAYERS];  // gradient with respect to a layer's output, with a border
                                         // of 2 zeros
} nn_conv_worker;

struct tot_conv {
    tot_nn *nn;
    tot_conv_shape shape;
    bool learns;
    nn_conv_layer layers[NN_CONV_MOST_LAYERS];
    nn_conv_worker *workers;  // [threads]
    float *sums;              // [NN_CONV_PARTS][parameters]: [3][3][channels][filters] and bias
    int64_t parameters;
};

// Writes picture `index` of a batch to the worker's view.
void nn_conv_view(const tot_conv *conv, const uint8_t *pictures, const int8_t *shifts,
                  int64_t index, const nn_conv_worker *own);

// Splits the batch into parts for jobs: start of part k.
int64_t nn_conv_part(int64_t batch, int64_t k);
