// Creates the misaligned demonstrations of a study once, and stores them in files.
#include <unistd.h>

#include "base/base.h"
#include "demo/trajectory.h"
#include "study/cells.h"
#include "study/reproduce.h"
#include "train/demonstrations.h"

// --- altered speed -----------------------------------------------------------------------------

enum { SECTIONS = 5, RATES = 5, SLOWEST = 6 };

// How a section is changed: every `skip`-th step is kept and repeated `repeat` times.
typedef struct pace {
    int64_t skip, repeat;
} pace;

static void draw_paces(pace paces[SECTIONS], tot_random *random) {
    int order[SECTIONS];
    for (int k = 0; k < SECTIONS; k++) {
        order[k] = k;
        paces[k] = (pace){1, 1};
    }
    const int count = 1 + (int)tot_random_below(random, SECTIONS);
    for (int k = 0; k < count; k++) {
        // choose the k-th section among those not chosen yet
        const int other = k + (int)tot_random_below(random, (uint64_t)(SECTIONS - k));
        const int chosen = order[other];
        order[other] = order[k];
        order[k] = chosen;
        const bool fast = tot_random_below(random, 2) == 0;
        const int64_t rate = 1 + (int64_t)tot_random_below(random, RATES);
        paces[chosen] = fast ? (pace){2 * rate, 1} : (pace){1, 1 + rate};
    }
}

// Number of steps until success has held for a tenth of them; all steps if it never does.
static int64_t cut_length(const tot_trajectory *whole) {
    const int64_t tenth = whole->steps / 10 > 0 ? whole->steps / 10 : 1;
    int64_t held = 0;
    for (int64_t k = 0; k < whole->steps; k++) {
        held = whole->success[k] != 0 ? held + 1 : 0;
        if (held >= tenth) {
            return k + 1;
        }
    }
    return whole->steps;
}

// Lists the original step for each new step; returns their number.
static int64_t list_steps(int64_t *list, int64_t length, const pace paces[SECTIONS]) {
    int64_t count = 0;
    for (int section = 0; section < SECTIONS; section++) {
        const int64_t first = length * section / SECTIONS;
        const int64_t behind = length * (section + 1) / SECTIONS;
        for (int64_t k = first; k < behind; k += paces[section].skip) {
            for (int64_t again = 0; again < paces[section].repeat; again++) {
                list[count++] = k;
            }
        }
    }
    return count;
}

static void copy_steps(tot_trajectory *out, const tot_trajectory *whole, const int64_t *list,
                       int64_t last) {
    const tot_array *frames = &whole->frames;
    const size_t picture = (size_t)(frames->shape[1] * frames->shape[2] * frames->shape[3]);
    for (int64_t k = 0; k <= out->steps; k++) {
        const int64_t from = k < out->steps ? list[k] : last;
        memcpy(out->observations + k * TOT_OBSERVATION,
               whole->observations + from * TOT_OBSERVATION, TOT_OBSERVATION * sizeof(double));
        // success k belongs to observation k + 1
        if (k > 0) {
            out->success[k - 1] = from > 0 ? whole->success[from - 1] : 0;
        }
        if (k < out->steps) {
            memcpy(out->actions + k * TOT_ACTION, whole->actions + from * TOT_ACTION,
                   TOT_ACTION * sizeof(float));
        }
        if (k < out->steps && frames->data != NULL) {
            memcpy((uint8_t *)out->frames.data + (size_t)k * picture,
                   (const uint8_t *)frames->data + (size_t)from * picture, picture);
        }
    }
}

static tot_status allocate(tot_trajectory *out, const tot_trajectory *whole, int64_t steps) {
    BASE_TRY(demo_trajectory_allocate(out, steps));
    memcpy(out->rand_vec, whole->rand_vec, sizeof out->rand_vec);
    out->draw_length = whole->draw_length;
    out->seed = whole->seed;
    out->episode = whole->episode;
    out->attempts = whole->attempts;
    const int64_t *shape = whole->frames.shape;
    return whole->frames.data != NULL
               ? demo_frames_allocate(&out->frames, steps, shape[1], shape[2])
               : TOT_OK;
}

tot_status study_trajectory_misalign(tot_trajectory *out, const tot_trajectory *whole,
                                     tot_random *random) {
    pace paces[SECTIONS];
    tot_trajectory_free(out);
    const int64_t length = cut_length(whole);
    BASE_FAIL_IF(length < SECTIONS, TOT_E_ARGUMENT,
                 "a demonstration of %lld steps is too short for five sections", (long long)length);
    draw_paces(paces, random);
    int64_t *list = base_alloc((size_t)length * SLOWEST, sizeof *list, "steps");
    BASE_HAVE(list);
    const int64_t steps = list_steps(list, length, paces);
    const tot_status status = allocate(out, whole, steps);
    if (status == TOT_OK) {
        copy_steps(out, whole, list, length);
    } else {
        tot_trajectory_free(out);
    }
    base_free(list);
    return status;
}

// --- files -------------------------------------------------------------------------------------

typedef struct asking {
    bool (*ask)(void *context);
    void *context;
} asking;

static bool on_attempt(void *context, int64_t attempts, int64_t found) {
    const asking *whom = context;
    (void)attempts;
    (void)found;
    return whom->ask == NULL || !whom->ask(whom->context);
}

static tot_status collect(tot_recording *recording, const tot_task *task,
                          const tot_train_config *config, asking *whom) {
    tot_train_config plain = *config;
    plain.demo_speed = 1;  // misaligning changes the speed
    const train_demonstrations_request request = {
        .config = &plain, .task = task, .progress = on_attempt, .progress_context = whom};
    train_views views;
    BASE_TRY(train_views_of(&views, config));
    return train_demonstrations_collect(
        recording, &request, config->cost_on == TOT_COST_ON_IMAGE ? views.encoder.view : NULL,
        views.encoder.count);
}

static tot_status misalign_all(tot_recording *changed, const tot_recording *whole,
                               const tot_train_config *config) {
    tot_random random;
    tot_random_init(&random, (uint64_t)config->demo_seed, "misalign");
    changed->meta = whole->meta;
    for (size_t k = 0; k < whole->count; k++) {
        tot_trajectory one = {0};
        BASE_TRY(study_trajectory_misalign(&one, &whole->trajectories[k], &random));
        const tot_status status = tot_recording_add(changed, &one);
        tot_trajectory_free(&one);
        BASE_TRY(status);
    }
    return TOT_OK;
}

static tot_status make(const tot_train_config *config, asking *whom) {
    const tot_task_settings box = {.metaworld_box = config->metaworld_box == TOT_ON};
    tot_task *task = NULL;
    tot_recording whole = {0};
    tot_recording changed = {0};
    tot_status status = tot_task_load(&task, config->task, &box);
    BASE_THEN(status, collect(&whole, task, config, whom));
    BASE_THEN(status, misalign_all(&changed, &whole, config));
    BASE_THEN(status, tot_recording_save(&changed, config->demo));
    tot_recording_free(&changed);
    tot_recording_free(&whole);
    tot_task_free(task);
    return status;
}

tot_status study_reproduce_demos(const tot_sweep *sweep, bool (*ask)(void *context),
                                 void *context) {
    asking whom = {ask, context};
    char folder[TRAIN_PATH];
    for (size_t k = 0; k < sweep->count; k++) {
        const study_sweep_cell *cell = sweep->cells[k];
        const char *path = cell->config.demo;
        if (strstr(path, "/misaligned.npz") == NULL || cell->info.state == TOT_CELL_LEFT_OUT ||
            access(path, F_OK) == 0) {
            continue;
        }
        snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
        BASE_TRY(train_make_folder(folder));
        BASE_TRY(make(&cell->config, &whom));
    }
    return TOT_OK;
}
