// The pixel encoder: memory and forward pass. A picture goes through all layers before the next
// one, so that it stays in the cache; threads work on different pictures.
#include "nn/conv.h"

#include "base/base.h"

enum { MOST_CHANNELS = 4096, MOST_SIZE = 16384 };

// --- sizes -------------------------------------------------------------------------------------

static int64_t side_after(int64_t side, int64_t layer) {
    return side < 3 ? 0 : (side - 3) / (layer == 0 ? 2 : 1) + 1;
}

static int64_t side_of(const tot_conv_shape *shape, int64_t layer) {
    int64_t side = shape->size;
    for (int64_t k = 0; k <= layer; k++) {
        side = side_after(side, k);
    }
    return side;
}

// Sizes whose products do not overflow; layer: up to one past the last.
static bool is_countable(const tot_conv_shape *shape, int64_t layer) {
    return shape->channels >= 0 && shape->channels <= MOST_CHANNELS && shape->size >= 0 &&
           shape->size <= MOST_SIZE && shape->filters >= 0 && shape->filters <= MOST_CHANNELS &&
           shape->layers <= NN_CONV_MOST_LAYERS && layer >= 0 && layer <= shape->layers;
}

int64_t tot_conv_features(const tot_conv_shape *shape) {
    BASE_NEED_OR(0, shape);
    if (!is_countable(shape, shape->layers - 1)) {
        return 0;
    }
    int64_t side = side_of(shape, shape->layers - 1);
    return shape->filters * side * side;
}

int64_t tot_conv_weight_at(const tot_conv_shape *shape, int64_t layer) {
    BASE_NEED_OR(0, shape);
    if (!is_countable(shape, layer)) {
        return 0;
    }
    int64_t first = shape->filters * (9 * shape->channels + 1);
    return layer == 0 ? 0 : first + (layer - 1) * shape->filters * (9 * shape->filters + 1);
}

int64_t tot_conv_bias_at(const tot_conv_shape *shape, int64_t layer) {
    BASE_NEED_OR(0, shape);
    if (!is_countable(shape, layer)) {
        return 0;
    }
    int64_t channels = layer == 0 ? shape->channels : shape->filters;
    return tot_conv_weight_at(shape, layer) + shape->filters * 9 * channels;
}

BASE_GETTER(int64_t, tot_conv_parameters, tot_conv_shape, shape, 0,
            tot_conv_weight_at(shape, shape->layers))

int64_t nn_conv_part(int64_t batch, int64_t k) {
    return batch * k / NN_CONV_PARTS;
}

// --- memory ------------------------------------------------------------------------------------

static tot_status check_range(const char *name, int64_t value, int64_t low, int64_t high) {
    BASE_FAIL_IF(value < low || value > high, TOT_E_ARGUMENT,
                 "convolutions: %s: %lld is not in %lld .. %lld", name, (long long)value,
                 (long long)low, (long long)high);
    return TOT_OK;
}

static tot_status check_shape(const tot_conv_shape *shape) {
    BASE_TRY(check_range("channels", shape->channels, 1, MOST_CHANNELS));
    BASE_TRY(check_range("size", shape->size, 3, MOST_SIZE));
    BASE_TRY(check_range("filters", shape->filters, NN_PANEL, MOST_CHANNELS));
    BASE_TRY(check_range("layers", shape->layers, 1, NN_CONV_MOST_LAYERS));
    BASE_TRY(check_range("shift", shape->shift, 0, 63));
    BASE_TRY(check_range("batch", shape->batch, 1, 1 << 20));
    BASE_FAIL_IF(shape->filters % NN_PANEL != 0, TOT_E_ARGUMENT,
                 "convolutions: filters: %lld is not a multiple of %d", (long long)shape->filters,
                 NN_PANEL);
    BASE_FAIL_IF(side_of(shape, shape->layers - 1) < 1, TOT_E_ARGUMENT,
                 "convolutions: size: nothing is left of %lld pixels after %lld layers",
                 (long long)shape->size, (long long)shape->layers);
    return TOT_OK;
}

static tot_status get(float **memory, int64_t count) {
    BASE_ALLOC_ZERO(*memory, (size_t)count, "convolutions");
    return TOT_OK;
}

static tot_status make_layers(tot_conv *conv) {
    const tot_conv_shape *shape = &conv->shape;
    for (int64_t k = 0; k < shape->layers; k++) {
        nn_conv_layer *layer = &conv->layers[k];
        layer->channels = k == 0 ? shape->channels : shape->filters;
        layer->stride = k == 0 ? 2 : 1;
        layer->in_side = k == 0 ? shape->size : conv->layers[k - 1].side;
        layer->side = side_of(shape, k);
        layer->weight = tot_conv_weight_at(shape, k);
        layer->bias = tot_conv_bias_at(shape, k);
        BASE_TRY(get(&layer->forward, 9 * layer->channels * shape->filters));
        if (conv->learns && k > 0) {
            BASE_TRY(get(&layer->backward, 9 * layer->channels * shape->filters));
        }
        if (conv->learns && k + 1 < shape->layers) {
            BASE_TRY(
                get(&layer->output, shape->batch * layer->side * layer->side * shape->filters));
        }
    }
    return TOT_OK;
}

static tot_status make_workers(tot_conv *conv) {
    const tot_conv_shape *shape = &conv->shape;
    int64_t most = conv->layers[0].side * conv->layers[0].side * shape->filters;
    BASE_ALLOC_ZERO(conv->workers, (size_t)conv->nn->threads, "convolutions");
    for (int k = 0; k < conv->nn->threads; k++) {
        nn_conv_worker *own = &conv->workers[k];
        BASE_TRY(get(&own->view, shape->size * shape->size * shape->channels));
        BASE_TRY(get(&own->row, shape->size * shape->channels));
        BASE_TRY(get(&own->even, most));
        BASE_TRY(get(&own->odd, most));
        for (int64_t l = 0; conv->learns && l < shape->layers; l++) {
            int64_t side = conv->layers[l].side + 4;
            BASE_TRY(get(&own->padded[l], side * side * shape->filters));
        }
    }
    return conv->learns ? get(&conv->sums, NN_CONV_PARTS * conv->parameters) : TOT_OK;
}

tot_status tot_conv_create(tot_conv **out, const tot_conv_shape *shape, bool learns, tot_nn *nn) {
    BASE_NEED(out, shape, nn);
    *out = NULL;
    BASE_TRY(check_shape(shape));
    BASE_NEW(tot_conv, conv, "convolutions");
    conv->nn = nn;
    conv->shape = *shape;
    conv->learns = learns;
    conv->parameters = tot_conv_parameters(shape);
    tot_status status = make_layers(conv);
    BASE_GIVE(BASE_THEN(status, make_workers(conv)), out, conv, tot_conv_free);
}

void tot_conv_free(tot_conv *conv) {
    BASE_UNLESS_NULL(conv);
    for (int k = 0; conv->workers != NULL && k < conv->nn->threads; k++) {
        nn_conv_worker *own = &conv->workers[k];
        BASE_RELEASE(own->view, own->row, own->even, own->odd);
        for (int64_t l = 0; l < NN_CONV_MOST_LAYERS; l++) {
            base_free(own->padded[l]);
        }
    }
    for (int64_t k = 0; k < NN_CONV_MOST_LAYERS; k++) {
        BASE_RELEASE(conv->layers[k].forward, conv->layers[k].backward, conv->layers[k].output);
    }
    BASE_RELEASE(conv->workers, conv->sums, conv);
}

// --- forward -----------------------------------------------------------------------------------

// [filters][channels][3][3] -> panels of [3][3][channels][NN_PANEL]
static void pack_forward(const nn_conv_layer *layer, int64_t filters, const float *weight) {
    for (int64_t f = 0; f < filters; f++) {
        float *panel = layer->forward + f / NN_PANEL * NN_PANEL * 9 * layer->channels;
        for (int64_t c = 0; c < layer->channels; c++) {
            for (int64_t tap = 0; tap < 9; tap++) {
                panel[(tap * layer->channels + c) * NN_PANEL + f % NN_PANEL] =
                    weight[(f * layer->channels + c) * 9 + tap];
            }
        }
    }
}

typedef struct forward_context {
    tot_conv *conv;
    const float *parameters;
    int64_t batch;
    const uint8_t *pictures;
    const int8_t *shifts;
    float *features;
    bool keep;
} forward_context;

void nn_conv_view(const tot_conv *conv, const uint8_t *pictures, const int8_t *shifts,
                  int64_t index, const nn_conv_worker *own) {
    const tot_conv_shape *shape = &conv->shape;
    nn_view made = {
        .picture = pictures + index * shape->channels * shape->size * shape->size,
        .channels = shape->channels,
        .size = shape->size,
        .x = shifts != NULL ? shifts[2 * index] - shape->shift : 0,
        .y = shifts != NULL ? shifts[2 * index + 1] - shape->shift : 0,
        .row = own->row,
        .out = own->view,
    };
    conv->nn->kernels->view(&made);
}

static void forward_picture(const forward_context *all, int64_t index, const nn_conv_worker *own) {
    const tot_conv *conv = all->conv;
    int64_t filters = conv->shape.filters;
    nn_conv_view(conv, all->pictures, all->shifts, index, own);
    const float *in = own->view;
    for (int64_t k = 0; k < conv->shape.layers; k++) {
        const nn_conv_layer *layer = &conv->layers[k];
        int64_t size = layer->side * layer->side * filters;
        float *out = k % 2 == 0 ? own->even : own->odd;
        if (all->keep && layer->output != NULL) {
            out = layer->output + index * size;
        }
        nn_conv_map map = {
            .in = in,
            .in_width = layer->in_side,
            .channels = layer->channels,
            .stride = layer->stride,
            .weight = layer->forward,
            .bias = all->parameters + layer->bias,
            .relu = true,
            .out = out,
            .out_width = layer->side,
            .side = layer->side,
            .filters = filters,
        };
        conv->nn->kernels->conv_map(&map);
        in = out;
    }
    int64_t side = conv->layers[conv->shape.layers - 1].side;
    conv->nn->kernels->transpose(side * side, filters, in, filters,
                                 all->features + index * filters * side * side, side * side);
}

static tot_status forward_part(void *context, size_t part, int worker) {
    const forward_context *all = context;
    int64_t end = nn_conv_part(all->batch, (int64_t)part + 1);
    for (int64_t index = nn_conv_part(all->batch, (int64_t)part); index < end; index++) {
        forward_picture(all, index, &all->conv->workers[worker]);
    }
    return TOT_OK;
}

void tot_conv_forward(tot_conv *conv, const float *parameters, int64_t batch,
                      const uint8_t *pictures, const int8_t *shifts, float *features, bool keep) {
    BASE_NEED_OR(, conv, parameters, pictures, features);
    for (int64_t k = 0; k < conv->shape.layers; k++) {
        pack_forward(&conv->layers[k], conv->shape.filters, parameters + conv->layers[k].weight);
    }
    forward_context all = {.conv = conv,
                           .parameters = parameters,
                           .batch = batch,
                           .pictures = pictures,
                           .shifts = shifts,
                           .features = features,
                           .keep = keep};
    nn_run(conv->nn, NN_CONV_PARTS, forward_part, &all);
}
