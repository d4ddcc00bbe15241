// The paper's reward: r_i = -sum_j plan(i, j) cost(i, j).
#include "base/error.h"
#include "base/memory.h"
#include "reward/methods.h"

tot_status reward_transport(reward_pairing *pairing, const tot_reward_config *config) {
    const reward_shape *shape = &pairing->shape;
    const reward_shape *mask = pairing->masked ? &pairing->mask : NULL;
    BASE_TRY(
        reward_sinkhorn_prepare(&pairing->sinkhorn, shape, pairing->cost, config->epsilon, mask));
    BASE_RESERVE(pairing->plan, pairing->plan_capacity, reward_shape_entries(shape), "plan");
    reward_sinkhorn_solve(&pairing->sinkhorn, config->iterations, config->tolerance);
    reward_sinkhorn_plan(&pairing->sinkhorn, shape, pairing->plan);

    double inside = 0;
    double total = 0;
    for (int64_t i = 0; i < shape->rows; i++) {
        double reward = 0;
        for (int64_t j = shape->first[i]; j <= shape->last[i]; j++) {
            size_t at = reward_shape_at(shape, i, j);
            reward -= pairing->plan[at] * pairing->cost[at];
            total += pairing->plan[at];
            inside += mask == NULL || reward_shape_has(mask, i, j) ? pairing->plan[at] : 0;
        }
        pairing->rewards[i] = reward;
    }
    pairing->info.iterations = pairing->sinkhorn.iterations;
    pairing->info.marginal_error = pairing->sinkhorn.marginal_error;
    pairing->info.mass_outside = mask != NULL && total > 0 ? (total - inside) / total : 0;
    // marginals met only by moving mass outside the mask do not count as converged
    pairing->info.converged =
        pairing->sinkhorn.converged && pairing->info.mass_outside <= config->tolerance;
    return TOT_OK;
}
