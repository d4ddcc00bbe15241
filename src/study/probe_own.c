// The probe for the user's own recordings, without a task to run: all that is known is that time
// runs forward in a demonstration.

#include <temporalot/study.h>

#include "base/base.h"

// Where a demonstration is frozen, as fractions of its steps.
static const double stops[] = {0.25, 0.5, 0.75, 0.9};

enum { STOPS = BASE_LENGTH(stops), WHOLE = 0, STILL = STOPS + 1, REVERSED, CHANGED };

struct tot_own_probe {
    tot_probe_row *rows;  // [row_count]: CHANGED, then a row per episode
    size_t row_count;
    double correlation;
    double last;  // fraction of the range that the last tenth earns
};

typedef struct own_work {
    tot_own_probe *probe;
    const tot_embeddings *demos;
    size_t demo_count;
    const tot_reward_config *reward;
    tot_demos *others;     // the demonstrations to compare with
    tot_labeler *labeler;  // of these
    void *changed;         // a demonstration with altered time
    double *sums;          // [demo_count][CHANGED]
} own_work;

// --- altered time ------------------------------------------------------------------------------

static size_t row_bytes(const tot_embeddings *frames) {
    return (size_t)frames->width * tot_type_size(frames->type);
}

// The frame of the demonstration at a step after the change.
static int64_t frame_at(int change, int64_t step, int64_t steps) {
    if (change == REVERSED) {
        return steps - 1 - step;
    }
    if (change == STILL) {
        return 0;
    }
    const int64_t last =
        change == WHOLE ? steps - 1 : (int64_t)(stops[change - 1] * (double)(steps - 1));
    return step < last ? step : last;
}

static tot_embeddings change_time(own_work *work, const tot_embeddings *demo, int change) {
    const size_t bytes = row_bytes(demo);
    tot_embeddings made = *demo;
    for (int64_t k = 0; k < demo->steps; k++) {
        memcpy((char *)work->changed + (size_t)k * bytes,
               (const char *)demo->data + (size_t)frame_at(change, k, demo->steps) * bytes, bytes);
    }
    made.data = work->changed;
    return made;
}

// --- rewards -----------------------------------------------------------------------------------

static void close_labeler(own_work *work) {
    tot_labeler_free(work->labeler);
    tot_demos_free(work->others);
    work->labeler = NULL;
    work->others = NULL;
}

// Opens a labeler with all demonstrations except the one being judged; a single demonstration is
// compared with itself.
static tot_status open_labeler(own_work *work, size_t without) {
    close_labeler(work);
    BASE_TRY(tot_demos_create(&work->others));
    for (size_t k = 0; k < work->demo_count; k++) {
        char name[40];
        snprintf(name, sizeof name, "demonstration %zu", k);
        if (k != without || work->demo_count == 1) {
            BASE_TRY(tot_demos_add(work->others, work->demos[k], name));
        }
    }
    return tot_labeler_create(&work->labeler, work->others, work->reward, NULL);
}

static tot_status sum_rewards(const own_work *work, tot_embeddings frames, const char *name,
                              double *sum) {
    tot_label_info info;
    BASE_TRY(tot_label(work->labeler, frames, name, NULL, &info));
    *sum = info.sum;
    return TOT_OK;
}

static tot_status rank_demo(own_work *work, size_t index) {
    const tot_embeddings *demo = &work->demos[index];
    BASE_TRY(open_labeler(work, index));
    base_free(work->changed);
    work->changed = base_alloc((size_t)demo->steps, row_bytes(demo), "demonstration");
    BASE_HAVE(work->changed);
    for (int change = 0; change < CHANGED; change++) {
        BASE_TRY(sum_rewards(work, change_time(work, demo, change), "demonstration",
                             &work->sums[index * CHANGED + (size_t)change]));
    }
    return TOT_OK;
}

// --- results -----------------------------------------------------------------------------------

static double unit_of(const own_work *work, size_t index) {
    const double whole = fabs(work->sums[index * CHANGED + WHOLE]);
    return whole > 0 ? whole : 1;
}

static void fill_row(const own_work *work, int change) {
    static const char *const names[CHANGED] = {
        "whole demonstration", "stopped at 25 %",           "stopped at 50 %", "stopped at 75 %",
        "stopped at 90 %",     "frozen at the first frame", "played backwards"};
    const double count = (double)work->demo_count;
    double sum = 0;
    double squares = 0;
    double below = 0;
    for (size_t k = 0; k < work->demo_count; k++) {
        const double *sums = work->sums + k * CHANGED;
        const double value = sums[change] / unit_of(work, k);
        sum += value;
        squares += value * value;
        below += sums[change] < sums[WHOLE] ? 1 : 0;
    }
    const double mean = sum / count;
    work->probe->rows[change] =
        (tot_probe_row){.name = names[change],
                        .before = -1,
                        .mean = mean,
                        .deviation = sqrt(fmax(squares / count - mean * mean, 0)),
                        .below = below / count,
                        .success = NAN};
}

// Spearman's rank correlation of the sums with progress.
static double rank_correlation(const double *sums) {
    enum { PLACES = STOPS + 2 };
    // in order of progress
    const double ordered[PLACES] = {sums[STILL], sums[1], sums[2], sums[3], sums[4], sums[WHOLE]};
    double squares = 0;
    for (int k = 0; k < PLACES; k++) {
        double rank = 0;
        for (int other = 0; other < PLACES; other++) {
            rank += ordered[other] < ordered[k]                  ? 1
                    : ordered[other] == ordered[k] && other != k ? 0.5
                                                                 : 0;
        }
        squares += (rank - k) * (rank - k);
    }
    return 1 - 6 * squares / (PLACES * (PLACES * PLACES - 1.0));
}

static void conclude(own_work *work) {
    tot_own_probe *probe = work->probe;
    for (int change = 0; change < CHANGED; change++) {
        fill_row(work, change);
    }
    for (size_t k = 0; k < work->demo_count; k++) {
        probe->correlation += rank_correlation(work->sums + k * CHANGED) / (double)work->demo_count;
    }
    const double range = probe->rows[WHOLE].mean - probe->rows[1].mean;
    probe->last = range > 0 ? (probe->rows[WHOLE].mean - probe->rows[STOPS].mean) / range : NAN;
}

static tot_status rank_episodes(own_work *work, const tot_embeddings *episodes,
                                const char *const *names, size_t count) {
    double unit = 0;
    for (size_t k = 0; k < work->demo_count; k++) {
        unit += unit_of(work, k) / (double)work->demo_count;
    }
    BASE_TRY(open_labeler(work, SIZE_MAX));
    for (size_t k = 0; k < count; k++) {
        double sum = 0;
        double below = 0;
        BASE_TRY(sum_rewards(work, episodes[k], names[k], &sum));
        for (size_t d = 0; d < work->demo_count; d++) {
            below += sum < work->sums[d * CHANGED + WHOLE] ? 1 : 0;
        }
        work->probe->rows[CHANGED + k] = (tot_probe_row){.name = names[k],
                                                         .before = -1,
                                                         .mean = sum / unit,
                                                         .below = below / (double)work->demo_count,
                                                         .success = NAN};
    }
    return TOT_OK;
}

// --- public functions --------------------------------------------------------------------------

static tot_status run(own_work *work, const tot_embeddings *episodes, const char *const *names,
                      size_t count) {
    work->sums = base_alloc(work->demo_count * CHANGED, sizeof *work->sums, "probe");
    work->probe->rows = base_alloc_zero(CHANGED + count, sizeof *work->probe->rows, "probe");
    BASE_HAVE(work->sums, work->probe->rows);
    work->probe->row_count = CHANGED + count;
    for (size_t k = 0; k < work->demo_count; k++) {
        BASE_TRY(rank_demo(work, k));
    }
    conclude(work);
    return rank_episodes(work, episodes, names, count);
}

tot_status tot_own_probe_run(tot_own_probe **probe, const tot_embeddings *demos, size_t demo_count,
                             const tot_embeddings *episodes, const char *const *names, size_t count,
                             const tot_reward_config *reward) {
    BASE_NEED(probe, demos, reward);
    *probe = NULL;
    if (count > 0) {
        BASE_NEED(episodes, names);
    }
    BASE_FAIL_IF(demo_count == 0, TOT_E_ARGUMENT, "probe: no demonstration");
    own_work work = {.demos = demos, .demo_count = demo_count, .reward = reward};
    BASE_ALLOC_ZERO(work.probe, 1, "probe");
    const tot_status status = run(&work, episodes, names, count);
    close_labeler(&work);
    BASE_RELEASE(work.changed, work.sums);
    BASE_GIVE(status, probe, work.probe, tot_own_probe_free);
}

BASE_GETTER(size_t, tot_own_probe_row_count, tot_own_probe, probe, 0, probe->row_count)

BASE_ITEM(const tot_probe_row *, tot_own_probe_row_at, tot_own_probe, probe, probe->row_count,
          &probe->rows[index])

BASE_GETTER(double, tot_own_probe_correlation, tot_own_probe, probe, 0, probe->correlation)
BASE_GETTER(double, tot_own_probe_last, tot_own_probe, probe, 0, probe->last)

void tot_own_probe_free(tot_own_probe *probe) {
    BASE_UNLESS_NULL(probe);
    BASE_RELEASE(probe->rows, probe);
}
