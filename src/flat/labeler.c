// Flat API: rewards, with one labeler per thread behind a single handle.

#include <temporalot/reward.h>

#include "base/base.h"
#include "flat/flat.h"

// Below this number of products, labelling an episode is faster than waking up threads.
static const int64_t LARGE = 1 << 24;

struct tot_flat_labeler {
    tot_demos *demos;
    tot_reward_config config;
    int64_t all_steps;  // total steps of all demonstrations
    int64_t longest;
    bool auto_scale;  // the scale is not known before the first episode
    flat_threads threads;
    tot_labeler **own;  // [threads]: one per worker, for whole episodes
    tot_labeler *wide;  // uses all threads of the pool for one episode
};

// --- creation and destruction ------------------------------------------------------------------

static tot_status take_setting(void *context, const char *name, const char *value) {
    tot_flat_labeler *labeler = context;
    if (strcmp(name, "scale") == 0 && strcmp(value, "auto") == 0) {
        labeler->auto_scale = true;
        return TOT_OK;
    }
    return tot_reward_set(&labeler->config, name, value);
}

static tot_status set_up(tot_flat_labeler *labeler, const char *method, const char *settings,
                         int threads) {
    BASE_TRY(tot_reward_config_for(&labeler->config, method));
    BASE_TRY(flat_settings(settings, take_setting, labeler));
    BASE_TRY(tot_reward_config_check(&labeler->config));
    BASE_TRY(flat_threads_init(&labeler->threads, threads));
    BASE_ALLOC_ZERO(labeler->own, (size_t)labeler->threads.count, "labelers");
    return tot_demos_create(&labeler->demos);
}

tot_status tot_flat_labeler_create(tot_flat_labeler **out, const char *method, const char *settings,
                                   int threads) {
    BASE_NEED(out, method);
    *out = NULL;
    BASE_NEW(tot_flat_labeler, labeler, "labeler");
    BASE_GIVE(set_up(labeler, method, settings, threads), out, labeler, tot_flat_labeler_free);
}

void tot_flat_labeler_free(tot_flat_labeler *labeler) {
    BASE_UNLESS_NULL(labeler);
    for (int k = 0; labeler->own != NULL && k < labeler->threads.count; k++) {
        tot_labeler_free(labeler->own[k]);
    }
    if (!flat_threads_stale(&labeler->threads)) {
        tot_labeler_free(labeler->wide);
    }
    flat_threads_free(&labeler->threads);
    tot_demos_free(labeler->demos);
    BASE_RELEASE(labeler->own, labeler);
}

static tot_status view_of(tot_embeddings *view, const void *data, int bytes, int64_t steps,
                          int64_t width, const char *name) {
    BASE_FAIL_IF(data == NULL || steps < 1 || width < 1, TOT_E_SHAPE,
                 "%s: %lld steps of %lld numbers: there must be some", name, (long long)steps,
                 (long long)width);
    BASE_FAIL_IF(bytes != sizeof(float) && bytes != sizeof(double), TOT_E_ARGUMENT,
                 "%s: numbers of %d bytes are neither float32 nor float64", name, bytes);
    *view = bytes == sizeof(float) ? tot_embeddings_f32(data, steps, width)
                                   : tot_embeddings_f64(data, steps, width);
    return TOT_OK;
}

tot_status tot_flat_labeler_add(tot_flat_labeler *labeler, const void *demo, int bytes,
                                int64_t steps, int64_t width, const char *name) {
    BASE_NEED(labeler);
    BASE_FAIL_IF(labeler->own[0] != NULL || labeler->wide != NULL, TOT_E_ARGUMENT,
                 "demonstrations: none can be added once an episode was labelled");
    tot_embeddings view;
    BASE_TRY(view_of(&view, demo, bytes, steps, width, name != NULL ? name : "demonstration"));
    BASE_TRY(tot_demos_add(labeler->demos, view, name != NULL ? name : "demonstration"));
    labeler->all_steps += steps;
    labeler->longest = steps > labeler->longest ? steps : labeler->longest;
    return TOT_OK;
}

BASE_GETTER(int64_t, tot_flat_labeler_demos, tot_flat_labeler, labeler, 0,
            tot_demos_count(labeler->demos))
BASE_GETTER(int64_t, tot_flat_labeler_width, tot_flat_labeler, labeler, 0,
            tot_demos_width(labeler->demos))
BASE_GETTER(int64_t, tot_flat_labeler_longest, tot_flat_labeler, labeler, 0, labeler->longest)
BASE_GETTER(bool, tot_flat_labeler_has_plan, tot_flat_labeler, labeler, false,
            tot_method_has_plan(labeler->config.method))

int64_t tot_flat_labeler_steps(const tot_flat_labeler *labeler, int64_t demo) {
    const bool there = demo >= 0 && demo < tot_flat_labeler_demos(labeler);
    return there ? tot_demos_steps(labeler->demos, demo) : 0;
}

// --- facts about an episode --------------------------------------------------------------------

static const char *const FACTS[] = {"demo",      "sum",          "iterations", "marginal_error",
                                    "converged", "mass_outside", "scale"};
enum { FACT_COUNT = BASE_LENGTH(FACTS) };

int tot_flat_fact_count(void) {
    return FACT_COUNT;
}

const char *tot_flat_fact_name(int index) {
    return index >= 0 && index < FACT_COUNT ? FACTS[index] : NULL;
}

static void write_facts(double *facts, const tot_label_info *info, double scale) {
    const double values[FACT_COUNT] = {(double)info->demo,
                                       info->sum,
                                       (double)info->iterations,
                                       info->marginal_error,
                                       info->converged ? 1 : 0,
                                       info->mass_outside,
                                       scale};
    memcpy(facts, values, sizeof values);
}

// --- labelling ---------------------------------------------------------------------------------

typedef struct labelling {
    tot_flat_labeler *labeler;
    const void *const *episodes;
    const int *bytes;
    const int64_t *steps;
    int64_t width;
    int64_t first;  // the episode of job 0
    int64_t count;
    float *const *rewards;
    float *const *progress;
    double *const *costs;
    double *const *masks;
    double *const *plans;
    double *facts;
} labelling;

// out: NULL, or a matrix per episode.
static tot_status write_matrix(const tot_labeler *labeler, double *const *out, int64_t k,
                               tot_status (*matrix)(const tot_labeler *, tot_array *)) {
    tot_array array = {0};
    if (out == NULL) {
        return TOT_OK;
    }
    BASE_TRY(matrix(labeler, &array));
    memcpy(out[k], array.data, (size_t)tot_array_count(&array) * sizeof **out);
    tot_array_free(&array);
    return TOT_OK;
}

static tot_status label_with(const labelling *work, tot_labeler *labeler, int64_t k) {
    char name[FLAT_NAME] = "episode";
    if (work->count > 1) {
        snprintf(name, sizeof name, "episode %lld", (long long)k);
    }
    tot_embeddings view;
    tot_label_info info;
    BASE_TRY(view_of(&view, work->episodes[k], work->bytes[k], work->steps[k], work->width, name));
    BASE_TRY(tot_label(labeler, view, name, work->rewards[k], &info));
    if (work->facts != NULL) {
        write_facts(work->facts + FACT_COUNT * k, &info, work->labeler->config.scale);
    }
    if (work->progress != NULL) {
        BASE_TRY(tot_labeler_progress(labeler, view, name, work->progress[k]));
    }
    BASE_TRY(write_matrix(labeler, work->costs, k, tot_labeler_cost));
    BASE_TRY(write_matrix(labeler, work->masks, k, tot_labeler_mask));
    BASE_TRY(write_matrix(labeler, work->plans, k, tot_labeler_plan));
    // as in the paper's code: the first episode keeps scale 1 and determines that of all others
    if (work->labeler->auto_scale) {
        work->labeler->config.scale = tot_scale_auto(info.sum);
        work->labeler->auto_scale = false;
        tot_labeler_set_scale(labeler, work->labeler->config.scale);
    }
    return TOT_OK;
}

static tot_status own_labeler(tot_flat_labeler *labeler, int worker) {
    if (labeler->own[worker] != NULL) {
        tot_labeler_set_scale(labeler->own[worker], labeler->config.scale);
        return TOT_OK;
    }
    return tot_labeler_create(&labeler->own[worker], labeler->demos, &labeler->config, NULL);
}

static tot_status label_job(void *context, size_t index, int worker) {
    const labelling *work = context;
    BASE_TRY(own_labeler(work->labeler, worker));
    return label_with(work, work->labeler->own[worker], work->first + (int64_t)index);
}

static bool is_large(const tot_flat_labeler *labeler, int64_t steps, int64_t width) {
    return labeler->threads.count > 1 &&
           (double)steps * (double)width * (double)labeler->all_steps > (double)LARGE;
}

// After a fork, the labeler that uses all threads belongs to threads that no longer exist.
static tot_status start_threads(tot_flat_labeler *labeler) {
    if (flat_threads_stale(&labeler->threads)) {
        labeler->wide = NULL;
    }
    return flat_threads_start(&labeler->threads);
}

static tot_status label_one(const labelling *work) {
    tot_flat_labeler *labeler = work->labeler;
    if (!is_large(labeler, work->steps[work->first], work->width)) {
        return label_job((void *)work, 0, 0);
    }
    BASE_TRY(start_threads(labeler));
    if (labeler->wide == NULL) {
        BASE_TRY(tot_labeler_create(&labeler->wide, labeler->demos, &labeler->config,
                                    labeler->threads.pool));
    }
    tot_labeler_set_scale(labeler->wide, labeler->config.scale);
    return label_with(work, labeler->wide, work->first);
}

tot_status tot_flat_label(tot_flat_labeler *labeler, int64_t count, const void *const *episodes,
                          const int *bytes, const int64_t *steps, int64_t width,
                          float *const *rewards, float *const *progress, double *const *costs,
                          double *const *masks, double *const *plans, double *facts) {
    BASE_NEED(labeler, episodes, bytes, steps, rewards);
    labelling work = {labeler, episodes, bytes, steps, width, 0,    count,
                      rewards, progress, costs, masks, plans, facts};
    if (count > 0 && (count == 1 || labeler->auto_scale)) {
        BASE_TRY(label_one(&work));
        work.first = 1;
    }
    if (work.first >= count) {
        return TOT_OK;
    }
    BASE_TRY(start_threads(labeler));
    return tot_pool_run(labeler->threads.pool, (size_t)(count - work.first), label_job, &work);
}

// --- the table of methods ----------------------------------------------------------------------

const char *tot_flat_method(size_t index) {
    return index < tot_method_count() ? tot_method_name(tot_method_at(index)) : NULL;
}

const char *tot_flat_method_help(size_t index) {
    return index < tot_method_count() ? tot_method_help(tot_method_at(index)) : NULL;
}
