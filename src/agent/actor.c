// The actor: trunk, two hidden layers, mean action.
#include "agent/agent.h"
#include "base/base.h"

tot_status agent_actor_create(tot_agent *agent) {
    agent_actor *actor = &agent->actor;
    agent_network *network = &actor->network;
    const bool normed = agent_is_normed(agent);
    const int next = normed ? 3 : 2;  // modules of the Sequential per layer, with its ReLU
    const int64_t rows = agent->rows;
    const int64_t hidden = agent->config.hidden;
    const int64_t feature = agent->config.feature;
    const int64_t joined = agent_joined(agent);
    network->name = "actor";
    actor->trunk = agent_layer_add(network, "trunk.", 0, true, agent->width, feature, TOT_TANH);
    actor->trunk.y_stride = joined;
    actor->layers[0] = agent_layer_add(network, "policy.", 0, normed, joined, hidden, TOT_RELU);
    actor->layers[1] = agent_layer_add(network, "policy.", next, normed, hidden, hidden, TOT_RELU);
    actor->layers[2] =
        agent_layer_add(network, "policy.", 2 * next, false, hidden, AGENT_ACTIONS, TOT_TANH);
    BASE_TRY(agent_network_alloc(network, false));
    const agent_workspace_array arrays[] = {
        AGENT_SAVED(actor->trunk, rows),     AGENT_SAVED(actor->layers[0], rows),
        AGENT_SAVED(actor->layers[1], rows), {&actor->features, rows, joined},
        {&actor->hidden[0], rows, hidden},   {&actor->hidden[1], rows, hidden},
        {&actor->mean, rows, AGENT_ACTIONS},
    };
    actor->block = agent_workspace_alloc(arrays, BASE_LENGTH(arrays), "actor");
    return actor->block != NULL ? TOT_OK : TOT_E_MEMORY;
}

void agent_actor_free(agent_actor *actor) {
    agent_network_free(&actor->network);
    base_free(actor->block);
}

void agent_actor_forward(tot_agent *agent, const float *numbers, int64_t rows, const float *x,
                         const float *beside) {
    agent_actor *actor = &agent->actor;
    agent_layer_forward(agent->nn, &actor->trunk, numbers, rows, x, actor->features);
    agent_put_beside(agent, rows, beside, actor->features, agent_joined(agent));
    const float *in[] = {actor->features, actor->hidden[0], actor->hidden[1]};
    float *out[] = {actor->hidden[0], actor->hidden[1], actor->mean};
    for (int k = 0; k < 3; k++) {
        agent_layer_forward(agent->nn, &actor->layers[k], numbers, rows, in[k], out[k]);
    }
}

void agent_actor_mean(tot_agent *agent, int64_t rows, const float *x, const float *beside) {
    agent_actor_forward(agent, agent->actor.network.parameters, rows, x, beside);
}

void agent_actor_backward(tot_agent *agent, int64_t rows, const float *x, float *mean_gradient,
                          float *dx, bool accumulate) {
    agent_actor *actor = &agent->actor;
    const agent_gradients *gradients = &agent->gradients;
    const float *in[] = {actor->features, actor->hidden[0], actor->hidden[1]};
    const float *out[] = {actor->hidden[0], actor->hidden[1], actor->mean};
    float *out_gradient[] = {gradients->wide, gradients->hidden, mean_gradient};
    float *in_gradient[] = {gradients->input, gradients->wide, gradients->hidden};
    for (int k = 2; k >= 0; k--) {
        agent_layer_backward(agent->nn, &actor->layers[k], &actor->network, rows, in[k], out[k],
                             out_gradient[k],
                             (agent_into){.x = in_gradient[k], .accumulate = accumulate});
    }
    agent_layer_backward(agent->nn, &actor->trunk, &actor->network, rows, x, actor->features,
                         gradients->input, (agent_into){.x = dx, .accumulate = accumulate});
}
