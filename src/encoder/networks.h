// The networks as lists of layers, in the order in which they run.
#ifndef TOT_ENCODER_NETWORKS_H
#define TOT_ENCODER_NETWORKS_H

#include <temporalot/encoder.h>

enum {
    TOT_MOST_LAYERS = 160,  // ResNet-152 has 156
    TOT_LAYER_NAME = 32,
    TOT_PICTURE = -1,  // as the source of a layer
    TOT_NONE = -1,     // as its residual
    TOT_PICTURE_CHANNELS = 3,
};

typedef enum tot_layer_activation {
    TOT_LAYER_LINEAR,
    TOT_LAYER_RELU,
    TOT_LAYER_RELU6
} tot_layer_activation;

// A convolution with its batch norm, the sum with an earlier output and the activation; or max
// pooling, whose names are "".
typedef struct tot_layer {
    char convolution[TOT_LAYER_NAME];  // the tensor's name is this and ".weight"
    char norm[TOT_LAYER_NAME];         // four tensors: .weight .bias .running_mean .running_var
    int source;                        // the layer whose output is read
    int residual;                      // the layer whose output is added before the activation
    int in, out;                       // channels
    int kernel, stride, padding;
    int groups;  // 1, or as many as there are channels
    tot_layer_activation activation;
    bool ends_block;  // the network can be cut behind it
} tot_layer;

typedef struct tot_network {
    const tot_network_info *info;
    bool ordered;  // files with other names are matched by the order of their tensors
    int count;
    tot_layer layers[TOT_MOST_LAYERS];
} tot_network;

// index: as in tot_network_at.
void tot_network_build(tot_network *network, size_t index);

// Drops the layers behind the last block whose cells are at most `cell` pixels a side. False when
// there is none: the network is as it was.
bool tot_network_cut(tot_network *network, int cell);

// Channels and pixels a side of a cell of the last map.
int tot_network_channels(const tot_network *network);
int tot_network_cell(const tot_network *network);

static inline bool tot_layer_is_pool(const tot_layer *layer) {
    return layer->convolution[0] == '\0';
}

// Numbers of a layer's kernel.
static inline size_t tot_layer_numbers(const tot_layer *layer) {
    return (size_t)layer->out * (size_t)(layer->in / layer->groups) * (size_t)layer->kernel *
           (size_t)layer->kernel;
}

// Pixels a side behind a layer that reads `size` of them.
static inline int tot_layer_size(const tot_layer *layer, int size) {
    return (size + 2 * layer->padding - layer->kernel) / layer->stride + 1;
}

// Pixels a side of the output of layer `index` for pictures of `size`.
int tot_network_size(const tot_network *network, int index, int size);

#endif
