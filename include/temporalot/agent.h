// temporalot/agent.h - the agent: actor, critic and their update (DrQ-v2, as used in the paper),
// behaviour cloning, and the discriminator of GAIfO.
//
//     #include <stdio.h>
//     #include <temporalot/agent.h>
//
//     int main(void) {
//         tot_agent *agent = NULL;
//         tot_agent_config config;
//         tot_agent_defaults(&config);
//         config.hidden = 64;
//         tot_replay_shape sees = {.width = 39};
//         float observation[39] = {0}, action[4];
//         tot_status status = tot_agent_create(&agent, &config, &sees, 0, NULL);
//         status = status != TOT_OK ? status : tot_agent_act(agent, observation, NULL, 1, action);
//         fputs(status != TOT_OK ? tot_error() : "", stderr);
//         printf("%g %g %g %g\n", action[0], action[1], action[2], action[3]);
//         tot_agent_free(agent);
//         return status != TOT_OK;
//     }
#ifndef TEMPORALOT_AGENT_H
#define TEMPORALOT_AGENT_H

#include <temporalot/base.h>
#include <temporalot/file.h>
#include <temporalot/replay.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- settings ----------------------------------------------------------------------------------

typedef struct tot_agent_config {
#define TOT_FIELD_count                                           int64_t
#define TOT_FIELD_real                                            double
#define TOT_FIELD_choice                                          int
#define TOT_PARAMETER(type, name, initial, low, high, role, help) TOT_FIELD_##type name;
#include <temporalot/agent_parameters.def>
#undef TOT_PARAMETER
} tot_agent_config;

// The paper's settings.
TOT_API void tot_agent_defaults(tot_agent_config *config);

// Returns TOT_E_ARGUMENT for the first setting that is out of range; the message names it.
TOT_API tot_status tot_agent_config_check(const tot_agent_config *config);

// --- the agent ---------------------------------------------------------------------------------

typedef struct tot_agent tot_agent;

// Weights are orthogonal, drawn from the stream "agent" of this seed; biases are zero. All memory
// for acting and updating is allocated here. sees: `width` state values, or pictures of `pixels` x
// `pixels`; with pictures, the state values (if any) are concatenated to the output of the trunk.
// pool (may be NULL) runs the computation and must outlive the agent; results are bitwise
// reproducible for the same number of threads. Not thread-safe: one call at a time per agent,
// including tot_agent_act.
TOT_API tot_status tot_agent_create(tot_agent **agent, const tot_agent_config *config,
                                    const tot_replay_shape *sees, uint64_t seed, tot_pool *pool);

// The policy's mean action. observations: [count][width] or NULL; pictures: [count][TOT_STACK *
// 3][pixels][pixels] or NULL; actions: [count][4], written, within -1 .. 1. TOT_E_VALUE: an
// observation is NaN or infinite.
TOT_API tot_status tot_agent_act(tot_agent *agent, const float *observations,
                                 const uint8_t *pictures, int64_t count, float *actions);

typedef struct tot_losses {
    double critic;         // mse(Q1) + mse(Q2)
    double actor;          // -mean(min(Q1, Q2))
    double value;          // mean of Q1
    double clone;          // negative log-likelihood of the expert's actions
    double clone_share;    // fraction of samples for which the critic prefers the cloned actor's
                           // action
    double discriminator;  // binary cross-entropy with gradient penalty
} tot_losses;

// One update of critic, actor and target critic. batch: from tot_replay_sample, of the configured
// batch size. losses (may be NULL): critic, actor and value are set. TOT_E_VALUE: a loss became NaN
// or infinite; the agent must not be used any more.
TOT_API tot_status tot_agent_update(tot_agent *agent, const tot_batch *batch, tot_losses *losses);

// Sets the learning rate of all later updates, overriding the settings. TOT_E_ARGUMENT if it is
// negative or not finite.
TOT_API tot_status tot_agent_set_learning_rate(tot_agent *agent, double learning_rate);

// One update of behaviour cloning: increases the likelihood of batch->actions given
// batch->observations. The critic and its target are not updated. With pixels the encoder is
// trained by the actor here, because there is no critic loss.
TOT_API tot_status tot_agent_clone(tot_agent *agent, const tot_batch *batch, tot_losses *losses);

// Stores a copy of the current actor, the clone, replacing an earlier one. Its tensors become part
// of the agent's ("cloned_actor.policy.0.weight"). TOT_E_UNSUPPORTED for an agent with pictures.
TOT_API tot_status tot_agent_keep_clone(tot_agent *agent);

// tot_agent_update with behaviour cloning added to the actor's loss for as long as the clone is
// better (the soft Q-filter of ROT): (1 - w) times the loss of tot_agent_update plus w *
// clone_weight times that of tot_agent_clone, where w (losses->clone_share) is the fraction of the
// batch for which the critic prefers the clone's action. losses->actor is the combined loss.
// TOT_E_ARGUMENT without a clone.
TOT_API tot_status tot_agent_update_cloned(tot_agent *agent, const tot_batch *batch,
                                           const tot_batch *expert, tot_losses *losses);

// --- GAIfO -------------------------------------------------------------------------------------

// Adds a discriminator to the agent. Its weights are drawn after those of the other networks. No
// effect if there is one already. Its tensors become part of the agent's.
TOT_API tot_status tot_agent_add_discriminator(tot_agent *agent);

// One update of the discriminator on an equal number of expert and policy observations. mix:
// [count], weight of the expert in the interpolated samples of the gradient penalty. This function
// and the next return TOT_E_ARGUMENT without a discriminator.
TOT_API tot_status tot_agent_discriminate(tot_agent *agent, const tot_batch *expert,
                                          const tot_batch *policy, const float *mix,
                                          tot_losses *losses);

// rewards: [batch->count], written: log s - log(1 - s), where s is the discriminator's output for
// batch->observations.
TOT_API tot_status tot_agent_discriminator_reward(tot_agent *agent, const tot_batch *batch,
                                                  float *rewards);

// --- tensors -----------------------------------------------------------------------------------

// All learned parameters, with PyTorch-like names ("actor.policy.0.weight", [out][in]) of the
// networks encoder (with pixels), actor, critic, target_critic and, if present, cloned_actor and
// discriminator; with Adam's moments ("critic.adam.m.trunk.0.weight", "critic.adam.v...") and step
// counters ("critic.adam.step", an int64). This is what a checkpoint stores. The view is valid as
// long as the agent; write into it to load weights.
TOT_API size_t tot_agent_tensor_count(const tot_agent *agent);
TOT_API const char *tot_agent_tensor_name(const tot_agent *agent, size_t index);
TOT_API tot_array tot_agent_tensor(tot_agent *agent, size_t index);

// agent may be NULL.
TOT_API void tot_agent_free(tot_agent *agent);

#ifdef __cplusplus
}
#endif
#endif
