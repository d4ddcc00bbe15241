// temporalot/ads.h - ADS (automatic discount scheduling): the discount grows as the agent follows
// the demonstrations further. A small state machine; its whole state is the struct.
//
//     #include <stdio.h>
//     #include <temporalot/ads.h>
//
//     int main(void) {
//         double cost[2 * 2] = {0, 1, 1, 0};  // one evaluation episode against one demonstration
//         int64_t score = 0;
//         tot_ads ads;
//         tot_ads_init(&ads, 88);
//         if (tot_ads_score(&score, cost, 2, 2, 2) == TOT_OK)
//             printf("score %d, discount %g\n", (int)score, tot_ads_discount(&ads));
//         return 0;
//     }
#ifndef TEMPORALOT_ADS_H
#define TEMPORALOT_ADS_H

#include <temporalot/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tot_ads {
    int64_t horizon;   // agent steps per episode
    int64_t progress;  // how far the agent follows the demonstrations, 1 .. horizon; starts at
                       // int(0.2 horizon)
} tot_ads;

// horizon >= 1.
TOT_API void tot_ads_init(tot_ads *ads, int64_t horizon);

// exp(log(0.2) / progress): a reward `progress` steps ahead is discounted to a fifth.
TOT_API double tot_ads_discount(const tot_ads *ads);

// Length of the longest strictly increasing subsequence of the row-wise argmin (first index on
// ties) of cost[:upto, :upto]. cost is [rows][cols]; upto is clipped to both.
TOT_API tot_status tot_ads_score(int64_t *score, const double *cost, int64_t rows, int64_t cols,
                                 int64_t upto);

// A stack of cost matrices: [count][rows][cols].
typedef struct tot_ads_costs {
    const double *data;
    int64_t count;
    int64_t rows;
    int64_t cols;
} tot_ads_costs;

// Call after an evaluation. Up to 5 times, if the 90th percentile (linearly interpolated) of the
// agent's scores at the current progress is at least int(0.9 * reference), progress is incremented,
// up to the horizon. agent: every evaluation episode against every demonstration. expert: every
// ordered pair of different demonstrations; the reference is the median of their scores. With a
// single demonstration, pass it against itself. advanced (may be NULL): number of increments.
TOT_API tot_status tot_ads_update(tot_ads *ads, tot_ads_costs agent, tot_ads_costs expert,
                                  int *advanced);

#ifdef __cplusplus
}
#endif
#endif
