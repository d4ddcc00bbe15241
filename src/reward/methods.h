// The table of methods. To add one: write its reward function in a file of its own, declare it
// here, add a row to the table in methods.c.
#ifndef TOT_REWARD_METHODS_H
#define TOT_REWARD_METHODS_H

#include "reward/pairing.h"

// Fills pairing->rewards ([rows], unscaled) from pairing->cost.
typedef tot_status (*tot_reward_function)(tot_pairing *pairing, const tot_reward_config *config);

// What a method's reward is made of.
typedef enum tot_reward_kind {
    TOT_TRANSPORT,  // a plan times the cost; a causal or dynamic mask is soft, a band must carry
    TOT_DISTANCE,   // costs along an alignment, or the nearest
    TOT_MATCH,      // products of exp(-cost / tau)
} tot_reward_kind;

struct tot_method {
    const char *name;
    const char *help;
    int64_t context;  // its default context length
    tot_mask mask;    // its default mask, of width 10 where it has one
    tot_reward_kind kind;
    tot_reward_function reward;
};

tot_status tot_reward_transport(tot_pairing *pairing, const tot_reward_config *config);
tot_status tot_reward_orca(tot_pairing *pairing, const tot_reward_config *config);
tot_status tot_reward_threshold(tot_pairing *pairing, const tot_reward_config *config);
tot_status tot_reward_dtw(tot_pairing *pairing, const tot_reward_config *config);
tot_status tot_reward_soft_dtw(tot_pairing *pairing, const tot_reward_config *config);
tot_status tot_reward_min_distance(tot_pairing *pairing, const tot_reward_config *config);
tot_status tot_reward_segment(tot_pairing *pairing, const tot_reward_config *config);

#endif
