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

// Offsets of a weight and its bias.
typedef struct agent_pair {
    int64_t weight, bias;
} agent_pair;

// Adds NAME.weight, of this shape, and NAME.bias, which is initialised to zeros.
agent_pair agent_network_add_pair(agent_network *network, const char *name, const int64_t shape[4],
                                  double gain, bool aligned);

// A dense layer, optionally followed by layer norm.
typedef struct agent_layer {
    int64_t inputs, outputs;
    int64_t x_stride, y_stride;  // as in tot_dense
    tot_activation activation;
    agent_pair dense;
    bool normed;
    agent_pair norm;        // if normed, like the following
    tot_trunk_saved saved;  // by the last forward pass; the caller sets the pointers
} agent_layer;

// Adds a layer that is module `place` of a PyTorch Sequential, "policy." for "policy.0.weight"; its
// layer norm is the next module. The caller sets the strides, if they are not 0.
agent_layer agent_layer_add(agent_network *network, const char *sequential, int place, bool normed,
                            int64_t inputs, int64_t outputs, tot_activation activation);

// numbers: the network's parameters, or those of its target.
void agent_layer_forward(tot_nn *nn, const agent_layer *layer, const float *numbers, int64_t rows,
                         const float *x, float *y);

// Which gradients to compute besides those of the parameters, which go to the network's gradients.
typedef struct agent_into {
    float *x;                       // NULL: not needed
    bool accumulate, accumulate_x;  // as in tot_dense_gradient
    bool only_x;                    // not those of the parameters
} agent_into;

// The backward pass with the network's parameters. dy: overwritten, as by tot_dense_backward.
void agent_layer_backward(tot_nn *nn, const agent_layer *layer, const agent_network *network,
                          int64_t rows, const float *x, const float *y, float *dy, agent_into into);

// Allocates zeroed memory. On failure, everything is freed.
tot_status agent_network_alloc(agent_network *network, bool with_target);

// Stores a frozen copy of the current parameters in target; a later call replaces it.
tot_status agent_network_freeze(agent_network *network);

// Orthogonal weights, zero biases; the target, if any, gets the same values.
tot_status agent_network_init(agent_network *network, tot_random *random);

void agent_network_free(agent_network *network);

// One Adam step and one soft update of the target; with tau 0 the target is unchanged.
void agent_network_update(tot_nn *nn, agent_network *network, const tot_agent_config *config,
                          double tau);

// The network's tensors: parameters, Adam's first and second moments, the target if there is one,
// and Adam's step counter.
size_t agent_network_tensor_count(const agent_network *network);
tot_array agent_network_tensor(agent_network *network, size_t index);
void agent_network_tensor_name(const agent_network *network, size_t index,
                               char name[MOST_TENSOR_NAME]);

// --- workspace ---------------------------------------------------------------------------------

// Arrays in a single allocation: huge pages for all of them, and one free.
typedef struct agent_workspace_array {
    float **array;
    int64_t rows;
    int64_t width;
} agent_workspace_array;

// Sets the array pointers, each aligned to 64 bytes; the memory is uninitialised. Returns the
// allocation, or NULL if out of memory.
float *agent_workspace_alloc(const agent_workspace_array *arrays, size_t count, const char *what);

// Rows for what a layer saves.
#define AGENT_SAVED(layer, rows)                                           \
    {&(layer).saved.normal, rows, (layer).normed ? (layer).outputs : 0}, { \
        &(layer).saved.inverse, rows, (layer).normed ? 1 : 0               \
    }
