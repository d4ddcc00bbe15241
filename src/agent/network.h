// A network: parameters, gradients and Adam's moments in one flat buffer each, so that Adam and the
// soft update of the target are single passes; and the names of its parameters.
#pragma once

#include <temporalot/agent.h>
#include <temporalot/file.h>
#include <temporalot/nn.h>

enum { MOST_PARTS = 24, PART_NAME_SIZE = 24, MOST_TENSOR_NAME = 64 };

// A weight or bias; `at` is its offset in the flat buffers.
typedef struct agent_parameter {
    char name[PART_NAME_SIZE];  // "policy.0.weight"
    int dimensions;
    int64_t shape[4];
    int64_t at;
    double gain;  // gain of the orthogonal initialisation; 0: zeros, -1: ones
} agent_parameter;

typedef struct agent_network {
    const char *name;  // "actor"
    agent_parameter parts[MOST_PARTS];
    int part_count;
    int64_t count;  // floats in each of the following buffers, including alignment gaps (always 0)
    float *parameters;
    float *gradients;
    float *first;  // Adam's moments
    float *second;
    float *target;            // soft-updated or frozen copy of the parameters; NULL: none
    const char *target_name;  // prefix of the network's name: "target_" or "cloned_"
    int64_t step;             // Adam steps so far
} agent_network;

// Adds a parameter and returns its offset. shape ends at the first 0. aligned: at a multiple of 64
// bytes, otherwise directly after the previous parameter.
int64_t agent_network_add(agent_network *network, const char *name, const int64_t shape[4],
                          double gain, bool aligned);

// Adds the four parameters of a trunk, named as in PyTorch's Sequential: trunk.0.weight,
// trunk.0.bias, ...
void agent_network_add_trunk(agent_network *network, int64_t inputs, int64_t outputs);

// Parameter offsets of a hidden layer with layer norm and ReLU.
typedef struct agent_normed {
    int64_t weight, bias, gain, offset;
} agent_normed;

// Adds such a layer, named as in PyTorch's Sequential at index `place`: "policy.0" is the linear
// layer, "policy.1" its layer norm.
agent_normed agent_normed_add(agent_network *network, const char *prefix, int place, int64_t inputs,
                              int64_t outputs);

// The layer with its weights in the buffer `numbers` (the caller sets the strides), and its
// gradients.
tot_trunk agent_normed_of(const agent_normed *layer, const float *numbers, int64_t inputs,
                          int64_t outputs);
tot_trunk_gradient agent_normed_gradient(const agent_normed *layer, const agent_network *network);

// Allocates zeroed memory. On failure, everything is freed.
tot_status agent_network_alloc(agent_network *network, bool with_target);

// Stores a frozen copy of the current parameters in target; a later call replaces it.
tot_status agent_network_freeze(agent_network *network);

// Orthogonal weights, zero biases; the target, if any, gets the same values.
tot_status agent_network_init(agent_network *network, tot_random *random);

void agent_network_free(agent_network *network);

// The trunk, which must have been added first, with its weights in the buffer `numbers`; its
// gradients.
tot_trunk agent_trunk_of(const agent_network *network, const float *numbers, int64_t y_stride);
tot_trunk_gradient agent_trunk_gradient_of(const agent_network *network);

// One Adam step and one soft update of the target; with tau 0 the target is unchanged.
void agent_network_update(tot_nn *nn, agent_network *network, const tot_agent_config *config,
                          double tau);

// The network's tensors: parameters, Adam's first and second moments, the target if there is one,
// and Adam's step counter.
size_t agent_network_tensor_count(const agent_network *network);
tot_array agent_network_tensor(agent_network *network, size_t index);
void agent_network_tensor_name(const agent_network *network, size_t index,
                               char name[MOST_TENSOR_NAME]);
