// Flat API: demonstrations, training and trained policies.

#include <temporalot/demo.h>
#include <temporalot/train.h>

#include "base/base.h"
#include "flat/flat.h"

// --- demonstrations ----------------------------------------------------------------------------

typedef struct collecting {
    tot_collect_settings settings;
    flat_picture picture;
    bool pictures;
    tot_train_config run;  // only view, view_margin and hand_margin are used
} collecting;

static const base_setting settings_of_collecting[] = {
    FLAT_COUNT(collecting, "count", settings.count),
    FLAT_COUNT(collecting, "seed", settings.seed),
    FLAT_COUNT(collecting, "speed", settings.speed),
    FLAT_WORD(collecting, "hold", settings.hold, TOT_HOLD_WORDS),
    FLAT_COUNT(collecting, "attempts", settings.attempts),
    FLAT_COUNT(collecting, "choose", settings.choose),
    FLAT_WORD(collecting, "pictures", pictures, TOT_SWITCH_WORDS),
};

static tot_status take_collect_setting(void *context, const char *name, const char *value) {
    static const char *const of_runs[] = {"view", "view_margin", "hand_margin", NULL};
    static const flat_table table = {"collect", settings_of_collecting,
                                     BASE_LENGTH(settings_of_collecting), of_runs};
    collecting *work = context;
    for (size_t k = 0; of_runs[k] != NULL; k++) {
        if (strcmp(name, of_runs[k]) == 0) {
            return tot_train_set(&work->run, name, value);
        }
    }
    return flat_set(&table, work, &work->picture, name, value);
}

tot_status tot_flat_collect(const char *path, const char *task_name, const char *settings,
                            int threads,
                            bool (*progress)(void *context, int64_t attempts, int64_t found),
                            void *context) {
    collecting work = {0};
    tot_views views;
    flat_threads pool;
    tot_task *task = NULL;
    tot_recording recording = {0};
    BASE_NEED(path, task_name);
    tot_collect_defaults(&work.settings);
    tot_train_defaults(&work.run);
    tot_picture_defaults(&work.picture.settings);
    work.settings.progress = progress;
    work.settings.progress_context = context;
    BASE_TRY(flat_settings(settings, take_collect_setting, &work));
    BASE_TRY(tot_views_read(&views, work.picture.settings.camera, (tot_view)work.run.view,
                            work.run.hand_margin, &work.picture.settings));
    work.settings.fit_margin = work.run.view_margin;
    work.settings.views = views.count;
    work.settings.pictures = work.pictures ? views.view : NULL;
    BASE_TRY(flat_threads_init(&pool, threads));
    BASE_TRY(flat_threads_start(&pool));
    work.settings.pool = pool.pool;
    tot_status status = tot_task_load(&task, task_name, NULL);
    BASE_THEN(status, tot_collect(&recording, task, &work.settings));
    BASE_THEN(status, tot_recording_save(&recording, path));
    tot_recording_free(&recording);
    tot_task_free(task);
    flat_threads_free(&pool);
    return status;
}

// --- training ----------------------------------------------------------------------------------

static tot_status take_train_setting(void *context, const char *name, const char *value) {
    return tot_train_set(context, name, value);
}

static tot_status configure(tot_train_config *config, const char *preset, const char *settings) {
    tot_train_defaults(config);
    if (preset != NULL) {
        BASE_TRY(tot_train_preset(config, preset));
    }
    BASE_TRY(flat_settings(settings, take_train_setting, config));
    return tot_train_check(config);
}

tot_status tot_flat_train_setting(const char *preset, const char *settings, const char *name,
                                  char *text, size_t size) {
    BASE_NEW(tot_train_config, config, "settings");
    tot_status status = configure(config, preset, settings);
    if (status == TOT_OK && name != NULL) {
        status = tot_train_get(config, name, text, size);
    }
    base_free(config);
    return status;
}

typedef struct callbacks {
    int (*ask)(void *context);
    void (*progress)(void *context, const char *doing, const double *numbers);
    void *context;
} callbacks;

static tot_train_command on_ask(void *context) {
    const callbacks *call = context;
    const int request = call->ask(call->context);
    return request == 1 ? TOT_TRAIN_SAVE : request == 2 ? TOT_TRAIN_STOP : TOT_TRAIN_GO;
}

static void on_progress(void *context, const tot_train_progress *progress) {
    const callbacks *call = context;
    const double numbers[] = {(double)progress->done, (double)progress->total,
                              progress->per_second,   progress->seconds_left,
                              progress->success_rate, progress->episode_return};
    call->progress(call->context, progress->doing, numbers);
}

tot_status tot_flat_train(const char *folder, const char *preset, const char *settings, int threads,
                          int resume, int (*ask)(void *context),
                          void (*progress)(void *context, const char *doing, const double *numbers),
                          void *context) {
    BASE_NEED(folder);
    BASE_FAIL_IF(resume < 0 || resume > 2, TOT_E_ARGUMENT, "train: a resume that is not 0, 1 or 2");
    callbacks call = {ask, progress, context};
    const tot_train_options options = {
        .folder = folder,
        .threads = threads,
        .resume = (tot_resume)resume,
        .ask = ask != NULL ? on_ask : NULL,
        .progress = progress != NULL ? on_progress : NULL,
        .context = &call,
    };
    BASE_NEW(tot_train_config, config, "settings");
    tot_status status = configure(config, preset, settings);
    BASE_THEN(status, tot_train(config, &options, NULL));
    base_free(config);
    return status;
}

tot_status tot_flat_run_setting(const char *folder, const char *name, char *text, size_t size) {
    BASE_NEED(folder, name, text);
    BASE_NEW(tot_train_config, config, "settings");
    tot_status status = tot_train_config_of(config, folder);
    BASE_THEN(status, tot_train_get(config, name, text, size));
    base_free(config);
    return status;
}

// --- trained policies --------------------------------------------------------------------------

struct tot_flat_policy {
    tot_player *player;
};

tot_status tot_flat_policy_load(tot_flat_policy **out, const char *folder) {
    BASE_NEED(out, folder);
    *out = NULL;
    BASE_NEW(tot_flat_policy, policy, "policy");
    BASE_GIVE(tot_player_load(&policy->player, folder, NULL), out, policy, tot_flat_policy_free);
}

BASE_GETTER(int64_t, tot_flat_policy_step, tot_flat_policy, policy, 0,
            tot_player_step(policy->player))

tot_status tot_flat_policy_act(tot_flat_policy *policy, const float *observations,
                               const uint8_t *pictures, const int64_t *steps, int64_t count,
                               float *actions) {
    BASE_FAIL_IF(policy == NULL || actions == NULL || count < 1, TOT_E_ARGUMENT,
                 "policy: nothing to act on");
    return tot_player_act(policy->player, observations, pictures, steps, count, actions);
}

void tot_flat_policy_free(tot_flat_policy *policy) {
    BASE_UNLESS_NULL(policy);
    tot_player_free(policy->player);
    base_free(policy);
}
