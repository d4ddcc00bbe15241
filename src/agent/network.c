#include "agent/network.h"

#include "base/base.h"

enum { LINE = 16, TRUNK_PARTS = 4 };  // floats per 64 bytes

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

void agent_network_add_trunk(agent_network *network, int64_t inputs, int64_t outputs) {
    agent_network_add(network, "trunk.0.weight", (int64_t[4]){outputs, inputs}, 1, true);
    agent_network_add(network, "trunk.0.bias", (int64_t[4]){outputs}, 0, true);
    agent_network_add(network, "trunk.1.weight", (int64_t[4]){outputs}, -1, true);
    agent_network_add(network, "trunk.1.bias", (int64_t[4]){outputs}, 0, true);
}

agent_normed agent_normed_add(agent_network *network, const char *prefix, int place, int64_t inputs,
                              int64_t outputs) {
    char name[PART_NAME_SIZE];
    agent_normed layer;
    snprintf(name, sizeof name, "%s.%d.weight", prefix, place);
    layer.weight = agent_network_add(network, name, (int64_t[4]){outputs, inputs}, 1, true);
    snprintf(name, sizeof name, "%s.%d.bias", prefix, place);
    layer.bias = agent_network_add(network, name, (int64_t[4]){outputs}, 0, true);
    snprintf(name, sizeof name, "%s.%d.weight", prefix, place + 1);
    layer.gain = agent_network_add(network, name, (int64_t[4]){outputs}, -1, true);
    snprintf(name, sizeof name, "%s.%d.bias", prefix, place + 1);
    layer.offset = agent_network_add(network, name, (int64_t[4]){outputs}, 0, true);
    return layer;
}

tot_trunk agent_normed_of(const agent_normed *layer, const float *numbers, int64_t inputs,
                          int64_t outputs) {
    return (tot_trunk){
        .inputs = inputs,
        .outputs = outputs,
        .weight = numbers + layer->weight,
        .bias = numbers + layer->bias,
        .gain = numbers + layer->gain,
        .offset = numbers + layer->offset,
        .activation = TOT_RELU,
    };
}

tot_trunk_gradient agent_normed_gradient(const agent_normed *layer, const agent_network *network) {
    return (tot_trunk_gradient){
        .weight = network->gradients + layer->weight,
        .bias = network->gradients + layer->bias,
        .gain = network->gradients + layer->gain,
        .offset = network->gradients + layer->offset,
    };
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

tot_trunk agent_trunk_of(const agent_network *network, const float *numbers, int64_t y_stride) {
    const agent_parameter *parts = network->parts;
    return (tot_trunk){
        .inputs = parts[0].shape[1],
        .outputs = parts[0].shape[0],
        .weight = numbers + parts[0].at,
        .bias = numbers + parts[1].at,
        .gain = numbers + parts[2].at,
        .offset = numbers + parts[3].at,
        .activation = TOT_TANH,
        .y_stride = y_stride,
    };
}

tot_trunk_gradient agent_trunk_gradient_of(const agent_network *network) {
    const agent_parameter *parts = network->parts;
    return (tot_trunk_gradient){
        .weight = network->gradients + parts[0].at,
        .bias = network->gradients + parts[1].at,
        .gain = network->gradients + parts[2].at,
        .offset = network->gradients + parts[3].at,
    };
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
