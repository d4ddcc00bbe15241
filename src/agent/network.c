#include "agent/network.h"

#include "base/base.h"

enum { LINE = 16 };  // floats per 64 bytes

static int64_t part_size(const agent_parameter *part) {
    int64_t size = 1;
    for (int k = 0; k < part->dimensions; k++) {
        size *= part->shape[k];
    }
    return size;
}

int64_t agent_network_add(agent_network *network, const char *name, const int64_t shape[4],
                          double gain, bool aligned) {
    agent_parameter *part = &network->parts[network->part_count++];
    snprintf(part->name, sizeof part->name, "%s", name);
    part->dimensions = 0;
    while (part->dimensions < 4 && shape[part->dimensions] > 0) {
        part->shape[part->dimensions] = shape[part->dimensions];
        part->dimensions++;
    }
    part->gain = gain;
    part->at = aligned ? (network->count + LINE - 1) / LINE * LINE : network->count;
    network->count = part->at + part_size(part);
    return part->at;
}

agent_pair agent_network_add_pair(agent_network *network, const char *name, const int64_t shape[4],
                                  double gain, bool aligned) {
    char full[PART_NAME_SIZE];
    agent_pair at;
    snprintf(full, sizeof full, "%s.weight", name);
    at.weight = agent_network_add(network, full, shape, gain, aligned);
    snprintf(full, sizeof full, "%s.bias", name);
    at.bias = agent_network_add(network, full, (int64_t[4]){shape[0]}, 0, aligned);
    return at;
}

agent_layer agent_layer_add(agent_network *network, const char *sequential, int place, bool normed,
                            int64_t inputs, int64_t outputs, tot_activation activation) {
    char name[PART_NAME_SIZE];
    agent_layer layer = {
        .inputs = inputs, .outputs = outputs, .activation = activation, .normed = normed};
    snprintf(name, sizeof name, "%s%d", sequential, place);
    layer.dense = agent_network_add_pair(network, name, (int64_t[4]){outputs, inputs}, 1, true);
    if (normed) {
        snprintf(name, sizeof name, "%s%d", sequential, place + 1);
        layer.norm = agent_network_add_pair(network, name, (int64_t[4]){outputs}, -1, true);
    }
    return layer;
}

static tot_dense dense_of(const agent_layer *layer, const float *numbers) {
    return (tot_dense){
        .inputs = layer->inputs,
        .outputs = layer->outputs,
        .x_stride = layer->x_stride,
        .y_stride = layer->y_stride,
        .activation = layer->activation,
        .weight = numbers + layer->dense.weight,
        .bias = numbers + layer->dense.bias,
    };
}

static tot_trunk normed_of(const agent_layer *layer, const float *numbers) {
    return (tot_trunk){
        .inputs = layer->inputs,
        .outputs = layer->outputs,
        .x_stride = layer->x_stride,
        .y_stride = layer->y_stride,
        .activation = layer->activation,
        .weight = numbers + layer->dense.weight,
        .bias = numbers + layer->dense.bias,
        .gain = numbers + layer->norm.weight,
        .offset = numbers + layer->norm.bias,
    };
}

void agent_layer_forward(tot_nn *nn, const agent_layer *layer, const float *numbers, int64_t rows,
                         const float *x, float *y) {
    if (layer->normed) {
        const tot_trunk normed = normed_of(layer, numbers);
        tot_trunk_forward(nn, &normed, rows, x, y, &layer->saved);
    } else {
        const tot_dense dense = dense_of(layer, numbers);
        tot_dense_forward(nn, &dense, rows, x, y);
    }
}

void agent_layer_backward(tot_nn *nn, const agent_layer *layer, const agent_network *network,
                          int64_t rows, const float *x, const float *y, float *dy,
                          agent_into into) {
    float *const to = network->gradients;
    tot_trunk_gradient gradient = {
        .x = into.x, .accumulate = into.accumulate, .accumulate_x = into.accumulate_x};
    if (!into.only_x) {
        gradient.weight = to + layer->dense.weight;
        gradient.bias = to + layer->dense.bias;
        gradient.gain = to + layer->norm.weight;
        gradient.offset = to + layer->norm.bias;
    }
    if (layer->normed) {
        const tot_trunk normed = normed_of(layer, network->parameters);
        tot_trunk_backward(nn, &normed, rows, x, y, &layer->saved, dy, &gradient);
    } else {
        const tot_dense dense = dense_of(layer, network->parameters);
        tot_dense_backward(nn, &dense, rows, x, y, dy,
                           &(tot_dense_gradient){gradient.weight, gradient.bias, into.x,
                                                 into.accumulate, into.accumulate_x});
    }
}

tot_status agent_network_alloc(agent_network *network, bool with_target) {
    size_t count = (size_t)network->count;
    network->parameters = base_alloc_zero(count, sizeof(float), network->name);
    network->gradients = base_alloc_zero(count, sizeof(float), network->name);
    network->first = base_alloc_zero(count, sizeof(float), network->name);
    network->second = base_alloc_zero(count, sizeof(float), network->name);
    network->target = with_target ? base_alloc_zero(count, sizeof(float), network->name) : NULL;
    network->target_name = "target_";
    if (network->parameters == NULL || network->gradients == NULL || network->first == NULL ||
        network->second == NULL || (with_target && network->target == NULL)) {
        agent_network_free(network);
        return TOT_E_MEMORY;
    }
    return TOT_OK;
}

tot_status agent_network_freeze(agent_network *network) {
    const size_t count = (size_t)network->count;
    if (network->target == NULL) {
        network->target = base_alloc(count, sizeof(float), network->name);
        network->target_name = "cloned_";
    }
    BASE_HAVE(network->target);
    memcpy(network->target, network->parameters, count * sizeof(float));
    return TOT_OK;
}

tot_status agent_network_init(agent_network *network, tot_random *random) {
    for (int k = 0; k < network->part_count; k++) {
        const agent_parameter *part = &network->parts[k];
        float *numbers = network->parameters + part->at;
        int64_t size = part_size(part);
        if (part->gain > 0) {
            BASE_TRY(
                tot_orthogonal(random, part->shape[0], size / part->shape[0], part->gain, numbers));
        }
        for (int64_t i = 0; part->gain < 0 && i < size; i++) {
            numbers[i] = 1;
        }
    }
    if (network->target != NULL) {
        memcpy(network->target, network->parameters, (size_t)network->count * sizeof(float));
    }
    return TOT_OK;
}

void agent_network_free(agent_network *network) {
    BASE_RELEASE(network->parameters, network->gradients, network->first, network->second,
                 network->target);
    network->parameters = NULL;
    network->gradients = NULL;
    network->first = NULL;
    network->second = NULL;
    network->target = NULL;
}

void agent_network_update(tot_nn *nn, agent_network *network, const tot_agent_config *config,
                          double tau) {
    network->step++;
    tot_adam adam = {
        .count = network->count,
        .parameters = network->parameters,
        .gradients = network->gradients,
        .first = network->first,
        .second = network->second,
        .learning_rate = config->learning_rate,
        .weight_decay = config->weight_decay,
        .step = network->step,
        .target = tau > 0 ? network->target : NULL,
        .tau = tau,
    };
    tot_adam_step(nn, &adam);
}

// --- tensors by name ---------------------------------------------------------------------------

// The flat buffers, in the order of the tensors.
static float *buffer_of(const agent_network *network, size_t group) {
    float *const buffers[] = {network->parameters, network->first, network->second,
                              network->target};
    return buffers[group];
}

static size_t group_count(const agent_network *network) {
    return network->target != NULL ? 4 : 3;
}

size_t agent_network_tensor_count(const agent_network *network) {
    return group_count(network) * (size_t)network->part_count + 1;
}

tot_array agent_network_tensor(agent_network *network, size_t index) {
    if (index + 1 == agent_network_tensor_count(network)) {
        return (tot_array){.type = TOT_I64, .data = &network->step};
    }
    const agent_parameter *part = &network->parts[index % (size_t)network->part_count];
    tot_array array = {.type = TOT_F32, .dimensions = part->dimensions};
    memcpy(array.shape, part->shape, sizeof part->shape);
    array.data = buffer_of(network, index / (size_t)network->part_count) + part->at;
    return array;
}

void agent_network_tensor_name(const agent_network *network, size_t index,
                               char name[MOST_TENSOR_NAME]) {
    if (index + 1 == agent_network_tensor_count(network)) {
        snprintf(name, MOST_TENSOR_NAME, "%s.adam.step", network->name);
        return;
    }
    const char *const before[] = {"", "", "", network->target_name};
    const char *const between[] = {"", ".adam.m", ".adam.v", ""};
    size_t group = index / (size_t)network->part_count;
    snprintf(name, MOST_TENSOR_NAME, "%s%s%s.%s", before[group], network->name, between[group],
             network->parts[index % (size_t)network->part_count].name);
}

// --- workspace ---------------------------------------------------------------------------------

static size_t lines_of(const agent_workspace_array *array) {
    return ((size_t)array->rows * (size_t)array->width + LINE - 1) / LINE;
}

float *agent_workspace_alloc(const agent_workspace_array *arrays, size_t count, const char *what) {
    size_t lines = 0;
    for (size_t k = 0; k < count; k++) {
        lines += lines_of(&arrays[k]);
    }
    float *block = base_alloc(lines, LINE * sizeof *block, what);
    float *next = block;
    for (size_t k = 0; block != NULL && k < count; k++) {
        *arrays[k].array = next;
        next += LINE * lines_of(&arrays[k]);
    }
    return block;
}
