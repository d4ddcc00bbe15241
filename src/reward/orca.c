// Rewards that treat the demonstration's frames as a sequence of subgoals: ORCA's ordered coverage,
// and the threshold baseline it is compared with. P = exp(-cost / tau) measures how well two frames
// match.
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "reward/methods.h"

static double match(const reward_pairing *pairing, double tau, int64_t i, int64_t j) {
    return exp(-reward_pairing_cost(pairing, i, j) / tau);
}

tot_status reward_orca(reward_pairing *pairing, const tot_reward_config *config) {
    int64_t rows = pairing->shape.rows;
    int64_t cols = pairing->shape.cols;
    BASE_RESERVE(pairing->table, pairing->table_capacity, (size_t)cols, "coverage");
    // covered[j]: how well frames 0 .. j have been matched in order so far
    double *covered = pairing->table;
    for (int64_t i = 0; i < rows; i++) {
        double here = match(pairing, config->tau, i, 0);
        covered[0] = i == 0 ? here : fmax(covered[0], here);
        for (int64_t j = 1; j < cols; j++) {
            double reached = covered[j - 1] * match(pairing, config->tau, i, j);
            // a past match of the last frame does not count: the agent must be there now
            bool keeps = i > 0 && j < cols - 1;
            covered[j] = keeps ? fmax(covered[j], reached) : reached;
        }
        pairing->rewards[i] = covered[cols - 1];
    }
    return TOT_OK;
}

tot_status reward_threshold(reward_pairing *pairing, const tot_reward_config *config) {
    int64_t cols = pairing->shape.cols;
    int64_t goal = 0;
    for (int64_t i = 0; i < pairing->shape.rows; i++) {
        double here = match(pairing, config->tau, i, goal);
        pairing->rewards[i] = (here + (double)goal) / (double)cols;
        if (here > config->threshold && goal < cols - 1) {
            goal++;
        }
    }
    return TOT_OK;
}
