// The critic: a trunk, then two heads that estimate the value of its features and an action.
#include "agent/agent.h"
#include "agent/workspace.h"
#include "base/base.h"

static void add_normed_heads(agent_critic *critic, int64_t inputs, int64_t hidden) {
    agent_network *network = &critic->network;
    critic->normed[0][0] = agent_normed_add(network, "q1.0", "q1.1", inputs, hidden);
    critic->normed[0][1] = agent_normed_add(network, "q1.3", "q1.4", hidden, hidden);
    critic->third[0] = agent_dense_add(network, "q1.6", hidden, 1);
    critic->normed[1][0] = agent_normed_add(network, "q2.0", "q2.1", inputs, hidden);
    critic->normed[1][1] = agent_normed_add(network, "q2.3", "q2.4", hidden, hidden);
    critic->third[1] = agent_dense_add(network, "q2.6", hidden, 1);
}

static void add_heads(agent_critic *critic, int64_t inputs, int64_t hidden) {
    agent_network *network = &critic->network;
    const int64_t weight[4] = {hidden, inputs};
    const int64_t bias[4] = {hidden};
    // the first layers of both heads are contiguous
    critic->first = (agent_dense){.inputs = inputs, .outputs = HEADS * hidden};
    critic->first.at.weight = agent_network_add(network, "q1.0.weight", weight, 1, true);
    agent_network_add(network, "q2.0.weight", weight, 1, false);
    critic->first.at.bias = agent_network_add(network, "q1.0.bias", bias, 0, true);
    agent_network_add(network, "q2.0.bias", bias, 0, false);
    critic->second[0] = agent_dense_add(network, "q1.2", hidden, hidden);
    critic->second[1] = agent_dense_add(network, "q2.2", hidden, hidden);
    critic->third[0] = agent_dense_add(network, "q1.4", hidden, 1);
    critic->third[1] = agent_dense_add(network, "q2.4", hidden, 1);
}

tot_status agent_critic_create(tot_agent *agent) {
    agent_critic *critic = &agent->critic;
    critic->network.name = "critic";
    int64_t rows = agent->rows;
    int64_t f = agent->config.feature;
    int64_t h = agent->config.hidden;
    int64_t inputs = agent_joined(agent) + AGENT_ACTIONS;
    int64_t normed = agent_is_normed(agent) ? h : 0;
    critic->trunk = agent_normed_add(&critic->network, "trunk.0", "trunk.1", agent->width, f);
    (agent_is_normed(agent) ? add_normed_heads : add_heads)(critic, inputs, h);
    BASE_TRY(agent_network_alloc(&critic->network, true));
    const agent_workspace_array arrays[] = {
        {&critic->normed_saved[0][0].normal, rows, normed},
        {&critic->normed_saved[0][1].normal, rows, normed},
        {&critic->normed_saved[1][0].normal, rows, normed},
        {&critic->normed_saved[1][1].normal, rows, normed},
        {&critic->normed_saved[0][0].inverse, rows, normed > 0},
        {&critic->normed_saved[0][1].inverse, rows, normed > 0},
        {&critic->normed_saved[1][0].inverse, rows, normed > 0},
        {&critic->normed_saved[1][1].inverse, rows, normed > 0},
        {&critic->saved.normal, rows, f},
        {&critic->saved.inverse, rows, 1},
        {&critic->input, rows, inputs},
        {&critic->wide, rows, HEADS * h},
        {&critic->hidden[0], rows, h},
        {&critic->hidden[1], rows, h},
        {&critic->values[0], rows, 1},
        {&critic->values[1], rows, 1},
        {&critic->value_gradients[0], rows, 1},
        {&critic->value_gradients[1], rows, 1},
        {&critic->wide_gradient, rows, HEADS * h},
        {&critic->hidden_gradient, rows, h},
        {&critic->input_gradient, rows, inputs},
    };
    critic->block = agent_workspace_alloc(arrays, BASE_LENGTH(arrays), "critic");
    critic->chosen = base_alloc((size_t)rows, sizeof *critic->chosen, "critic");
    return critic->block != NULL && critic->chosen != NULL ? TOT_OK : TOT_E_MEMORY;
}

void agent_critic_free(agent_critic *critic) {
    agent_network_free(&critic->network);
    BASE_RELEASE(critic->block, critic->chosen);
}

// --- layers ------------------------------------------------------------------------------------

static tot_trunk trunk_of(const tot_agent *agent, const float *numbers) {
    tot_trunk trunk = agent_normed_of(&agent->critic.trunk, numbers, TOT_TANH);
    trunk.y_stride = agent_joined(agent) + AGENT_ACTIONS;
    return trunk;
}

static tot_dense first_of(const tot_agent *agent, const float *numbers) {
    return agent_dense_of(&agent->critic.first, numbers, TOT_RELU);
}

static tot_dense second_of(const tot_agent *agent, const float *numbers, int head) {
    tot_dense layer = agent_dense_of(&agent->critic.second[head], numbers, TOT_RELU);
    layer.x_stride = HEADS * agent->config.hidden;
    return layer;
}

static tot_dense third_of(const tot_agent *agent, const float *numbers, int head) {
    return agent_dense_of(&agent->critic.third[head], numbers, TOT_LINEAR);
}

// A hidden layer with layer norm. Its inputs and outputs are interleaved with the other head's.
static tot_trunk normed_of(const tot_agent *agent, const float *numbers, int head, int layer) {
    const int64_t hidden = agent->config.hidden;
    tot_trunk trunk = agent_normed_of(&agent->critic.normed[head][layer], numbers, TOT_RELU);
    trunk.x_stride = layer == 0 ? trunk.inputs : HEADS * hidden;
    trunk.y_stride = layer == 0 ? HEADS * hidden : hidden;
    return trunk;
}

// --- forward and backward ----------------------------------------------------------------------

void agent_critic_features(tot_agent *agent, int64_t rows, const float *x, float *features) {
    const agent_critic *critic = &agent->critic;
    tot_trunk trunk = agent_normed_of(&critic->trunk, critic->network.parameters, TOT_TANH);
    tot_trunk_forward(agent->nn, &trunk, rows, x, features, &critic->saved);
}

static void normed_forward(tot_agent *agent, const float *numbers, int64_t rows) {
    agent_critic *critic = &agent->critic;
    for (int head = 0; head < HEADS; head++) {
        tot_trunk first = normed_of(agent, numbers, head, 0);
        tot_trunk second = normed_of(agent, numbers, head, 1);
        tot_dense third = third_of(agent, numbers, head);
        float *wide = critic->wide + head * agent->config.hidden;
        tot_trunk_forward(agent->nn, &first, rows, critic->input, wide,
                          &critic->normed_saved[head][0]);
        tot_trunk_forward(agent->nn, &second, rows, wide, critic->hidden[head],
                          &critic->normed_saved[head][1]);
        tot_dense_forward(agent->nn, &third, rows, critic->hidden[head], critic->values[head]);
    }
}

// Backpropagates critic->value_gradients to critic->input_gradient, and to the weights if
// `weights`.
static void normed_backward(tot_agent *agent, int64_t rows, bool weights) {
    agent_critic *critic = &agent->critic;
    const agent_network *network = &critic->network;
    for (int head = 0; head < HEADS; head++) {
        const int64_t at = head * agent->config.hidden;
        tot_dense third = third_of(agent, network->parameters, head);
        tot_dense_gradient into_third = {0};
        tot_trunk_gradient into_second = {0};
        tot_trunk_gradient into_first = {0};
        if (weights) {
            into_third = agent_dense_gradient(&critic->third[head], network);
            into_second = agent_normed_gradient(&critic->normed[head][1], network);
            into_first = agent_normed_gradient(&critic->normed[head][0], network);
        }
        into_third.x = critic->hidden_gradient;
        tot_dense_backward(agent->nn, &third, rows, critic->hidden[head], critic->values[head],
                           critic->value_gradients[head], &into_third);
        tot_trunk second = normed_of(agent, network->parameters, head, 1);
        into_second.x = critic->wide_gradient + at;
        tot_trunk_backward(agent->nn, &second, rows, critic->wide + at, critic->hidden[head],
                           &critic->normed_saved[head][1], critic->hidden_gradient, &into_second);
        tot_trunk first = normed_of(agent, network->parameters, head, 0);
        into_first.x = critic->input_gradient;
        into_first.accumulate_x = head > 0;
        tot_trunk_backward(agent->nn, &first, rows, critic->input, critic->wide + at,
                           &critic->normed_saved[head][0], critic->wide_gradient + at, &into_first);
    }
}

void agent_critic_forward(tot_agent *agent, const float *numbers, int64_t rows, const float *x,
                          const float *beside) {
    agent_critic *critic = &agent->critic;
    tot_trunk trunk = trunk_of(agent, numbers);
    tot_trunk_forward(agent->nn, &trunk, rows, x, critic->input, &critic->saved);
    agent_put_beside(agent, rows, beside, critic->input, agent_joined(agent) + AGENT_ACTIONS);
    if (agent_is_normed(agent)) {
        normed_forward(agent, numbers, rows);
        return;
    }
    tot_dense first = first_of(agent, numbers);
    tot_dense_forward(agent->nn, &first, rows, critic->input, critic->wide);
    for (int head = 0; head < HEADS; head++) {
        tot_dense second = second_of(agent, numbers, head);
        tot_dense third = third_of(agent, numbers, head);
        const float *wide = critic->wide + head * agent->config.hidden;
        tot_dense_forward(agent->nn, &second, rows, wide, critic->hidden[head]);
        tot_dense_forward(agent->nn, &third, rows, critic->hidden[head], critic->values[head]);
    }
}

static void head_backward(tot_agent *agent, int64_t rows, int head) {
    agent_critic *critic = &agent->critic;
    const float *numbers = critic->network.parameters;
    int64_t at = head * agent->config.hidden;
    tot_dense third = third_of(agent, numbers, head);
    tot_dense_gradient into_third = agent_dense_gradient(&critic->third[head], &critic->network);
    into_third.x = critic->hidden_gradient;
    tot_dense_backward(agent->nn, &third, rows, critic->hidden[head], critic->values[head],
                       critic->value_gradients[head], &into_third);
    tot_dense second = second_of(agent, numbers, head);
    tot_dense_gradient into_second = agent_dense_gradient(&critic->second[head], &critic->network);
    into_second.x = critic->wide_gradient + at;
    tot_dense_backward(agent->nn, &second, rows, critic->wide + at, critic->hidden[head],
                       critic->hidden_gradient, &into_second);
}

static void plain_backward(tot_agent *agent, int64_t rows) {
    agent_critic *critic = &agent->critic;
    for (int head = 0; head < HEADS; head++) {
        head_backward(agent, rows, head);
    }
    tot_dense first = first_of(agent, critic->network.parameters);
    tot_dense_gradient into_first = agent_dense_gradient(&critic->first, &critic->network);
    into_first.x = critic->input_gradient;
    tot_dense_backward(agent->nn, &first, rows, critic->input, critic->wide, critic->wide_gradient,
                       &into_first);
}

void agent_critic_backward(tot_agent *agent, int64_t rows, const float *x, float *dx) {
    agent_critic *critic = &agent->critic;
    const float *numbers = critic->network.parameters;
    if (agent_is_normed(agent)) {
        normed_backward(agent, rows, true);
    } else {
        plain_backward(agent, rows);
    }
    tot_trunk trunk = trunk_of(agent, numbers);
    tot_trunk_gradient into_trunk = agent_normed_gradient(&critic->trunk, &critic->network);
    into_trunk.x = dx;
    tot_trunk_backward(agent->nn, &trunk, rows, x, critic->input, &critic->saved,
                       critic->input_gradient, &into_trunk);
}

// --- gradient for the actor --------------------------------------------------------------------

// The actor's loss takes the minimum of the two values, so the gradient of a sample passes through
// one head only (both if they are equal). Gathering only the rows with a gradient halves the work.
typedef struct chosen_rows {
    const agent_critic *critic;
    const float *last_weight;  // [h], of the third layer
    int head;
    int64_t hidden;
} chosen_rows;

// The gradient before the second ReLU, for a chosen row.
static tot_status gather_row(void *context, size_t index, int worker) {
    (void)worker;
    const chosen_rows *all = context;
    const agent_critic *critic = all->critic;
    int64_t row = critic->chosen[index];
    const float *y = critic->hidden[all->head] + row * all->hidden;
    const float *weight = all->last_weight;
    float *restrict to = critic->hidden_gradient + (int64_t)index * all->hidden;
    float gradient = critic->value_gradients[all->head][row];
    for (int64_t k = 0; k < all->hidden; k++) {
        float through = gradient * weight[k];
        to[k] = y[k] > 0 ? through : 0;
    }
    return TOT_OK;
}

// The gradient before the first ReLU, for a chosen row.
static tot_status gate_row(void *context, size_t index, int worker) {
    (void)worker;
    const chosen_rows *all = context;
    const agent_critic *critic = all->critic;
    const float *y = critic->wide + (critic->chosen[index] * HEADS + all->head) * all->hidden;
    float *gradient = critic->wide_gradient + (int64_t)index * all->hidden;
    for (int64_t k = 0; k < all->hidden; k++) {
        gradient[k] = y[k] > 0 ? gradient[k] : 0;
    }
    return TOT_OK;
}

static void head_action_gradient(tot_agent *agent, int64_t rows, int head, float *action_gradient) {
    agent_critic *critic = &agent->critic;
    const float *numbers = critic->network.parameters;
    int64_t hidden = agent->config.hidden;
    int64_t inputs = agent_joined(agent) + AGENT_ACTIONS;
    int64_t count = 0;
    for (int64_t row = 0; row < rows; row++) {
        if (critic->value_gradients[head][row] != 0) {
            critic->chosen[count++] = row;
        }
    }
    if (count == 0) {
        return;
    }
    chosen_rows all = {critic, numbers + critic->third[head].at.weight, head, hidden};
    tot_pool_run(agent->pool, (size_t)count, gather_row, &all);
    tot_multiply(agent->nn, &(tot_matmul){.rows = count,
                                          .columns = hidden,
                                          .depth = hidden,
                                          .a = critic->hidden_gradient,
                                          .a_stride = hidden,
                                          .b = numbers + critic->second[head].at.weight,
                                          .b_stride = hidden,
                                          .c = critic->wide_gradient,
                                          .c_stride = hidden});
    tot_pool_run(agent->pool, (size_t)count, gate_row, &all);
    // only the columns of the action
    const float *first = numbers + critic->first.at.weight + head * hidden * inputs;
    tot_multiply(agent->nn, &(tot_matmul){.rows = count,
                                          .columns = AGENT_ACTIONS,
                                          .depth = hidden,
                                          .a = critic->wide_gradient,
                                          .a_stride = hidden,
                                          .b = first + agent_joined(agent),
                                          .b_stride = inputs,
                                          .c = critic->input_gradient,
                                          .c_stride = AGENT_ACTIONS});
    for (int64_t k = 0; k < count * AGENT_ACTIONS; k++) {
        int64_t row = critic->chosen[k / AGENT_ACTIONS];
        action_gradient[row * AGENT_ACTIONS + k % AGENT_ACTIONS] += critic->input_gradient[k];
    }
}

void agent_critic_action_gradient(tot_agent *agent, int64_t rows, float *action_gradient) {
    if (agent_is_normed(agent)) {
        const int64_t inputs = agent_joined(agent) + AGENT_ACTIONS;
        normed_backward(agent, rows, false);
        for (int64_t row = 0; row < rows; row++) {
            memcpy(action_gradient + row * AGENT_ACTIONS,
                   agent->critic.input_gradient + row * inputs + agent_joined(agent),
                   AGENT_ACTIONS * sizeof *action_gradient);
        }
        return;
    }
    memset(action_gradient, 0, (size_t)(rows * AGENT_ACTIONS) * sizeof *action_gradient);
    for (int head = 0; head < HEADS; head++) {
        head_action_gradient(agent, rows, head, action_gradient);
    }
}
