// The DrQ-v2 update of critic, actor and target critic, on a batch that includes its own noise.
#include "agent/agent.h"
#include "base/base.h"

// --- shared helpers ----------------------------------------------------------------------------

tot_status agent_check_batch(const tot_agent *agent, const tot_batch *batch, int64_t most,
                             const char *name) {
    BASE_FAIL_IF(batch->count < 1 || batch->count > most, TOT_E_SHAPE,
                 "%s: a batch of %lld where 1 .. %lld are taken", name, (long long)batch->count,
                 (long long)most);
    const tot_replay_shape *sees = &agent->sees;
    const bool fits = batch->shape.pixels == sees->pixels && batch->shape.width == sees->width;
    BASE_FAIL_IF(!fits, TOT_E_SHAPE,
                 "%s: a batch of width %lld and %d pixels; the agent sees %lld and %d", name,
                 (long long)batch->shape.width, batch->shape.pixels, (long long)sees->width,
                 sees->pixels);
    return TOT_OK;
}

const float *agent_input_of(tot_agent *agent, const tot_batch *batch, bool learns) {
    agent_pixel_encoder *pixels = &agent->pixels;
    if (agent->sees.pixels == 0) {
        return batch->observations;
    }
    tot_conv_forward(pixels->conv, pixels->network.parameters, batch->count, batch->pictures,
                     batch->shifts, pixels->features, learns);
    return pixels->features;
}

tot_status agent_check_loss(const char *name, double loss) {
    BASE_FAIL_IF(!isfinite(loss), TOT_E_VALUE, "agent: the loss of the %s is %g", name, loss);
    return TOT_OK;
}

// --- the update --------------------------------------------------------------------------------

static const float *next_input_of(tot_agent *agent, const tot_batch *batch) {
    agent_pixel_encoder *pixels = &agent->pixels;
    if (agent->sees.pixels == 0) {
        return batch->next_observations;
    }
    tot_conv_forward(pixels->conv, pixels->network.parameters, batch->count, batch->next_pictures,
                     batch->next_shifts, pixels->next_features, false);
    return pixels->next_features;
}

static float clamp(float value, float limit) {
    return value < -limit ? -limit : value > limit ? limit : value;
}

// Writes the actor's mean action plus clipped noise, clamped to -1 .. 1, to the critic's input.
static void put_noisy_actions(tot_agent *agent, int64_t rows, const float *noise) {
    float deviation = (float)agent->config.target_noise;
    float clip = (float)agent->config.target_clip;
    int64_t joined = agent_joined(agent);
    for (int64_t row = 0; row < rows; row++) {
        float *action = agent->critic.input + row * (joined + AGENT_ACTIONS) + joined;
        for (int64_t k = 0; k < AGENT_ACTIONS; k++) {
            float disturbed = clamp(deviation * noise[row * AGENT_ACTIONS + k], clip);
            action[k] = clamp(agent->actor.mean[row * AGENT_ACTIONS + k] + disturbed, 1);
        }
    }
}

static void put_actions(tot_agent *agent, int64_t rows, const float *actions) {
    int64_t joined = agent_joined(agent);
    for (int64_t row = 0; row < rows; row++) {
        memcpy(agent->critic.input + row * (joined + AGENT_ACTIONS) + joined,
               actions + row * AGENT_ACTIONS, AGENT_ACTIONS * sizeof(float));
    }
}

// TD targets = n-step reward + discount * min(Q1, Q2) of the target critic, n steps later
static void set_targets(tot_agent *agent, const tot_batch *batch) {
    int64_t rows = batch->count;
    const float *next_features = next_input_of(agent, batch);
    agent_actor_mean(agent, rows, next_features, batch->next_observations);
    put_noisy_actions(agent, rows, batch->noise);
    agent_critic_forward(agent, agent->critic.network.target, rows, next_features,
                         batch->next_observations);
    tot_minimum(rows, agent->critic.values[0], agent->critic.values[1], agent->lowest);
    for (int64_t k = 0; k < rows; k++) {
        agent->targets[k] = batch->rewards[k] + batch->discounts[k] * agent->lowest[k];
    }
}

// Regresses the critic on the TD targets, trains the pixel encoder with it, and soft-updates the
// target network.
static tot_status update_critic(tot_agent *agent, const tot_batch *batch, const float *observations,
                                tot_losses *losses) {
    agent_critic *critic = &agent->critic;
    int64_t rows = batch->count;
    put_actions(agent, rows, batch->actions);
    agent_critic_forward(agent, critic->network.parameters, rows, observations,
                         batch->observations);
    losses->critic = 0;
    for (int head = 0; head < HEADS; head++) {
        losses->critic +=
            tot_mse(rows, critic->values[head], agent->targets, critic->value_gradients[head]);
    }
    BASE_TRY(agent_check_loss("critic", losses->critic));
    double sum = 0;
    for (int64_t k = 0; k < rows; k++) {
        sum += (double)critic->values[0][k];
    }
    losses->value = sum / (double)rows;

    agent_critic_backward(agent, rows, observations, agent->pixels.feature_gradient);
    agent_pixel_encoder_learn(agent, batch);
    agent_network_update(agent->nn, &critic->network, &agent->config, agent->config.tau);
    return TOT_OK;
}

// The critic's values of the cloned actor's actions, with the same noise as the actor's, written to
// agent->clone_values.
static void value_clone(tot_agent *agent, const tot_batch *batch, const float *observations) {
    agent_critic *critic = &agent->critic;
    const int64_t rows = batch->count;
    agent_actor_forward(agent, agent->actor.network.target, rows, observations,
                        batch->observations);
    put_noisy_actions(agent, rows, batch->noise_actor);
    agent_critic_forward(agent, critic->network.parameters, rows, observations,
                         batch->observations);
    tot_minimum(rows, critic->values[0], critic->values[1], agent->clone_values);
}

// ROT's soft Q-filter: the fraction of samples for which the critic prefers the clone's action.
static double preferred_share(const tot_agent *agent, int64_t rows) {
    int64_t preferred = 0;
    for (int64_t k = 0; k < rows; k++) {
        preferred += agent->clone_values[k] > agent->lowest[k];
    }
    return (double)preferred / (double)rows;
}

// Adds the behaviour cloning loss and its gradient, weighted by losses->clone_share. losses->actor
// becomes the weighted sum.
static tot_status imitate(tot_agent *agent, const tot_batch *expert, tot_losses *losses) {
    const int64_t rows = expert->count;
    const double share = losses->clone_share;
    const double weight = share * agent->config.clone_weight;
    agent_actor_mean(agent, rows, expert->observations, expert->observations);
    losses->clone = agent_likelihood(agent, expert, weight, agent->action_gradient);
    BASE_TRY(agent_check_loss("clone", losses->clone));
    losses->actor = (1 - share) * losses->actor + weight * losses->clone;
    if (weight > 0) {
        agent_actor_backward(agent, rows, expert->observations, agent->action_gradient, NULL, true);
    }
    return TOT_OK;
}

// Trains the actor to maximise the critic's value and, if expert is not NULL, to imitate the
// expert. Critic and encoder are not updated.
static tot_status update_actor(tot_agent *agent, const tot_batch *batch, const tot_batch *expert,
                               const float *observations, tot_losses *losses) {
    agent_critic *critic = &agent->critic;
    int64_t rows = batch->count;
    if (expert != NULL) {
        value_clone(agent, batch, observations);
    }
    agent_actor_mean(agent, rows, observations, batch->observations);
    put_noisy_actions(agent, rows, batch->noise_actor);
    agent_critic_forward(agent, critic->network.parameters, rows, observations,
                         batch->observations);
    losses->actor = tot_least(rows, critic->values[0], critic->values[1],
                              critic->value_gradients[0], critic->value_gradients[1]);
    BASE_TRY(agent_check_loss("actor", losses->actor));
    // the gradient passes through noise and clamp unchanged
    agent_critic_action_gradient(agent, rows, agent->action_gradient);
    if (expert != NULL) {
        tot_minimum(rows, critic->values[0], critic->values[1], agent->lowest);
        losses->clone_share = preferred_share(agent, rows);
        for (int64_t k = 0; k < rows * AGENT_ACTIONS; k++) {
            agent->action_gradient[k] *= (float)(1 - losses->clone_share);
        }
    }
    agent_actor_backward(agent, rows, observations, agent->action_gradient, NULL, false);
    BASE_TRY(expert != NULL ? imitate(agent, expert, losses) : TOT_OK);
    agent_network_update(agent->nn, &agent->actor.network, &agent->config, 0);
    return TOT_OK;
}

static tot_status update(tot_agent *agent, const tot_batch *batch, const tot_batch *expert,
                         tot_losses *losses) {
    tot_losses unwanted;
    losses = losses != NULL ? losses : &unwanted;
    BASE_TRY(agent_check_batch(agent, batch, agent->config.batch, "update"));
    set_targets(agent, batch);
    const float *observations = agent_input_of(agent, batch, true);
    BASE_TRY(update_critic(agent, batch, observations, losses));
    return update_actor(agent, batch, expert, observations, losses);
}

tot_status tot_agent_update(tot_agent *agent, const tot_batch *batch, tot_losses *losses) {
    BASE_NEED(agent, batch);
    return update(agent, batch, NULL, losses);
}

tot_status tot_agent_update_cloned(tot_agent *agent, const tot_batch *batch,
                                   const tot_batch *expert, tot_losses *losses) {
    BASE_NEED(agent, batch, expert);
    BASE_FAIL_IF(agent->actor.network.target == NULL, TOT_E_ARGUMENT,
                 "update: no cloned actor was kept");
    BASE_TRY(agent_check_batch(agent, expert, agent->rows, "expert"));
    return update(agent, batch, expert, losses);
}
