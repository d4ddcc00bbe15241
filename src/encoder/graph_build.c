
#include "base/base.h"
#include "encoder/graph_state.h"
#include "encoder/graph_weights.h"

static const float MOST_U8 = 255;
static const float MOST_S8 = 127;

// --- values -------------------------------------------------------------------------------------

// The output of a layer, or the picture, with elements of this type in this order.
static tot_status describe(dnnl_memory_desc_t *shape, const encoder_graph *graph, int layer,
                           dnnl_data_type_t type, dnnl_format_tag_t order) {
    const encoder_network *network = &graph->weights->network;
    const int channels =
        layer == ENCODER_PICTURE ? ENCODER_PICTURE_CHANNELS : network->layers[layer].out;
    const int size = encoder_network_size(network, layer, graph->settings.size);
    const dnnl_dims_t dims = {graph->settings.batch, channels, size, size};
    ENCODER_ONEDNN(dnnl_memory_desc_create_with_tag(shape, 4, dims, type, order));
    return TOT_OK;
}

// Adds a value in a memory block; ENCODER_NONE: in its own. shape is copied.
static tot_status add_value(encoder_graph *graph, const_dnnl_memory_desc_t shape, float scale,
                            int block, int *index) {
    encoder_value *value = &graph->values[graph->value_count];
    ENCODER_ONEDNN(dnnl_memory_desc_clone(&value->shape, shape));
    *index = graph->value_count++;
    ENCODER_ONEDNN(dnnl_memory_desc_query(shape, dnnl_query_data_type, &value->type));
    value->scale = scale;
    value->block = block;
    if (block == ENCODER_NONE) {
        value->block = graph->block_count++;
        graph->blocks[value->block] = (encoder_block){
            .bytes = dnnl_memory_desc_get_size(shape),
            .first = graph->step_count,
            .last = graph->step_count,
        };
    }
    return TOT_OK;
}

// Adds the output of a layer, or the picture, with channels last.
static tot_status add_output(encoder_graph *graph, int layer, dnnl_data_type_t type, float scale,
                             int *index) {
    dnnl_memory_desc_t shape = NULL;
    BASE_TRY(describe(&shape, graph, layer, type, dnnl_nhwc));
    BASE_FINALLY(add_value(graph, shape, scale, ENCODER_NONE, index),
                 dnnl_memory_desc_destroy(shape));
}

static void use_value(encoder_graph *graph, int index) {
    graph->blocks[graph->values[index].block].last = graph->step_count;
}

// The type of a layer's output. For int8, the first convolution stays in f32: it is small, and its
// input has not been rounded by any layer. The last layer's output is f32, too.
static dnnl_data_type_t type_of(const encoder_graph *graph, int layer) {
    const encoder_layer *layers = graph->weights->network.layers;
    switch (graph->settings.precision) {
        case TOT_PRECISION_BF16:
            return dnnl_bf16;
        case TOT_PRECISION_INT8:
            if (layers[layer].source == ENCODER_PICTURE ||
                layer + 1 == graph->weights->network.count) {
                return dnnl_f32;
            }
            if (encoder_layer_is_pool(&layers[layer])) {
                layer = layers[layer].source;
            }
            return layers[layer].activation != ENCODER_LAYER_LINEAR ? dnnl_u8 : dnnl_s8;
        default:
            return dnnl_f32;
    }
}

// Activations may be somewhat larger than those seen during calibration: clipping costs far more
// accuracy than a slightly coarser scale.
static const float HEADROOM = 1.6F;

// The quantisation scale of a layer's output in that type; 1 for floats.
static float scale_of(const encoder_graph *graph, int layer, dnnl_data_type_t type) {
    if (type != dnnl_u8 && type != dnnl_s8) {
        return 1;
    }
    if (encoder_layer_is_pool(&graph->weights->network.layers[layer])) {
        layer = graph->weights->network.layers[layer].source;
    }
    const float most = HEADROOM * graph->settings.calibration->most[layer];
    return most > 0 ? most / (type == dnnl_u8 ? MOST_U8 : MOST_S8) : 1;
}

// --- steps --------------------------------------------------------------------------------------

static tot_status make_attributes(dnnl_primitive_attr_t *attributes) {
    ENCODER_ONEDNN(dnnl_primitive_attr_create(attributes));
    ENCODER_ONEDNN(dnnl_primitive_attr_set_scratchpad_mode(*attributes, dnnl_scratchpad_mode_user));
    return TOT_OK;
}

// Takes ownership of the description.
static encoder_step *add_step(encoder_graph *graph, int layer, int source, int target,
                              dnnl_primitive_desc_t description) {
    encoder_step *step = &graph->steps[graph->step_count];
    *step = (encoder_step){
        .layer = layer, .source = source, .target = target, .description = description};
    const char *kernel = "";
    if (dnnl_primitive_desc_query(description, dnnl_query_impl_info_str, 0, (void *)&kernel) ==
        dnnl_success) {
        snprintf(step->kernel, sizeof step->kernel, "%s", kernel);
    }
    if (target != ENCODER_OUTSIDE) {
        use_value(graph, target);
    }
    use_value(graph, source);
    graph->step_count++;
    return step;
}

static tot_status set_reorder_scales(dnnl_primitive_attr_t attributes, float from, float to) {
    if (from != 1) {
        ENCODER_ONEDNN(dnnl_primitive_attr_set_scales_mask(attributes, DNNL_ARG_SRC, 0));
    }
    if (to != 1) {
        ENCODER_ONEDNN(dnnl_primitive_attr_set_scales_mask(attributes, DNNL_ARG_DST, 0));
    }
    return TOT_OK;
}

static tot_status add_reorder(encoder_graph *graph, int source, int target,
                              const_dnnl_memory_desc_t wanted, float scale) {
    dnnl_primitive_attr_t attributes = NULL;
    dnnl_primitive_desc_t description = NULL;
    tot_status status = make_attributes(&attributes);
    BASE_THEN(status, set_reorder_scales(attributes, graph->values[source].scale, scale));
    BASE_THEN(status, encoder_onednn_check(dnnl_reorder_primitive_desc_create(
                                               &description, graph->values[source].shape,
                                               graph->engine, wanted, graph->engine, attributes),
                                           "reorder"));
    dnnl_primitive_attr_destroy(attributes);
    BASE_TRY(status);
    add_step(graph, ENCODER_NONE, source, target, description);
    return TOT_OK;
}

// Replaces *value by one with the wanted layout and type, adding a reorder step if they differ.
static tot_status connect(encoder_graph *graph, int *value, const_dnnl_memory_desc_t wanted,
                          float scale) {
    if (dnnl_memory_desc_equal(graph->values[*value].shape, wanted)) {
        return TOT_OK;
    }
    const int source = *value;
    BASE_TRY(add_value(graph, wanted, scale, ENCODER_NONE, value));
    return add_reorder(graph, source, *value, wanted, scale);
}

// The same with the layout of a layer's output, channels last.
static tot_status connect_as_output(encoder_graph *graph, int *value, int layer,
                                    dnnl_data_type_t type, float scale) {
    dnnl_memory_desc_t wanted = NULL;
    BASE_TRY(describe(&wanted, graph, layer, type, dnnl_nhwc));
    BASE_FINALLY(connect(graph, value, wanted, scale), dnnl_memory_desc_destroy(wanted));
}

// --- convolutions -------------------------------------------------------------------------------

typedef struct convolution {
    int index;
    const encoder_layer *layer;
    dnnl_data_type_t source_type, kernel_type, target_type;
    int residual;  // the value that the sum reads and the convolution overwrites; or ENCODER_NONE
    dnnl_primitive_attr_t attributes;
    dnnl_memory_desc_t source, kernel, bias, target;  // requested layouts
    dnnl_primitive_desc_t description;
} convolution;

static tot_status add_post_operations(const encoder_graph *graph, const convolution *this,
                                      dnnl_post_ops_t operations) {
    if (this->residual != ENCODER_NONE) {
        const encoder_value *residual = &graph->values[this->residual];
        ENCODER_ONEDNN(dnnl_post_ops_append_sum(
            operations, residual->scale, 0,
            residual->type == this->target_type ? dnnl_data_type_undef : residual->type));
    }
    if (this->layer->activation == ENCODER_LAYER_RELU) {
        ENCODER_ONEDNN(dnnl_post_ops_append_eltwise(operations, dnnl_eltwise_relu, 0, 0));
    } else if (this->layer->activation == ENCODER_LAYER_RELU6) {
        ENCODER_ONEDNN(dnnl_post_ops_append_eltwise(operations, dnnl_eltwise_clip, 0, 6));
    }
    return TOT_OK;
}

static tot_status set_attributes(const encoder_graph *graph, convolution *this) {
    dnnl_post_ops_t operations = NULL;
    BASE_TRY(make_attributes(&this->attributes));
    if (this->kernel_type == dnnl_s8) {
        const int by_channel = this->layer->groups > 1 ? 3 : 1;
        ENCODER_ONEDNN(dnnl_primitive_attr_set_scales_mask(this->attributes, DNNL_ARG_SRC, 0));
        ENCODER_ONEDNN(
            dnnl_primitive_attr_set_scales_mask(this->attributes, DNNL_ARG_WEIGHTS, by_channel));
    }
    if (this->target_type == dnnl_u8 || this->target_type == dnnl_s8) {
        ENCODER_ONEDNN(dnnl_primitive_attr_set_scales_mask(this->attributes, DNNL_ARG_DST, 0));
    }
    ENCODER_ONEDNN(dnnl_post_ops_create(&operations));
    tot_status status = add_post_operations(graph, this, operations);
    BASE_THEN(status,
              encoder_onednn_check(dnnl_primitive_attr_set_post_ops(this->attributes, operations),
                                   "post operations"));
    dnnl_post_ops_destroy(operations);
    return status;
}

static void free_shapes(convolution *this) {
    dnnl_memory_desc_destroy(this->source);
    dnnl_memory_desc_destroy(this->kernel);
    dnnl_memory_desc_destroy(this->bias);
    dnnl_memory_desc_destroy(this->target);
    this->source = this->kernel = this->bias = this->target = NULL;
}

static tot_status ask_shapes(const encoder_graph *graph, convolution *this,
                             dnnl_format_tag_t order) {
    const dnnl_dims_t bias = {this->layer->out};
    dnnl_dims_t kernel;
    const int dims = encoder_kernel_dims(this->layer, kernel);
    BASE_TRY(describe(&this->source, graph, this->layer->source, this->source_type, order));
    BASE_TRY(describe(&this->target, graph, this->index, this->target_type, order));
    ENCODER_ONEDNN(dnnl_memory_desc_create_with_tag(&this->bias, 1, bias, dnnl_f32, dnnl_a));
    ENCODER_ONEDNN(dnnl_memory_desc_create_with_tag(&this->kernel, dims, kernel, this->kernel_type,
                                                    dnnl_format_tag_any));
    return TOT_OK;
}

// Requests the convolution from oneDNN with input and output in this layout.
static tot_status ask(const encoder_graph *graph, convolution *this, dnnl_format_tag_t order) {
    const encoder_layer *layer = this->layer;
    const dnnl_dims_t strides = {layer->stride, layer->stride};
    const dnnl_dims_t dilation = {0, 0};
    const dnnl_dims_t padding = {layer->padding, layer->padding};
    tot_status status = ask_shapes(graph, this, order);
    BASE_THEN(status, encoder_onednn_check(
                          dnnl_convolution_forward_primitive_desc_create(
                              &this->description, graph->engine, dnnl_forward_inference,
                              dnnl_convolution_direct, this->source, this->kernel, this->bias,
                              this->target, strides, dilation, padding, padding, this->attributes),
                          layer->convolution));
    free_shapes(this);
    return status;
}

// Whether oneDNN only offers a reference or GEMM implementation.
static bool is_slow(const convolution *this) {
    const char *kernel = "";
    dnnl_primitive_desc_query(this->description, dnnl_query_impl_info_str, 0, (void *)&kernel);
    return strncmp(kernel, "ref", 3) == 0 || strstr(kernel, "gemm") != NULL;
}

// oneDNN's best kernels use channels last; if it has none, let it choose the layout. A residual has
// the layout of earlier outputs, so it requires channels last.
static tot_status choose(const encoder_graph *graph, convolution *this) {
    tot_status status = ask(graph, this, dnnl_nhwc);
    if (this->residual != ENCODER_NONE || (status == TOT_OK && !is_slow(this))) {
        return status;
    }
    convolution other = *this;
    other.description = NULL;
    if (ask(graph, &other, dnnl_format_tag_any) != TOT_OK || is_slow(&other)) {
        dnnl_primitive_desc_destroy(other.description);
        return status;
    }
    dnnl_primitive_desc_destroy(this->description);
    this->description = other.description;
    return TOT_OK;
}

// Converts the residual as the sum requires: to the same element size as the target.
static tot_status prepare_residual(encoder_graph *graph, convolution *this) {
    this->residual = graph->outputs[this->layer->residual];
    const dnnl_data_type_t now = graph->values[this->residual].type;
    const bool wide = this->target_type == dnnl_f32 || now == dnnl_f32;
    const dnnl_data_type_t type = wide ? this->target_type : now;
    return connect_as_output(graph, &this->residual, this->index, type,
                             scale_of(graph, this->layer->residual, type));
}

static tot_status connect_convolution(encoder_graph *graph, convolution *this) {
    int source = this->layer->source == ENCODER_PICTURE ? 0 : graph->outputs[this->layer->source];
    int *target = &graph->outputs[this->index];
    BASE_TRY(set_attributes(graph, this));
    BASE_TRY(choose(graph, this));
    const float scale = this->layer->source == ENCODER_PICTURE
                            ? 1
                            : scale_of(graph, this->layer->source, this->source_type);
    BASE_TRY(connect(graph, &source,
                     dnnl_primitive_desc_query_md(this->description, dnnl_query_src_md, 0), scale));
    BASE_TRY(add_value(
        graph, dnnl_primitive_desc_query_md(this->description, dnnl_query_dst_md, 0),
        scale_of(graph, this->index, this->target_type),
        this->residual != ENCODER_NONE ? graph->values[this->residual].block : ENCODER_NONE,
        target));
    add_step(graph, this->index, source, *target, this->description);
    this->description = NULL;
    return TOT_OK;
}

// The input type of a layer: the type of its source, except that int8 never reads f32.
static dnnl_data_type_t source_type(const encoder_graph *graph, const encoder_layer *layer) {
    const bool int8 = graph->settings.precision == TOT_PRECISION_INT8;
    if (layer->source == ENCODER_PICTURE) {
        return graph->settings.precision == TOT_PRECISION_BF16 ? dnnl_bf16 : dnnl_f32;
    }
    const dnnl_data_type_t type = type_of(graph, layer->source);
    return int8 && type == dnnl_f32 ? dnnl_u8 : type;
}

static tot_status add_convolution(encoder_graph *graph, int index) {
    convolution this = {
        .index = index, .layer = &graph->weights->network.layers[index], .residual = ENCODER_NONE};
    this.source_type = source_type(graph, this.layer);
    this.target_type = type_of(graph, index);
    this.kernel_type =
        this.source_type == dnnl_u8 || this.source_type == dnnl_s8 ? dnnl_s8 : this.source_type;
    if (this.layer->residual != ENCODER_NONE) {
        BASE_TRY(prepare_residual(graph, &this));
    }
    const tot_status status = connect_convolution(graph, &this);
    dnnl_primitive_attr_destroy(this.attributes);
    dnnl_primitive_desc_destroy(this.description);
    return status;
}

// --- the other layers ---------------------------------------------------------------------------

static tot_status add_pool(encoder_graph *graph, int index) {
    const encoder_layer *layer = &graph->weights->network.layers[index];
    const dnnl_dims_t strides = {layer->stride, layer->stride};
    const dnnl_dims_t kernel = {layer->kernel, layer->kernel};
    const dnnl_dims_t dilation = {0, 0};
    const dnnl_dims_t padding = {layer->padding, layer->padding};
    const dnnl_data_type_t type = type_of(graph, index);
    const float scale = scale_of(graph, index, type);
    dnnl_primitive_attr_t attributes = NULL;
    dnnl_primitive_desc_t description = NULL;
    int source = graph->outputs[layer->source];
    int *target = &graph->outputs[index];
    BASE_TRY(connect_as_output(graph, &source, layer->source, type, scale));
    BASE_TRY(add_output(graph, index, type, scale, target));
    tot_status status = make_attributes(&attributes);
    BASE_THEN(status, encoder_onednn_check(
                          dnnl_pooling_forward_primitive_desc_create(
                              &description, graph->engine, dnnl_forward_inference, dnnl_pooling_max,
                              graph->values[source].shape, graph->values[*target].shape, strides,
                              kernel, dilation, padding, padding, attributes),
                          "max pooling"));
    dnnl_primitive_attr_destroy(attributes);
    BASE_TRY(status);
    add_step(graph, index, source, *target, description);
    return TOT_OK;
}

// The last step: writes channels-first f32 to the caller's memory.
static tot_status add_last(encoder_graph *graph) {
    const int last = graph->weights->network.count - 1;
    dnnl_memory_desc_t wanted = NULL;
    BASE_TRY(describe(&wanted, graph, last, dnnl_f32, dnnl_nchw));
    BASE_FINALLY(add_reorder(graph, graph->outputs[last], ENCODER_OUTSIDE, wanted, 1),
                 dnnl_memory_desc_destroy(wanted));
}

// --- memory and arguments -----------------------------------------------------------------------

static tot_status add_argument(const encoder_graph *graph, encoder_step *step, int which,
                               const_dnnl_memory_desc_t shape, const void *data) {
    dnnl_exec_arg_t *argument = &step->arguments[step->count];
    ENCODER_ONEDNN(
        dnnl_memory_create(&argument->memory, shape, graph->engine, encoder_onednn_input(data)));
    argument->arg = which;
    step->count++;
    return TOT_OK;
}

static tot_status add_scale(const encoder_graph *graph, encoder_step *step, int which,
                            const float *scales, int count) {
    const dnnl_dims_t dims = {count};
    dnnl_memory_desc_t shape = NULL;
    ENCODER_ONEDNN(dnnl_memory_desc_create_with_tag(&shape, 1, dims, dnnl_f32, dnnl_a));
    BASE_FINALLY(add_argument(graph, step, DNNL_ARG_ATTR_SCALES | which, shape, scales),
                 dnnl_memory_desc_destroy(shape));
}

static const void *data_of(const encoder_graph *graph, int value) {
    return graph->memory + graph->blocks[graph->values[value].block].offset;
}

static tot_status bind_convolution(encoder_graph *graph, encoder_step *step) {
    const encoder_layer *layer = &graph->weights->network.layers[step->layer];
    const encoder_value *source = &graph->values[step->source];
    const encoder_value *target = &graph->values[step->target];
    const_dnnl_memory_desc_t kernel =
        dnnl_primitive_desc_query_md(step->description, dnnl_query_weights_md, 0);
    const_dnnl_memory_desc_t bias =
        dnnl_primitive_desc_query_md(step->description, dnnl_query_weights_md, 1);
    const void *data = NULL;
    BASE_TRY(encoder_kernel_ordered(graph->weights, step->layer, kernel, source->type, &data));
    BASE_TRY(add_argument(graph, step, DNNL_ARG_WEIGHTS, kernel, data));
    BASE_TRY(add_argument(graph, step, DNNL_ARG_BIAS, bias, graph->weights->biases[step->layer]));
    if (source->type == dnnl_u8 || source->type == dnnl_s8) {
        const float *scales = NULL;
        BASE_TRY(encoder_kernel_scales(graph->weights, step->layer, source->type, &scales));
        BASE_TRY(add_scale(graph, step, DNNL_ARG_SRC, &source->scale, 1));
        BASE_TRY(add_scale(graph, step, DNNL_ARG_WEIGHTS, scales, layer->out));
    }
    if (target->type == dnnl_u8 || target->type == dnnl_s8) {
        BASE_TRY(add_scale(graph, step, DNNL_ARG_DST, &target->scale, 1));
    }
    return TOT_OK;
}

static tot_status bind_reorder(encoder_graph *graph, encoder_step *step) {
    const float from = graph->values[step->source].scale;
    if (from != 1) {
        BASE_TRY(add_scale(graph, step, DNNL_ARG_SRC, &graph->values[step->source].scale, 1));
    }
    if (step->target != ENCODER_OUTSIDE && graph->values[step->target].scale != 1) {
        BASE_TRY(add_scale(graph, step, DNNL_ARG_DST, &graph->values[step->target].scale, 1));
    }
    return TOT_OK;
}

static tot_status bind_step(encoder_graph *graph, encoder_step *step) {
    const_dnnl_memory_desc_t target =
        dnnl_primitive_desc_query_md(step->description, dnnl_query_dst_md, 0);
    const_dnnl_memory_desc_t scratch =
        dnnl_primitive_desc_query_md(step->description, dnnl_query_scratchpad_md, 0);
    ENCODER_ONEDNN(dnnl_primitive_create(&step->primitive, step->description));
    BASE_TRY(add_argument(graph, step, DNNL_ARG_SRC, graph->values[step->source].shape,
                          data_of(graph, step->source)));
    if (step->target == ENCODER_OUTSIDE) {
        BASE_TRY(add_argument(graph, step, DNNL_ARG_DST, target, DNNL_MEMORY_NONE));
        graph->out = step->arguments[step->count - 1].memory;
    } else {
        BASE_TRY(add_argument(graph, step, DNNL_ARG_DST, target, data_of(graph, step->target)));
    }
    BASE_TRY(add_argument(graph, step, DNNL_ARG_SCRATCHPAD, scratch,
                          graph->memory + graph->scratch_offset));
    if (step->layer == ENCODER_NONE) {
        BASE_TRY(bind_reorder(graph, step));
    } else if (!encoder_layer_is_pool(&graph->weights->network.layers[step->layer])) {
        BASE_TRY(bind_convolution(graph, step));
    }
    dnnl_primitive_desc_destroy(step->description);
    step->description = NULL;
    return TOT_OK;
}

static tot_status bind(encoder_graph *graph) {
    size_t scratch = 0;
    for (int k = 0; k < graph->step_count; k++) {
        const size_t wanted = dnnl_memory_desc_get_size(
            dnnl_primitive_desc_query_md(graph->steps[k].description, dnnl_query_scratchpad_md, 0));
        scratch = wanted > scratch ? wanted : scratch;
    }
    graph->scratch_offset = encoder_blocks_place(graph->blocks, graph->block_count);
    // cleared, so that gaps contain no denormals, which would slow the CPU down
    graph->memory = base_alloc_zero(graph->scratch_offset + scratch, 1, "encoder");
    BASE_HAVE(graph->memory);
    graph->picture = (float *)(void *)(graph->memory + graph->blocks[0].offset);
    for (int k = 0; k < graph->step_count; k++) {
        BASE_TRY(bind_step(graph, &graph->steps[k]));
    }
    return TOT_OK;
}

tot_status encoder_graph_build(encoder_graph *graph) {
    int picture;
    BASE_TRY(encoder_onednn_engine(&graph->engine));
    ENCODER_ONEDNN(dnnl_stream_create(&graph->stream, graph->engine, dnnl_stream_default_flags));
    BASE_TRY(add_output(graph, ENCODER_PICTURE, dnnl_f32, 1, &picture));
    for (int k = 0; k < graph->weights->network.count; k++) {
        BASE_TRY(encoder_layer_is_pool(&graph->weights->network.layers[k])
                     ? add_pool(graph, k)
                     : add_convolution(graph, k));
    }
    BASE_TRY(add_last(graph));
    return bind(graph);
}
