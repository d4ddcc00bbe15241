// Statistics over runs: hand-computed values, properties that hold for any scores, invalid input.
#include <temporalot/statistics.h>

#include <math.h>
#include <time.h>

#include "asserts.h"
#include "failing_memory.h"

static void expect_near(double found, double wanted) {
    if (!(fabs(found - wanted) <= 1e-12 * (1 + fabs(wanted)))) {
        fail_msg("%.17g, not %.17g", found, wanted);
    }
}

static void expect_estimate(tot_estimate found, double value, double low, double high) {
    expect_near(found.value, value);
    expect_near(found.low, low);
    expect_near(found.high, high);
}

// --- hand-computed values ----------------------------------------------------------------------

TEST(mean_and_deviation) {
    const double stick_push[] = {0, 100, 0, 0, 0};
    double mean;
    double deviation;
    // the paper prints 20.0 (40.0): divided by five, not by four
    assert_ok(tot_mean_deviation(stick_push, 5, &mean, &deviation));
    expect_near(mean, 20);
    expect_near(deviation, 40);
    assert_ok(tot_mean_deviation(stick_push + 1, 1, &mean, &deviation));
    expect_near(mean, 100);
    expect_near(deviation, 0);
    assert_ok(tot_mean_deviation(stick_push, 5, NULL, NULL));
    // a large offset must not cancel the deviation
    const double far[] = {1e9 + 1, 1e9 + 3};
    assert_ok(tot_mean_deviation(far, 2, &mean, &deviation));
    expect_near(mean, 1e9 + 2);
    expect_near(deviation, 1);
}

TEST(averages_of_equal_runs) {
    const double a[] = {0.1, 0.9, 0.5};
    const double b[] = {1.2, 0.2, 0.4};
    const double c[] = {0.0, 0.3, 0.3};
    const double *const runs[] = {a, b, c};
    const size_t counts[] = {3, 3, 3};
    const tot_scores scores = {3, counts, runs};
    tot_aggregate found;
    assert_ok(tot_scores_aggregate(&found, &scores, 1, NULL));
    expect_near(found.mean.value, (0.5 + 0.6 + 0.2) / 3);
    expect_near(found.median.value, 0.5);
    // of 0 .1 .2 .3 .3 .4 .5 .9 1.2 two are trimmed at each end: 9 / 4, rounded down
    expect_near(found.interquartile_mean.value, (0.2 + 0.3 + 0.3 + 0.4 + 0.5) / 5);
    // scores are capped at 1
    expect_near(found.optimality_gap.value, 1 - (1.5 + 1.6 + 0.6) / 9);
    // an even number of tasks: the mean of the two in the middle
    const tot_scores two = {2, counts, runs};
    assert_ok(tot_scores_aggregate(&found, &two, 0.5, NULL));
    expect_near(found.median.value, 0.55);
    expect_near(found.optimality_gap.value, 0.5 - (0.1 + 0.5 + 0.5 + 0.5 + 0.2 + 0.4) / 6);
}

TEST(every_task_counts_alike) {
    const double a[] = {1, 2, 3, 4, 5, 6};
    const double b[] = {10, 20};
    const double *const runs[] = {a, b};
    const size_t counts[] = {6, 2};
    const tot_scores scores = {2, counts, runs};
    tot_aggregate found;
    assert_ok(tot_scores_aggregate(&found, &scores, 20, NULL));
    expect_near(found.mean.value, (3.5 + 15) / 2);
    expect_near(found.median.value, (3.5 + 15) / 2);
    // a run of the first task weighs 2/3, one of the second 2. Of the total 8, the lowest 2 are 1 2
    // 3, the highest 2 are the 20: the rest is 4 5 6 and the 10
    expect_near(found.interquartile_mean.value, (2.0 / 3 * (4 + 5 + 6) + 2 * 10) / 4);
    expect_near(found.optimality_gap.value, 20 - 9.25);
    const double thresholds[] = {0, 3, 3.5, 10, 20};
    tot_estimate profile[5];
    assert_ok(tot_scores_profile(profile, &scores, thresholds, 5, NULL));
    const double wanted[] = {1, 0.75, 0.75, 0.25, 0};
    for (int k = 0; k < 5; k++) {
        expect_near(profile[k].value, wanted[k]);
    }
    // twice as many runs with the same scores give the same result
    const double twice[] = {10, 20, 20, 10};
    const double *const more[] = {a, twice};
    const size_t more_counts[] = {6, 4};
    const tot_scores larger = {2, more_counts, more};
    tot_aggregate same;
    assert_ok(tot_scores_aggregate(&same, &larger, 20, NULL));
    expect_near(same.mean.value, found.mean.value);
    expect_near(same.optimality_gap.value, found.optimality_gap.value);
}

TEST(improvement_counts_pairs) {
    const double x0[] = {3, 1};
    const double y0[] = {2, 1, 0};
    const double x1[] = {5};
    const double y1[] = {5, 7};
    const double *const x_runs[] = {x0, x1};
    const double *const y_runs[] = {y0, y1};
    const size_t x_counts[] = {2, 1};
    const size_t y_counts[] = {3, 2};
    const tot_scores x = {2, x_counts, x_runs};
    const tot_scores y = {2, y_counts, y_runs};
    tot_estimate there;
    tot_estimate back;
    // 3 beats all three, 1 beats 0 and ties with 1; 5 ties with 5
    assert_ok(tot_scores_improvement(&there, &x, &y, NULL));
    expect_near(there.value, (4.5 / 6 + 0.5 / 2) / 2);
    assert_ok(tot_scores_improvement(&back, &y, &x, NULL));
    expect_near(there.value + back.value, 1);
    assert_ok(tot_scores_improvement(&there, &x, &x, NULL));
    expect_near(there.value, 0.5);
}

// Two runs, 0 and 1: a quarter of the resamples is (0, 0), half are mixed, a quarter is (1, 1).
TEST(intervals_that_can_be_counted) {
    const double coin[] = {0, 1};
    const double *const runs[] = {coin};
    const size_t counts[] = {2};
    const tot_scores scores = {1, counts, runs};
    tot_bootstrap bootstrap;
    tot_bootstrap_defaults(&bootstrap);
    assert_int_equal(bootstrap.resamples, 50000);
    expect_near(bootstrap.confidence, 0.95);
    tot_aggregate found;
    assert_ok(tot_scores_aggregate(&found, &scores, 1, &bootstrap));
    expect_estimate(found.mean, 0.5, 0, 1);
    bootstrap.confidence = 0.52;  // 24 % and 76 %
    assert_ok(tot_scores_aggregate(&found, &scores, 1, &bootstrap));
    expect_estimate(found.mean, 0.5, 0, 1);
    bootstrap.confidence = 0.48;  // 26 % and 74 %
    assert_ok(tot_scores_aggregate(&found, &scores, 1, &bootstrap));
    expect_estimate(found.mean, 0.5, 0.5, 0.5);
    expect_estimate(found.optimality_gap, 0.5, 0.5, 0.5);
}

// --- properties --------------------------------------------------------------------------------

enum { TASKS = 9, RUNS = 5 };

struct made {
    double values[TASKS][RUNS];
    const double *runs[TASKS];
    size_t counts[TASKS];
    tot_scores scores;
};

static void make_scores(struct made *made, uint64_t seed) {
    tot_random random;
    tot_random_init(&random, seed, "test");
    for (int task = 0; task < TASKS; task++) {
        double mean = tot_random_uniform(&random);
        for (int run = 0; run < RUNS; run++) {
            made->values[task][run] = mean + 0.1 * tot_random_normal(&random);
        }
        made->runs[task] = made->values[task];
        made->counts[task] = RUNS;
    }
    made->scores = (tot_scores){TASKS, made->counts, made->runs};
}

// The bootstrap of a mean has the standard deviation sqrt(sum of (variance / runs)) / tasks, and is
// nearly normal.
TEST(interval_of_the_mean_is_as_wide_as_theory) {
    struct made made;
    make_scores(&made, 11);
    double variance = 0;
    for (int task = 0; task < TASKS; task++) {
        double deviation;
        assert_ok(tot_mean_deviation(made.values[task], RUNS, NULL, &deviation));
        variance += deviation * deviation / RUNS;
    }
    double half = 1.96 * sqrt(variance) / TASKS;
    tot_aggregate found;
    assert_ok(tot_scores_aggregate(&found, &made.scores, 1, NULL));
    if (fabs(found.mean.high - found.mean.value - half) > 0.04 * half ||
        fabs(found.mean.value - found.mean.low - half) > 0.04 * half) {
        fail_msg("seed 11: %g to %g around %g, not +- %g", found.mean.low, found.mean.high,
                 found.mean.value, half);
    }
}

static bool same_estimate(const tot_estimate *a, const tot_estimate *b) {
    return a->value == b->value && a->low == b->low && a->high == b->high;
}

TEST(threads_change_nothing_and_seeds_do) {
    struct made x;
    struct made y;
    make_scores(&x, 1);
    make_scores(&y, 2);
    const double threshold = 0.5;
    tot_aggregate aggregate[4];
    tot_estimate profile[4];
    tot_estimate improvement[4];
    for (int k = 0; k < 4; k++) {
        tot_pool *pool = NULL;
        assert_ok(tot_pool_create(&pool, k == 0 ? 1 : 3));
        const tot_bootstrap bootstrap = {
            .resamples = 5000, .confidence = 0.9, .seed = k == 3, .pool = k == 2 ? NULL : pool};
        assert_ok(tot_scores_aggregate(&aggregate[k], &x.scores, 1, &bootstrap));
        assert_ok(tot_scores_profile(&profile[k], &x.scores, &threshold, 1, &bootstrap));
        assert_ok(tot_scores_improvement(&improvement[k], &x.scores, &y.scores, &bootstrap));
        tot_pool_free(pool);
    }
    for (int k = 1; k < 3; k++) {
        assert_memory_equal(&aggregate[0], &aggregate[k], sizeof aggregate[0]);
        assert_true(same_estimate(&profile[0], &profile[k]));
        assert_true(same_estimate(&improvement[0], &improvement[k]));
    }
    assert_true(aggregate[0].mean.low != aggregate[3].mean.low);
    expect_near(aggregate[0].mean.value, aggregate[3].mean.value);
}

TEST(intervals_lie_around_their_values) {
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct made x;
        struct made y;
        make_scores(&x, 2 * seed + 100);
        make_scores(&y, 2 * seed + 101);
        // some tasks have fewer runs
        x.counts[seed % TASKS] = 1 + seed % RUNS;
        y.counts[seed % 4] = 2;
        const tot_bootstrap bootstrap = {.resamples = 2000, .confidence = 0.95, .seed = seed};
        double thresholds[21];
        tot_estimate profile[21];
        for (int k = 0; k < 21; k++) {
            thresholds[k] = 0.1 * k - 0.5;
        }
        tot_aggregate found;
        tot_estimate improvement;
        assert_ok(tot_scores_aggregate(&found, &x.scores, 1, &bootstrap));
        assert_ok(tot_scores_improvement(&improvement, &x.scores, &y.scores, &bootstrap));
        assert_ok(tot_scores_profile(profile, &x.scores, thresholds, 21, &bootstrap));
        const tot_estimate all[] = {found.mean, found.median, found.interquartile_mean,
                                    found.optimality_gap, improvement};
        for (int k = 0; k < 5; k++) {
            if (!(all[k].low < all[k].value && all[k].value < all[k].high)) {
                fail_msg("seed %llu, measure %d: %g is not within %g and %g",
                         (unsigned long long)seed, k, all[k].value, all[k].low, all[k].high);
            }
        }
        for (int k = 0; k < 21; k++) {
            assert_true(profile[k].low <= profile[k].value + 1e-12);
            assert_true(profile[k].high >= profile[k].value - 1e-12);
            assert_true(k == 0 || profile[k].value <= profile[k - 1].value + 1e-12);
        }
    }
}

TEST(one_run_a_task_has_no_width) {
    const double a = 0.25;
    const double b = 0.75;
    const double *const runs[] = {&a, &b};
    const size_t counts[] = {1, 1};
    const tot_scores scores = {2, counts, runs};
    tot_aggregate found;
    tot_estimate improvement;
    assert_ok(tot_scores_aggregate(&found, &scores, 1, NULL));
    expect_estimate(found.mean, 0.5, 0.5, 0.5);
    expect_estimate(found.interquartile_mean, 0.5, 0.5, 0.5);
    assert_ok(tot_scores_improvement(&improvement, &scores, &scores, NULL));
    expect_estimate(improvement, 0.5, 0.5, 0.5);
    // and a single run in total
    const tot_scores one = {1, counts, runs};
    assert_ok(tot_scores_aggregate(&found, &one, 1, NULL));
    expect_estimate(found.median, 0.25, 0.25, 0.25);
    expect_estimate(found.optimality_gap, 0.75, 0.75, 0.75);
    // a single resample is enough for an interval of zero width
    struct made made;
    make_scores(&made, 4);
    const tot_bootstrap bootstrap = {.resamples = 1, .confidence = 0.5};
    assert_ok(tot_scores_aggregate(&found, &made.scores, 1, &bootstrap));
    assert_true(found.mean.low == found.mean.high);
}

// The intervals of a whole table must be fast. The limit is generous: sanitizer builds and busy
// machines run this, too.
TEST(fifty_thousand_are_quick) {
    struct made x;
    struct made y;
    make_scores(&x, 5);
    make_scores(&y, 6);
    struct timespec start;
    struct timespec end;
    tot_aggregate found;
    tot_estimate improvement;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    assert_ok(tot_scores_aggregate(&found, &x.scores, 1, NULL));
    assert_ok(tot_scores_improvement(&improvement, &x.scores, &y.scores, NULL));
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    double seconds =
        (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
    print_message("50,000 resamples of four averages and of the improvement: %.3f s\n", seconds);
    assert_true(seconds < 10);
}

// --- invalid input -----------------------------------------------------------------------------

TEST(refuses_what_are_no_scores) {
    const double good[] = {0.5, 0.25};
    const double bad[] = {0.5, NAN};
    const double worse[] = {INFINITY};
    const double *const runs[] = {good, bad, worse};
    const double *const missing[] = {good, NULL};
    const size_t counts[] = {2, 2, 1};
    const size_t none[] = {2, 0};
    const tot_scores one = {1, counts, runs};
    const tot_scores two = {2, counts, runs};
    const tot_scores infinite = {1, counts + 2, runs + 2};
    const tot_scores empty = {2, none, runs};
    const tot_scores holes = {2, counts, missing};
    tot_aggregate found = {.mean = {7, 7, 7}};
    tot_estimate estimate;
    double mean;
    assert_fails(tot_scores_aggregate(&found, NULL, 1, NULL), TOT_E_ARGUMENT, "no tasks");
    assert_fails(tot_scores_aggregate(&found, &(tot_scores){0}, 1, NULL), TOT_E_ARGUMENT, "tasks");
    assert_fails(tot_scores_aggregate(&found, &empty, 1, NULL), TOT_E_ARGUMENT, "task 1 has no");
    assert_fails(tot_scores_aggregate(&found, &holes, 1, NULL), TOT_E_ARGUMENT, "task 1 has no");
    assert_fails(tot_scores_aggregate(&found, &two, 1, NULL), TOT_E_VALUE, "run 1 of task 1");
    assert_fails(tot_scores_aggregate(&found, &infinite, 1, NULL), TOT_E_VALUE, "inf");
    assert_fails(tot_scores_aggregate(&found, &one, NAN, NULL), TOT_E_VALUE, "target");
    assert_fails(tot_scores_aggregate(NULL, &one, 1, NULL), TOT_E_ARGUMENT, "place");
    assert_true(found.mean.value == 7);
    assert_fails(tot_scores_improvement(&estimate, &one, &two, NULL), TOT_E_VALUE, "task 1");
    const double *const fine[] = {good, good};
    const tot_scores other = {2, counts, fine};
    assert_fails(tot_scores_improvement(&estimate, &one, &other, NULL), TOT_E_SHAPE, "1 and of 2");
    assert_fails(tot_scores_improvement(&estimate, &one, NULL, NULL), TOT_E_ARGUMENT, "tasks");
    assert_fails(tot_scores_improvement(NULL, &one, &one, NULL), TOT_E_ARGUMENT, "place");
    assert_fails(tot_scores_profile(&estimate, &one, NULL, 1, NULL), TOT_E_ARGUMENT, "thresholds");
    assert_fails(tot_scores_profile(&estimate, &one, good, 0, NULL), TOT_E_ARGUMENT, "thresholds");
    assert_fails(tot_scores_profile(&estimate, &one, bad + 1, 1, NULL), TOT_E_VALUE, "nan");
    assert_fails(tot_scores_profile(NULL, &one, good, 1, NULL), TOT_E_ARGUMENT, "place");
    assert_fails(tot_mean_deviation(bad, 2, &mean, NULL), TOT_E_VALUE, "value 1");
    assert_fails(tot_mean_deviation(good, 0, &mean, NULL), TOT_E_ARGUMENT, "no values");
    assert_fails(tot_mean_deviation(NULL, 2, &mean, NULL), TOT_E_ARGUMENT, "no values");
}

TEST(refuses_bad_bootstraps) {
    struct made made;
    make_scores(&made, 8);
    tot_aggregate found;
    tot_bootstrap bootstrap = {.resamples = 0, .confidence = 0.95};
    assert_fails(tot_scores_aggregate(&found, &made.scores, 1, &bootstrap), TOT_E_ARGUMENT,
                 "0 resamples");
    bootstrap.resamples = 10000001;
    assert_fails(tot_scores_aggregate(&found, &made.scores, 1, &bootstrap), TOT_E_ARGUMENT,
                 "10000001");
    bootstrap.resamples = 10;
    const double confidences[] = {0, 1, -0.5, 95, NAN};
    for (int k = 0; k < 5; k++) {
        bootstrap.confidence = confidences[k];
        assert_fails(tot_scores_aggregate(&found, &made.scores, 1, &bootstrap), TOT_E_ARGUMENT,
                     "confidence");
    }
}

TEST(any_allocation_may_fail) {
    struct made x;
    make_scores(&x, 9);
    const tot_bootstrap bootstrap = {.resamples = 100, .confidence = 0.9};
    const double thresholds[] = {0.2, 0.4};
    failing_memory memory;
    uint64_t k = 1;
    for (; failing_memory_next(&memory, k); k++) {
        tot_aggregate found;
        tot_estimate profile[2];
        tot_estimate improvement;
        tot_status status = tot_scores_aggregate(&found, &x.scores, 1, &bootstrap);
        status = status != TOT_OK
                     ? status
                     : tot_scores_profile(profile, &x.scores, thresholds, 2, &bootstrap);
        status = status != TOT_OK
                     ? status
                     : tot_scores_improvement(&improvement, &x.scores, &x.scores, &bootstrap);
        failing_memory_check(&memory, status);
    }
    assert_true(k > 15);
}

TEST_MAIN(NULL, NULL)
