#include "encoder/networks.h"

#include "base/base.h"

typedef struct table_entry table_entry;

// Networks with the same architecture.
typedef struct network_family {
    const char *name;
    void (*build)(encoder_network *network, const table_entry *entry);
    const char *first_tensor;  // name of the first layer's tensor, which identifies the family
} network_family;

struct table_entry {
    tot_network_info info;
    const network_family *family;
    int blocks[4];    // blocks per stage of a ResNet
    bool bottleneck;  // blocks of 1x1, 3x3, 1x1; otherwise 3x3, 3x3
};

// --- building lists of layers -------------------------------------------------------------------

// Adds a layer whose names are PREFIX followed by the two given names. Returns its index.
static int add(encoder_network *network, encoder_layer layer, const char *prefix,
               const char *convolution, const char *norm) {
    snprintf(layer.convolution, sizeof layer.convolution, "%s%s", prefix, convolution);
    snprintf(layer.norm, sizeof layer.norm, "%s%s", prefix, norm);
    network->layers[network->count] = layer;
    return network->count++;
}

// A convolution with padding that preserves the size at stride 1.
static encoder_layer convolution(int source, int in, int out, int kernel, int stride,
                                 encoder_layer_activation activation) {
    return (encoder_layer){
        .source = source,
        .residual = ENCODER_NONE,
        .in = in,
        .out = out,
        .kernel = kernel,
        .stride = stride,
        .padding = kernel / 2,
        .groups = 1,
        .activation = activation,
    };
}

// A ResNet block with `width` inner channels. Returns the index of its last layer.
static int add_block(encoder_network *network, const char *prefix, int source, int width,
                     int stride, bool bottleneck) {
    const int in = network->layers[source].out;
    const int out = bottleneck ? 4 * width : width;
    int at;
    if (bottleneck) {
        at = add(network, convolution(source, in, width, 1, 1, ENCODER_LAYER_RELU), prefix, "conv1",
                 "bn1");
        at = add(network, convolution(at, width, width, 3, stride, ENCODER_LAYER_RELU), prefix,
                 "conv2", "bn2");
    } else {
        at = add(network, convolution(source, in, width, 3, stride, ENCODER_LAYER_RELU), prefix,
                 "conv1", "bn1");
    }
    int residual = source;
    if (stride != 1 || in != out) {
        residual = add(network, convolution(source, in, out, 1, stride, ENCODER_LAYER_LINEAR),
                       prefix, "downsample.0", "downsample.1");
    }
    encoder_layer last = convolution(at, width, out, bottleneck ? 1 : 3, 1, ENCODER_LAYER_RELU);
    last.residual = residual;
    last.ends_block = true;
    return add(network, last, prefix, bottleneck ? "conv3" : "conv2", bottleneck ? "bn3" : "bn2");
}

static void build_resnet(encoder_network *network, const table_entry *entry) {
    int at =
        add(network,
            convolution(ENCODER_PICTURE, ENCODER_PICTURE_CHANNELS, 64, 7, 2, ENCODER_LAYER_RELU),
            "", "conv1", "bn1");
    at = add(network, convolution(at, 64, 64, 3, 2, ENCODER_LAYER_LINEAR), "", "",
             "");  // max pooling
    for (int stage = 0; stage < 4; stage++) {
        for (int block = 0; block < entry->blocks[stage]; block++) {
            char prefix[ENCODER_LAYER_NAME];
            snprintf(prefix, sizeof prefix, "layer%d.%d.", stage + 1, block);
            at = add_block(network, prefix, at, 64 << stage, stage > 0 && block == 0 ? 2 : 1,
                           entry->bottleneck);
        }
    }
}

// A MobileNetV2 block: expand by `factor`, depthwise 3x3, project to `out`.
static int add_inverted(encoder_network *network, const char *prefix, int source, int factor,
                        int out, int stride) {
    const int in = network->layers[source].out;
    const int wide = in * factor;
    int at = source;
    if (factor > 1) {
        at = add(network, convolution(at, in, wide, 1, 1, ENCODER_LAYER_RELU6), prefix, "conv.0.0",
                 "conv.0.1");
    }
    encoder_layer by_channel = convolution(at, wide, wide, 3, stride, ENCODER_LAYER_RELU6);
    by_channel.groups = wide;
    at = add(network, by_channel, prefix, factor > 1 ? "conv.1.0" : "conv.0.0",
             factor > 1 ? "conv.1.1" : "conv.0.1");
    encoder_layer narrow = convolution(at, wide, out, 1, 1, ENCODER_LAYER_LINEAR);
    narrow.residual = stride == 1 && in == out ? source : ENCODER_NONE;
    narrow.ends_block = true;
    return add(network, narrow, prefix, factor > 1 ? "conv.2" : "conv.1",
               factor > 1 ? "conv.3" : "conv.2");
}

static void build_mobilenet(encoder_network *network, const table_entry *entry) {
    static const struct {
        int factor, out, blocks, stride;
    } stages[] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                  {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
    network->ordered = true;
    int at =
        add(network,
            convolution(ENCODER_PICTURE, ENCODER_PICTURE_CHANNELS, 32, 3, 2, ENCODER_LAYER_RELU6),
            "", "features.0.0", "features.0.1");
    int number = 1;
    for (size_t k = 0; k < BASE_LENGTH(stages); k++) {
        for (int block = 0; block < stages[k].blocks; block++) {
            char prefix[ENCODER_LAYER_NAME];
            snprintf(prefix, sizeof prefix, "features.%d.", number++);
            at = add_inverted(network, prefix, at, stages[k].factor, stages[k].out,
                              block == 0 ? stages[k].stride : 1);
        }
    }
    add(network, convolution(at, 320, entry->info.channels, 1, 1, ENCODER_LAYER_RELU6), "",
        "features.18.0", "features.18.1");
}

// --- the table ----------------------------------------------------------------------------------

static const network_family resnet = {"ResNet", build_resnet, "conv1.weight"};
static const network_family mobilenet = {"MobileNetV2", build_mobilenet, "features.0.0.weight"};

// To add a network to a family, add a row below its family's others; a new family needs a function
// that lists its layers.
static const table_entry table[] = {
    {{"resnet18", 512, 32, "ResNet-18, 3.6 GFLOP per picture of 224 pixels"},
     &resnet,
     {2, 2, 2, 2},
     false},
    {{"resnet34", 512, 32, "ResNet-34, 7.3 GFLOP"}, &resnet, {3, 4, 6, 3}, false},
    {{"resnet50", 2048, 32, "ResNet-50, 8.2 GFLOP: the paper's"}, &resnet, {3, 4, 6, 3}, true},
    {{"resnet101", 2048, 32, "ResNet-101, 15.6 GFLOP"}, &resnet, {3, 4, 23, 3}, true},
    {{"resnet152", 2048, 32, "ResNet-152, 23 GFLOP"}, &resnet, {3, 8, 36, 3}, true},
    {{"mobilenetv2", 1280, 32,
      "MobileNetV2 1.0, 0.6 GFLOP: its weights are installed during set-up"},
     &mobilenet,
     {0},
     false},
};

enum { NETWORKS = BASE_LENGTH(table) };

size_t tot_network_count(void) {
    return NETWORKS;
}

const tot_network_info *tot_network_at(size_t index) {
    return index < NETWORKS ? &table[index].info : NULL;
}

tot_status tot_network_find(const tot_network_info **info, const char *name) {
    BASE_NEED(info, name);
    *info = BASE_FIND_ROW("encoder", name, table);  // the info is the first field of a row
    return *info != NULL ? TOT_OK : TOT_E_ARGUMENT;
}

const char *encoder_network_first_tensor(size_t index) {
    return table[index].family->first_tensor;
}

void encoder_describe_families(char *text, size_t size) {
    text[0] = '\0';
    for (size_t k = 0; k < NETWORKS; k++) {
        const network_family *family = table[k].family;
        if (k == 0 || family != table[k - 1].family) {
            base_append(text, size, "%s%s (%s)", k > 0 ? " or " : "", family->first_tensor,
                        family->name);
        }
    }
}

void encoder_network_build(encoder_network *network, size_t index) {
    const table_entry *entry = &table[index];
    memset(network, 0, sizeof *network);
    network->info = &entry->info;
    entry->family->build(network, entry);
}

int encoder_network_size(const encoder_network *network, int index, int size) {
    if (index == ENCODER_PICTURE) {
        return size;
    }
    const encoder_layer *layer = &network->layers[index];
    const int source = encoder_network_size(network, layer->source, size);
    return (source + 2 * layer->padding - layer->kernel) / layer->stride + 1;
}

// Input pixels between adjacent positions of a layer's output.
static int stride_of(const encoder_network *network, int index) {
    const encoder_layer *layer = &network->layers[index];
    return layer->stride *
           (layer->source == ENCODER_PICTURE ? 1 : stride_of(network, layer->source));
}

bool encoder_is_stride(int64_t stride) {
    // a power of two in the range
    return stride >= TOT_MIN_STRIDE && stride <= TOT_MAX_STRIDE && (stride & (stride - 1)) == 0;
}

bool encoder_network_cut(encoder_network *network, int stride) {
    for (int k = network->count - 1; k >= 0; k--) {
        if (network->layers[k].ends_block && stride_of(network, k) <= stride) {
            network->count = k + 1;
            return true;
        }
    }
    return false;
}

int encoder_network_channels(const encoder_network *network) {
    return network->layers[network->count - 1].out;
}

int encoder_network_stride(const encoder_network *network) {
    return stride_of(network, network->count - 1);
}
