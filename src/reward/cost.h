// Frame-to-frame products and the context cost, only where the mask needs them.
#pragma once

#include "reward/pairing.h"
#include "reward/product.h"

// Working memory of the products, one per labeler.
typedef struct reward_cost_workspace {
    const reward_product *product;
    int workers;
    char *packs;      // [workers] packed rows of the episode, of a demonstration, and a tile
    double *squares;  // [slices][steps] squared norms of the episode's frames
    double *norms;    // [steps]
    size_t squares_capacity;
    size_t norms_capacity;
} reward_cost_workspace;

// In what the products are summed.
typedef enum reward_precision {
    REWARD_QUICK,  // float32 where the input is and frames are wide: an order of costs is all that
                   // counts
    REWARD_USUAL,  // float64 unless frames are so wide that it is dear
    REWARD_EXACT,  // float64 whatever the input
} reward_precision;

tot_status reward_cost_workspace_create(reward_cost_workspace *workspace, int workers);
void reward_cost_workspace_free(reward_cost_workspace *workspace);

// Fills cost of every pairing (their shapes and bases are set): one pass over the episode for all
// demonstrations. Refuses NaN, infinity, zero frames.
tot_status reward_cost_compute(reward_cost_workspace *workspace, reward_pairing *pairings,
                               size_t count, const tot_embeddings *episode, const char *name,
                               const tot_reward_config *config, reward_precision precision,
                               tot_pool *pool);

// Are float64 sums used for these inputs in any case?
bool reward_cost_is_exact(const reward_pairing *pairings, size_t count,
                          const tot_embeddings *episode);
