// temporalot/agent.h - the agent: actor, critic and their update (DrQ-v2's, as the paper uses it),
// behaviour cloning, and GAIfO's discriminator.
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

// The paper's.
TOT_API void tot_agent_defaults(tot_agent_config *config);

// Names the first setting out of its range.
TOT_API tot_status tot_agent_config_check(const tot_agent_config *config);

// --- the agent ---------------------------------------------------------------------------------

typedef struct tot_agent tot_agent;

// Orthogonal weights from the stream "agent" of this seed, zero biases; all memory that acting and
// updating need. sees: width numbers; or pictures of `pixels` a side, then the numbers (there may
// be none) stand beside what the trunk makes of them. pool (may be NULL) shares the work and must
// outlive the agent; the same number of threads gives the same bytes. One call at a time for an
// agent, acting included.
TOT_API tot_status tot_agent_create(tot_agent **agent, const tot_agent_config *config,
                                    const tot_replay_shape *sees, uint64_t seed, tot_pool *pool);

// The policy's mean action. observations: [count][width] or NULL; pictures:
// [count][TOT_STACK * 3][pixels][pixels] or NULL; actions: [count][4], written, inside -1 .. 1.
// TOT_E_VALUE: an observation that is NaN or infinite.
TOT_API tot_status tot_agent_act(tot_agent *agent, const float *observations,
                                 const uint8_t *pictures, int64_t count, float *actions);

typedef struct tot_losses {
    double critic;         // mse(Q1) + mse(Q2)
    double actor;          // -mean(min(Q1, Q2))
    double value;          // mean of Q1
    double clone;          // negative log-likelihood of the expert's actions
    double clone_share;    // of samples for which the critic prefers the cloned actor's action
    double discriminator;  // binary cross-entropy with gradient penalty
} tot_losses;

// One update of critic, actor and target critic. batch: what tot_replay_sample drew, of the
// config's size. losses (may be NULL): critic, actor and value are set. TOT_E_VALUE: a loss became
// NaN or infinite; the agent is then not to be used further.
TOT_API tot_status tot_agent_update(tot_agent *agent, const tot_batch *batch, tot_losses *losses);

// The learning rate of the updates to come, in place of the settings'. TOT_E_ARGUMENT for one that
// is negative or not finite.
TOT_API tot_status tot_agent_set_learning_rate(tot_agent *agent, double learning_rate);

// One update of behaviour cloning: raises the likelihood of batch->actions at batch->observations.
// The critic, its target and its encoder stay, but that the encoder of pixels learns with the actor
// here: there is no critic to teach it.
TOT_API tot_status tot_agent_clone(tot_agent *agent, const tot_batch *batch, tot_losses *losses);

// Keeps a copy of the actor as it is now, the clone; a second time anew. Its tensors are then among
// the agent's ("cloned_actor.policy.0.weight"). TOT_E_UNSUPPORTED for an agent that sees pictures.
TOT_API tot_status tot_agent_keep_clone(tot_agent *agent);

// tot_agent_update with the expert's actions in the actor's loss, as much of them as the clone is
// still better (ROT's soft Q-filter): (1 - w) times the loss of tot_agent_update plus w
// clone_weight times that of tot_agent_clone, where w, losses->clone_share, is the share of the
// batch for which the critic prefers the clone's action. losses->actor is the whole. TOT_E_ARGUMENT
// without a clone.
TOT_API tot_status tot_agent_update_cloned(tot_agent *agent, const tot_batch *batch,
                                           const tot_batch *expert, tot_losses *losses);

// --- GAIfO -------------------------------------------------------------------------------------

// Gives the agent a discriminator, its weights drawn behind those of the other networks; nothing
// happens where it has one. Its tensors are then among the agent's.
TOT_API tot_status tot_agent_add_discriminator(tot_agent *agent);

// One update of the discriminator on observations of the expert and of the policy, as many of each;
// mix: [count], how much of the expert there is in a mixed sample for the gradient penalty.
// TOT_E_ARGUMENT without a discriminator, below too.
TOT_API tot_status tot_agent_discriminate(tot_agent *agent, const tot_batch *expert,
                                          const tot_batch *policy, const float *mix,
                                          tot_losses *losses);

// rewards: [batch->count], written: log s - log(1 - s) of batch->observations.
TOT_API tot_status tot_agent_discriminator_reward(tot_agent *agent, const tot_batch *batch,
                                                  float *rewards);

// --- its numbers -------------------------------------------------------------------------------

// Everything that is learnt, by PyTorch-like names ("actor.policy.0.weight", [out][in]) of the
// networks encoder (with pixels), actor, critic, target_critic, and cloned_actor and discriminator
// where there is one, with Adam's moments ("critic.adam.m.trunk.0.weight", "critic.adam.v...") and
// counters ("critic.adam.step", an int64): what a checkpoint keeps. The view stays valid as long as
// the agent; writing into it is how weights are loaded.
TOT_API size_t tot_agent_tensor_count(const tot_agent *agent);
TOT_API const char *tot_agent_tensor_name(const tot_agent *agent, size_t index);
TOT_API tot_array tot_agent_tensor(tot_agent *agent, size_t index);

// agent may be NULL.
TOT_API void tot_agent_free(tot_agent *agent);

#ifdef __cplusplus
}
#endif
#endif
