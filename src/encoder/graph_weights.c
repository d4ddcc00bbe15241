#include "encoder/graph_weights.h"

#include "base/base.h"

int encoder_kernel_dims(const encoder_layer *layer, dnnl_dims_t dims) {
    const dnnl_dims_t plain = {layer->out, layer->in, layer->kernel, layer->kernel};
    const dnnl_dims_t grouped = {layer->groups, layer->out / layer->groups,
                                 layer->in / layer->groups, layer->kernel, layer->kernel};
    memcpy(dims, layer->groups > 1 ? grouped : plain, sizeof plain);
    return layer->groups > 1 ? 5 : 4;
}

// --- int8 ---------------------------------------------------------------------------------------

// The largest quantised kernel value. Without VNNI, two u8 x s8 products are added in 16 bits and
// must not overflow: 2 x 255 x 64 < 32768. For s8 inputs oneDNN leaves the headroom itself.
static float largest_number(dnnl_data_type_t source) {
    return source == dnnl_u8 && !encoder_onednn_has_int8() ? 64 : 127;
}

static tot_status pack_scales(const tot_weights *weights, int layer, const void *context,
                              void **data) {
    const encoder_layer *shape = &weights->network.layers[layer];
    const size_t each = encoder_layer_numbers(shape) / (size_t)shape->out;
    float *scales = base_alloc((size_t)shape->out, sizeof *scales, "weights");
    BASE_HAVE(scales);
    const float largest = largest_number(*(const dnnl_data_type_t *)context);
    for (size_t channel = 0; channel < (size_t)shape->out; channel++) {
        float most = 0;
        for (size_t k = 0; k < each; k++) {
            most = fmaxf(most, fabsf(weights->kernels[layer][channel * each + k]));
        }
        scales[channel] = most > 0 ? most / largest : 1;
    }
    *data = scales;
    return TOT_OK;
}

tot_status encoder_kernel_scales(tot_weights *weights, int layer, dnnl_data_type_t source,
                                 const float **scales) {
    const void *data = NULL;
    BASE_TRY(encoder_weights_pack(weights, layer, "int8 scales", &source, sizeof source,
                                  pack_scales, &source, &data));
    *scales = data;
    return TOT_OK;
}

static tot_status quantise(const tot_weights *weights, int layer, dnnl_data_type_t source,
                           int8_t **out) {
    const encoder_layer *shape = &weights->network.layers[layer];
    const size_t numbers = encoder_layer_numbers(shape);
    const size_t each = numbers / (size_t)shape->out;
    void *scales = NULL;
    BASE_TRY(pack_scales(weights, layer, &source, &scales));
    int8_t *quantised = base_alloc(numbers, 1, "weights");
    if (quantised != NULL) {
        for (size_t k = 0; k < numbers; k++) {
            quantised[k] =
                (int8_t)lrintf(weights->kernels[layer][k] / ((const float *)scales)[k / each]);
        }
    }
    base_free(scales);
    *out = quantised;
    return quantised != NULL ? TOT_OK : TOT_E_MEMORY;
}

// --- reordering ---------------------------------------------------------------------------------

typedef struct ordering {
    const_dnnl_memory_desc_t wanted;
    dnnl_data_type_t source;
} ordering;

// What a reorder needs, to be freed together.
typedef struct reordering {
    dnnl_memory_t from, to;
    dnnl_primitive_desc_t description;
    dnnl_primitive_t primitive;
    dnnl_stream_t stream;
} reordering;

static tot_status reorder(reordering *this, const void *plain_data, const_dnnl_memory_desc_t plain,
                          void *data, const_dnnl_memory_desc_t wanted) {
    dnnl_engine_t engine;
    BASE_TRY(encoder_onednn_engine(&engine));
    ENCODER_ONEDNN(
        dnnl_memory_create(&this->from, plain, engine, encoder_onednn_input(plain_data)));
    ENCODER_ONEDNN(dnnl_memory_create(&this->to, wanted, engine, data));
    ENCODER_ONEDNN(dnnl_reorder_primitive_desc_create(&this->description, plain, engine, wanted,
                                                      engine, NULL));
    ENCODER_ONEDNN(dnnl_primitive_create(&this->primitive, this->description));
    ENCODER_ONEDNN(dnnl_stream_create(&this->stream, engine, dnnl_stream_default_flags));
    const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_FROM, this->from}, {DNNL_ARG_TO, this->to}};
    ENCODER_ONEDNN(dnnl_primitive_execute(this->primitive, this->stream, 2, arguments));
    ENCODER_ONEDNN(dnnl_stream_wait(this->stream));
    return TOT_OK;
}

static tot_status order_from(const encoder_layer *shape, const void *plain_data,
                             dnnl_data_type_t type, const_dnnl_memory_desc_t wanted, void **data) {
    dnnl_dims_t dims;
    dnnl_memory_desc_t plain = NULL;
    reordering this = {0};
    const int count = encoder_kernel_dims(shape, dims);
    ENCODER_ONEDNN(dnnl_memory_desc_create_with_tag(&plain, count, dims, type,
                                                    count == 5 ? dnnl_abcde : dnnl_abcd));
    const int threads = encoder_onednn_threads(1);
    void *ordered = base_alloc(dnnl_memory_desc_get_size(wanted), 1, "weights");
    const tot_status status =
        ordered != NULL ? reorder(&this, plain_data, plain, ordered, wanted) : TOT_E_MEMORY;
    dnnl_stream_destroy(this.stream);
    dnnl_primitive_destroy(this.primitive);
    dnnl_primitive_desc_destroy(this.description);
    dnnl_memory_destroy(this.to);
    dnnl_memory_destroy(this.from);
    dnnl_memory_desc_destroy(plain);
    encoder_onednn_threads(threads);
    BASE_GIVE(status, data, ordered, base_free);
}

static tot_status pack_ordered(const tot_weights *weights, int layer, const void *context,
                               void **data) {
    const ordering *this = context;
    const encoder_layer *shape = &weights->network.layers[layer];
    dnnl_data_type_t type;
    ENCODER_ONEDNN(dnnl_memory_desc_query(this->wanted, dnnl_query_data_type, &type));
    if (type != dnnl_s8) {
        return order_from(shape, weights->kernels[layer], dnnl_f32, this->wanted, data);
    }
    int8_t *quantised = NULL;
    BASE_TRY(quantise(weights, layer, this->source, &quantised));
    BASE_FINALLY(order_from(shape, quantised, dnnl_s8, this->wanted, data), base_free(quantised));
}

// Identifies a layout: oneDNN's descriptors are pointers and cannot be compared by value.
typedef struct order_key {
    dnnl_data_type_t type;
    dnnl_data_type_t source;
    size_t bytes;  // including the data oneDNN appends to the kernel
    int inner_count;
    dnnl_dims_t strides, inner_blocks, inner_indices;
} order_key;

static tot_status query_dims(const_dnnl_memory_desc_t description, dnnl_query_t what, int count,
                             dnnl_dims_t dims) {
    const dnnl_dims_t *found;
    ENCODER_ONEDNN(dnnl_memory_desc_query(description, what, (void *)&found));
    memcpy(dims, *found, (size_t)count * sizeof **found);
    return TOT_OK;
}

tot_status encoder_kernel_ordered(tot_weights *weights, int layer, const_dnnl_memory_desc_t wanted,
                                  dnnl_data_type_t source, const void **data) {
    order_key key;
    int count;
    memset(&key, 0, sizeof key);
    key.bytes = dnnl_memory_desc_get_size(wanted);
    ENCODER_ONEDNN(dnnl_memory_desc_query(wanted, dnnl_query_data_type, &key.type));
    key.source = key.type == dnnl_s8 ? source : dnnl_f32;
    ENCODER_ONEDNN(dnnl_memory_desc_query(wanted, dnnl_query_ndims_s32, &count));
    ENCODER_ONEDNN(dnnl_memory_desc_query(wanted, dnnl_query_inner_nblks_s32, &key.inner_count));
    BASE_TRY(query_dims(wanted, dnnl_query_strides, count, key.strides));
    BASE_TRY(query_dims(wanted, dnnl_query_inner_blks, key.inner_count, key.inner_blocks));
    BASE_TRY(query_dims(wanted, dnnl_query_inner_idxs, key.inner_count, key.inner_indices));
    const ordering context = {.wanted = wanted, .source = source};
    return encoder_weights_pack(weights, layer, "onednn", &key, sizeof key, pack_ordered, &context,
                                data);
}
