// Backward pass of the pixel encoder, picture by picture, from the last layer to the first.
#include "nn/conv.h"
#include "base/base.h"

typedef struct backward_context {
    tot_conv *conv;
    int64_t batch;
    const uint8_t *pictures;
    const int8_t *shifts;
    const float *features;
    const float *dfeatures;
} backward_context;

// The gradient with respect to a layer's input is a convolution of the padded output gradient with
// the flipped kernel: [filters][channels][3][3] -> panels over channels of [3][3][filters].
static void pack_backward(const nn_conv_layer *layer, int64_t filters, const float *weight) {
    for (int64_t c = 0; c < layer->channels; c++) {
        float *panel = layer->backward + c / NN_PANEL * NN_PANEL * 9 * filters;
        for (int64_t f = 0; f < filters; f++) {
            for (int64_t tap = 0; tap < 9; tap++) {
                panel[(tap * filters + f) * NN_PANEL + c % NN_PANEL] =
                    weight[(f * layer->channels + c) * 9 + 8 - tap];
            }
        }
    }
}

// The gradient with respect to the last layer's output, gated by its ReLU, channels innermost,
// inside its border.
static void start(const backward_context *all, int64_t index, const nn_conv_worker *own) {
    const tot_conv *conv = all->conv;
    int64_t last = conv->shape.layers - 1;
    int64_t filters = conv->shape.filters;
    int64_t side = conv->layers[last].side;
    const float *features = all->features + index * filters * side * side;
    const float *dfeatures = all->dfeatures + index * filters * side * side;
    // gated into a contiguous array first, then transposed row by row
    float *gated = own->even;
    conv->nn->kernels->gate(filters * side * side, features, dfeatures, gated);
    for (int64_t y = 0; y < side; y++) {
        conv->nn->kernels->transpose(filters, side, gated + y * side, side * side,
                                     own->padded[last] + ((y + 2) * (side + 4) + 2) * filters,
                                     filters);
    }
}

static void backward_layer(const backward_context *all, int64_t k, int64_t index,
                           const nn_conv_worker *own, float *sums) {
    const tot_conv *conv = all->conv;
    const nn_conv_layer *layer = &conv->layers[k];
    int64_t filters = conv->shape.filters;
    int64_t width = layer->side + 4;
    int64_t in_size = layer->in_side * layer->in_side * layer->channels;
    const float *in = k == 0 ? own->view : conv->layers[k - 1].output + index * in_size;
    nn_conv_sum sum = {
        .in = in,
        .in_width = layer->in_side,
        .channels = layer->channels,
        .stride = layer->stride,
        .dout = own->padded[k] + (2 * width + 2) * filters,
        .dout_width = width,
        .side = layer->side,
        .filters = filters,
        .sum = sums + layer->weight,
        .bias = sums + layer->bias,
    };
    conv->nn->kernels->conv_sum(&sum);
    if (k == 0) {
        return;
    }
    int64_t below = layer->in_side + 4;
    nn_conv_map map = {
        .in = own->padded[k],
        .in_width = width,
        .channels = filters,
        .stride = 1,
        .weight = layer->backward,
        .gate = in,
        .out = own->padded[k - 1] + (2 * below + 2) * filters,
        .out_width = below,
        .side = layer->in_side,
        .filters = layer->channels,
    };
    conv->nn->kernels->conv_map(&map);
}

static tot_status backward_part(void *context, size_t part, int worker) {
    const backward_context *all = context;
    const tot_conv *conv = all->conv;
    const nn_conv_worker *own = &conv->workers[worker];
    float *sums = conv->sums + (int64_t)part * conv->parameters;
    memset(sums, 0, (size_t)conv->parameters * sizeof *sums);
    int64_t end = nn_conv_part(all->batch, (int64_t)part + 1);
    for (int64_t index = nn_conv_part(all->batch, (int64_t)part); index < end; index++) {
        start(all, index, own);
        nn_conv_view(conv, all->pictures, all->shifts, index, own);
        for (int64_t k = conv->shape.layers - 1; k >= 0; k--) {
            backward_layer(all, k, index, own, sums);
        }
    }
    return TOT_OK;
}

// Adds the parts in order into part 0.
static void add_parts(tot_conv *conv) {
    for (int64_t part = 1; part < NN_CONV_PARTS; part++) {
        const float *from = conv->sums + part * conv->parameters;
        for (int64_t k = 0; k < conv->parameters; k++) {
            conv->sums[k] += from[k];
        }
    }
}

// [3][3][channels][filters] -> [filters][channels][3][3]
static void unpack(const nn_conv_layer *layer, int64_t filters, const float *sums, float *gradient,
                   bool accumulate) {
    for (int64_t f = 0; f < filters; f++) {
        for (int64_t c = 0; c < layer->channels; c++) {
            for (int64_t tap = 0; tap < 9; tap++) {
                float *to = gradient + layer->weight + (f * layer->channels + c) * 9 + tap;
                float value = sums[layer->weight + (tap * layer->channels + c) * filters + f];
                *to = accumulate ? *to + value : value;
            }
        }
        float *to = gradient + layer->bias + f;
        *to = accumulate ? *to + sums[layer->bias + f] : sums[layer->bias + f];
    }
}

void tot_conv_backward(tot_conv *conv, const float *parameters, int64_t batch,
                       const uint8_t *pictures, const int8_t *shifts, const float *features,
                       const float *dfeatures, float *gradient, bool accumulate) {
    BASE_NEED_OR(, conv, parameters, pictures, features, dfeatures, gradient);
    for (int64_t k = 1; k < conv->shape.layers; k++) {
        pack_backward(&conv->layers[k], conv->shape.filters, parameters + conv->layers[k].weight);
    }
    backward_context all = {.conv = conv,
                            .batch = batch,
                            .pictures = pictures,
                            .shifts = shifts,
                            .features = features,
                            .dfeatures = dfeatures};
    nn_run(conv->nn, NN_CONV_PARTS, backward_part, &all);
    add_parts(conv);
    for (int64_t k = 0; k < conv->shape.layers; k++) {
        unpack(&conv->layers[k], conv->shape.filters, conv->sums, gradient, accumulate);
    }
}
