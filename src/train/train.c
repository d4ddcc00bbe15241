// A run from its settings to its end: the folder, everything that is made before the loop, and what
// is left behind.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/parse.h"
#include "train/checkpoint.h"
#include "train/folder.h"
#include "train/run.h"
#include "train/settings.h"

// multiply-adds of a hidden layer, over the batch
enum { SMALL_UPDATE = 4 << 20 };

double tot_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double tot_wall_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

tot_status tot_train_check(const tot_train_config *config) {
    const tot_task_info *task = NULL;
    tot_train_method method;
    if (config->task[0] == '\0') {
        return tot_fail(TOT_E_ARGUMENT, "task: none is set");
    }
    TOT_TRY(tot_task_find(&task, config->task));
    TOT_TRY(tot_train_method_find(&method, config->method));
    TOT_TRY(tot_agent_config_check(&config->agent));
    TOT_TRY(tot_reward_config_check(&config->reward));
    const int64_t frames = config->horizon > 0 ? config->horizon : task->horizon;
    const int64_t steps = (frames + config->action_repeat - 1) / config->action_repeat;
    if (config->capacity < steps) {
        return tot_fail(TOT_E_ARGUMENT, "capacity: %lld transitions do not hold an episode of %lld",
                        (long long)config->capacity, (long long)steps);
    }
    return TOT_OK;
}

// --- the folder --------------------------------------------------------------------------------

// Settings of a run that is continued are those it began with.
static tot_status compare_config(tot_run *run) {
    tot_train_config begun;
    char was[TOT_TRAIN_TEXT];
    char is[TOT_TRAIN_TEXT];
    TOT_TRY(tot_train_config_of(&begun, run->folder));
    for (size_t k = 0; k < tot_train_parameter_count(); k++) {
        const char *name = tot_train_config_difference(&begun, &run->config);
        if (name == NULL) {
            return TOT_OK;
        }
        tot_train_get(&begun, name, was, sizeof was);
        tot_train_get(&run->config, name, is, sizeof is);
        if (run->options->resume != TOT_RESUME_APPROXIMATE) {
            return tot_fail(TOT_E_ARGUMENT,
                            "%s: began with %s %s, and cannot be continued bit for bit with %s; "
                            "--resume=approximate continues all the same",
                            run->folder, name, was, is);
        }
        tot_log(TOT_LOG_WARNING, "%s: was %s, is %s from now on", name, was, is);
        TOT_TRY(tot_train_set(&begun, name, is));
    }
    return TOT_OK;
}

// Makes and locks the folder; *continues: there is a checkpoint to go on from.
static tot_status open_folder(tot_run *run, bool *continues) {
    char videos[TOT_PATH];
    char sweep[TOT_PATH];
    TOT_TRY(tot_path(sweep, run->folder, "sweep.yaml"));
    if (access(sweep, F_OK) == 0) {
        return tot_fail(TOT_E_ARGUMENT, "%s: is the folder of a sweep; a run needs one of its own",
                        run->folder);
    }
    TOT_TRY(tot_make_folder(run->folder));
    TOT_TRY(tot_lock_folder(run->folder, &run->lock));
    *continues = tot_checkpoint_exists(run->folder);
    if (*continues && run->options->resume == TOT_RESUME_NO) {
        return tot_fail(TOT_E_FILE,
                        "%s: holds a run; --resume continues it, another --out begins "
                        "a new one",
                        run->folder);
    }
    TOT_TRY(tot_path(videos, run->folder, "videos"));
    TOT_TRY(run->config.video > 0 ? tot_make_folder(videos) : TOT_OK);
    return *continues ? compare_config(run) : tot_write_config(run->folder, &run->config);
}

// --- what the loop needs -----------------------------------------------------------------------

// A seed of its own for everything that is numbered by episodes: demonstrations, training and
// evaluation never share a draw.
static uint64_t derive_seed(int64_t seed, const char *name) {
    tot_random random;
    tot_random_init(&random, (uint64_t)seed, name);
    return tot_random_below(&random, UINT64_C(1) << 53);
}

static bool on_attempt(void *context, int64_t attempts, int64_t found) {
    tot_run *run = context;
    (void)attempts;
    tot_run_progress(run, "demonstrations", found, run->config.demos);
    return tot_run_ask(run) != TOT_TRAIN_STOP;
}

// Whether a step of the world runs beside an update. It does where the update is too small to gain
// from a second thread (the products of a layer of 256 units and 256 rows already do), and the
// pictures are drawn by our own renderer (OpenGL wants to stay on its thread).
static bool has_halves(const tot_run *run) {
    const tot_agent_config *agent = &run->config.agent;
    const bool small = agent->batch * agent->hidden * agent->hidden <= SMALL_UPDATE;
    return tot_pool_threads(run->pool) > 1 && run->method.acts && small &&
           run->config.obs == TOT_OBS_STATE && run->config.renderer == TOT_RENDERER_SOFT;
}

// What drawing and learning share their own work over: nothing where they run beside each other.
static tot_pool *pool_of_halves(const tot_run *run) {
    return run->halves != NULL ? NULL : run->pool;
}

static tot_status open_worlds(tot_run *run) {
    const tot_train_config *config = &run->config;
    const tot_task_settings box = {.metaworld_box = config->metaworld_box == 1};
    const tot_world_settings settings = {.action_repeat = (int)config->action_repeat,
                                         .horizon = (int)config->horizon};
    TOT_TRY(tot_pool_create(&run->pool, run->options->threads));
    TOT_TRY(has_halves(run) ? tot_pool_create(&run->halves, 2) : TOT_OK);
    TOT_TRY(tot_task_load(&run->task, config->task, &box));
    TOT_TRY(tot_world_create(&run->world, run->task, &settings));
    run->horizon = tot_world_steps(run->world);
    run->input = train_input_of(config, run->horizon);
    run->sees =
        (tot_replay_shape){.width = run->input.width,
                           .pixels = config->obs == TOT_OBS_PIXELS ? (int)config->pixels : 0};
    run->training_seed = derive_seed(config->seed, "training");
    run->evaluation_seed = derive_seed(config->seed, "evaluation");
    tot_ads_init(&run->ads, run->horizon);
    const bool frames = run->method.schedules && config->cost_on == TOT_COST_ON_IMAGE;
    return tot_evaluator_create(&run->evaluator, config, run->task, &run->eye.looks,
                                frames ? &run->eye : NULL, run->pool);
}

static tot_status open_teacher(tot_run *run) {
    const tot_train_config *config = &run->config;
    const tot_teacher_needs needs = {
        .config = config,
        .task = run->task,
        .method = &run->method,
        .input = &run->input,
        .sees = &run->sees,
        .pool = run->pool,
        .force = run->options->force,
        .progress = on_attempt,
        .progress_context = run,
    };
    TOT_TRY(tot_eye_open(&run->eye, config, run->method.shows_episodes, pool_of_halves(run)));
    TOT_TRY(tot_teacher_open(&run->teacher, &run->eye, &needs));
    const double *crop = run->eye.looks.agent.crop;
    run->state.crop_left = crop[0];
    run->state.crop_top = crop[1];
    run->state.crop_right = crop[2];
    run->state.crop_bottom = crop[3];
    TOT_TRY(tot_eye_open_agent(&run->eye, config, run->task));
    if (run->teacher.demos == NULL) {
        return TOT_OK;
    }
    tot_reward_config reward = config->reward;
    reward.scale = run->state.scale;
    return tot_labeler_create(&run->labeler, run->teacher.demos, &reward, run->pool);
}

static tot_status open_agent(tot_run *run) {
    const tot_train_config *config = &run->config;
    const int64_t batch = config->agent.clone_batch;
    TOT_TRY(tot_agent_create(&run->agent, &config->agent, &run->sees, (uint64_t)config->seed,
                             pool_of_halves(run)));
    TOT_TRY(run->method.imitates ? tot_agent_keep_clone(run->agent) : TOT_OK);
    TOT_TRY(tot_replay_create(&run->replay, &run->sees, config->capacity,
                              (size_t)config->replay_megabytes << 20));
    tot_replay_prefer(run->replay, config->best_share, config->best_of);
    TOT_TRY(tot_batch_create(&run->batch, &run->sees, config->agent.batch));
    if (run->method.clones || run->method.discriminates) {
        TOT_TRY(tot_batch_create(&run->expert_batch, &run->sees, batch));
    }
    if (run->method.discriminates) {
        TOT_TRY(tot_batch_create(&run->policy_batch, &run->sees, batch));
        run->mix = tot_alloc((size_t)batch, sizeof *run->mix, "mix");
        return run->mix != NULL ? TOT_OK : TOT_E_MEMORY;
    }
    return TOT_OK;
}

static tot_status open_episode(tot_run *run) {
    run_episode *episode = &run->episode;
    const size_t steps = (size_t)run->horizon;
    const size_t picture = run->eye.picture;
    const size_t glance = (size_t)run->sees.pixels * (size_t)run->sees.pixels * 3;
    episode->observations = tot_alloc(steps + 1, TOT_OBSERVATION * sizeof(float), "episode");
    episode->inputs = tot_alloc((steps + 1) * (size_t)TRAIN_MOST_INPUT, sizeof(float), "episode");
    episode->actions = tot_alloc(steps, TOT_ACTION * sizeof(float), "episode");
    episode->rewards = tot_alloc(steps, sizeof(float), "episode");
    episode->success = tot_alloc(steps, 1, "episode");
    run->embeddings = tot_alloc(steps * (size_t)run->eye.width, sizeof(float), "embeddings");
    bool whole = episode->observations != NULL && episode->inputs != NULL &&
                 episode->actions != NULL && episode->rewards != NULL && episode->success != NULL &&
                 run->embeddings != NULL;
    run->shown.rewards = tot_alloc(steps, sizeof(double), "episode");
    whole = whole && run->shown.rewards != NULL;
    if (run->eye.sees_pictures) {
        episode->frames = tot_alloc(steps, picture, "frames");
        run->shown.frames = tot_alloc(steps, picture, "frames");
        whole = whole && episode->frames != NULL && run->shown.frames != NULL;
    }
    if (run->sees.pixels > 0) {
        episode->pictures = tot_alloc(steps + 1, glance, "pictures");
        run->stack = tot_alloc(TOT_STACK, glance, "pictures");
        whole = whole && episode->pictures != NULL && run->stack != NULL;
    }
    return whole ? TOT_OK : TOT_E_MEMORY;
}

static void begin_state(tot_run *run) {
#define TOT_STATE(type, name, initial) run->state.name = initial;
#include "train/state.def"
#undef TOT_STATE
    tot_random_init(&run->exploration, (uint64_t)run->config.seed, "exploration");
    tot_random_init(&run->sampling, (uint64_t)run->config.seed, "replay");
    double scale = 1;
    if (strcmp(run->config.scale, "auto") != 0 &&
        tot_parse_real("scale", run->config.scale, &scale) == TOT_OK) {
        run->state.scale = scale;
        run->state.scaled = 1;
    }
}

// Puts back what a checkpoint does not hold itself.
static void settle(tot_run *run) {
    if (run->labeler != NULL) {
        tot_labeler_set_scale(run->labeler, run->state.scale);
    }
    if (run->state.finished == 1 && run->method.acts && run->state.step < run->steps) {
        run->state.finished = 0;
        run->extended = true;
    }
    if (run->state.ads_progress > 0) {
        run->ads.progress = run->state.ads_progress;
    }
}

static tot_status open_record(tot_run *run) {
    TOT_TRY(tot_record_open(&run->record, run->folder, run->state.rows, run->state.event_bytes));
    if (run->state.rows > 0) {
        const double *values = tot_record_values(run->record);
        run->wall_before =
            values[(run->state.rows - 1) * TOT_METRIC_COUNT + TOT_METRIC_wall_seconds];
    }
    run->began = tot_seconds();
    run->saved = run->began;
    run->began_at = run->state.cloned + run->state.step;
    return TOT_OK;
}

// --- status.json -------------------------------------------------------------------------------

tot_status train_tell_status(const tot_run *run, train_state state, const char *error) {
    train_status status = {.state = state,
                           .step = run->state.step,
                           .steps = run->steps,
                           .resume = tot_checkpoint_exists(run->folder)};
    snprintf(status.error, sizeof status.error, "%s", error);
    return train_status_write(run->folder, &status);
}

// How a run ended. What went wrong stays the error, whatever becomes of the file.
static tot_status tell_end(const tot_run *run, tot_status status) {
    char error[sizeof((train_status *)NULL)->error] = "";
    if (!run->told) {
        return status;  // refused: the folder's own run stands where it stood
    }
    if (status == TOT_OK) {
        return train_tell_status(run, TRAIN_FINISHED, "");
    }
    snprintf(error, sizeof error, "%s", tot_error());
    const train_state state = status == TOT_E_INTERRUPTED ? TRAIN_STOPPED : TRAIN_FAILED;
    if (train_tell_status(run, state, state == TRAIN_FAILED ? error : "") != TOT_OK) {
        tot_log(TOT_LOG_WARNING, "%s", tot_error());
    }
    return tot_fail(status, "%s", error);
}

// --- from beginning to end ---------------------------------------------------------------------

static tot_status prepare(tot_run *run, bool *continues) {
    TOT_TRY(tot_train_check(&run->config));
    TOT_TRY(tot_train_method_find(&run->method, run->config.method));
    run->steps = run->method.acts ? run->config.steps : run->config.clone_updates;
    TOT_TRY(open_folder(run, continues));
    begin_state(run);
    TOT_TRY(train_tell_status(run, TRAIN_RUNNING, ""));
    run->told = true;
    TOT_TRY(open_worlds(run));
    TOT_TRY(open_teacher(run));
    TOT_TRY(open_agent(run));
    TOT_TRY(open_episode(run));
    if (*continues) {
        const bool approximate = run->options->resume == TOT_RESUME_APPROXIMATE;
        TOT_TRY(tot_checkpoint_load(run, approximate));
        settle(run);
        // only now: settings that do not fit the checkpoint must not stay
        TOT_TRY(approximate ? tot_write_config(run->folder, &run->config) : TOT_OK);
    }
    return open_record(run);
}

static void close_run(tot_run *run) {
    tot_record_close(run->record);
    tot_free(run->episode.observations);
    tot_free(run->episode.inputs);
    tot_free(run->episode.actions);
    tot_free(run->episode.rewards);
    tot_free(run->episode.success);
    tot_free(run->episode.frames);
    tot_free(run->episode.pictures);
    tot_free(run->shown.frames);
    tot_free(run->shown.rewards);
    tot_free(run->stack);
    tot_free(run->embeddings);
    tot_free(run->mix);
    tot_batch_free(&run->batch);
    tot_batch_free(&run->expert_batch);
    tot_batch_free(&run->policy_batch);
    tot_replay_free(run->replay);
    tot_agent_free(run->agent);
    tot_labeler_free(run->labeler);
    tot_teacher_close(&run->teacher);
    tot_evaluator_free(run->evaluator);
    tot_eye_close(&run->eye);
    tot_world_free(run->world);
    tot_task_free(run->task);
    tot_pool_free(run->halves);
    tot_pool_free(run->pool);
    if (run->lock >= 0) {
        close(run->lock);
    }
}

tot_status tot_train(const tot_train_config *config, const tot_train_options *options,
                     tot_train_result *result) {
    tot_run *run = tot_alloc_zero(1, sizeof *run, "run");
    if (run == NULL) {
        return TOT_E_MEMORY;
    }
    run->config = *config;
    run->options = options;
    run->folder = options->folder;
    run->lock = -1;
    run->began = tot_seconds();
    run->state.success_rate = NAN;
    bool continues = false;
    tot_status status = prepare(run, &continues);
    const int64_t resumed_at = continues ? run->state.step : 0;
    const bool was_finished = status == TOT_OK && run->state.finished == 1;
    if (status == TOT_OK && !was_finished) {
        status = tot_run_loop(run);
    }
    status = tell_end(run, status);
    if (result != NULL) {
        *result = (tot_train_result){.step = run->state.step,
                                     .resumed_at = resumed_at,
                                     .was_finished = was_finished,
                                     .success_rate = run->state.success_rate};
    }
    close_run(run);
    tot_free(run);
    return status;
}
