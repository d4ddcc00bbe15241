// Behaviour cloning: the actor learns to reproduce the expert's actions.
#include "agent/agent.h"
#include "base/base.h"

// Normal distribution around the mean; summed over the action, averaged over the batch.
double agent_likelihood(const tot_agent *agent, const tot_batch *batch, double weight,
                        float *mean_gradient) {
    const double half_log_two_pi = 0.918938533204672741780;
    double deviation = agent->config.clone_noise;
    double rows = (double)batch->count;
    double loss = 0;
    for (int64_t k = 0; k < batch->count * AGENT_ACTIONS; k++) {
        double away = ((double)agent->actor.mean[k] - (double)batch->actions[k]) / deviation;
        loss += 0.5 * away * away;
        mean_gradient[k] = (float)(weight * away / deviation / rows);
    }
    return loss / rows + AGENT_ACTIONS * (log(deviation) + half_log_two_pi);
}

tot_status tot_agent_clone(tot_agent *agent, const tot_batch *batch, tot_losses *losses) {
    BASE_NEED(agent, batch);
    int64_t rows = batch->count;
    BASE_TRY(agent_check_batch(agent, batch, agent->rows, "clone"));
    const float *observations = agent_input_of(agent, batch, true);
    agent_actor_mean(agent, rows, observations, batch->observations);
    double loss = agent_likelihood(agent, batch, 1, agent->action_gradient);
    if (losses != NULL) {
        losses->clone = loss;
    }
    BASE_TRY(agent_check_loss("clone", loss));

    agent_actor_backward(agent, rows, observations, agent->action_gradient,
                         agent->pixels.feature_gradient, false);
    agent_pixel_encoder_learn(agent, batch);
    agent_network_update(agent->nn, &agent->actor.network, &agent->config, 0);
    return TOT_OK;
}
