// A run from its settings to its end: the folder, everything created before the loop, and the final
// state.
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "train/checkpoint.h"
#include "train/folder.h"
#include "train/run.h"
#include "train/settings.h"

// multiply-adds per hidden layer and batch
enum { SMALL_UPDATE = 4 << 20 };

static double read_clock(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double train_seconds(void) {
    return read_clock(CLOCK_MONOTONIC);
}

double train_wall_seconds(void) {
    return read_clock(CLOCK_REALTIME);
}

tot_status tot_train_check(const tot_train_config *config) {
    BASE_NEED(config);
    const tot_task_info *task = NULL;
    tot_train_method method;
    BASE_FAIL_IF(config->task[0] == '\0', TOT_E_ARGUMENT, "task: none is set");
    BASE_TRY(tot_task_find(&task, config->task));
    BASE_TRY(tot_train_method_find(&method, config->method));
    BASE_TRY(tot_agent_config_check(&config->agent));
    BASE_TRY(tot_reward_config_check(&config->reward));
    const int64_t frames = config->horizon > 0 ? config->horizon : task->horizon;
    const int64_t steps = (frames + config->action_repeat - 1) / config->action_repeat;
    BASE_FAIL_IF(config->capacity < steps, TOT_E_ARGUMENT,
                 "capacity: %lld transitions cannot hold an episode of %lld",
                 (long long)config->capacity, (long long)steps);
    return TOT_OK;
}

// --- the folder --------------------------------------------------------------------------------

// A resumed run must have the settings it started with.
static tot_status compare_config(train_run *run) {
    tot_train_config begun;
    char was[TOT_TRAIN_TEXT];
    char is[TOT_TRAIN_TEXT];
    BASE_TRY(tot_train_config_of(&begun, run->folder));
    for (size_t k = 0; k < tot_train_parameter_count(); k++) {
        const char *name = train_config_difference(&begun, &run->config);
        if (name == NULL) {
            return TOT_OK;
        }
        tot_train_get(&begun, name, was, sizeof was);
        tot_train_get(&run->config, name, is, sizeof is);
        BASE_FAIL_IF(run->options->resume != TOT_RESUME_APPROXIMATE, TOT_E_ARGUMENT,
                     "%s: was started with %s %s, and cannot be continued bit for bit with %s; "
                     "resume=approximate continues anyway",
                     run->folder, name, was, is);
        base_log(TOT_LOG_WARNING, "%s: changes from %s to %s", name, was, is);
        BASE_TRY(tot_train_set(&begun, name, is));
    }
    return TOT_OK;
}

// Creates and locks the folder. *continues: there is a checkpoint to resume from.
static tot_status open_folder(train_run *run, bool *continues) {
    char videos[TRAIN_PATH];
    char sweep[TRAIN_PATH];
    BASE_TRY(train_path(sweep, run->folder, "sweep.yaml"));
    BASE_FAIL_IF(access(sweep, F_OK) == 0, TOT_E_ARGUMENT,
                 "%s: is a sweep folder; a run needs a folder of its own", run->folder);
    run->fresh = train_is_fresh(run->folder);
    run->existing = train_existing(run->folder);
    BASE_TRY(train_make_folder(run->folder));
    BASE_TRY(train_lock_folder(run->folder, &run->lock));
    BASE_TRY(train_check_folders(run->folder));
    train_remove_leftovers(run->folder);
    *continues = train_checkpoint_exists(run->folder);
    BASE_FAIL_IF(*continues && run->options->resume == TOT_RESUME_NO, TOT_E_FILE,
                 "%s: holds a run; resume it, or choose another folder for a new one", run->folder);
    BASE_TRY(train_path(videos, run->folder, "videos"));
    BASE_TRY(run->config.video > 0 ? train_make_folder(videos) : TOT_OK);
    return *continues ? compare_config(run) : train_write_config(run->folder, &run->config);
}

// --- components of the loop --------------------------------------------------------------------

// Separate seeds for everything numbered by episodes: demonstrations, training and evaluation never
// share an initial state.
static uint64_t derive_seed(int64_t seed, const char *name) {
    tot_random random;
    tot_random_init(&random, (uint64_t)seed, name);
    return tot_random_below(&random, UINT64_C(1) << 53);
}

static bool on_attempt(void *context, int64_t attempts, int64_t found) {
    train_run *run = context;
    (void)attempts;
    train_run_progress(run, "demonstrations", found, run->config.demos);
    return train_run_ask(run) != TOT_TRAIN_STOP;
}

// Whether a world step runs in parallel with an update: if the update is too small to gain from a
// second thread (the products of a layer of 256 units and 256 rows already do), and the pictures
// come from our own renderer (OpenGL contexts are bound to their thread).
static bool overlaps_updates(const train_run *run) {
    const tot_agent_config *agent = &run->config.agent;
    const bool small = agent->batch * agent->hidden * agent->hidden <= SMALL_UPDATE;
    return tot_pool_threads(run->pool) > 1 && run->method.acts && small &&
           run->config.obs == TOT_OBS_STATE && run->config.renderer == TOT_RENDERER_SOFT;
}

// The pool used inside rendering and updates: none if they run in parallel with each other.
static tot_pool *shared_pool(const train_run *run) {
    return run->overlap_pool != NULL ? NULL : run->pool;
}

uint64_t train_evaluation_seed(const tot_train_config *config) {
    return derive_seed(config->seed, "evaluation");
}

static tot_status open_worlds(train_run *run) {
    const tot_train_config *config = &run->config;
    const tot_task_settings box = {.metaworld_box = config->metaworld_box == TOT_ON};
    const tot_world_settings settings = {.action_repeat = (int)config->action_repeat,
                                         .horizon = (int)config->horizon};
    BASE_TRY(tot_pool_create(&run->pool, run->options->threads));
    BASE_TRY(overlaps_updates(run) ? tot_pool_create(&run->overlap_pool, 2) : TOT_OK);
    BASE_TRY(tot_task_load(&run->task, config->task, &box));
    BASE_TRY(tot_world_create(&run->world, run->task, &settings));
    run->horizon = tot_world_steps(run->world);
    run->input = train_input_of(config, run->horizon);
    run->sees =
        (tot_replay_shape){.width = run->input.width,
                           .pixels = config->obs == TOT_OBS_PIXELS ? (int)config->pixels : 0};
    run->training_seed = derive_seed(config->seed, "training");
    run->evaluation_seed = train_evaluation_seed(config);
    tot_ads_init(&run->ads, run->horizon);
    const bool frames = run->method.schedules && config->cost_on == TOT_COST_ON_IMAGE;
    return train_evaluator_create(&run->evaluator, config, run->task, &run->embedder.views,
                                  frames ? &run->embedder : NULL, run->pool);
}

static tot_status open_demonstrations(train_run *run) {
    const tot_train_config *config = &run->config;
    const train_demonstrations_request request = {
        .config = config,
        .task = run->task,
        .method = &run->method,
        .input = &run->input,
        .sees = &run->sees,
        .pool = run->pool,
        .folder = run->folder,
        .force = run->options->force,
        .progress = on_attempt,
        .progress_context = run,
    };
    BASE_TRY(train_embedder_open(&run->embedder, config, run->method.compares, shared_pool(run)));
    BASE_TRY(train_demonstrations_open(&run->demonstrations, &run->embedder, &request));
    const double *crop = run->embedder.views.agent.crop;
    run->state.crop_left = crop[0];
    run->state.crop_top = crop[1];
    run->state.crop_right = crop[2];
    run->state.crop_bottom = crop[3];
    if (config->obs == TOT_OBS_PIXELS) {
        BASE_TRY(tot_renderer_create(&run->embedder.agent_renderer, run->task,
                                     &run->embedder.views.agent, shared_pool(run)));
    }
    if (run->demonstrations.demos == NULL) {
        return TOT_OK;
    }
    tot_reward_config reward = config->reward;
    reward.scale = run->state.scale;
    return tot_labeler_create(&run->labeler, run->demonstrations.demos, &reward, run->pool);
}

tot_status train_run_open_replay(train_run *run) {
    const tot_train_config *config = &run->config;
    BASE_TRY(tot_replay_create(&run->replay, &run->sees, config->capacity,
                               (size_t)config->replay_megabytes << 20));
    const tot_replay_sampling sampling = {
        .best_share = config->best_share,
        .best_of = config->best_of,
        .ends = config->end_value == TOT_END_ZERO,
    };
    return tot_replay_set_sampling(run->replay, &sampling);
}

static tot_status open_agent(train_run *run) {
    const tot_train_config *config = &run->config;
    const int64_t batch = config->agent.clone_batch;
    BASE_TRY(tot_agent_create(&run->agent, &config->agent, &run->sees, (uint64_t)config->seed,
                              shared_pool(run)));
    BASE_TRY(run->method.imitates ? tot_agent_keep_clone(run->agent) : TOT_OK);
    BASE_TRY(run->method.discriminates ? tot_agent_add_discriminator(run->agent) : TOT_OK);
    BASE_TRY(train_run_open_replay(run));
    BASE_TRY(tot_batch_create(&run->batch, &run->sees, config->agent.batch));
    if (run->method.clones || run->method.discriminates) {
        BASE_TRY(tot_batch_create(&run->expert_batch, &run->sees, batch));
    }
    if (run->method.discriminates) {
        BASE_TRY(tot_batch_create(&run->policy_batch, &run->sees, batch));
        BASE_ALLOC(run->mix, (size_t)batch, "mix");
    }
    return TOT_OK;
}

static tot_status open_episode(train_run *run) {
    train_run_episode *episode = &run->episode;
    const size_t steps = (size_t)run->horizon;
    const size_t picture = run->embedder.picture;
    const size_t agent_frame = (size_t)run->sees.pixels * (size_t)run->sees.pixels * 3;
    episode->observations = base_alloc(steps + 1, TOT_OBSERVATION * sizeof(float), "episode");
    episode->inputs = base_alloc((steps + 1) * (size_t)TRAIN_MOST_INPUT, sizeof(float), "episode");
    episode->actions = base_alloc(steps, TOT_ACTION * sizeof(float), "episode");
    episode->rewards = base_alloc(steps, sizeof(float), "episode");
    episode->success = base_alloc(steps, 1, "episode");
    run->embeddings = base_alloc(steps * (size_t)run->embedder.width, sizeof(float), "embeddings");
    run->last_episode.rewards = base_alloc(steps, sizeof(double), "episode");
    BASE_HAVE(episode->observations, episode->inputs, episode->actions, episode->rewards,
              episode->success, run->embeddings, run->last_episode.rewards);
    if (run->embedder.sees_pictures) {
        episode->frames = base_alloc(steps, picture, "frames");
        run->last_episode.frames = base_alloc(steps, picture, "frames");
        BASE_HAVE(episode->frames, run->last_episode.frames);
    }
    if (run->sees.pixels > 0) {
        episode->pictures = base_alloc(steps + 1, agent_frame, "pictures");
        run->stack = base_alloc(TOT_STACK, agent_frame, "pictures");
        BASE_HAVE(episode->pictures, run->stack);
    }
    return TOT_OK;
}

static void begin_state(train_run *run) {
#define TRAIN_STATE(type, name, initial, least, most) run->state.name = initial;
#include "train/state.def"
#undef TRAIN_STATE
    tot_random_init(&run->exploration, (uint64_t)run->config.seed, "exploration");
    tot_random_init(&run->sampling, (uint64_t)run->config.seed, "replay");
    double scale = 1;
    if (strcmp(run->config.scale, "auto") != 0 &&
        base_parse_real("scale", run->config.scale, &scale) == TOT_OK) {
        run->state.scale = scale;
        run->state.scaled = 1;
    }
}

// Restores what is not stored in a checkpoint itself.
static void settle(train_run *run) {
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

tot_status train_open_record(train_run *run) {
    BASE_TRY(train_record_open(&run->record, run->folder, run->state.rows, run->state.event_bytes));
    if (run->state.rows > 0) {
        const double *last = run->record->values + (run->state.rows - 1) * TRAIN_METRIC_COUNT;
        run->wall_before = last[TRAIN_METRIC_wall_seconds];
    }
    run->began = train_seconds();
    run->saved = run->began;
    run->began_at = run->state.cloned + run->state.step;
    return TOT_OK;
}

// --- status.json -------------------------------------------------------------------------------

tot_status train_tell_status(const train_run *run, train_state state, const char *error) {
    train_status status = {.state = state,
                           .step = run->state.step,
                           .steps = run->steps,
                           .resume = train_checkpoint_exists(run->folder)};
    snprintf(status.error, sizeof status.error, "%s", error);
    return train_status_write(run->folder, &status);
}

// Writes how a run ended. Its error is returned even if writing the file fails.
static tot_status tell_end(const train_run *run, tot_status status) {
    char error[sizeof((train_status *)NULL)->error] = "";
    if (!run->told) {
        return status;  // rejected: the status of the folder's own run is unchanged
    }
    if (status == TOT_OK) {
        return train_tell_status(run, TRAIN_FINISHED, "");
    }
    snprintf(error, sizeof error, "%s", tot_error());
    const train_state state = status == TOT_E_INTERRUPTED ? TRAIN_STOPPED : TRAIN_FAILED;
    if (train_tell_status(run, state, state == TRAIN_FAILED ? error : "") != TOT_OK) {
        base_log(TOT_LOG_WARNING, "%s", tot_error());
    }
    return base_fail(status, "%s", error);
}

// --- from start to end -------------------------------------------------------------------------

tot_status train_run_open(train_run *run, const tot_train_config *config,
                          const tot_train_options *options, bool *continues) {
    run->config = *config;
    run->options = options;
    run->folder = options->folder;
    run->lock = -1;
    run->began = train_seconds();
    run->state.success_rate = NAN;
    BASE_TRY(tot_train_check(&run->config));
    BASE_TRY(tot_train_method_find(&run->method, run->config.method));
    run->steps = run->method.acts ? run->config.steps : run->config.clone_updates;
    BASE_TRY(open_folder(run, continues));
    begin_state(run);
    BASE_TRY(train_tell_status(run, TRAIN_RUNNING, ""));
    run->told = true;
    BASE_TRY(open_worlds(run));
    BASE_TRY(open_demonstrations(run));
    BASE_TRY(open_agent(run));
    BASE_TRY(open_episode(run));
    if (*continues) {
        const bool approximate = run->options->resume == TOT_RESUME_APPROXIMATE;
        BASE_TRY(train_checkpoint_load(run, approximate));
        settle(run);
        // only now: settings that do not match the checkpoint must not be written
        return approximate ? train_write_config(run->folder, &run->config) : TOT_OK;
    }
    return train_open_record(run);
}

static void close_run(train_run *run) {
    train_record_close(run->record);
    BASE_RELEASE(run->episode.observations, run->episode.inputs, run->episode.actions,
                 run->episode.rewards, run->episode.success, run->episode.frames,
                 run->episode.pictures, run->last_episode.frames, run->last_episode.rewards,
                 run->stack, run->embeddings, run->mix);
    tot_batch_free(&run->batch);
    tot_batch_free(&run->expert_batch);
    tot_batch_free(&run->policy_batch);
    tot_replay_free(run->replay);
    tot_agent_free(run->agent);
    train_costs_free(run->costs);
    tot_labeler_free(run->labeler);
    train_demonstrations_close(&run->demonstrations);
    train_evaluator_free(run->evaluator);
    train_embedder_close(&run->embedder);
    tot_world_free(run->world);
    tot_task_free(run->task);
    tot_pool_free(run->overlap_pool);
    tot_pool_free(run->pool);
    if (run->lock >= 0) {
        close(run->lock);
    }
}

tot_status tot_train(const tot_train_config *config, const tot_train_options *options,
                     tot_train_result *result) {
    BASE_NEED(config, options);
    BASE_NEED(options->folder);
    BASE_NEW(train_run, run, "run");
    bool continues = false;
    tot_status status = train_run_open(run, config, options, &continues);
    const bool prepared = status == TOT_OK;
    const int64_t resumed_at = continues ? run->state.step : 0;
    const bool was_finished = prepared && run->state.finished == 1;
    if (prepared && !was_finished) {
        status = train_run_loop(run);
    }
    const bool refused = !prepared && run->fresh && status != TOT_E_INTERRUPTED;
    status = refused ? status : tell_end(run, status);
    if (result != NULL) {
        *result = (tot_train_result){.step = run->state.step,
                                     .resumed_at = resumed_at,
                                     .was_finished = was_finished,
                                     .success_rate = run->state.success_rate};
    }
    if (refused) {
        train_unmake_folder(run->folder, run->existing);
    }
    close_run(run);
    base_free(run);
    return status;
}
