// How far along a demonstration every step of an episode is.
#pragma once

#include "reward/cost.h"

// Working memory, one per labeler. Start with {0}.
typedef struct reward_progress {
    reward_pairing pairing;  // a block of the episode's rows against the whole demonstration
    double *sums;            // [2][columns] cheapest alignment up to here, and up to the row before
    uint8_t *moves;          // [rows][columns] where it came from
    size_t sums_capacity;
    size_t moves_capacity;
} reward_progress;

// progress: [episode->steps], 0 to 1, written. The context cost is computed for every pair,
// whatever the mask: a band, or the plan's uniform marginals, would make it a clock.
tot_status reward_progress_find(reward_progress *capacity, const reward_demo *demo,
                                const tot_embeddings *episode, const char *name,
                                const tot_reward_config *config, reward_cost_workspace *cost,
                                tot_pool *pool, float *progress);

void reward_progress_free(reward_progress *capacity);
