// Frame-to-frame products and the context cost, only where the mask needs them.
#ifndef TOT_REWARD_COST_H
#define TOT_REWARD_COST_H

#include "reward/pairing.h"
#include "reward/product.h"

// Working memory of the products, one a labeler.
typedef struct tot_cost_room {
    const tot_product *product;
    int workers;
    char *packs;      // [workers] packed rows of the episode, of a demonstration, and a tile
    double *squares;  // [slices][steps] squared norms of the episode's frames
    double *norms;    // [steps]
    size_t squares_capacity;
    size_t norms_capacity;
} tot_cost_room;

tot_status tot_cost_room_create(tot_cost_room *room, int workers);
void tot_cost_room_free(tot_cost_room *room);

// Fills cost of every pairing (their shapes and bases are set): one pass over the episode for all
// demonstrations. exact: sum in float64 whatever the input. Refuses NaN, infinity, zero frames.
tot_status tot_cost_compute(tot_cost_room *room, tot_pairing *pairings, size_t count,
                            const tot_embeddings *episode, const char *name,
                            const tot_reward_config *config, bool exact, tot_pool *pool);

// Are float64 sums used for these inputs in any case?
bool tot_cost_is_exact(const tot_pairing *pairings, size_t count, const tot_embeddings *episode);

#endif
