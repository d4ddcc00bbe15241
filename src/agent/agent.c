// The agent: creation, acting, access to tensors by name.
#include "agent/agent.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

// --- networks, in the order of the tensors -----------------------------------------------------

enum { MOST_NETWORKS = 4 };

static size_t networks_of(tot_agent *agent, agent_network *networks[MOST_NETWORKS]) {
    size_t count = 0;
    if (agent->sees.pixels > 0) {
        networks[count++] = &agent->pixels.network;
    }
    networks[count++] = &agent->actor.network;
    networks[count++] = &agent->critic.network;
    if (agent->discriminator.block != NULL) {
        networks[count++] = &agent->discriminator.network;
    }
    return count;
}

// Builds the list of names; called again when a network or tensor is added.
static tot_status name_tensors(tot_agent *agent) {
    agent_network *networks[MOST_NETWORKS];
    size_t count = networks_of(agent, networks);
    size_t total = 0;
    for (size_t k = 0; k < count; k++) {
        total += agent_network_tensor_count(networks[k]);
    }
    char(*names)[MOST_TENSOR_NAME] = base_alloc(total, MOST_TENSOR_NAME, "tensor names");
    BASE_HAVE(names);
    base_free(agent->tensor_names);
    agent->tensor_names = names;
    agent->tensor_count = 0;
    for (size_t k = 0; k < count; k++) {
        for (size_t i = 0; i < agent_network_tensor_count(networks[k]); i++) {
            agent_network_tensor_name(networks[k], i, agent->tensor_names[agent->tensor_count++]);
        }
    }
    return TOT_OK;
}

static tot_status add_discriminator(tot_agent *agent) {
    BASE_TRY(agent_discriminator_create(agent));
    BASE_TRY(agent_network_init(&agent->discriminator.network, &agent->random));
    return name_tensors(agent);
}

tot_status tot_agent_add_discriminator(tot_agent *agent) {
    BASE_NEED(agent);
    if (agent->discriminator.block != NULL) {
        return TOT_OK;
    }
    const tot_random before = agent->random;
    const tot_status status = add_discriminator(agent);
    if (status != TOT_OK) {
        agent_discriminator_free(&agent->discriminator);
        agent->random = before;
    }
    return status;
}

tot_status tot_agent_keep_clone(tot_agent *agent) {
    BASE_NEED(agent);
    BASE_FAIL_IF(agent->sees.pixels > 0, TOT_E_UNSUPPORTED,
                 "agent: a cloned actor can only be kept for state observations: a pixel encoder "
                 "keeps learning");
    const bool is_first = agent->actor.network.target == NULL;
    BASE_TRY(agent_network_freeze(&agent->actor.network));
    return is_first ? name_tensors(agent) : TOT_OK;
}

tot_status tot_agent_set_learning_rate(tot_agent *agent, double learning_rate) {
    BASE_NEED(agent);
    BASE_FAIL_IF(!(learning_rate >= 0 && isfinite(learning_rate)), TOT_E_ARGUMENT,
                 "agent: learning_rate: %g", learning_rate);
    agent->config.learning_rate = learning_rate;
    return TOT_OK;
}

BASE_GETTER(size_t, tot_agent_tensor_count, tot_agent, agent, 0, agent->tensor_count)
BASE_ITEM(const char *, tot_agent_tensor_name, tot_agent, agent, agent->tensor_count,
          agent->tensor_names[index])

tot_array tot_agent_tensor(tot_agent *agent, size_t index) {
    BASE_NEED_OR((tot_array){0}, agent);
    agent_network *networks[MOST_NETWORKS];
    size_t count = networks_of(agent, networks);
    for (size_t k = 0; k < count; k++) {
        size_t own = agent_network_tensor_count(networks[k]);
        if (index < own) {
            return agent_network_tensor(networks[k], index);
        }
        index -= own;
    }
    return (tot_array){0};
}

// --- creation and destruction ------------------------------------------------------------------

static tot_status check(const tot_agent_config *config, const tot_replay_shape *sees) {
    BASE_TRY(tot_agent_config_check(config));
    BASE_FAIL_IF(config->filters % 16 != 0, TOT_E_ARGUMENT, "filters: %lld is not a multiple of 16",
                 (long long)config->filters);
    BASE_FAIL_IF(sees->pixels < 0 || sees->pixels > 1024, TOT_E_ARGUMENT,
                 "agent: pixels: %d is not in 0 .. 1024", sees->pixels);
    BASE_FAIL_IF(sees->width < (sees->pixels == 0 ? 1 : 0) || sees->width > 1 << 24, TOT_E_ARGUMENT,
                 "agent: width: %lld is not in 1 .. %d", (long long)sees->width, 1 << 24);
    return TOT_OK;
}

static tot_status alloc_workspace(tot_agent *agent) {
    const agent_workspace_array arrays[] = {
        {&agent->targets, agent->rows, 1},
        {&agent->lowest, agent->rows, 1},
        {&agent->clone_values, agent->rows, 1},
        {&agent->action_gradient, agent->rows, AGENT_ACTIONS},
        {&agent->gradients.wide, agent->rows, HEADS * agent->config.hidden},
        {&agent->gradients.hidden, agent->rows, agent->config.hidden},
        {&agent->gradients.input, agent->rows, agent_joined(agent) + AGENT_ACTIONS},
    };
    agent->block = agent_workspace_alloc(arrays, BASE_LENGTH(arrays), "agent");
    return agent->block != NULL ? TOT_OK : TOT_E_MEMORY;
}

static tot_status fill(tot_agent *agent, uint64_t seed, tot_pool *pool) {
    BASE_TRY(tot_nn_create(&agent->nn, pool));
    if (agent->sees.pixels > 0) {
        BASE_TRY(agent_pixel_encoder_create(agent));
    }
    BASE_TRY(agent_actor_create(agent));
    BASE_TRY(agent_critic_create(agent));
    BASE_TRY(alloc_workspace(agent));
    BASE_TRY(name_tensors(agent));
    agent_network *networks[MOST_NETWORKS];
    size_t count = networks_of(agent, networks);
    tot_random_init(&agent->random, seed, "agent");
    for (size_t k = 0; k < count; k++) {
        BASE_TRY(agent_network_init(networks[k], &agent->random));
    }
    return TOT_OK;
}

tot_status tot_agent_create(tot_agent **out, const tot_agent_config *config,
                            const tot_replay_shape *sees, uint64_t seed, tot_pool *pool) {
    BASE_NEED(out, config, sees);
    *out = NULL;
    BASE_TRY(check(config, sees));
    BASE_NEW(tot_agent, agent, "agent");
    agent->config = *config;
    agent->pool = pool;
    agent->sees = *sees;
    agent->width = sees->width;
    agent->beside = sees->pixels > 0 ? sees->width : 0;
    agent->rows =
        larger(larger(config->batch, config->clone_batch), sees->pixels > 0 ? 1 : ACT_ROWS);
    BASE_GIVE(fill(agent, seed, pool), out, agent, tot_agent_free);
}

void tot_agent_free(tot_agent *agent) {
    BASE_UNLESS_NULL(agent);
    agent_actor_free(&agent->actor);
    agent_critic_free(&agent->critic);
    agent_discriminator_free(&agent->discriminator);
    agent_pixel_encoder_free(&agent->pixels);
    tot_nn_free(agent->nn);
    BASE_RELEASE(agent->block, agent->tensor_names, agent);
}

void agent_put_beside(const tot_agent *agent, int64_t rows, const float *beside, float *to,
                      int64_t stride) {
    const int64_t count = agent->beside;
    for (int64_t row = 0; count > 0 && row < rows; row++) {
        memcpy(to + row * stride + agent->config.feature, beside + row * count,
               (size_t)count * sizeof *to);
    }
}

// --- acting ------------------------------------------------------------------------------------

// Rejects NaN and infinity, which would give invalid actions.
static tot_status check_seen(const tot_agent *agent, const float *observations, int64_t count) {
    const int64_t width = agent->sees.width;
    for (int64_t k = 0; observations != NULL && k < count * width; k++) {
        BASE_FAIL_IF(!isfinite(observations[k]), TOT_E_VALUE,
                     "act: observation %lld, number %lld is %g", (long long)(k / width),
                     (long long)(k % width), (double)observations[k]);
    }
    return TOT_OK;
}

tot_status tot_agent_act(tot_agent *agent, const float *observations, const uint8_t *pictures,
                         int64_t count, float *actions) {
    BASE_NEED(agent, actions);
    bool sees_pixels = agent->sees.pixels > 0;
    BASE_FAIL_IF(sees_pixels ? pictures == NULL : observations == NULL, TOT_E_ARGUMENT,
                 "act: the agent observes %s, but none are given",
                 sees_pixels ? "pictures" : "numbers");
    BASE_FAIL_IF(count < 0, TOT_E_ARGUMENT, "act: %lld observations", (long long)count);
    const int64_t beside = agent->beside;
    BASE_FAIL_IF(beside > 0 && observations == NULL, TOT_E_ARGUMENT,
                 "act: the agent also observes %lld numbers, but none are given",
                 (long long)beside);
    BASE_TRY(check_seen(agent, observations, count));
    agent_pixel_encoder *pixels = &agent->pixels;
    int64_t stack = TOT_STACK * 3 * (int64_t)agent->sees.pixels * agent->sees.pixels;
    int64_t most = agent->rows < ACT_ROWS ? agent->rows : ACT_ROWS;
    for (int64_t from = 0; from < count; from += most) {
        int64_t rows = count - from < most ? count - from : most;
        const float *inputs = pixels->features;
        if (sees_pixels) {
            tot_conv_forward(pixels->conv, pixels->network.parameters, rows,
                             pictures + from * stack, NULL, pixels->features, false);
        } else {
            inputs = observations + from * agent->width;
        }
        agent_actor_mean(agent, rows, inputs, beside > 0 ? observations + from * beside : NULL);
        memcpy(actions + from * AGENT_ACTIONS, agent->actor.mean,
               (size_t)rows * AGENT_ACTIONS * sizeof(float));
    }
    return TOT_OK;
}
