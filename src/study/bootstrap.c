#include "study/bootstrap.h"

#include "base/base.h"

// Number of resamples that share a random stream and form one job.
enum { CHUNK = 512, MOST_RESAMPLES = 10000000 };

void tot_bootstrap_defaults(tot_bootstrap *bootstrap) {
    BASE_NEED_OR(, bootstrap);
    *bootstrap = (tot_bootstrap){.resamples = 50000, .confidence = 0.95};
}

size_t study_bootstrap_draw(tot_random *random, size_t count) {
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

// --- jobs --------------------------------------------------------------------------------------

struct work {
    const tot_bootstrap *settings;
    size_t measures;
    study_resample resample;
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

tot_status study_bootstrap_run(const tot_bootstrap *settings, size_t measures, size_t scratch_bytes,
                               study_resample resample, const void *context,
                               tot_estimate *estimates) {
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
