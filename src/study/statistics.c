#include <temporalot/statistics.h>

#include "base/base.h"

// Number of resamples that share a random stream and form one job.
enum { CHUNK = 512, MOST_RESAMPLES = 10000000 };

void tot_bootstrap_defaults(tot_bootstrap *bootstrap) {
    BASE_NEED_OR(, bootstrap);
    *bootstrap = (tot_bootstrap){.resamples = 50000, .confidence = 0.95};
}

// A uniform index in 0 .. count-1, which almost always takes a single random word: drawing is most
// of the work.
static size_t draw_index(tot_random *random, size_t count) {
    if (count > UINT32_MAX) {
        return (size_t)tot_random_below(random, count);
    }
    // the high half of word * count; low halves that would bias the result are rejected
    uint32_t surplus = (uint32_t)(((uint64_t)1 << 32) % count);
    uint64_t product;
    do {
        product = (uint64_t)tot_random_word(random) * count;
    } while ((uint32_t)product < surplus);
    return (size_t)(product >> 32);
}

// --- percentiles -------------------------------------------------------------------------------

// Quickselect: afterwards values[wanted] is what sorting would put there, nothing before it is
// larger and nothing after it is smaller.
static void select_value(double *values, size_t count, size_t wanted) {
    size_t low = 0;
    size_t high = count - 1;
    while (low < high) {
        double pivot = values[low + (high - low) / 2];
        size_t up = low;
        size_t down = high;
        for (;;) {
            while (values[up] < pivot) {
                up++;
            }
            while (pivot < values[down]) {
                down--;
            }
            if (up >= down) {
                break;
            }
            double swapped = values[up];
            values[up++] = values[down];
            values[down--] = swapped;
        }
        // everything up to `down` is at most the pivot, everything after it at least
        if (wanted <= down) {
            high = down;
        } else {
            low = down + 1;
        }
    }
}

// The percentile with linear interpolation between neighbours, as in numpy.
static double percentile(double *values, size_t count, double share) {
    double place = share * (double)(count - 1);
    size_t below = (size_t)floor(place);
    double part = place - (double)below;
    select_value(values, count, below);
    if (below + 1 >= count) {
        return values[below];
    }
    double next = values[below + 1];
    for (size_t k = below + 2; k < count; k++) {
        next = fmin(next, values[k]);
    }
    return values[below] + part * (next - values[below]);
}

// --- resampling --------------------------------------------------------------------------------

// Draws one resample, or takes the scores themselves if random is NULL, and writes one number per
// measure. scratch belongs to the calling thread.
typedef void (*resample_function)(const void *context, void *scratch, tot_random *random,
                                  double *measured);

struct work {
    const tot_bootstrap *settings;
    size_t measures;
    resample_function resample;
    const void *context;
    char *scratch;  // [threads][stride]: a worker's scratch memory, then its measurements
    size_t stride, scratch_bytes;
    double *results;  // [measures][resamples]
    tot_estimate *estimates;
};

static tot_status draw_chunk(void *context, size_t index, int worker) {
    const struct work *work = context;
    size_t resamples = work->settings->resamples;
    char *scratch = work->scratch + (size_t)worker * work->stride;
    double *measured = (double *)(void *)(scratch + work->scratch_bytes);
    tot_random random;
    tot_random_init_numbered(&random, work->settings->seed, "bootstrap", index);
    for (size_t k = index * CHUNK; k < resamples && k < (index + 1) * CHUNK; k++) {
        work->resample(work->context, scratch, &random, measured);
        for (size_t m = 0; m < work->measures; m++) {
            work->results[m * resamples + k] = measured[m];
        }
    }
    return TOT_OK;
}

static tot_status find_interval(void *context, size_t index, int worker) {
    (void)worker;
    const struct work *work = context;
    size_t resamples = work->settings->resamples;
    double outside = (1 - work->settings->confidence) / 2;
    double *values = work->results + index * resamples;
    work->estimates[index].low = percentile(values, resamples, outside);
    work->estimates[index].high = percentile(values, resamples, 1 - outside);
    return TOT_OK;
}

static tot_status run(struct work *work) {
    const tot_bootstrap *settings = work->settings;
    size_t chunks = (settings->resamples + CHUNK - 1) / CHUNK;
    double *measured = (double *)(void *)(work->scratch + work->scratch_bytes);
    work->resample(work->context, work->scratch, NULL, measured);
    for (size_t m = 0; m < work->measures; m++) {
        work->estimates[m].value = measured[m];
    }
    BASE_TRY(tot_pool_run(settings->pool, chunks, draw_chunk, work));
    return tot_pool_run(settings->pool, work->measures, find_interval, work);
}

static size_t round_up(size_t bytes) {
    return (bytes + 63) / 64 * 64;
}

// Fills estimates[measures]: the value is that of the scores themselves, low and high are
// percentiles over the resamples. settings may be NULL (the defaults). The random stream of a
// resample depends only on its index, so the result is the same for any number of threads.
static tot_status bootstrap_run(const tot_bootstrap *settings, size_t measures,
                                size_t scratch_bytes, resample_function resample,
                                const void *context, tot_estimate *estimates) {
    tot_bootstrap defaults;
    tot_bootstrap_defaults(&defaults);
    settings = settings != NULL ? settings : &defaults;
    BASE_FAIL_IF(settings->resamples < 1 || settings->resamples > MOST_RESAMPLES, TOT_E_ARGUMENT,
                 "bootstrap: %zu resamples are not within 1 and %d", settings->resamples,
                 MOST_RESAMPLES);
    BASE_FAIL_IF(!(settings->confidence > 0 && settings->confidence < 1), TOT_E_ARGUMENT,
                 "bootstrap: a confidence of %g is not between 0 and 1", settings->confidence);
    struct work work = {.settings = settings,
                        .measures = measures,
                        .resample = resample,
                        .context = context,
                        .scratch_bytes = round_up(scratch_bytes),
                        .estimates = estimates};
    work.stride = work.scratch_bytes + round_up(measures * sizeof(double));
    size_t threads = settings->pool != NULL ? (size_t)tot_pool_threads(settings->pool) : 1;
    work.scratch = base_alloc(threads, work.stride, "bootstrap");
    work.results = base_alloc(measures, settings->resamples * sizeof(double), "bootstrap");
    const tot_status status =
        work.scratch != NULL && work.results != NULL ? run(&work) : TOT_E_MEMORY;
    BASE_RELEASE(work.scratch, work.results);
    return status;
}

// --- checking ----------------------------------------------------------------------------------

static tot_status check_scores(const tot_scores *scores, size_t *total) {
    BASE_FAIL_IF(scores == NULL || scores->task_count < 1 || scores->run_counts == NULL ||
                     scores->runs == NULL,
                 TOT_E_ARGUMENT, "scores: no tasks given");
    *total = 0;
    for (size_t task = 0; task < scores->task_count; task++) {
        BASE_FAIL_IF(scores->run_counts[task] < 1 || scores->runs[task] == NULL, TOT_E_ARGUMENT,
                     "scores: task %zu has no runs", task);
        for (size_t run = 0; run < scores->run_counts[task]; run++) {
            BASE_FAIL_IF(!isfinite(scores->runs[task][run]), TOT_E_VALUE,
                         "scores: run %zu of task %zu is %g", run, task, scores->runs[task][run]);
        }
        *total += scores->run_counts[task];
    }
    return TOT_OK;
}

tot_status tot_mean_deviation(const double *values, size_t count, double *mean, double *deviation) {
    BASE_FAIL_IF(values == NULL || count < 1, TOT_E_ARGUMENT, "mean: no values given");
    double sum = 0;
    for (size_t k = 0; k < count; k++) {
        BASE_FAIL_IF(!isfinite(values[k]), TOT_E_VALUE, "mean: value %zu is %g", k, values[k]);
        sum += values[k];
    }
    double middle = sum / (double)count;
    double squares = 0;
    for (size_t k = 0; k < count; k++) {
        squares += (values[k] - middle) * (values[k] - middle);
    }
    if (mean != NULL) {
        *mean = middle;
    }
    if (deviation != NULL) {
        *deviation = sqrt(squares / (double)count);
    }
    return TOT_OK;
}

// --- sorted runs -------------------------------------------------------------------------------

// The runs of all tasks, sorted. A resample only counts how often each run was drawn, so that
// nothing has to be sorted again.
struct pool {
    const tot_scores *scores;
    size_t total;
    double *values;   // [total], ascending
    double *weights;  // [total]: weight of one draw of each; they add up to `total`
    size_t *places;   // [total]: positions of the runs of task 0, then of task 1, ...
};

struct entry {
    double value;
    size_t task, number;  // number: counted over all tasks
};

static int compare_entries(const void *a, const void *b) {
    const struct entry *left = a;
    const struct entry *right = b;
    if (left->value != right->value) {
        return left->value < right->value ? -1 : 1;
    }
    return left->number < right->number ? -1 : left->number > right->number;
}

static void fill_pool(struct pool *pool, struct entry *entries) {
    const tot_scores *scores = pool->scores;
    size_t number = 0;
    for (size_t task = 0; task < scores->task_count; task++) {
        for (size_t run = 0; run < scores->run_counts[task]; run++, number++) {
            entries[number] = (struct entry){scores->runs[task][run], task, number};
        }
    }
    qsort(entries, pool->total, sizeof *entries, compare_entries);
    for (size_t k = 0; k < pool->total; k++) {
        double share = (double)scores->task_count * (double)scores->run_counts[entries[k].task];
        pool->values[k] = entries[k].value;
        pool->weights[k] = (double)pool->total / share;
        pool->places[entries[k].number] = k;
    }
}

static void free_pool(struct pool *pool) {
    BASE_RELEASE(pool->values, pool->weights, pool->places);
}

static tot_status make_pool(struct pool *pool, const tot_scores *scores) {
    *pool = (struct pool){.scores = scores};
    BASE_TRY(check_scores(scores, &pool->total));
    pool->values = base_alloc(pool->total, sizeof *pool->values, "scores");
    pool->weights = base_alloc(pool->total, sizeof *pool->weights, "scores");
    pool->places = base_alloc(pool->total, sizeof *pool->places, "scores");
    struct entry *entries = base_alloc(pool->total, sizeof *entries, "scores");
    const bool whole =
        pool->values != NULL && pool->weights != NULL && pool->places != NULL && entries != NULL;
    if (whole) {
        fill_pool(pool, entries);
    } else {
        free_pool(pool);
    }
    base_free(entries);
    return whole ? TOT_OK : TOT_E_MEMORY;
}

// Draws as many runs of every task as it has: times[k] is how often value k was drawn. Without a
// random stream, every run once.
static void draw(const struct pool *pool, tot_random *random, uint32_t *times) {
    const size_t *places = pool->places;
    memset(times, 0, pool->total * sizeof *times);
    for (size_t task = 0; task < pool->scores->task_count; task++) {
        size_t count = pool->scores->run_counts[task];
        for (size_t k = 0; k < count; k++) {
            times[places[random != NULL ? draw_index(random, count) : k]]++;
        }
        places += count;
    }
}

// --- averages over tasks -----------------------------------------------------------------------

enum { MEAN, MEDIAN, INTERQUARTILE, GAP, AGGREGATES };

struct averages {
    struct pool pool;
    double target;
};

// The weighted mean between the lowest and the highest quarter.
static double interquartile_mean(const struct pool *pool, const uint32_t *times) {
    size_t quarter = pool->total / 4;
    double low = (double)quarter;
    double high = (double)pool->total - low;
    double before = 0;
    double sum = 0;
    for (size_t k = 0; k < pool->total; k++) {
        double after = before + times[k] * pool->weights[k];
        double inside = fmin(after, high) - fmax(before, low);
        sum += inside > 0 ? inside * pool->values[k] : 0;
        before = after;
    }
    return sum / (high - low);
}

// The median of a few numbers, which are sorted in place.
static double median(double *values, size_t count) {
    for (size_t k = 1; k < count; k++) {
        double value = values[k];
        size_t at = k;
        for (; at > 0 && values[at - 1] > value; at--) {
            values[at] = values[at - 1];
        }
        values[at] = value;
    }
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

// scratch: one number per task, then how often each run was drawn.
static void measure_averages(const void *context, void *scratch, tot_random *random,
                             double *measured) {
    const struct averages *averages = context;
    const struct pool *pool = &averages->pool;
    size_t tasks = pool->scores->task_count;
    double *means = scratch;
    uint32_t *times = (uint32_t *)(means + tasks);
    const size_t *places = pool->places;
    double sum = 0;
    double reached = 0;
    draw(pool, random, times);
    for (size_t task = 0; task < tasks; task++) {
        size_t count = pool->scores->run_counts[task];
        double of_task = 0;
        double up_to_target = 0;
        for (size_t run = 0; run < count; run++) {
            double value = pool->values[places[run]];
            of_task += times[places[run]] * value;
            up_to_target += times[places[run]] * fmin(value, averages->target);
        }
        places += count;
        means[task] = of_task / (double)count;
        sum += means[task];
        reached += up_to_target / (double)count;
    }
    measured[MEAN] = sum / (double)tasks;
    measured[MEDIAN] = median(means, tasks);
    measured[INTERQUARTILE] = interquartile_mean(pool, times);
    measured[GAP] = averages->target - reached / (double)tasks;
}

tot_status tot_scores_aggregate(tot_aggregate *aggregate, const tot_scores *scores, double target,
                                const tot_bootstrap *bootstrap) {
    BASE_FAIL_IF(aggregate == NULL, TOT_E_ARGUMENT, "scores: no place for the averages given");
    BASE_FAIL_IF(!isfinite(target), TOT_E_VALUE, "scores: the target is %g", target);
    struct averages averages = {.target = target};
    BASE_TRY(make_pool(&averages.pool, scores));
    size_t scratch = scores->task_count * sizeof(double) + averages.pool.total * sizeof(uint32_t);
    tot_estimate found[AGGREGATES];
    tot_status status =
        bootstrap_run(bootstrap, AGGREGATES, scratch, measure_averages, &averages, found);
    if (status == TOT_OK) {
        *aggregate = (tot_aggregate){.mean = found[MEAN],
                                     .median = found[MEDIAN],
                                     .interquartile_mean = found[INTERQUARTILE],
                                     .optimality_gap = found[GAP]};
    }
    free_pool(&averages.pool);
    return status;
}

// --- performance profiles ----------------------------------------------------------------------

struct profiles {
    struct pool pool;
    const size_t *firsts;  // [count]: index of the lowest value above each threshold; total: none
    size_t count;
};

// scratch: for every value the weight of it and all above, then how often each was drawn.
static void measure_profile(const void *context, void *scratch, tot_random *random,
                            double *measured) {
    const struct profiles *profiles = context;
    const struct pool *pool = &profiles->pool;
    double *above = scratch;
    uint32_t *times = (uint32_t *)(above + pool->total + 1);
    draw(pool, random, times);
    above[pool->total] = 0;
    for (size_t k = pool->total; k > 0; k--) {
        above[k - 1] = above[k] + times[k - 1] * pool->weights[k - 1];
    }
    for (size_t k = 0; k < profiles->count; k++) {
        measured[k] = above[profiles->firsts[k]] / (double)pool->total;
    }
}

static void find_firsts(const struct pool *pool, const double *thresholds, size_t count,
                        size_t *firsts) {
    for (size_t k = 0; k < count; k++) {
        firsts[k] = 0;
        while (firsts[k] < pool->total && pool->values[firsts[k]] <= thresholds[k]) {
            firsts[k]++;
        }
    }
}

static tot_status check_thresholds(const tot_estimate *profile, const double *thresholds,
                                   size_t count) {
    BASE_FAIL_IF(profile == NULL || thresholds == NULL || count < 1, TOT_E_ARGUMENT,
                 "profile: no %s given", profile == NULL ? "place for it" : "thresholds");
    for (size_t k = 0; k < count; k++) {
        BASE_FAIL_IF(!isfinite(thresholds[k]), TOT_E_VALUE, "profile: threshold %zu is %g", k,
                     thresholds[k]);
    }
    return TOT_OK;
}

tot_status tot_scores_profile(tot_estimate *profile, const tot_scores *scores,
                              const double *thresholds, size_t count,
                              const tot_bootstrap *bootstrap) {
    BASE_TRY(check_thresholds(profile, thresholds, count));
    struct profiles profiles = {.count = count};
    BASE_TRY(make_pool(&profiles.pool, scores));
    size_t total = profiles.pool.total;
    size_t *firsts = base_alloc(count, sizeof *firsts, "profile");
    tot_status status = TOT_E_MEMORY;
    if (firsts != NULL) {
        find_firsts(&profiles.pool, thresholds, count, firsts);
        profiles.firsts = firsts;
        size_t scratch = (total + 1) * sizeof(double) + total * sizeof(uint32_t);
        status = bootstrap_run(bootstrap, count, scratch, measure_profile, &profiles, profile);
    }
    base_free(firsts);
    free_pool(&profiles.pool);
    return status;
}

// --- probability of improvement ----------------------------------------------------------------

struct comparison {
    const tot_scores *x, *y;
};

static double pair_score(double x, double y) {
    return x > y ? 1 : x == y ? 0.5 : 0;
}

// scratch: the scores of y that were drawn.
static void measure_improvement(const void *context, void *scratch, tot_random *random,
                                double *measured) {
    const struct comparison *comparison = context;
    const tot_scores *x = comparison->x;
    const tot_scores *y = comparison->y;
    double *drawn = scratch;
    double sum = 0;
    for (size_t task = 0; task < x->task_count; task++) {
        size_t x_count = x->run_counts[task];
        size_t y_count = y->run_counts[task];
        double wins = 0;
        for (size_t k = 0; k < y_count; k++) {
            drawn[k] = y->runs[task][random != NULL ? draw_index(random, y_count) : k];
        }
        for (size_t k = 0; k < x_count; k++) {
            double score = x->runs[task][random != NULL ? draw_index(random, x_count) : k];
            for (size_t other = 0; other < y_count; other++) {
                wins += pair_score(score, drawn[other]);
            }
        }
        sum += wins / ((double)x_count * (double)y_count);
    }
    measured[0] = sum / (double)x->task_count;
}

tot_status tot_scores_improvement(tot_estimate *probability, const tot_scores *x,
                                  const tot_scores *y, const tot_bootstrap *bootstrap) {
    size_t total = 0;
    BASE_FAIL_IF(probability == NULL, TOT_E_ARGUMENT, "improvement: no place for it given");
    BASE_TRY(check_scores(x, &total));
    BASE_TRY(check_scores(y, &total));
    BASE_FAIL_IF(x->task_count != y->task_count, TOT_E_SHAPE,
                 "improvement: scores of %zu and of %zu tasks", x->task_count, y->task_count);
    const struct comparison comparison = {x, y};
    tot_estimate found;
    BASE_TRY(bootstrap_run(bootstrap, 1, total * sizeof(double), measure_improvement, &comparison,
                           &found));
    *probability = found;
    return TOT_OK;
}
