// Rewards without an alignment: the nearest frame of all, or of the step's own segment.
#include <math.h>

#include "base/error.h"
#include "reward/methods.h"

// reward_i = -min over [first, last] of cost(i, j)
static tot_status nearest_in(reward_pairing *pairing, int64_t i, int64_t first, int64_t last) {
    double least = INFINITY;
    for (int64_t j = first; j <= last; j++) {
        least = fmin(least, reward_pairing_cost(pairing, i, j));
    }
    BASE_FAIL_IF(isinf(least), TOT_E_INFEASIBLE,
                 "the mask leaves row %lld no column among %lld to %lld", (long long)i,
                 (long long)first, (long long)last);
    pairing->rewards[i] = -least;
    return TOT_OK;
}

tot_status reward_min_distance(reward_pairing *pairing, const tot_reward_config *config) {
    (void)config;
    for (int64_t i = 0; i < pairing->shape.rows; i++) {
        BASE_TRY(nearest_in(pairing, i, pairing->shape.first[i], pairing->shape.last[i]));
    }
    return TOT_OK;
}

tot_status reward_segment(reward_pairing *pairing, const tot_reward_config *config) {
    (void)config;
    int64_t rows = pairing->shape.rows;
    int64_t cols = pairing->shape.cols;
    for (int64_t i = 0; i < rows; i++) {
        // adjacent segments share their boundary frame
        int64_t first = i * cols / rows;
        int64_t last = (i + 1) * cols / rows;
        BASE_TRY(nearest_in(pairing, i, first, last < cols ? last : cols - 1));
    }
    return TOT_OK;
}
