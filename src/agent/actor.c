// The actor: trunk, two hidden layers, mean action.
#include "agent/agent.h"
#include "agent/workspace.h"
#include "base/base.h"

static void add_layer(agent_actor *actor, int layer, const char *weight, const char *bias,
                      int64_t outputs, int64_t inputs) {
    agent_network *network = &actor->network;
    actor->layer_at[layer][0] =
        agent_network_add(network, weight, (int64_t[4]){outputs, inputs}, 1, true);
    actor->layer_at[layer][1] = agent_network_add(network, bias, (int64_t[4]){outputs}, 0, true);
}

static bool is_normed(const tot_agent *agent) {
    return agent->config.layer_norm == 1;
}

tot_status agent_actor_create(tot_agent *agent) {
    agent_actor *actor = &agent->actor;
    int64_t hidden = agent->config.hidden;
    int64_t feature = agent->config.feature;
    actor->network.name = "actor";
    agent_network_add_trunk(&actor->network, agent->width, feature);
    if (is_normed(agent)) {
        actor->normed[0] =
            agent_normed_add(&actor->network, "policy", 0, agent_joined(agent), hidden);
        actor->normed[1] = agent_normed_add(&actor->network, "policy", 3, hidden, hidden);
        add_layer(actor, 2, "policy.6.weight", "policy.6.bias", AGENT_ACTIONS, hidden);
    } else {
        add_layer(actor, 0, "policy.0.weight", "policy.0.bias", hidden, agent_joined(agent));
        add_layer(actor, 1, "policy.2.weight", "policy.2.bias", hidden, hidden);
        add_layer(actor, 2, "policy.4.weight", "policy.4.bias", AGENT_ACTIONS, hidden);
    }
    if (agent_network_alloc(&actor->network, false) != TOT_OK) {
        return TOT_E_MEMORY;
    }
    int64_t rows = agent->rows;
    const agent_workspace_array arrays[] = {
        {&actor->saved.normal, rows, feature},
        {&actor->saved.inverse, rows, 1},
        {&actor->features, rows, agent_joined(agent)},
        {&actor->hidden[0], rows, hidden},
        {&actor->hidden[1], rows, hidden},
        {&actor->mean, rows, AGENT_ACTIONS},
        {&actor->normed_saved[0].normal, rows, is_normed(agent) ? hidden : 0},
        {&actor->normed_saved[0].inverse, rows, is_normed(agent) ? 1 : 0},
        {&actor->normed_saved[1].normal, rows, is_normed(agent) ? hidden : 0},
        {&actor->normed_saved[1].inverse, rows, is_normed(agent) ? 1 : 0},
    };
    actor->block = agent_workspace_alloc(arrays, BASE_LENGTH(arrays), "actor");
    return actor->block != NULL ? TOT_OK : TOT_E_MEMORY;
}

void agent_actor_free(agent_actor *actor) {
    agent_network_free(&actor->network);
    base_free(actor->block);
}

static tot_trunk normed_of(const tot_agent *agent, const float *numbers, int layer) {
    return agent_normed_of(&agent->actor.normed[layer], numbers,
                           layer == 0 ? agent_joined(agent) : agent->config.hidden,
                           agent->config.hidden);
}

static tot_dense layer_of(const tot_agent *agent, const float *numbers, int layer) {
    const agent_actor *actor = &agent->actor;
    return (tot_dense){
        .inputs = layer == 0 ? agent_joined(agent) : agent->config.hidden,
        .outputs = layer == 2 ? AGENT_ACTIONS : agent->config.hidden,
        .activation = layer == 2 ? TOT_TANH : TOT_RELU,
        .weight = numbers + actor->layer_at[layer][0],
        .bias = numbers + actor->layer_at[layer][1],
    };
}

void agent_actor_forward(tot_agent *agent, const float *numbers, int64_t rows, const float *x,
                         const float *beside) {
    agent_actor *actor = &agent->actor;
    tot_trunk trunk = agent_trunk_of(&actor->network, numbers, agent_joined(agent));
    tot_trunk_forward(agent->nn, &trunk, rows, x, actor->features, &actor->saved);
    agent_put_beside(agent, rows, beside, actor->features, agent_joined(agent));
    const float *in[] = {actor->features, actor->hidden[0], actor->hidden[1]};
    float *out[] = {actor->hidden[0], actor->hidden[1], actor->mean};
    for (int k = 0; k < 3; k++) {
        if (k < 2 && is_normed(agent)) {
            tot_trunk layer = normed_of(agent, numbers, k);
            tot_trunk_forward(agent->nn, &layer, rows, in[k], out[k], &actor->normed_saved[k]);
        } else {
            tot_dense layer = layer_of(agent, numbers, k);
            tot_dense_forward(agent->nn, &layer, rows, in[k], out[k]);
        }
    }
}

void agent_actor_mean(tot_agent *agent, int64_t rows, const float *x, const float *beside) {
    agent_actor_forward(agent, agent->actor.network.parameters, rows, x, beside);
}

void agent_actor_backward(tot_agent *agent, int64_t rows, const float *x, float *mean_gradient,
                          float *dx, bool accumulate) {
    agent_actor *actor = &agent->actor;
    const float *numbers = actor->network.parameters;
    // the critic's gradient buffers are unused at this point: they serve as workspace
    float *first = agent->critic.wide_gradient;
    float *second = agent->critic.hidden_gradient;
    float *features = agent->critic.input_gradient;
    const float *in[] = {actor->features, actor->hidden[0], actor->hidden[1]};
    const float *out[] = {actor->hidden[0], actor->hidden[1], actor->mean};
    float *out_gradient[] = {first, second, mean_gradient};
    float *in_gradient[] = {features, first, second};
    for (int k = 2; k >= 0; k--) {
        if (k < 2 && is_normed(agent)) {
            tot_trunk layer = normed_of(agent, numbers, k);
            tot_trunk_gradient gradient = agent_normed_gradient(&actor->normed[k], &actor->network);
            gradient.x = in_gradient[k];
            gradient.accumulate = accumulate;
            tot_trunk_backward(agent->nn, &layer, rows, in[k], out[k], &actor->normed_saved[k],
                               out_gradient[k], &gradient);
            continue;
        }
        tot_dense layer = layer_of(agent, numbers, k);
        tot_dense_gradient gradient = {
            .weight = actor->network.gradients + actor->layer_at[k][0],
            .bias = actor->network.gradients + actor->layer_at[k][1],
            .x = in_gradient[k],
            .accumulate = accumulate,
        };
        tot_dense_backward(agent->nn, &layer, rows, in[k], out[k], out_gradient[k], &gradient);
    }
    tot_trunk trunk = agent_trunk_of(&actor->network, numbers, agent_joined(agent));
    tot_trunk_gradient gradient = agent_trunk_gradient_of(&actor->network);
    gradient.x = dx;
    gradient.accumulate = accumulate;
    tot_trunk_backward(agent->nn, &trunk, rows, x, actor->features, &actor->saved, features,
                       &gradient);
}
