// The critic: a trunk, then two heads that estimate the value of its features and an action.
#include "agent/agent.h"
#include "base/base.h"

static const char *const heads[HEADS] = {"q1.", "q2."};

static void add_normed_heads(agent_critic *critic, int64_t inputs, int64_t hidden) {
    agent_network *network = &critic->network;
    critic->first_count = HEADS;
    for (int k = 0; k < HEADS; k++) {
        critic->first[k] = agent_layer_add(network, heads[k], 0, true, inputs, hidden, TOT_RELU);
        critic->second[k] = agent_layer_add(network, heads[k], 3, true, hidden, hidden, TOT_RELU);
        critic->third[k] = agent_layer_add(network, heads[k], 6, false, hidden, 1, TOT_LINEAR);
    }
}

static void add_heads(agent_critic *critic, int64_t inputs, int64_t hidden) {
    agent_network *network = &critic->network;
    const int64_t weight[4] = {hidden, inputs};
    const int64_t bias[4] = {hidden};
    agent_layer *first = &critic->first[0];
    // the first layers of both heads are contiguous
    *first = (agent_layer){.inputs = inputs, .outputs = HEADS * hidden, .activation = TOT_RELU};
    first->dense.weight = agent_network_add(network, "q1.0.weight", weight, 1, true);
    agent_network_add(network, "q2.0.weight", weight, 1, false);
    first->dense.bias = agent_network_add(network, "q1.0.bias", bias, 0, true);
    agent_network_add(network, "q2.0.bias", bias, 0, false);
    critic->first_count = 1;
    for (int k = 0; k < HEADS; k++) {
        critic->second[k] = agent_layer_add(network, heads[k], 2, false, hidden, hidden, TOT_RELU);
    }
    for (int k = 0; k < HEADS; k++) {
        critic->third[k] = agent_layer_add(network, heads[k], 4, false, hidden, 1, TOT_LINEAR);
    }
}

tot_status agent_critic_create(tot_agent *agent) {
    agent_critic *critic = &agent->critic;
    critic->network.name = "critic";
    int64_t rows = agent->rows;
    int64_t f = agent->config.feature;
    int64_t h = agent->config.hidden;
    int64_t inputs = agent_joined(agent) + AGENT_ACTIONS;
    critic->trunk = agent_layer_add(&critic->network, "trunk.", 0, true, agent->width, f, TOT_TANH);
    critic->trunk.y_stride = inputs;
    (agent_is_normed(agent) ? add_normed_heads : add_heads)(critic, inputs, h);
    for (int k = 0; k < HEADS; k++) {
        // the outputs of both first layers are side by side
        critic->first[k].y_stride = critic->second[k].x_stride = HEADS * h;
    }
    BASE_TRY(agent_network_alloc(&critic->network, true));
    const agent_workspace_array arrays[] = {
        AGENT_SAVED(critic->trunk, rows),       AGENT_SAVED(critic->first[0], rows),
        AGENT_SAVED(critic->first[1], rows),    AGENT_SAVED(critic->second[0], rows),
        AGENT_SAVED(critic->second[1], rows),   {&critic->input, rows, inputs},
        {&critic->wide, rows, HEADS * h},       {&critic->hidden[0], rows, h},
        {&critic->hidden[1], rows, h},          {&critic->values[0], rows, 1},
        {&critic->values[1], rows, 1},          {&critic->value_gradients[0], rows, 1},
        {&critic->value_gradients[1], rows, 1},
    };
    critic->block = agent_workspace_alloc(arrays, BASE_LENGTH(arrays), "critic");
    critic->chosen = base_alloc((size_t)rows, sizeof *critic->chosen, "critic");
    return critic->block != NULL && critic->chosen != NULL ? TOT_OK : TOT_E_MEMORY;
}

void agent_critic_free(agent_critic *critic) {
    agent_network_free(&critic->network);
    BASE_RELEASE(critic->block, critic->chosen);
}

// --- forward and backward ----------------------------------------------------------------------

void agent_critic_features(tot_agent *agent, int64_t rows, const float *x, float *features) {
    const agent_critic *critic = &agent->critic;
    agent_layer trunk = critic->trunk;
    trunk.y_stride = 0;
    agent_layer_forward(agent->nn, &trunk, critic->network.parameters, rows, x, features);
}

void agent_critic_forward(tot_agent *agent, const float *numbers, int64_t rows, const float *x,
                          const float *beside) {
    agent_critic *critic = &agent->critic;
    tot_nn *nn = agent->nn;
    const int64_t hidden = agent->config.hidden;
    agent_layer_forward(nn, &critic->trunk, numbers, rows, x, critic->input);
    agent_put_beside(agent, rows, beside, critic->input, agent_joined(agent) + AGENT_ACTIONS);
    for (int k = 0; k < critic->first_count; k++) {
        agent_layer_forward(nn, &critic->first[k], numbers, rows, critic->input,
                            critic->wide + k * hidden);
    }
    for (int head = 0; head < HEADS; head++) {
        agent_layer_forward(nn, &critic->second[head], numbers, rows, critic->wide + head * hidden,
                            critic->hidden[head]);
        agent_layer_forward(nn, &critic->third[head], numbers, rows, critic->hidden[head],
                            critic->values[head]);
    }
}

// Backpropagates critic->value_gradients to agent->gradients.input, and to the weights unless
// only_x.
static void heads_backward(tot_agent *agent, int64_t rows, bool only_x) {
    agent_critic *critic = &agent->critic;
    const agent_network *network = &critic->network;
    const int64_t hidden = agent->config.hidden;
    for (int head = 0; head < HEADS; head++) {
        const int64_t at = head * hidden;
        agent_layer_backward(agent->nn, &critic->third[head], network, rows, critic->hidden[head],
                             critic->values[head], critic->value_gradients[head],
                             (agent_into){.x = agent->gradients.hidden, .only_x = only_x});
        agent_layer_backward(agent->nn, &critic->second[head], network, rows, critic->wide + at,
                             critic->hidden[head], agent->gradients.hidden,
                             (agent_into){.x = agent->gradients.wide + at, .only_x = only_x});
    }
    for (int k = 0; k < critic->first_count; k++) {
        const agent_into into = {
            .x = agent->gradients.input, .accumulate_x = k > 0, .only_x = only_x};
        agent_layer_backward(agent->nn, &critic->first[k], network, rows, critic->input,
                             critic->wide + k * hidden, agent->gradients.wide + k * hidden, into);
    }
}

void agent_critic_backward(tot_agent *agent, int64_t rows, const float *x, float *dx) {
    agent_critic *critic = &agent->critic;
    heads_backward(agent, rows, false);
    agent_layer_backward(agent->nn, &critic->trunk, &critic->network, rows, x, critic->input,
                         agent->gradients.input, (agent_into){.x = dx});
}

// --- gradient for the actor --------------------------------------------------------------------

// The actor's loss takes the minimum of the two values, so the gradient of a sample passes through
// one head only (both if they are equal). Gathering only the rows with a gradient halves the work.
typedef struct chosen_rows {
    const tot_agent *agent;
    const float *last_weight;  // [h], of the third layer
    int head;
    int64_t hidden;
} chosen_rows;

// The gradient before the second ReLU, for a chosen row.
static tot_status gather_row(void *context, size_t index, int worker) {
    (void)worker;
    const chosen_rows *all = context;
    const agent_critic *critic = &all->agent->critic;
    int64_t row = critic->chosen[index];
    const float *y = critic->hidden[all->head] + row * all->hidden;
    const float *weight = all->last_weight;
    float *restrict to = all->agent->gradients.hidden + (int64_t)index * all->hidden;
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
    const agent_critic *critic = &all->agent->critic;
    const float *y = critic->wide + (critic->chosen[index] * HEADS + all->head) * all->hidden;
    float *gradient = all->agent->gradients.wide + (int64_t)index * all->hidden;
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
    chosen_rows all = {agent, numbers + critic->third[head].dense.weight, head, hidden};
    tot_pool_run(agent->pool, (size_t)count, gather_row, &all);
    tot_multiply(agent->nn, &(tot_matmul){.rows = count,
                                          .columns = hidden,
                                          .depth = hidden,
                                          .a = agent->gradients.hidden,
                                          .a_stride = hidden,
                                          .b = numbers + critic->second[head].dense.weight,
                                          .b_stride = hidden,
                                          .c = agent->gradients.wide,
                                          .c_stride = hidden});
    tot_pool_run(agent->pool, (size_t)count, gate_row, &all);
    // only the columns of the action
    const float *first = numbers + critic->first[0].dense.weight + head * hidden * inputs;
    tot_multiply(agent->nn, &(tot_matmul){.rows = count,
                                          .columns = AGENT_ACTIONS,
                                          .depth = hidden,
                                          .a = agent->gradients.wide,
                                          .a_stride = hidden,
                                          .b = first + agent_joined(agent),
                                          .b_stride = inputs,
                                          .c = agent->gradients.input,
                                          .c_stride = AGENT_ACTIONS});
    for (int64_t k = 0; k < count * AGENT_ACTIONS; k++) {
        int64_t row = critic->chosen[k / AGENT_ACTIONS];
        action_gradient[row * AGENT_ACTIONS + k % AGENT_ACTIONS] += agent->gradients.input[k];
    }
}

void agent_critic_action_gradient(tot_agent *agent, int64_t rows, float *action_gradient) {
    if (agent_is_normed(agent)) {
        const int64_t inputs = agent_joined(agent) + AGENT_ACTIONS;
        heads_backward(agent, rows, true);
        for (int64_t row = 0; row < rows; row++) {
            memcpy(action_gradient + row * AGENT_ACTIONS,
                   agent->gradients.input + row * inputs + agent_joined(agent),
                   AGENT_ACTIONS * sizeof *action_gradient);
        }
        return;
    }
    memset(action_gradient, 0, (size_t)(rows * AGENT_ACTIONS) * sizeof *action_gradient);
    for (int head = 0; head < HEADS; head++) {
        head_action_gradient(agent, rows, head, action_gradient);
    }
}
