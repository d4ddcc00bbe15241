// The actor: trunk, two hidden layers, mean action.
#include "agent/agent.h"
#include "agent/workspace.h"
#include "base/base.h"

tot_status agent_actor_create(tot_agent *agent) {
    agent_actor *actor = &agent->actor;
    agent_network *network = &actor->network;
    const bool normed = agent_is_normed(agent);
    const int64_t hidden = agent->config.hidden;
    const int64_t feature = agent->config.feature;
    network->name = "actor";
    actor->trunk = agent_normed_add(network, "trunk.0", "trunk.1", agent->width, feature);
    if (normed) {
        actor->normed[0] =
            agent_normed_add(network, "policy.0", "policy.1", agent_joined(agent), hidden);
        actor->normed[1] = agent_normed_add(network, "policy.3", "policy.4", hidden, hidden);
    } else {
        actor->layers[0] = agent_dense_add(network, "policy.0", agent_joined(agent), hidden);
        actor->layers[1] = agent_dense_add(network, "policy.2", hidden, hidden);
    }
    actor->layers[2] =
        agent_dense_add(network, normed ? "policy.6" : "policy.4", hidden, AGENT_ACTIONS);
    BASE_TRY(agent_network_alloc(network, false));
    int64_t rows = agent->rows;
    const agent_workspace_array arrays[] = {
        {&actor->saved.normal, rows, feature},
        {&actor->saved.inverse, rows, 1},
        {&actor->features, rows, agent_joined(agent)},
        {&actor->hidden[0], rows, hidden},
        {&actor->hidden[1], rows, hidden},
        {&actor->mean, rows, AGENT_ACTIONS},
        {&actor->normed_saved[0].normal, rows, normed ? hidden : 0},
        {&actor->normed_saved[0].inverse, rows, normed ? 1 : 0},
        {&actor->normed_saved[1].normal, rows, normed ? hidden : 0},
        {&actor->normed_saved[1].inverse, rows, normed ? 1 : 0},
    };
    actor->block = agent_workspace_alloc(arrays, BASE_LENGTH(arrays), "actor");
    return actor->block != NULL ? TOT_OK : TOT_E_MEMORY;
}

void agent_actor_free(agent_actor *actor) {
    agent_network_free(&actor->network);
    base_free(actor->block);
}

static tot_trunk trunk_of(const tot_agent *agent, const float *numbers) {
    tot_trunk trunk = agent_normed_of(&agent->actor.trunk, numbers, TOT_TANH);
    trunk.y_stride = agent_joined(agent);
    return trunk;
}

static tot_dense layer_of(const tot_agent *agent, const float *numbers, int layer) {
    return agent_dense_of(&agent->actor.layers[layer], numbers, layer == 2 ? TOT_TANH : TOT_RELU);
}

void agent_actor_forward(tot_agent *agent, const float *numbers, int64_t rows, const float *x,
                         const float *beside) {
    agent_actor *actor = &agent->actor;
    tot_trunk trunk = trunk_of(agent, numbers);
    tot_trunk_forward(agent->nn, &trunk, rows, x, actor->features, &actor->saved);
    agent_put_beside(agent, rows, beside, actor->features, agent_joined(agent));
    const float *in[] = {actor->features, actor->hidden[0], actor->hidden[1]};
    float *out[] = {actor->hidden[0], actor->hidden[1], actor->mean};
    for (int k = 0; k < 3; k++) {
        if (k < 2 && agent_is_normed(agent)) {
            tot_trunk layer = agent_normed_of(&actor->normed[k], numbers, TOT_RELU);
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
        if (k < 2 && agent_is_normed(agent)) {
            tot_trunk layer = agent_normed_of(&actor->normed[k], numbers, TOT_RELU);
            tot_trunk_gradient gradient = agent_normed_gradient(&actor->normed[k], &actor->network);
            gradient.x = in_gradient[k];
            gradient.accumulate = accumulate;
            tot_trunk_backward(agent->nn, &layer, rows, in[k], out[k], &actor->normed_saved[k],
                               out_gradient[k], &gradient);
            continue;
        }
        tot_dense layer = layer_of(agent, numbers, k);
        tot_dense_gradient gradient = agent_dense_gradient(&actor->layers[k], &actor->network);
        gradient.x = in_gradient[k];
        gradient.accumulate = accumulate;
        tot_dense_backward(agent->nn, &layer, rows, in[k], out[k], out_gradient[k], &gradient);
    }
    tot_trunk trunk = trunk_of(agent, numbers);
    tot_trunk_gradient gradient = agent_normed_gradient(&actor->trunk, &actor->network);
    gradient.x = dx;
    gradient.accumulate = accumulate;
    tot_trunk_backward(agent->nn, &trunk, rows, x, actor->features, &actor->saved, features,
                       &gradient);
}
