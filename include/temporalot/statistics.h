// temporalot/statistics.h - statistics for a handful of runs: averages over tasks with bootstrap
// confidence intervals, performance profiles, probability of improvement.
//
//     #include <stdio.h>
//     #include <temporalot/statistics.h>
//
//     int main(void) {
//         const double door[] = {0.78, 0.92, 0.64}, push[] = {0.08, 0.1};
//         const double *const runs[] = {door, push};
//         const size_t counts[] = {3, 2};
//         const tot_scores scores = {.task_count = 2, .run_counts = counts, .runs = runs};
//         tot_aggregate over_tasks;
//         if (tot_scores_aggregate(&over_tasks, &scores, 1, NULL) != TOT_OK) {
//             fprintf(stderr, "%s\n", tot_error());
//             return 1;
//         }
//         printf("IQM %.2f (%.2f to %.2f)\n", over_tasks.interquartile_mean.value,
//                over_tasks.interquartile_mean.low, over_tasks.interquartile_mean.high);
//         return 0;
//     }
//
// The metrics are those of Agarwal et al., "Deep reinforcement learning at the edge of the
// statistical precipice", and agree with their package rliable. Every task has the same weight,
// however many runs it has. The same seed gives the same intervals for any number of threads.
#ifndef TEMPORALOT_STATISTICS_H
#define TEMPORALOT_STATISTICS_H

#include <temporalot/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// Scores of the runs of one method, for example the final success rates.
typedef struct tot_scores {
    size_t task_count;          // at least 1
    const size_t *run_counts;   // [task_count], each at least 1; they may differ
    const double *const *runs;  // [task_count][run_counts[task]], finite
} tot_scores;

// A value with its confidence interval.
typedef struct tot_estimate {
    double value;
    double low, high;
} tot_estimate;

// Stratified bootstrap: the runs of every task are resampled with replacement, as many as there
// are, and the metric is recomputed; the interval is given by percentiles of the results. A task
// with a single run always yields that run, so with one run per task low and high equal the value.
typedef struct tot_bootstrap {
    size_t resamples;   // 1 .. 10,000,000
    double confidence;  // above 0, below 1
    uint64_t seed;
    tot_pool *pool;  // may be NULL
} tot_bootstrap;

// 50,000 resamples, 95 %, seed 0, no pool. Used below if bootstrap is NULL.
TOT_API void tot_bootstrap_defaults(tot_bootstrap *bootstrap);

// Mean and standard deviation (dividing by count, not count - 1, as in the paper's tables). Both
// may be NULL. TOT_E_ARGUMENT: no values; TOT_E_VALUE: a value that is not finite.
TOT_API tot_status tot_mean_deviation(const double *values, size_t count, double *mean,
                                      double *deviation);

typedef struct tot_aggregate {
    tot_estimate mean;                // of the task means
    tot_estimate median;              // of the task means
    tot_estimate interquartile_mean;  // of all runs without the lowest and the highest quarter
    tot_estimate optimality_gap;      // mean amount by which runs fall short of `target`
} tot_aggregate;

// A quarter is a whole number of runs, rounded down, as in scipy's trim_mean; if tasks have
// different numbers of runs, each run is weighted inversely to the number of runs of its task.
// target: a score that is good enough, 1 for success rates. bootstrap may be NULL.
// TOT_E_ARGUMENT: no task, or a task without runs; TOT_E_VALUE: a score that is not finite.
TOT_API tot_status tot_scores_aggregate(tot_aggregate *aggregate, const tot_scores *scores,
                                        double target, const tot_bootstrap *bootstrap);

// Performance profile: the fraction of runs with a score above each threshold. thresholds: [count],
// finite; profile: [count], written. Allocates 8 bytes per resample and threshold.
TOT_API tot_status tot_scores_profile(tot_estimate *profile, const tot_scores *scores,
                                      const double *thresholds, size_t count,
                                      const tot_bootstrap *bootstrap);

// Probability of improvement: how likely a run of x scores higher than a run of y on the same task
// (ties count half), averaged over tasks: the Mann-Whitney U statistic over the number of pairs.
// Both must have the same tasks in the same order (else TOT_E_SHAPE).
TOT_API tot_status tot_scores_improvement(tot_estimate *probability, const tot_scores *x,
                                          const tot_scores *y, const tot_bootstrap *bootstrap);

#ifdef __cplusplus
}
#endif
#endif
