// Progress along a demonstration for every step of an episode.
#pragma once

#include "reward/cost.h"

// Workspace, one per labeler. Initialize with {0}.
typedef struct reward_progress {
    reward_pairing pairing;  // a block of episode rows against the whole demonstration
    double *sums;            // [2][columns] cost of the cheapest alignment up to this row and up to
                             // the previous one
    uint8_t *moves;          // [rows][columns] backpointers
    size_t sums_capacity;
    size_t moves_capacity;
} reward_progress;

// progress: [episode->steps], 0 to 1, written. The context cost is computed for every pair,
// regardless of the mask: with a band, or with the uniform marginals of a plan, progress would just
// track elapsed time.
tot_status reward_progress_find(reward_progress *capacity, const reward_demo *demo,
                                const tot_embeddings *episode, const char *name,
                                const tot_reward_config *config, reward_cost_workspace *cost,
                                tot_pool *pool, float *progress);

void reward_progress_free(reward_progress *capacity);
