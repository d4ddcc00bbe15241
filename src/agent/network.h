// A network: parameters, gradients and Adam's moments in one flat buffer each, so that Adam and the
// soft update of the target are single passes, and the names of its parameters.
#pragma once

#include <temporalot/agent.h>
#include <temporalot/file.h>
#include <temporalot/nn.h>

enum { MOST_PARTS = 24, PART_NAME_SIZE = 24, MOST_TENSOR_NAME = 64 };

// A weight or bias: its offset in the flat buffers.
typedef struct agent_parameter {
    char name[PART_NAME_SIZE];  // "policy.0.weight"
    int dimensions;
    int64_t shape[4];
    int64_t at;
    double gain;  // of the orthogonal starting weights; 0: zeros, -1: ones
} agent_parameter;

typedef struct agent_network {
    const char *name;  // "actor"
    agent_parameter parts[MOST_PARTS];
    int part_count;
    int64_t count;  // floats in each of the following, gaps for alignment included (always 0)
    float *parameters;
    float *gradients;
    float *first;  // Adam's moments
    float *second;
    float *target;            // soft copy of the parameters, or a frozen one; NULL: none
    const char *target_name;  // before the network's, "target_" or "cloned_"
    int64_t step;             // of Adam, so far
} agent_network;

// Adds a part and returns where it lies. The first number of dimensions is told by the last shape
// that is not 0. aligned: at a multiple of 64 bytes, else right behind the part before it.
int64_t agent_network_add(agent_network *network, const char *name, const int64_t shape[4],
                          double gain, bool aligned);

// The four parts of a trunk inputs-outputs, and of a dense layer. Layers of a Sequential are named
// as PyTorch names them: prefix.0.weight, prefix.0.bias.
void agent_network_add_trunk(agent_network *network, int64_t inputs, int64_t outputs);

// A hidden layer with layer norm and ReLU: where its parts lie.
typedef struct agent_normed {
    int64_t weight, bias, gain, offset;
} agent_normed;

// Adds it as PyTorch's Sequential would have it at this place: "policy.0" is the linear layer,
// "policy.1" its norm.
agent_normed agent_normed_add(agent_network *network, const char *prefix, int place, int64_t inputs,
                              int64_t outputs);

// The layer on these numbers (strides are the caller's to set), and where its gradients go.
tot_trunk agent_normed_of(const agent_normed *layer, const float *numbers, int64_t inputs,
                          int64_t outputs);
tot_trunk_gradient agent_normed_gradient(const agent_normed *layer, const agent_network *network);

// Takes the memory, cleared. On failure what was taken is released.
tot_status agent_network_alloc(agent_network *network, bool with_target);

// Keeps the parameters as they are now, beside those that learn; a second time anew.
tot_status agent_network_freeze(agent_network *network);

// Orthogonal weights, zero biases; the target, where there is one, is the same.
tot_status agent_network_init(agent_network *network, tot_random *random);

void agent_network_free(agent_network *network);

// A trunk that was added first, on these numbers, and on these gradients.
tot_trunk agent_trunk_of(const agent_network *network, const float *numbers, int64_t y_stride);
tot_trunk_gradient agent_trunk_gradient_of(const agent_network *network);

// One step of Adam (and of the target, which stays where tau is 0).
void agent_network_update(tot_nn *nn, agent_network *network, const tot_agent_config *config,
                          double tau);

// Its arrays: the parameters, then Adam's first and second moments, the target where there is one,
// and Adam's counter.
size_t agent_network_tensor_count(const agent_network *network);
tot_array agent_network_tensor(agent_network *network, size_t index);
void agent_network_tensor_name(const agent_network *network, size_t index,
                               char name[MOST_TENSOR_NAME]);
