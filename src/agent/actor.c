// The actor: trunk, two hidden layers, the mean action.
#include "agent/agent.h"
#include "agent/room.h"
#include "base/memory.h"

static void add_layer(tot_actor *actor, int layer, const char *weight, const char *bias,
                      int64_t outputs, int64_t inputs) {
    tot_network *network = &actor->network;
    actor->layer_at[layer][0] =
        tot_network_add(network, weight, (int64_t[4]){outputs, inputs}, 1, true);
    actor->layer_at[layer][1] = tot_network_add(network, bias, (int64_t[4]){outputs}, 0, true);
}

tot_status tot_actor_create(tot_agent *agent) {
    tot_actor *actor = &agent->actor;
    int64_t hidden = agent->config.hidden;
    int64_t feature = agent->config.feature;
    actor->network.name = "actor";
    tot_network_add_trunk(&actor->network, agent->width, feature);
    add_layer(actor, 0, "policy.0.weight", "policy.0.bias", hidden, feature);
    add_layer(actor, 1, "policy.2.weight", "policy.2.bias", hidden, hidden);
    add_layer(actor, 2, "policy.4.weight", "policy.4.bias", TOT_ACTIONS, hidden);
    if (tot_network_take(&actor->network, false) != TOT_OK) {
        return TOT_E_MEMORY;
    }
    int64_t rows = agent->rows;
    const tot_room rooms[] = {
        {&actor->saved.normal, rows, feature}, {&actor->saved.inverse, rows, 1},
        {&actor->features, rows, feature},     {&actor->hidden[0], rows, hidden},
        {&actor->hidden[1], rows, hidden},     {&actor->mean, rows, TOT_ACTIONS},
    };
    actor->block = tot_room_take(rooms, sizeof rooms / sizeof *rooms, "actor");
    return actor->block != NULL ? TOT_OK : TOT_E_MEMORY;
}

void tot_actor_free(tot_actor *actor) {
    tot_network_free(&actor->network);
    tot_free(actor->block);
}

static tot_dense layer_of(const tot_agent *agent, int layer) {
    const tot_actor *actor = &agent->actor;
    return (tot_dense){
        .inputs = layer == 0 ? agent->config.feature : agent->config.hidden,
        .outputs = layer == 2 ? TOT_ACTIONS : agent->config.hidden,
        .activation = layer == 2 ? TOT_TANH : TOT_RELU,
        .weight = actor->network.parameters + actor->layer_at[layer][0],
        .bias = actor->network.parameters + actor->layer_at[layer][1],
    };
}

void tot_actor_forward(tot_agent *agent, int64_t rows, const float *x) {
    tot_actor *actor = &agent->actor;
    tot_trunk trunk = tot_trunk_of(&actor->network, actor->network.parameters, 0);
    tot_trunk_forward(agent->nn, &trunk, rows, x, actor->features, &actor->saved);
    const float *in[] = {actor->features, actor->hidden[0], actor->hidden[1]};
    float *out[] = {actor->hidden[0], actor->hidden[1], actor->mean};
    for (int k = 0; k < 3; k++) {
        tot_dense layer = layer_of(agent, k);
        tot_dense_forward(agent->nn, &layer, rows, in[k], out[k]);
    }
}

void tot_actor_backward(tot_agent *agent, int64_t rows, const float *x, float *mean_slope,
                        float *dx) {
    tot_actor *actor = &agent->actor;
    // the critic's room is free by then
    float *first = agent->critic.wide_slope;
    float *second = agent->critic.hidden_slope;
    float *features = agent->critic.input_slope;
    const float *in[] = {actor->features, actor->hidden[0], actor->hidden[1]};
    const float *out[] = {actor->hidden[0], actor->hidden[1], actor->mean};
    float *out_slope[] = {first, second, mean_slope};
    float *in_slope[] = {features, first, second};
    for (int k = 2; k >= 0; k--) {
        tot_dense layer = layer_of(agent, k);
        tot_dense_gradient gradient = {
            .weight = actor->network.gradients + actor->layer_at[k][0],
            .bias = actor->network.gradients + actor->layer_at[k][1],
            .x = in_slope[k],
        };
        tot_dense_backward(agent->nn, &layer, rows, in[k], out[k], out_slope[k], &gradient);
    }
    tot_trunk trunk = tot_trunk_of(&actor->network, actor->network.parameters, 0);
    tot_trunk_gradient gradient = tot_trunk_gradient_of(&actor->network);
    gradient.x = dx;
    tot_trunk_backward(agent->nn, &trunk, rows, x, actor->features, &actor->saved, features,
                       &gradient);
}
