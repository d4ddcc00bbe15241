// The table of methods. To add one: write its reward function in a file of its own, declare it
// here, add a row to the table in methods.c.
#pragma once

#include "reward/pairing.h"

// Fills pairing->rewards ([rows], unscaled) from pairing->cost.
typedef tot_status (*reward_function)(reward_pairing *pairing, const tot_reward_config *config);

// What a method's reward is made of.
typedef enum reward_kind {
    REWARD_TRANSPORT,  // a plan times the cost; a causal or dynamic mask is soft, a band must carry
    REWARD_DISTANCE,   // costs along an alignment, or the nearest
    REWARD_MATCH,      // products of exp(-cost / tau)
} reward_kind;

struct tot_method {
    const char *name;
    const char *help;
    int64_t context;  // its default context length
    tot_mask mask;    // its default mask, of width 10 where it has one
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
