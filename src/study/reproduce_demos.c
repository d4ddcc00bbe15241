// Creates the misaligned demonstrations of a study once, and stores them in files.
#include <unistd.h>

#include "base/base.h"
#include "study/cells.h"
#include "study/misalign.h"
#include "study/reproduce.h"
#include "train/demonstrations.h"

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
        recording, &request, config->cost_on == TOT_COST_ON_IMAGE ? views.view : NULL, views.count);
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
    const tot_task_settings box = {.metaworld_box = config->metaworld_box == 1};
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
