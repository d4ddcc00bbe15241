#include "reward/pairing.h"

#include <math.h>

#include "base/memory.h"

double reward_pairing_cost(const reward_pairing *pairing, int64_t i, int64_t j) {
    const reward_shape *shape = &pairing->shape;
    if (!reward_shape_has(shape, i, j) ||
        (pairing->masked && !reward_shape_has(&pairing->mask, i, j))) {
        return INFINITY;
    }
    return pairing->cost[reward_shape_at(shape, i, j)];
}

void reward_pairing_free(reward_pairing *pairing) {
    reward_shape_free(&pairing->shape);
    reward_shape_free(&pairing->base);
    reward_shape_free(&pairing->mask);
    reward_sinkhorn_free(&pairing->sinkhorn);
    BASE_RELEASE(pairing->sums, pairing->cost, pairing->plan, pairing->table, pairing->rewards);
    *pairing = (reward_pairing){0};
}
