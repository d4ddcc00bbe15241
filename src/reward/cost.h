// Frame-to-frame products and the context cost, only where the mask needs them.
#pragma once

#include "reward/pairing.h"
#include "reward/product.h"

// Workspace for the products, one per labeler.
typedef struct reward_cost_workspace {
    const reward_product *product;
    int workers;
    char *packs;      // [workers] packed episode rows, packed demonstration rows and one tile
    double *squares;  // [slices][steps] squared norms of the episode's frames
    double *norms;    // [steps]
    size_t squares_capacity;
    size_t norms_capacity;
} reward_cost_workspace;

// The precision in which products are accumulated.
typedef enum reward_precision {
    REWARD_QUICK,  // float32 if the inputs are float32 and wide: enough when only the order of
                   // costs matters
    REWARD_USUAL,  // float64, except for float32 frames so wide that float64 is expensive
    REWARD_EXACT,  // float64 regardless of the input type
} reward_precision;

tot_status reward_cost_workspace_create(reward_cost_workspace *workspace, int workers);
void reward_cost_workspace_free(reward_cost_workspace *workspace);

// Fills the cost of every pairing, whose shape and base must be set, in one pass over the episode
// for all demonstrations. TOT_E_VALUE for NaN, infinity or a refused zero frame.
tot_status reward_cost_compute(reward_cost_workspace *workspace, reward_pairing *pairings,
                               size_t count, const tot_embeddings *episode, const char *name,
                               const tot_reward_config *config, reward_precision precision,
                               tot_pool *pool);

// Whether REWARD_USUAL accumulates in float64 for these inputs.
bool reward_cost_is_exact(const reward_pairing *pairings, size_t count,
                          const tot_embeddings *episode);
