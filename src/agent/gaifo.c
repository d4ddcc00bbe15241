// GAIfO: a discriminator on the features of the critic's trunk distinguishes the expert's
// observations from the policy's, and its logit is the reward. The trunk is not trained by it.
#include "agent/agent.h"
#include "base/base.h"

static tot_mlp mlp_of(const agent_discriminator *own, float *numbers) {
    tot_mlp mlp = {.inputs = own->layers[0].inputs, .hidden = own->layers[0].outputs};
    for (int k = 0; k < 3; k++) {
        mlp.weight[k] = numbers + own->layers[k].dense.weight;
        mlp.bias[k] = numbers + own->layers[k].dense.bias;
    }
    return mlp;
}

tot_status agent_discriminator_create(tot_agent *agent) {
    agent_discriminator *own = &agent->discriminator;
    int64_t most = agent->config.clone_batch;
    int64_t f = agent->config.feature;
    int64_t h = agent->config.hidden;
    own->network.name = "discriminator";
    own->layers[0] = agent_layer_add(&own->network, "", 0, false, f, h, TOT_RELU);
    own->layers[1] = agent_layer_add(&own->network, "", 2, false, h, h, TOT_RELU);
    own->layers[2] = agent_layer_add(&own->network, "", 4, false, h, 1, TOT_LINEAR);
    BASE_TRY(agent_network_alloc(&own->network, false));
    // rewards take any batch, an update takes two of clone_batch
    int64_t rows = 2 * most > agent->rows ? 2 * most : agent->rows;
    const agent_workspace_array arrays[] = {
        {&own->features, rows, f},
        {&own->mixed, most, f},
        {&own->hidden[0], rows, h},
        {&own->hidden[1], rows, h},
        {&own->hidden_gradient[0], rows, h},
        {&own->hidden_gradient[1], rows, h},
        {&own->logits, rows, 1},
        {&own->logit_gradients, rows, 1},
        {&own->scratch, 1, tot_penalty_scratch(most, f, h)},
    };
    own->block = agent_workspace_alloc(arrays, BASE_LENGTH(arrays), "discriminator");
    return own->block != NULL ? TOT_OK : TOT_E_MEMORY;
}

void agent_discriminator_free(agent_discriminator *discriminator) {
    agent_network_free(&discriminator->network);
    base_free(discriminator->block);
    *discriminator = (agent_discriminator){0};
}

// --- forward and backward ----------------------------------------------------------------------

static void forward(tot_agent *agent, int64_t rows) {
    agent_discriminator *own = &agent->discriminator;
    const float *in[] = {own->features, own->hidden[0], own->hidden[1]};
    float *out[] = {own->hidden[0], own->hidden[1], own->logits};
    for (int k = 0; k < 3; k++) {
        agent_layer_forward(agent->nn, &own->layers[k], own->network.parameters, rows, in[k],
                            out[k]);
    }
}

// Backpropagates the gradients of the logits to the weights, but not to the features.
static void backward(tot_agent *agent, int64_t rows) {
    agent_discriminator *own = &agent->discriminator;
    const float *in[] = {own->features, own->hidden[0], own->hidden[1]};
    const float *out[] = {own->hidden[0], own->hidden[1], own->logits};
    float *out_gradient[] = {own->hidden_gradient[0], own->hidden_gradient[1],
                             own->logit_gradients};
    float *in_gradient[] = {NULL, own->hidden_gradient[0], own->hidden_gradient[1]};
    for (int k = 2; k >= 0; k--) {
        agent_layer_backward(agent->nn, &own->layers[k], &own->network, rows, in[k], out[k],
                             out_gradient[k], (agent_into){.x = in_gradient[k]});
    }
}

// features of the batch from the critic's trunk
static void put_features(tot_agent *agent, const tot_batch *batch, float *features) {
    const float *observations = agent_input_of(agent, batch, false);
    agent_critic_features(agent, batch->count, observations, features);
}

// --- public functions --------------------------------------------------------------------------

static tot_status check(const tot_agent *agent) {
    return agent->discriminator.block != NULL
               ? TOT_OK
               : base_fail(TOT_E_ARGUMENT, "agent: it has no discriminator");
}

tot_status tot_agent_discriminate(tot_agent *agent, const tot_batch *expert,
                                  const tot_batch *policy, const float *mix, tot_losses *losses) {
    BASE_NEED(agent, expert, policy, mix);
    agent_discriminator *own = &agent->discriminator;
    int64_t count = expert->count;
    int64_t feature = agent->config.feature;
    BASE_TRY(check(agent));
    BASE_TRY(agent_check_batch(agent, expert, agent->config.clone_batch, "expert"));
    BASE_TRY(agent_check_batch(agent, policy, agent->config.clone_batch, "policy"));
    BASE_FAIL_IF(policy->count != count, TOT_E_SHAPE,
                 "discriminate: %lld of the expert, %lld of the policy", (long long)count,
                 (long long)policy->count);
    float *from_policy = own->features + count * feature;
    put_features(agent, expert, own->features);
    put_features(agent, policy, from_policy);
    for (int64_t k = 0; k < count * feature; k++) {
        float share = mix[k / feature];
        own->mixed[k] = share * own->features[k] + (1 - share) * from_policy[k];
    }

    // labels: 1 for the expert, 0 for the policy
    double scale = 1.0 / (double)count;
    forward(agent, 2 * count);
    double loss = tot_bce(count, own->logits, true, scale, own->logit_gradients) +
                  tot_bce(count, own->logits + count, false, scale, own->logit_gradients + count);
    backward(agent, 2 * count);
    // gradient penalty: the norm of the gradient at the interpolated samples should be 1
    const tot_mlp numbers = mlp_of(own, own->network.parameters);
    const tot_mlp gradients = mlp_of(own, own->network.gradients);
    loss += tot_penalty(agent->nn, &numbers, count, own->mixed,
                        scale * agent->config.gradient_penalty, &gradients, own->scratch);
    if (losses != NULL) {
        losses->discriminator = loss;
    }
    BASE_TRY(agent_check_loss("discriminator", loss));
    agent_network_update(agent->nn, &own->network, &agent->config, 0);
    return TOT_OK;
}

tot_status tot_agent_discriminator_reward(tot_agent *agent, const tot_batch *batch,
                                          float *rewards) {
    BASE_NEED(agent, batch, rewards);
    BASE_TRY(check(agent));
    BASE_TRY(agent_check_batch(agent, batch, agent->rows, "discriminator"));
    put_features(agent, batch, agent->discriminator.features);
    forward(agent, batch->count);
    for (int64_t k = 0; k < batch->count; k++) {
        // log s - log(1 - s) with s = sigmoid(logit) is the logit itself
        rewards[k] = agent->discriminator.logits[k];
    }
    return TOT_OK;
}
