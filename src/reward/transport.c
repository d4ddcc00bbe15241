// The paper's reward: r_i = -sum_j plan(i, j) cost(i, j).
#include "base/error.h"
#include "base/memory.h"
#include "reward/methods.h"

tot_status tot_reward_transport(tot_pairing *pairing, const tot_reward_config *config) {
    const tot_shape *shape = &pairing->shape;
    const tot_shape *mask = pairing->masked ? &pairing->mask : NULL;
    TOT_TRY(tot_sinkhorn_prepare(&pairing->sinkhorn, shape, pairing->cost, config->epsilon, mask));
    TOT_TRY(tot_reserve((void **)&pairing->plan, &pairing->plan_capacity, tot_shape_entries(shape),
                        sizeof(double), "plan"));
    tot_sinkhorn_solve(&pairing->sinkhorn, config->iterations, config->tolerance);
    tot_sinkhorn_plan(&pairing->sinkhorn, shape, pairing->plan);

    double inside = 0;
    double total = 0;
    for (int64_t i = 0; i < shape->rows; i++) {
        double reward = 0;
        for (int64_t j = shape->first[i]; j <= shape->last[i]; j++) {
            size_t at = tot_shape_at(shape, i, j);
            reward -= pairing->plan[at] * pairing->cost[at];
            total += pairing->plan[at];
            inside += mask == NULL || tot_shape_has(mask, i, j) ? pairing->plan[at] : 0;
        }
        pairing->rewards[i] = reward;
    }
    pairing->info.iterations = pairing->sinkhorn.iterations;
    pairing->info.marginal_error = pairing->sinkhorn.marginal_error;
    pairing->info.mass_outside = mask != NULL && total > 0 ? (total - inside) / total : 0;
    // marginals that hold only because mass left the mask are not what was asked for
    pairing->info.converged =
        pairing->sinkhorn.converged && pairing->info.mass_outside <= config->tolerance;
    return TOT_OK;
}
