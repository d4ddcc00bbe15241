// The networks as lists of layers in execution order.
#pragma once

#include <temporalot/encoder.h>

enum {
    ENCODER_MOST_LAYERS = 160,  // ResNet-152 has 156
    ENCODER_LAYER_NAME = 32,
    ENCODER_PICTURE = -1,  // source of the first layer
    ENCODER_NONE = -1,     // residual of a layer without one
    ENCODER_PICTURE_CHANNELS = 3,
};

typedef enum encoder_layer_activation {
    ENCODER_LAYER_LINEAR,
    ENCODER_LAYER_RELU,
    ENCODER_LAYER_RELU6
} encoder_layer_activation;

// A convolution followed by batch norm, an optional residual sum and the activation; or max
// pooling, which has empty names.
typedef struct encoder_layer {
    char convolution[ENCODER_LAYER_NAME];  // name of the kernel tensor, without ".weight"
    char norm[ENCODER_LAYER_NAME];         // name before .weight .bias .running_mean .running_var
    int source;                            // layer whose output is the input
    int residual;                          // layer whose output is added before the activation
    int in, out;                           // channels
    int kernel, stride, padding;
    int groups;  // 1, or the number of channels (depthwise)
    encoder_layer_activation activation;
    bool ends_block;  // the network can be cut after this layer
} encoder_layer;

typedef struct encoder_network {
    const tot_network_info *info;
    bool ordered;  // files with other tensor names are matched by tensor order
    int count;
    encoder_layer layers[ENCODER_MOST_LAYERS];
} encoder_network;

// index: as for tot_network_at.
void encoder_network_build(encoder_network *network, size_t index);

// The name of the first layer's tensor, which identifies the network in a file.
const char *encoder_network_first_tensor(size_t index);

// Writes the first tensors of all families and their names: "conv1.weight (ResNet) or ...".
void encoder_describe_families(char *text, size_t size);

// Whether it can be the stride of a network or of its part: 4, 8, 16 or 32.
bool encoder_is_stride(int64_t stride);

// Drops the layers after the last block whose stride is at most `stride` pixels. Returns false and
// leaves the network unchanged if there is no such block.
bool encoder_network_cut(encoder_network *network, int stride);

// Channels and stride of the last feature map.
int encoder_network_channels(const encoder_network *network);
int encoder_network_stride(const encoder_network *network);

static inline bool encoder_layer_is_pool(const encoder_layer *layer) {
    return layer->convolution[0] == '\0';
}

// Elements of a layer's kernel.
static inline size_t encoder_layer_numbers(const encoder_layer *layer) {
    return (size_t)layer->out * (size_t)(layer->in / layer->groups) * (size_t)layer->kernel *
           (size_t)layer->kernel;
}

// Side of the output of layer `index`, or of ENCODER_PICTURE, in pixels, for pictures of side
// `size`.
int encoder_network_size(const encoder_network *network, int index, int size);
