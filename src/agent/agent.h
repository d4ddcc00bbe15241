// The agent's networks and their workspace.
//
// Shapes: rows is the batch size, d the input width (the observation, or the pixel encoder's
// features), f the trunk's output width, e the width of the vector observations concatenated to it
// (0 unless the agent sees pictures), h the hidden width.
#pragma once

#include <temporalot/agent.h>
#include <temporalot/nn.h>

#include "agent/network.h"
#include "agent/replay.h"

// ACT_ROWS: observations per pass of tot_agent_act; larger batches are split.
enum { ACT_ROWS = 256, HEADS = 2 };

// Trunk: Linear-LayerNorm-tanh. Then (f + e)-h-h-4 with ReLU and a final tanh, optionally with
// layer norm before the ReLUs.
typedef struct agent_actor {
    agent_network network;
    agent_layer trunk;
    agent_layer layers[3];

    // results of the last forward pass
    float *block;      // memory of the following arrays, and of what the layers save
    float *features;   // [rows][f + e]
    float *hidden[2];  // [rows][h]
    float *mean;       // [rows][4]
} agent_actor;

// Its own trunk, then two heads (f + e + 4)-h-h-1. The first layers of both heads are contiguous
// and run as one layer of width 2 h, unless the config has layer norm before the ReLUs.
typedef struct agent_critic {
    agent_network network;  // including the target network
    agent_layer trunk;
    agent_layer first[HEADS];  // only one, of both heads, without layer norm
    int first_count;
    agent_layer second[HEADS];
    agent_layer third[HEADS];

    float *block;                   // memory of the following arrays, and of what the layers save
    float *input;                   // [rows][f + e + 4]: trunk output, vector observations, action
    float *wide;                    // [rows][2 h]: the first hidden layer of both heads
    float *hidden[HEADS];           // [rows][h]
    float *values[HEADS];           // [rows]
    float *value_gradients[HEADS];  // [rows]: gradient of the loss with respect to the values
    int64_t *chosen;                // [rows]: samples whose minimum is this head's value
} agent_critic;

// f-h-h-1 on the features of the critic's trunk.
typedef struct agent_discriminator {
    agent_network network;
    agent_layer layers[3];

    float *block;               // memory of the following arrays
    float *features;            // [2 clone_batch][f]: the expert's, then the policy's
    float *mixed;               // [clone_batch][f]
    float *hidden[2];           // [2 clone_batch][h]
    float *hidden_gradient[2];  // [2 clone_batch][h]
    float *logits;              // [2 clone_batch]
    float *logit_gradients;
    float *scratch;
} agent_discriminator;

// The pixel encoder; {0} if the agent sees no pictures.
typedef struct agent_pixel_encoder {
    agent_network network;
    tot_conv_shape shape;
    tot_conv *conv;
    float *features;  // [rows][d]
    union {
        float *next_features;     // [rows][d], until the TD targets are computed
        float *feature_gradient;  // [rows][d], from then on, in the same memory
    };
} agent_pixel_encoder;

// Gradients of hidden layers: workspace of the backward passes of actor and critic, which take
// turns.
typedef struct agent_gradients {
    float *wide;    // [rows][2 h]
    float *hidden;  // [rows][h]
    float *input;   // [rows][f + e + 4]
} agent_gradients;

struct tot_agent {
    tot_agent_config config;
    tot_replay_shape sees;
    tot_pool *pool;
    tot_nn *nn;
    int64_t width;   // d
    int64_t beside;  // e: width of the vector observations next to pictures; 0 without pictures
    int64_t rows;    // the largest batch the workspace holds

    agent_actor actor;
    agent_critic critic;
    agent_discriminator discriminator;  // {0} if there is none
    agent_pixel_encoder pixels;         // only if sees.pixels > 0

    float *block;            // memory of the following arrays
    float *targets;          // [rows]: TD targets
    float *lowest;           // [rows]: the lower of the two values
    float *clone_values;     // [rows]: the same of the cloned actor's actions
    float *action_gradient;  // [rows][4]
    agent_gradients gradients;

    tot_random random;  // state of the stream that draws the initial weights
    char (*tensor_names)[MOST_TENSOR_NAME];
    size_t tensor_count;
};

// --- actor.c -----------------------------------------------------------------------------------

tot_status agent_actor_create(tot_agent *agent);
void agent_actor_free(agent_actor *actor);

// x: [rows][d]; beside: [rows][e], unused if e is 0. Writes actor->mean.
void agent_actor_mean(tot_agent *agent, int64_t rows, const float *x, const float *beside);

// Same, with the given actor parameters.
void agent_actor_forward(tot_agent *agent, const float *numbers, int64_t rows, const float *x,
                         const float *beside);

// mean_gradient: [rows][4], overwritten. Writes the parameter gradients, or adds to them if
// accumulate. dx (may be NULL): [rows][d].
void agent_actor_backward(tot_agent *agent, int64_t rows, const float *x, float *mean_gradient,
                          float *dx, bool accumulate);

// --- critic.c ----------------------------------------------------------------------------------

tot_status agent_critic_create(tot_agent *agent);
void agent_critic_free(agent_critic *critic);

// x: [rows][d]; beside: [rows][e]; the actions must already be in critic->input. numbers: the
// parameters of the critic or of the target. Writes critic->values.
void agent_critic_forward(tot_agent *agent, const float *numbers, int64_t rows, const float *x,
                          const float *beside);

// Backpropagates critic->value_gradients to all weights; dx (may be NULL): [rows][d].
void agent_critic_backward(tot_agent *agent, int64_t rows, const float *x, float *dx);

// Backpropagates critic->value_gradients to the actions only. action_gradient: [rows][4], written.
void agent_critic_action_gradient(tot_agent *agent, int64_t rows, float *action_gradient);

// Runs the trunk only. features: [rows][f], written.
void agent_critic_features(tot_agent *agent, int64_t rows, const float *x, float *features);

// --- pixels.c ----------------------------------------------------------------------------------

tot_status agent_pixel_encoder_create(tot_agent *agent);
void agent_pixel_encoder_free(agent_pixel_encoder *pixels);

// Updates the encoder, if there is one, with its feature_gradient.
void agent_pixel_encoder_learn(tot_agent *agent, const tot_batch *batch);

// --- clone.c -----------------------------------------------------------------------------------

// Returns the negative log-likelihood of the batch's actions under a normal distribution around
// actor->mean, averaged over the batch. Writes its gradient with respect to the mean, times weight:
// [rows][4].
double agent_likelihood(const tot_agent *agent, const tot_batch *batch, double weight,
                        float *mean_gradient);

// --- gaifo.c -----------------------------------------------------------------------------------

tot_status agent_discriminator_create(tot_agent *agent);
void agent_discriminator_free(agent_discriminator *discriminator);  // {0} afterwards

// --- drq.c -------------------------------------------------------------------------------------

// TOT_E_SHAPE if the batch does not match the agent's observations or does not have 1 .. `most`
// samples.
tot_status agent_check_batch(const tot_agent *agent, const tot_batch *batch, int64_t most,
                             const char *name);

// The input of the networks: the observations, or the features of the shifted pictures. learns: a
// backward pass through the encoder follows.
const float *agent_input_of(tot_agent *agent, const tot_batch *batch, bool learns);

// Whether the hidden layers of actor and critic have layer norm.
static inline bool agent_is_normed(const tot_agent *agent) {
    return agent->config.layer_norm == TOT_ON;
}

// f + e: width of the actor's and critic heads' input, without the action.
static inline int64_t agent_joined(const tot_agent *agent) {
    return agent->config.feature + agent->beside;
}

// Copies the vector observations after the f trunk features. stride: elements per row of `to`.
void agent_put_beside(const tot_agent *agent, int64_t rows, const float *beside, float *to,
                      int64_t stride);

// TOT_E_VALUE if the loss is not finite.
tot_status agent_check_loss(const char *name, double loss);
