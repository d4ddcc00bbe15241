// The ADS schedule: hand-computed cases, the score compared with brute force, the percentile rule.
#include <math.h>

#include <temporalot/ads.h>

#include "test.h"

enum { MOST = 64 };

TEST(test_start_and_discount) {
    const struct {
        int64_t horizon;
        int64_t progress;
    } known[] = {{88, 17}, {63, 12}, {125, 25}, {100, 20}, {10, 2}, {5, 1}, {4, 1}, {1, 1}};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        tot_ads ads;
        tot_ads_init(&ads, known[k].horizon);
        assert_int_equal(ads.horizon, known[k].horizon);
        assert_int_equal(ads.progress, known[k].progress);
    }
    tot_ads ads = {.horizon = 88, .progress = 17};
    assert_true(fabs(tot_ads_discount(&ads) - 0.90967) < 1e-5);
    for (ads.progress = 1; ads.progress <= 88; ads.progress++) {
        double discount = tot_ads_discount(&ads);
        assert_true(fabs(pow(discount, (double)ads.progress) - 0.2) < 1e-12);
    }
}

// A cost matrix whose row-wise argmin is the sequence.
static void cost_of(double *cost, const int *sequence, int64_t rows, int64_t cols) {
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < cols; j++) {
            cost[i * cols + j] = j == sequence[i] ? 0.25 : 1;
        }
    }
}

static int64_t score_of(const int *sequence, int64_t rows, int64_t cols, int64_t upto) {
    double cost[MOST * MOST];
    cost_of(cost, sequence, rows, cols);
    int64_t score = -1;
    assert_int_equal(tot_ads_score(&score, cost, rows, cols, upto), TOT_OK);
    return score;
}

TEST(test_scores_by_hand) {
    assert_int_equal(score_of((int[]){0, 1, 2, 3}, 4, 4, 4), 4);
    assert_int_equal(score_of((int[]){3, 2, 1, 0}, 4, 4, 4), 1);
    assert_int_equal(score_of((int[]){1, 1, 1, 1}, 4, 4, 4), 1);  // strictly increasing
    assert_int_equal(score_of((int[]){0, 3, 1, 2}, 4, 4, 4), 3);
    assert_int_equal(score_of((int[]){0, 0, 1, 1, 2}, 5, 5, 5), 3);
    assert_int_equal(score_of((int[]){4, 0, 3, 1, 2}, 5, 5, 5), 3);
    assert_int_equal(score_of((int[]){0}, 1, 1, 1), 1);
    // only the first 3 rows and columns count: row 1's minimum is outside, its first minimum inside
    // is at 0
    assert_int_equal(score_of((int[]){0, 3, 1, 2}, 4, 4, 3), 2);
    // upto is limited to rows and columns
    assert_int_equal(score_of((int[]){0, 1, 2, 3}, 4, 4, 100), 4);
    assert_int_equal(score_of((int[]){0, 1}, 2, 5, 5), 2);
    assert_int_equal(score_of((int[]){0, 1, 1, 1, 1}, 5, 2, 5), 2);
    // ties: the first one counts
    const double equals[3 * 3] = {1, 1, 1, 2, 1, 1, 2, 2, 1};
    int64_t score = 0;
    assert_int_equal(tot_ads_score(&score, equals, 3, 3, 3), TOT_OK);
    assert_int_equal(score, 3);
}

// The longest among all 2^n subsequences.
static int64_t brute_force(const int *sequence, int count) {
    int64_t longest = 0;
    for (uint32_t chosen = 1; chosen < UINT32_C(1) << count; chosen++) {
        int last = -1;
        int64_t length = 0;
        for (int k = 0; k < count; k++) {
            if ((chosen >> k & 1) != 0) {
                if (sequence[k] <= last) {
                    length = 0;
                    break;
                }
                last = sequence[k];
                length++;
            }
        }
        longest = length > longest ? length : longest;
    }
    return longest;
}

// Quadratic and simple, for lengths beyond brute force.
static int64_t quadratic(const int *sequence, int count) {
    int64_t ending[MOST];
    int64_t longest = 0;
    for (int k = 0; k < count; k++) {
        ending[k] = 1;
        for (int before = 0; before < k; before++) {
            if (sequence[before] < sequence[k] && ending[before] + 1 > ending[k]) {
                ending[k] = ending[before] + 1;
            }
        }
        longest = ending[k] > longest ? ending[k] : longest;
    }
    return longest;
}

TEST(test_scores_against_brute_force) {
    for (uint64_t seed = 0; seed < 600; seed++) {
        tot_random random;
        tot_random_init(&random, seed, "score");
        int count = 1 + (int)tot_random_below(&random, seed % 3 == 0 ? MOST : 11);
        double cost[MOST * MOST];
        int sequence[MOST];
        // few distinct values make ties common
        uint64_t kinds = 1 + tot_random_below(&random, 50);
        for (int i = 0; i < count; i++) {
            sequence[i] = 0;
            for (int j = 0; j < count; j++) {
                cost[i * count + j] = (double)tot_random_below(&random, kinds);
                if (cost[i * count + j] < cost[i * count + sequence[i]]) {
                    sequence[i] = j;
                }
            }
        }
        int64_t expected = count <= 11 ? brute_force(sequence, count) : quadratic(sequence, count);
        int64_t score = -1;
        assert_int_equal(tot_ads_score(&score, cost, count, count, count), TOT_OK);
        if (score != expected) {
            fail_msg("seed %d: score %d, by brute force %d", (int)seed, (int)score, (int)expected);
        }
    }
}

// A stack of square matrices: `good` follow the diagonal, the others stay at column 0.
static double *pile(int64_t good, int64_t bad, int64_t side) {
    double *costs = malloc((size_t)((good + bad) * side * side) * sizeof *costs);
    assert_non_null(costs);
    int diagonal[MOST];
    int still[MOST] = {0};
    for (int k = 0; k < MOST; k++) {
        diagonal[k] = k;
    }
    for (int64_t k = 0; k < good + bad; k++) {
        cost_of(costs + k * side * side, k < good ? diagonal : still, side, side);
    }
    return costs;
}

static int advance(tot_ads *ads, int64_t good, int64_t bad, int64_t expert_good,
                   int64_t expert_bad) {
    const int64_t side = 40;
    double *agent = pile(good, bad, side);
    double *expert = pile(expert_good, expert_bad, side);
    int advanced = -1;
    tot_status status =
        tot_ads_update(ads, (tot_ads_costs){agent, good + bad, side, side},
                       (tot_ads_costs){expert, expert_good + expert_bad, side, side}, &advanced);
    assert_int_equal(status, TOT_OK);
    free(agent);
    free(expert);
    return advanced;
}

TEST(test_progress) {
    tot_ads ads;
    tot_ads_init(&ads, 40);
    assert_int_equal(ads.progress, 8);
    // all follow: five steps per evaluation
    assert_int_equal(advance(&ads, 10, 0, 2, 0), 5);
    assert_int_equal(ads.progress, 13);
    // none follows: score 1, required int(0.9 * 13) = 11
    assert_int_equal(advance(&ads, 0, 10, 2, 0), 0);
    assert_int_equal(ads.progress, 13);
    // one in ten follows: the 90th percentile of {1 x 9, 13} is 1 + 0.1 * 12 = 2.2
    assert_int_equal(advance(&ads, 1, 9, 2, 0), 0);
    // one in five: rank 8.1 of {1 x 8, 13 x 2} is 13
    assert_int_equal(advance(&ads, 2, 8, 2, 0), 5);
    assert_int_equal(ads.progress, 18);
    // experts that do not follow each other require int(0.9 * 1) = 0
    assert_int_equal(advance(&ads, 0, 10, 0, 2), 5);
    // the median of one that does and one that does not: (23 + 1) / 2 = 12, so 10 is required
    assert_int_equal(ads.progress, 23);
    assert_int_equal(advance(&ads, 0, 10, 1, 1), 0);
    assert_int_equal(advance(&ads, 10, 0, 1, 1), 5);
    assert_int_equal(ads.progress, 28);
    // the progress ends at the horizon
    ads.progress = 38;
    assert_int_equal(advance(&ads, 10, 0, 2, 0), 2);
    assert_int_equal(ads.progress, 40);
    assert_int_equal(advance(&ads, 10, 0, 2, 0), 0);
    assert_int_equal(ads.progress, 40);
}

// The agent follows up to a step and no farther: the progress stops where the score falls behind.
TEST(test_progress_stops_in_between) {
    const int64_t side = 40;
    int sequence[40];
    for (int k = 0; k < 40; k++) {
        sequence[k] = k < 9 ? k : 8;
    }
    double agent[40 * 40];
    cost_of(agent, sequence, side, side);
    double *expert = pile(1, 0, side);
    tot_ads ads;
    tot_ads_init(&ads, 40);
    // scores 8, 9, 9, 9 at 8, 9, 10, 11; required int(0.9 p) = 7, 8, 9, 9, and 10 at 12
    int advanced = -1;
    assert_int_equal(tot_ads_update(&ads, (tot_ads_costs){agent, 1, side, side},
                                    (tot_ads_costs){expert, 1, side, side}, &advanced),
                     TOT_OK);
    assert_int_equal(advanced, 4);
    assert_int_equal(ads.progress, 12);
    // advanced may be NULL
    assert_int_equal(tot_ads_update(&ads, (tot_ads_costs){agent, 1, side, side},
                                    (tot_ads_costs){expert, 1, side, side}, NULL),
                     TOT_OK);
    assert_int_equal(ads.progress, 12);
    free(expert);
}

TEST(test_bad_input) {
    double cost[4] = {0, 1, 1, 0};
    tot_ads ads;
    tot_ads_init(&ads, 10);
    int advanced = 0;
    const tot_ads_costs one = {cost, 1, 2, 2};
    const tot_ads_costs none = {cost, 0, 2, 2};
    assert_int_not_equal(tot_ads_update(&ads, none, one, &advanced), TOT_OK);
    assert_true(strlen(tot_error()) > 0);
    assert_int_not_equal(tot_ads_update(&ads, one, none, &advanced), TOT_OK);
    assert_int_equal(ads.progress, 2);
}

TEST_MAIN(NULL, NULL)
