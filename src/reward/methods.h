// The table of methods. To add one: write its reward function in its own file, declare it here, and
// add a row to the table in methods.c.
#pragma once

#include "reward/pairing.h"

// Fills pairing->rewards ([rows], unscaled) from pairing->cost.
typedef tot_status (*reward_function)(reward_pairing *pairing, const tot_reward_config *config);

// How a method computes its reward from the cost.
typedef enum reward_kind {
    REWARD_TRANSPORT,  // plan times cost; causal and dynamic masks are soft, a band must admit a
                       // feasible plan
    REWARD_DISTANCE,   // costs along an alignment, or cost of the nearest frame
    REWARD_MATCH,      // products of exp(-cost / tau)
} reward_kind;

struct tot_method {
    const char *name;
    const char *help;
    int64_t context;  // default context length
    tot_mask mask;    // default mask; its width is 10 if it has one
    reward_kind kind;
    reward_function reward;
};

tot_status reward_transport(reward_pairing *pairing, const tot_reward_config *config);
tot_status reward_orca(reward_pairing *pairing, const tot_reward_config *config);
tot_status reward_threshold(reward_pairing *pairing, const tot_reward_config *config);
tot_status reward_dtw(reward_pairing *pairing, const tot_reward_config *config);
tot_status reward_soft_dtw(reward_pairing *pairing, const tot_reward_config *config);
tot_status reward_min_distance(reward_pairing *pairing, const tot_reward_config *config);
tot_status reward_segment(reward_pairing *pairing, const tot_reward_config *config);
