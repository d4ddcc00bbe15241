// The networks as lists of layers, in the order in which they run.
#pragma once

#include <temporalot/encoder.h>

enum {
    ENCODER_MOST_LAYERS = 160,  // ResNet-152 has 156
    ENCODER_LAYER_NAME = 32,
    ENCODER_PICTURE = -1,  // as the source of a layer
    ENCODER_NONE = -1,     // as its residual
    ENCODER_PICTURE_CHANNELS = 3,
};

typedef enum encoder_layer_activation {
    ENCODER_LAYER_LINEAR,
    ENCODER_LAYER_RELU,
    ENCODER_LAYER_RELU6
} encoder_layer_activation;

// A convolution with its batch norm, the sum with an earlier output and the activation; or max
// pooling, whose names are "".
typedef struct encoder_layer {
    char convolution[ENCODER_LAYER_NAME];  // the tensor's name is this and ".weight"
    char norm[ENCODER_LAYER_NAME];         // four tensors: .weight .bias .running_mean .running_var
    int source;                            // the layer whose output is read
    int residual;                          // the layer whose output is added before the activation
    int in, out;                           // channels
    int kernel, stride, padding;
    int groups;  // 1, or as many as there are channels
    encoder_layer_activation activation;
    bool ends_block;  // the network can be cut behind it
} encoder_layer;

typedef struct encoder_network {
    const tot_network_info *info;
    bool ordered;  // files with other names are matched by the order of their tensors
    int count;
    encoder_layer layers[ENCODER_MOST_LAYERS];
} encoder_network;

// index: as in tot_network_at.
void encoder_network_build(encoder_network *network, size_t index);

// The name of the first layer's tensor, by which a file is recognised.
const char *encoder_network_first_tensor(size_t index);

// Drops the layers behind the last block whose stride is at most `stride` pixels. False when
// there is none: the network is as it was.
bool encoder_network_cut(encoder_network *network, int stride);

// Channels and stride of the last feature map.
int encoder_network_channels(const encoder_network *network);
int encoder_network_stride(const encoder_network *network);

static inline bool encoder_layer_is_pool(const encoder_layer *layer) {
    return layer->convolution[0] == '\0';
}

// Numbers of a layer's kernel.
static inline size_t encoder_layer_numbers(const encoder_layer *layer) {
    return (size_t)layer->out * (size_t)(layer->in / layer->groups) * (size_t)layer->kernel *
           (size_t)layer->kernel;
}

// Pixels a side behind a layer that reads `size` of them.
static inline int encoder_layer_size(const encoder_layer *layer, int size) {
    return (size + 2 * layer->padding - layer->kernel) / layer->stride + 1;
}

// Pixels a side of the output of layer `index` for pictures of `size`.
int encoder_network_size(const encoder_network *network, int index, int size);
