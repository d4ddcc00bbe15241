#include "reward/pairing.h"

#include <math.h>

#include "base/memory.h"

double tot_pairing_cost(const tot_pairing *pairing, int64_t i, int64_t j) {
    const tot_shape *shape = &pairing->shape;
    if (!tot_shape_has(shape, i, j) || (pairing->masked && !tot_shape_has(&pairing->mask, i, j))) {
        return INFINITY;
    }
    return pairing->cost[tot_shape_at(shape, i, j)];
}

void tot_pairing_free(tot_pairing *pairing) {
    tot_shape_free(&pairing->shape);
    tot_shape_free(&pairing->base);
    tot_shape_free(&pairing->mask);
    tot_sinkhorn_free(&pairing->sinkhorn);
    tot_free(pairing->sums);
    tot_free(pairing->cost);
    tot_free(pairing->plan);
    tot_free(pairing->table);
    tot_free(pairing->rewards);
    *pairing = (tot_pairing){0};
}
