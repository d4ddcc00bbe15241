// The agent's networks and the memory in which they are run.
//
// Shapes: rows is the batch, d the input (the observation, or the features of pictures), f the
// trunk's output, e the numbers that are concatenated to it (what an agent that sees pictures is
// given besides them), h the hidden width.
#pragma once

#include <temporalot/agent.h>
#include <temporalot/nn.h>

#include "agent/network.h"
#include "agent/replay.h"

// Most observations that tot_agent_act takes at a time; more go in pieces.
enum { ACT_ROWS = 256, HEADS = 2 };

// Linear-LayerNorm-tanh, then (f + e)-h-h-4 with ReLU and a tanh at the end; with layer norm before
// the ReLUs where the config says so.
typedef struct agent_actor {
    agent_network network;
    int64_t layer_at[3][2];  // weight and bias of the three dense layers
    agent_normed normed[2];  // the first two of them, where they have a layer norm
    tot_trunk_saved normed_saved[2];

    // what the last forward gave
    float *block;  // holds the following
    tot_trunk_saved saved;
    float *features;   // [rows][f + e]
    float *hidden[2];  // [rows][h]
    float *mean;       // [rows][4]
} agent_actor;

// Its own trunk, then two heads (f + e + 4)-h-h-1. The first layers of both heads lie one behind
// the other and are run as one of 2 h, unless the config wants a layer norm before the ReLUs.
typedef struct agent_critic {
    agent_network network;  // with target
    int64_t first_at[2];
    int64_t second_at[HEADS][2];
    int64_t third_at[HEADS][2];
    agent_normed normed[HEADS][2];  // the first two layers of a head, where they have a layer norm
    tot_trunk_saved normed_saved[HEADS][2];

    float *block;  // holds the following
    tot_trunk_saved saved;
    float *input;                   // [rows][f + e + 4]: the trunk's output, numbers, the action
    float *wide;                    // [rows][2 h]: the first hidden layer of both heads
    float *hidden[HEADS];           // [rows][h]
    float *values[HEADS];           // [rows]
    float *value_gradients[HEADS];  // [rows]: the gradient of the loss with respect to the values
    float *wide_gradient;           // [rows][2 h]
    float *hidden_gradient;         // [rows][h]
    float *input_gradient;          // [rows][f + e + 4]
    int64_t *chosen;                // [rows]: the samples whose value is this head's
} agent_critic;

// f-h-h-1 on the critic's trunk.
typedef struct agent_discriminator {
    agent_network network;
    tot_mlp numbers;
    tot_mlp gradients;

    float *block;               // holds the following
    float *features;            // [2 clone_batch][f]: the expert's, then the policy's
    float *mixed;               // [clone_batch][f]
    float *hidden[2];           // [2 clone_batch][h]
    float *hidden_gradient[2];  // [2 clone_batch][h]
    float *logits;              // [2 clone_batch]
    float *logit_gradients;
    float *scratch;
} agent_discriminator;

// The encoder of pixels.
typedef struct agent_pixel_encoder {
    agent_network network;
    tot_conv_shape shape;
    tot_conv *conv;
    float *features;       // [rows][d]
    float *next_features;  // [rows][d]; once the targets are known: the gradient of the features
} agent_pixel_encoder;

struct tot_agent {
    tot_agent_config config;
    tot_replay_shape sees;
    tot_pool *pool;
    tot_nn *nn;
    int64_t width;   // d
    int64_t beside;  // e: numbers that stand beside the trunk's output, with pictures only
    int64_t rows;    // the largest batch that there is memory for

    agent_actor actor;
    agent_critic critic;
    agent_discriminator discriminator;  // {0}: it has none
    agent_pixel_encoder pixels;         // only when sees.pixels > 0

    float *block;            // holds the following
    float *targets;          // [rows]: TD targets
    float *lowest;           // [rows]
    float *action_gradient;  // [rows][4]

    tot_random random;  // where the stream of its initial weights stands
    char (*tensor_names)[MOST_TENSOR_NAME];
    size_t tensor_count;
};

// --- actor.c -----------------------------------------------------------------------------------

tot_status agent_actor_create(tot_agent *agent);
void agent_actor_free(agent_actor *actor);

// x: [rows][d]; beside: [rows][e], not read where e is 0. Fills actor->mean.
void agent_actor_mean(tot_agent *agent, int64_t rows, const float *x, const float *beside);

// The same with other parameters of the actor.
void agent_actor_forward(tot_agent *agent, const float *numbers, int64_t rows, const float *x,
                         const float *beside);

// mean_gradient: [rows][4], overwritten. Fills the gradients, or adds to them; dx (may be NULL):
// [rows][d].
void agent_actor_backward(tot_agent *agent, int64_t rows, const float *x, float *mean_gradient,
                          float *dx, bool accumulate);

// --- critic.c ----------------------------------------------------------------------------------

tot_status agent_critic_create(tot_agent *agent);
void agent_critic_free(agent_critic *critic);

// x: [rows][d]; beside: [rows][e]; the actions are in critic->input already. numbers: the
// parameters or the target. Fills critic->values.
void agent_critic_forward(tot_agent *agent, const float *numbers, int64_t rows, const float *x,
                          const float *beside);

// From critic->value_gradients to the gradients of all weights; dx (may be NULL): [rows][d].
void agent_critic_backward(tot_agent *agent, int64_t rows, const float *x, float *dx);

// From critic->value_gradients to the gradient of the actions alone: action_gradient is [rows][4].
void agent_critic_action_gradient(tot_agent *agent, int64_t rows, float *action_gradient);

// Only the trunk: features [rows][f], written.
void agent_critic_features(tot_agent *agent, int64_t rows, const float *x, float *features);

// --- pixels.c ----------------------------------------------------------------------------------

tot_status agent_pixel_encoder_create(tot_agent *agent);
void agent_pixel_encoder_free(agent_pixel_encoder *pixels);

// --- clone.c -----------------------------------------------------------------------------------

// The negative log-likelihood of the batch's actions around actor->mean, the mean over the batch.
// gradient: [rows][4], with respect to the mean, times weight.
double agent_likelihood(const tot_agent *agent, const tot_batch *batch, double weight,
                        float *hidden_gradient);

// --- gaifo.c -----------------------------------------------------------------------------------

tot_status agent_discriminator_create(tot_agent *agent);
void agent_discriminator_free(agent_discriminator *discriminator);  // {0} afterwards

// --- drq.c -------------------------------------------------------------------------------------

// Checks that a batch has what the agent observes, and between 1 and `most` samples.
tot_status agent_check_batch(const tot_agent *agent, const tot_batch *batch, int64_t most,
                             const char *name);

// The input of the networks: the observations, or the features of the shifted pictures. learns: a
// backward pass through the encoder will follow.
const float *agent_input_of(tot_agent *agent, const tot_batch *batch, bool learns);

// f + e: what heads and policy read of an observation.
static inline int64_t agent_joined(const tot_agent *agent) {
    return agent->config.feature + agent->beside;
}

// Puts the numbers beside the trunk's output, behind its f numbers: rows of `to` are `stride` long.
void agent_put_beside(const tot_agent *agent, int64_t rows, const float *beside, float *to,
                      int64_t stride);

// TOT_E_VALUE when it is not finite.
tot_status agent_check_loss(const char *name, double loss);
