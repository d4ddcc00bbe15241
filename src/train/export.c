// Exports the actor: its tensors as .npz, or an ONNX graph: a ModelProto, field by field.
#include "train/export.h"

#include "base/base.h"
#include "file/atomic.h"
#include "file/npz.h"
#include "file/protobuf.h"

// Whether a tensor of the agent is a weight needed for acting, not one of Adam's moments.
static bool is_acting(const char *name) {
    const bool acts = strncmp(name, "actor.", 6) == 0 || strncmp(name, "encoder.", 8) == 0;
    return acts && strstr(name, ".adam.") == NULL;
}

// An array of the policy: a vector if columns is 0.
static tot_array array_of(const float *numbers, int64_t rows, int64_t columns) {
    return (tot_array){.type = TOT_F32,
                       .dimensions = columns > 0 ? 2 : 1,
                       .shape = {rows, columns},
                       .data = (void *)numbers};
}

// --- .npz --------------------------------------------------------------------------------------

static tot_status write_array(tot_npz_writer *npz, const char *name, tot_array array) {
    return tot_npz_add(npz, name, &array);
}

static tot_status write_input(tot_npz_writer *npz, const train_policy *policy) {
    const int64_t times = policy->times;
    if (policy->shaped) {
        BASE_TRY(write_array(npz, "input.weight",
                             array_of(policy->weight, TRAIN_SHAPED, TOT_OBSERVATION)));
        BASE_TRY(write_array(npz, "input.bias", array_of(policy->bias, TRAIN_SHAPED, 0)));
    }
    if (times > 0) {
        BASE_TRY(write_array(npz, "time.weight", array_of(policy->time_weight, times, 0)));
        BASE_TRY(write_array(npz, "time.bias", array_of(policy->time_bias, times, 0)));
    }
    return TOT_OK;
}

static tot_status write_tensors(tot_npz_writer *npz, const train_policy *policy) {
    BASE_TRY(write_input(npz, policy));
    for (size_t k = 0; k < tot_agent_tensor_count(policy->agent); k++) {
        const char *name = tot_agent_tensor_name(policy->agent, k);
        const tot_array tensor = tot_agent_tensor(policy->agent, k);
        BASE_TRY(is_acting(name) ? write_array(npz, name, tensor) : TOT_OK);
    }
    return TOT_OK;
}

tot_status train_export_npz(const train_policy *policy, const char *path) {
    tot_npz_writer *npz = NULL;
    BASE_TRY(tot_npz_create(&npz, path, false));
    return file_npz_end(npz, write_tensors(npz, policy));
}

// --- ONNX: nodes -------------------------------------------------------------------------------

// field numbers in onnx.proto
enum { MODEL_IR_VERSION = 1, MODEL_PRODUCER = 2, MODEL_PRODUCER_VERSION = 3, MODEL_GRAPH = 7 };
enum { MODEL_OPSET = 8, OPSET_VERSION = 2, IR_VERSION = 8, OPSET = 17 };
enum { GRAPH_NODE = 1, GRAPH_NAME = 2, GRAPH_TENSOR = 5, GRAPH_INPUT = 11, GRAPH_OUTPUT = 12 };
enum { NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_NAME = 3, NODE_KIND = 4, NODE_ATTRIBUTE = 5 };
enum { ATTRIBUTE_NAME = 1, ATTRIBUTE_FLOAT = 2, ATTRIBUTE_INT = 3, ATTRIBUTE_INTS = 8 };
enum { ATTRIBUTE_TYPE = 20, TYPE_FLOAT = 1, TYPE_INT = 2, TYPE_INTS = 7 };
enum { TENSOR_DIMS = 1, TENSOR_TYPE = 2, TENSOR_NAME = 8, TENSOR_RAW = 9, FLOAT32 = 1, UINT8 = 2 };
enum { VALUE_NAME = 1, VALUE_TYPE = 2, TYPE_TENSOR = 1, TENSOR_ELEMENT = 1, TENSOR_SHAPE = 2 };
enum { SHAPE_DIM = 1, DIM_VALUE = 1, DIM_PARAM = 2, LAYERS = 4 };

typedef struct drawing {
    file_protobuf graph;
    file_protobuf node;
    file_protobuf part;   // an attribute, a tensor, a type
    file_protobuf inner;  // contents of a part
    file_protobuf dim;
    char last[64];  // the value that the next node takes as input
    int nodes;
} drawing;

// Starts a node that takes the last value and up to two tensors, and produces the next value.
static void begin_node(drawing *out, const char *kind, const char *first, const char *second) {
    file_protobuf_clear(&out->node);
    file_protobuf_text(&out->node, NODE_INPUT, out->last);
    if (first != NULL) {
        file_protobuf_text(&out->node, NODE_INPUT, first);
    }
    if (second != NULL) {
        file_protobuf_text(&out->node, NODE_INPUT, second);
    }
    file_protobuf_text(&out->node, NODE_KIND, kind);
}

// The same for a module, with its weight and bias.
static void begin_module(drawing *out, const char *kind, const char *name) {
    char weight[64], bias[64];
    snprintf(weight, sizeof weight, "%s.weight", name);
    snprintf(bias, sizeof bias, "%s.bias", name);
    begin_node(out, kind, weight, bias);
}

static void end_node(drawing *out, const char *result) {
    char name[32];
    snprintf(name, sizeof name, "value_%d", out->nodes++);
    snprintf(out->last, sizeof out->last, "%s", result != NULL ? result : name);
    file_protobuf_text(&out->node, NODE_NAME, name);
    file_protobuf_text(&out->node, NODE_OUTPUT, out->last);
    file_protobuf_message(&out->graph, GRAPH_NODE, &out->node);
}

static void add_int(drawing *out, const char *name, int64_t value) {
    file_protobuf_clear(&out->part);
    file_protobuf_text(&out->part, ATTRIBUTE_NAME, name);
    file_protobuf_count(&out->part, ATTRIBUTE_INT, (uint64_t)value);
    file_protobuf_count(&out->part, ATTRIBUTE_TYPE, TYPE_INT);
    file_protobuf_message(&out->node, NODE_ATTRIBUTE, &out->part);
}

static void add_float(drawing *out, const char *name, float value) {
    file_protobuf_clear(&out->part);
    file_protobuf_text(&out->part, ATTRIBUTE_NAME, name);
    file_protobuf_float(&out->part, ATTRIBUTE_FLOAT, value);
    file_protobuf_count(&out->part, ATTRIBUTE_TYPE, TYPE_FLOAT);
    file_protobuf_message(&out->node, NODE_ATTRIBUTE, &out->part);
}

static void add_strides(drawing *out, uint64_t stride) {
    file_protobuf_clear(&out->part);
    file_protobuf_text(&out->part, ATTRIBUTE_NAME, "strides");
    file_protobuf_count(&out->part, ATTRIBUTE_INTS, stride);
    file_protobuf_count(&out->part, ATTRIBUTE_INTS, stride);
    file_protobuf_count(&out->part, ATTRIBUTE_TYPE, TYPE_INTS);
    file_protobuf_message(&out->node, NODE_ATTRIBUTE, &out->part);
}

static void plain(drawing *out, const char *kind, const char *result) {
    begin_node(out, kind, NULL, NULL);
    end_node(out, result);
}

static void dense(drawing *out, const char *name) {
    begin_module(out, "Gemm", name);
    add_int(out, "transB", 1);
    end_node(out, NULL);
}

static void two(drawing *out, const char *kind, const char *second, const char *result) {
    begin_node(out, kind, second, NULL);
    end_node(out, result);
}

static void convolutions(drawing *out) {
    begin_node(out, "Cast", NULL, NULL);
    add_int(out, "to", FLOAT32);
    end_node(out, NULL);
    two(out, "Div", "most", NULL);
    two(out, "Sub", "half", NULL);
    for (int k = 0; k < LAYERS; k++) {
        char name[32];
        snprintf(name, sizeof name, "encoder.%d", 2 * k);
        begin_module(out, "Conv", name);
        add_strides(out, k == 0 ? 2 : 1);
        end_node(out, NULL);
        plain(out, "Relu", NULL);
    }
    plain(out, "Flatten", NULL);
}

// Concatenates the time encoding to the last value: the clock and its waves.
static void join_time(drawing *out, int64_t times) {
    char before[sizeof out->last];
    if (times == 0) {
        return;
    }
    snprintf(before, sizeof before, "%s", out->last);
    snprintf(out->last, sizeof out->last, "time");
    two(out, "Mul", "clock.weight", NULL);
    two(out, "Add", "clock.bias", "clock");
    if (times > 1) {
        snprintf(out->last, sizeof out->last, "time");
        two(out, "Mul", "waves.weight", NULL);
        two(out, "Add", "waves.bias", NULL);
        plain(out, "Sin", "waves");
    }
    snprintf(out->last, sizeof out->last, "%s", before);
    begin_node(out, "Concat", "clock", times > 1 ? "waves" : NULL);
    add_int(out, "axis", 1);
    end_node(out, NULL);
}

// The linear layer at this index of a Sequential, optionally followed by its layer norm.
static void layer(drawing *out, const char *sequential, int place, bool normed) {
    char name[48];
    snprintf(name, sizeof name, "actor.%s.%d", sequential, place);
    dense(out, name);
    if (normed) {
        snprintf(name, sizeof name, "actor.%s.%d", sequential, place + 1);
        begin_module(out, "LayerNormalization", name);
        add_float(out, "epsilon", 1e-5f);
        end_node(out, NULL);
    }
}

static void add_nodes(drawing *out, const train_policy *policy) {
    const bool pixels = policy->sees.pixels > 0;
    const int step = policy->normed ? 3 : 2;  // modules of the Sequential per layer
    snprintf(out->last, sizeof out->last, "observation");
    if (pixels) {
        convolutions(out);
    } else if (policy->shaped) {
        dense(out, "input");
    }
    // with pictures, the time is concatenated after the trunk
    join_time(out, pixels ? 0 : policy->times);
    layer(out, "trunk", 0, true);
    plain(out, "Tanh", NULL);
    join_time(out, pixels ? policy->times : 0);
    layer(out, "policy", 0, policy->normed);
    plain(out, "Relu", NULL);
    layer(out, "policy", step, policy->normed);
    plain(out, "Relu", NULL);
    layer(out, "policy", 2 * step, false);
    plain(out, "Tanh", "action");
}

// --- tensors and values ------------------------------------------------------------------------

static void add_tensor(drawing *out, const char *name, tot_array tensor) {
    file_protobuf_clear(&out->part);
    for (int k = 0; k < tensor.dimensions; k++) {
        file_protobuf_count(&out->part, TENSOR_DIMS, (uint64_t)tensor.shape[k]);
    }
    file_protobuf_count(&out->part, TENSOR_TYPE, FLOAT32);
    file_protobuf_text(&out->part, TENSOR_NAME, name);
    // raw data is little-endian, like all supported machines
    file_protobuf_bytes(&out->part, TENSOR_RAW, tensor.data,
                        (size_t)tot_array_count(&tensor) * sizeof(float));
    file_protobuf_message(&out->graph, GRAPH_TENSOR, &out->part);
}

static void add_dim(drawing *out, int64_t value) {
    file_protobuf_clear(&out->dim);
    if (value > 0) {
        file_protobuf_count(&out->dim, DIM_VALUE, (uint64_t)value);
    } else {
        file_protobuf_text(&out->dim, DIM_PARAM, "batch");
    }
    file_protobuf_message(&out->inner, SHAPE_DIM, &out->dim);
}

// An input or output: batch x shape, which is terminated by 0.
static void add_value(drawing *out, int field, const char *name, int type, const int64_t *shape) {
    file_protobuf_clear(&out->inner);
    add_dim(out, 0);
    for (; *shape > 0; shape++) {
        add_dim(out, *shape);
    }
    file_protobuf_clear(&out->part);
    file_protobuf_count(&out->part, TENSOR_ELEMENT, (uint64_t)type);
    file_protobuf_message(&out->part, TENSOR_SHAPE, &out->inner);
    file_protobuf_clear(&out->inner);
    file_protobuf_message(&out->inner, TYPE_TENSOR, &out->part);
    file_protobuf_clear(&out->node);
    file_protobuf_text(&out->node, VALUE_NAME, name);
    file_protobuf_message(&out->node, VALUE_TYPE, &out->inner);
    file_protobuf_message(&out->graph, field, &out->node);
}

static void add_input(drawing *out, const train_policy *policy) {
    const float *weight = policy->time_weight, *bias = policy->time_bias;
    const int64_t waves = policy->times - 1;
    if (policy->shaped) {
        add_tensor(out, "input.weight", array_of(policy->weight, TRAIN_SHAPED, TOT_OBSERVATION));
        add_tensor(out, "input.bias", array_of(policy->bias, TRAIN_SHAPED, 0));
    }
    if (policy->times > 0) {
        add_tensor(out, "clock.weight", array_of(weight, 1, 0));
        add_tensor(out, "clock.bias", array_of(bias, 1, 0));
    }
    if (policy->times > 1) {
        add_tensor(out, "waves.weight", array_of(weight + 1, waves, 0));
        add_tensor(out, "waves.bias", array_of(bias + 1, waves, 0));
    }
}

static void add_tensors(drawing *out, tot_agent *agent, bool pixels) {
    float most = 255;
    float half = 0.5f;
    for (size_t k = 0; k < tot_agent_tensor_count(agent); k++) {
        const char *name = tot_agent_tensor_name(agent, k);
        if (is_acting(name)) {
            add_tensor(out, name, tot_agent_tensor(agent, k));
        }
    }
    if (pixels) {
        add_tensor(out, "most", (tot_array){.type = TOT_F32, .data = &most});
        add_tensor(out, "half", (tot_array){.type = TOT_F32, .data = &half});
    }
}

// --- the model ---------------------------------------------------------------------------------

static void draw(drawing *out, const train_policy *policy, file_protobuf *model) {
    const int64_t side = policy->sees.pixels;
    const bool pixels = side > 0;
    const int64_t pictures[] = {TOT_STACK * 3, side, side, 0};
    const int64_t numbers[] = {TOT_OBSERVATION, 0};
    const int64_t time[] = {1, 0};
    const int64_t action[] = {4, 0};
    add_nodes(out, policy);
    file_protobuf_text(&out->graph, GRAPH_NAME, "actor");
    add_tensors(out, policy->agent, pixels);
    add_input(out, policy);
    add_value(out, GRAPH_INPUT, "observation", pixels ? UINT8 : FLOAT32,
              pixels ? pictures : numbers);
    if (policy->times > 0) {
        add_value(out, GRAPH_INPUT, "time", FLOAT32, time);
    }
    add_value(out, GRAPH_OUTPUT, "action", FLOAT32, action);
    file_protobuf_count(model, MODEL_IR_VERSION, IR_VERSION);
    file_protobuf_text(model, MODEL_PRODUCER, "temporalot");
    file_protobuf_text(model, MODEL_PRODUCER_VERSION, tot_version());
    file_protobuf_message(model, MODEL_GRAPH, &out->graph);
    file_protobuf_clear(&out->part);
    file_protobuf_count(&out->part, OPSET_VERSION, OPSET);
    file_protobuf_message(model, MODEL_OPSET, &out->part);
}

static tot_status write_model(const file_protobuf *model, const char *path) {
    tot_file *file = NULL;
    BASE_TRY(file_protobuf_status(model));
    BASE_TRY(tot_file_create(&file, path));
    return file_end(file, tot_file_write(file, model->bytes, model->size));
}

tot_status train_export_onnx(const train_policy *policy, const char *path) {
    drawing out = {0};
    file_protobuf model = {0};
    draw(&out, policy, &model);
    const tot_status status = write_model(&model, path);
    file_protobuf_free(&out.graph);
    file_protobuf_free(&out.node);
    file_protobuf_free(&out.part);
    file_protobuf_free(&out.inner);
    file_protobuf_free(&out.dim);
    file_protobuf_free(&model);
    return status;
}
