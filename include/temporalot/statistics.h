// temporalot/statistics.h - what a handful of runs says: averages over tasks with bootstrap
// intervals, performance profiles, probability of improvement.
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
// The measures are those of Agarwal and others, "Deep reinforcement learning at the edge of the
// statistical precipice", and equal those of their package rliable. Every task counts alike,
// however many runs it has. The same seed gives the same intervals, whatever the threads.
#ifndef TEMPORALOT_STATISTICS_H
#define TEMPORALOT_STATISTICS_H

#include <temporalot/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// What the runs of one method reached: the final success rate, say.
typedef struct tot_scores {
    size_t task_count;          // at least 1
    const size_t *run_counts;   // [task_count], each at least 1; they may differ
    const double *const *runs;  // [task_count][run_counts[task]], finite
} tot_scores;

// A value and the interval around it.
typedef struct tot_estimate {
    double value;
    double low, high;
} tot_estimate;

// How intervals are found: the runs of every task are drawn anew, with replacement, as many as
// there are, and the measure taken again; the interval lies between the percentiles of what came
// out. A task with one run always draws that run: with one run a task low and high are the value.
typedef struct tot_bootstrap {
    size_t resamples;   // 1 .. 10,000,000
    double confidence;  // above 0, below 1
    uint64_t seed;
    tot_pool *pool;  // may be NULL
} tot_bootstrap;

// 50,000 resamples, 95 %, seed 0, no pool. What a bootstrap of NULL means below.
TOT_API void tot_bootstrap_defaults(tot_bootstrap *bootstrap);

// Mean and standard deviation (over count, not count - 1, as the paper's tables have it). Both may
// be NULL. TOT_E_ARGUMENT: no values; TOT_E_VALUE: one that is not finite.
TOT_API tot_status tot_mean_deviation(const double *values, size_t count, double *mean,
                                      double *deviation);

typedef struct tot_aggregate {
    tot_estimate mean;                // of the tasks' means
    tot_estimate median;              // of the tasks' means
    tot_estimate interquartile_mean;  // of all runs without the lowest and the highest quarter
    tot_estimate optimality_gap;      // by how much runs stay below `target`, on average
} tot_aggregate;

// The quarters are whole runs, rounded down, as scipy's trim_mean has it; where tasks have unequal
// numbers of runs, a run weighs as much less as its task has more.
// target: what would be good enough, 1 for success rates. bootstrap may be NULL.
// TOT_E_ARGUMENT: no task, or a task without runs; TOT_E_VALUE: a score that is not finite.
TOT_API tot_status tot_scores_aggregate(tot_aggregate *aggregate, const tot_scores *scores,
                                        double target, const tot_bootstrap *bootstrap);

// The performance profile: the share of runs whose score is above each threshold.
// thresholds: [count], finite; profile: [count], written. Takes 8 bytes for every resample of
// every threshold.
TOT_API tot_status tot_scores_profile(tot_estimate *profile, const tot_scores *scores,
                                      const double *thresholds, size_t count,
                                      const tot_bootstrap *bootstrap);

// How likely a run of x scores higher than one of y on the same task (ties count half), averaged
// over the tasks: Mann and Whitney's U over the number of pairs. Both have the same tasks in the
// same order (TOT_E_SHAPE).
TOT_API tot_status tot_scores_improvement(tot_estimate *probability, const tot_scores *x,
                                          const tot_scores *y, const tot_bootstrap *bootstrap);

#ifdef __cplusplus
}
#endif
#endif
