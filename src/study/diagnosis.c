// Runs the policy of a run and the reference episodes on the same goals, and rewards them as the
// run rewards its own episodes.
#include "base/base.h"
#include "study/diagnosis.h"
#include "train/demonstrations.h"
#include "train/player.h"

enum { MOST_GOALS = 1000 };

// State while episodes are played and rewarded.
typedef struct playing {
    tot_diagnosis *all;
    tot_train_method method;
    train_embedder embedder;
    train_demonstrations demonstrations;
    tot_recording collected;  // if the method itself needs no demonstrations
    tot_labeler *labeler;     // NULL: the method does not compare episodes
    int64_t steps;            // agent steps per episode
    uint8_t *pictures;        // [steps][embedder.picture]; NULL: not needed
    float *numbers;           // [steps][TOT_OBSERVATION]
    float *embeddings;        // [steps][embedder.width]
    int64_t done, total;
} playing;

void tot_diagnosis_defaults(tot_diagnosis_settings *settings) {
    BASE_NEED_OR(, settings);
    *settings = (tot_diagnosis_settings){.goals = 8};
}

// --- what cannot be diagnosed ------------------------------------------------------------------

static tot_status check_demos(const tot_train_config *config) {
    tot_train_text list;
    memcpy(list, config->demo, sizeof list);
    char *rest = list;
    for (char *path; (path = strsep(&rest, ",")) != NULL;) {
        BASE_FAIL_IF(path[0] != '\0' && !base_ends_in(path, ".npz"), TOT_E_ARGUMENT,
                     "demo: %s is a video, which has no hand path that could be bent to "
                     "other goals; only runs on the scripted expert's demonstrations can "
                     "be diagnosed",
                     path);
    }
    return TOT_OK;
}

static tot_status check(const tot_player *player, const tot_diagnosis_settings *settings) {
    const tot_train_config *config = tot_player_config(player);
    const int64_t own = tot_task_information(tot_player_task(player))->horizon;
    BASE_FAIL_IF(settings->goals < 1 || settings->goals > MOST_GOALS, TOT_E_ARGUMENT,
                 "goals: %lld is not in 1 .. %d", (long long)settings->goals, MOST_GOALS);
    BASE_FAIL_IF(config->horizon != 0 && config->horizon != own, TOT_E_ARGUMENT,
                 "horizon: this run's episodes have %lld frames, demonstrations %lld; only "
                 "runs with the task's own horizon can be diagnosed",
                 (long long)config->horizon, (long long)own);
    return check_demos(config);
}

// --- demonstrations and reward -----------------------------------------------------------------

static bool on_attempt(void *context, int64_t attempts, int64_t found) {
    const tot_diagnosis_settings *settings = context;
    (void)attempts;
    (void)found;
    return settings->progress == NULL || settings->progress(settings->progress_context, 0, 0);
}

static tot_status open_reward(playing *work) {
    const tot_player *player = work->all->player;
    const tot_train_config *config = tot_player_config(player);
    tot_pool *pool = work->all->settings.pool;
    const train_demonstrations_request request = {
        .config = config,
        .task = tot_player_task(player),
        .method = &work->method,
        .input = train_player_input(player),
        .sees = train_player_sees(player),
        .pool = pool,
        .force = true,  // the run accepted them
        .progress = on_attempt,
        .progress_context = &work->all->settings,
    };
    BASE_TRY(train_embedder_open(&work->embedder, config, work->method.compares, pool));
    BASE_TRY(train_demonstrations_open(&work->demonstrations, &work->embedder, &request));
    if (work->demonstrations.recording.count == 0) {
        BASE_TRY(train_demonstrations_collect(&work->collected, &request, NULL, 0));
    }
    if (work->demonstrations.demos == NULL) {
        return TOT_OK;
    }
    tot_reward_config reward = config->reward;
    reward.scale = train_player_state(player)->scale;
    return tot_labeler_create(&work->labeler, work->demonstrations.demos, &reward, pool);
}

static tot_status take_memory(playing *work) {
    const size_t steps = (size_t)work->steps;
    if (work->labeler == NULL) {
        return TOT_OK;
    }
    work->numbers = base_alloc(steps, TOT_OBSERVATION * sizeof(float), "episode");
    work->embeddings =
        base_alloc(steps, (size_t)work->embedder.width * sizeof(float), "embeddings");
    BASE_HAVE(work->numbers, work->embeddings);
    if (work->embedder.sees_pictures) {
        BASE_ALLOC(work->pictures, steps * work->embedder.picture, "pictures");
    }
    return TOT_OK;
}

// --- one episode -------------------------------------------------------------------------------

static tot_status look(playing *work, const tot_world *world, int64_t step) {
    if (work->labeler == NULL) {
        return TOT_OK;
    }
    demo_observation_read(tot_world_observation(world), false,
                          work->numbers + step * TOT_OBSERVATION);
    return work->pictures == NULL
               ? TOT_OK
               : train_embedder_render(&work->embedder, world,
                                       work->pictures + (size_t)step * work->embedder.picture);
}

typedef struct watching {
    playing *work;
    study_track *track;
    const float *actions;      // [frames][TOT_ACTION]; NULL: use the policy
    float action[TOT_ACTION];  // the policy's latest action
    int64_t frame;             // the latest frame observed
} watching;

static tot_status act(void *context, const tot_world *world, int64_t frame, float *action) {
    watching *this = context;
    const tot_diagnosis *all = this->work->all;
    const tot_policy policy = tot_player_policy(all->player);
    if (this->actions == NULL && frame % all->repeat == 0) {
        BASE_TRY(policy.act(policy.context, world, frame / all->repeat, this->action));
    }
    memcpy(action, this->actions != NULL ? this->actions + frame * TOT_ACTION : this->action,
           sizeof this->action);
    return TOT_OK;
}

static tot_status see(void *context, const tot_world *world, int64_t frame, const float *action) {
    (void)action;
    watching *this = context;
    const tot_diagnosis *all = this->work->all;
    study_track *track = this->track;
    this->frame = frame;
    memcpy(track->observations + frame * TOT_OBSERVATION, tot_world_observation(world),
           TOT_OBSERVATION * sizeof *track->observations);
    if (frame > 0 && track->solved < 0 && tot_world_success(world)) {
        track->solved = frame;
    }
    return frame > 0 && (frame % all->repeat == 0 || frame == all->frames)
               ? look(this->work, world, (frame - 1) / all->repeat)
               : TOT_OK;
}

static tot_status watch(playing *work, const double *rand_vec, const float *actions,
                        study_track *track) {
    const tot_diagnosis *all = work->all;
    tot_world *world = all->references->world;
    watching this = {.work = work, .track = track, .actions = actions};
    const tot_policy policy = {.act = act, .context = &this};
    BASE_TRY(tot_world_reset_to(world, rand_vec,
                                (size_t)tot_task_information(all->references->task)->draw_length));
    const tot_status status = tot_play(world, &policy, all->frames, see, &this);
    // a diverged simulation is a failed episode that remains in its last state
    const bool diverged = status == TOT_E_PHYSICS;
    BASE_TRY(diverged ? TOT_OK : status);
    while (this.frame < all->frames) {
        BASE_TRY(see(&this, world, this.frame + 1, NULL));
    }
    track->success = !diverged && tot_world_success(world);
    return TOT_OK;
}

static tot_status reward(playing *work, study_track *track) {
    tot_label_info info;
    track->sum = NAN;
    track->demo = 0;
    if (work->labeler == NULL) {
        return TOT_OK;
    }
    BASE_TRY(train_embedder_embed(&work->embedder, work->numbers, work->pictures, work->steps,
                                  work->embeddings));
    BASE_TRY(tot_label(work->labeler,
                       tot_embeddings_f32(work->embeddings, work->steps, work->embedder.width),
                       "episode", NULL, &info));
    track->sum = info.sum;
    track->demo = info.demo;
    return TOT_OK;
}

static tot_status play(playing *work, const double *rand_vec, const float *actions,
                       study_track *track) {
    const tot_diagnosis_settings *settings = &work->all->settings;
    track->solved = -1;
    track->observations = base_alloc((size_t)work->all->frames + 1,
                                     TOT_OBSERVATION * sizeof *track->observations, "episode");
    BASE_HAVE(track->observations);
    BASE_TRY(watch(work, rand_vec, actions, track));
    BASE_TRY(reward(work, track));
    work->done++;
    BASE_FAIL_IF(settings->progress != NULL &&
                     !settings->progress(settings->progress_context, work->done, work->total),
                 TOT_E_INTERRUPTED, "diagnosis: stopped after %lld of %lld episodes",
                 (long long)work->done, (long long)work->total);
    return TOT_OK;
}

// --- all episodes ------------------------------------------------------------------------------

static tot_status play_references(playing *work) {
    tot_diagnosis *all = work->all;
    const tot_train_config *config = tot_player_config(all->player);
    const train_run_state *state = train_player_state(all->player);
    const int64_t before = state->evaluations > 0 ? state->evaluations - 1 : 0;
    tot_recording *demos = work->demonstrations.recording.count > 0
                               ? &work->demonstrations.recording
                               : &work->collected;
    tot_reference_settings settings;
    tot_reference_defaults(&settings);
    settings.goals = all->settings.goals;
    settings.goal_seed = train_evaluation_seed(config);
    settings.first_goal = (uint64_t)(before * config->eval_episodes);
    settings.action_repeat = config->action_repeat;
    settings.shift = 0;
    settings.camera = work->embedder.views.encoder.view[0].camera;
    // demonstrations stored at full speed were thinned when they were loaded
    demos->meta.speed =
        config->demo_speed > demos->meta.speed ? config->demo_speed : demos->meta.speed;
    BASE_TRY(tot_references_play(&all->references, tot_player_task(all->player), demos, &settings));
    all->references->settings.camera = NULL;  // owned by the embedder
    all->frames = all->references->frames;
    all->repeat = config->action_repeat;
    all->evaluated = state->evaluations > 0 ? state->success_rate : NAN;
    return TOT_OK;
}

static tot_status play_all(playing *work) {
    tot_diagnosis *all = work->all;
    const tot_references *references = all->references;
    const int64_t goals = all->settings.goals;
    work->steps = (all->frames + all->repeat - 1) / all->repeat;
    work->total = goals + (int64_t)references->count;
    all->policy = base_alloc_zero((size_t)goals, sizeof *all->policy, "episodes");
    all->others = base_alloc_zero(references->count, sizeof *all->others, "episodes");
    all->episodes = base_alloc_zero((size_t)goals, sizeof *all->episodes, "episodes");
    BASE_HAVE(all->policy, all->others, all->episodes);
    BASE_TRY(take_memory(work));
    for (int64_t k = 0; k < goals; k++) {
        double rand_vec[TOT_MAX_DRAW];
        tot_task_draw(references->task, references->settings.goal_seed,
                      references->settings.first_goal + (uint64_t)k, rand_vec);
        BASE_TRY(play(work, rand_vec, NULL, &all->policy[k]));
    }
    for (size_t k = 0; k < references->count; k++) {
        const study_reference_episode *one = &references->episodes[k];
        BASE_TRY(play(work, one->rand_vec, one->actions, &all->others[k]));
    }
    return TOT_OK;
}

static tot_status run(playing *work, const char *folder) {
    tot_diagnosis *all = work->all;
    all->folder = base_copy_text(folder);
    BASE_HAVE(all->folder);
    BASE_TRY(tot_player_load(&all->player, folder, all->settings.pool));
    BASE_TRY(check(all->player, &all->settings));
    BASE_TRY(tot_train_method_find(&work->method, tot_player_config(all->player)->method));
    BASE_TRY(open_reward(work));
    BASE_TRY(play_references(work));
    BASE_TRY(play_all(work));
    study_diagnosis_measure(all);
    return TOT_OK;
}

tot_status tot_diagnosis_run(tot_diagnosis **diagnosis, const char *folder,
                             const tot_diagnosis_settings *settings) {
    BASE_NEED(diagnosis, folder);
    *diagnosis = NULL;
    BASE_NEW(tot_diagnosis, all, "diagnosis");
    playing work = {.all = all};
    tot_diagnosis_defaults(&all->settings);
    all->settings = settings != NULL ? *settings : all->settings;
    const tot_status status = run(&work, folder);
    tot_labeler_free(work.labeler);
    train_demonstrations_close(&work.demonstrations);
    tot_recording_free(&work.collected);
    train_embedder_close(&work.embedder);
    BASE_RELEASE(work.pictures, work.numbers, work.embeddings);
    BASE_GIVE(status, diagnosis, all, tot_diagnosis_free);
}

void tot_diagnosis_free(tot_diagnosis *diagnosis) {
    BASE_UNLESS_NULL(diagnosis);
    for (int64_t k = 0; diagnosis->policy != NULL && k < diagnosis->settings.goals; k++) {
        base_free(diagnosis->policy[k].observations);
    }
    for (size_t k = 0; diagnosis->others != NULL && k < diagnosis->references->count; k++) {
        base_free(diagnosis->others[k].observations);
    }
    BASE_RELEASE(diagnosis->folder, diagnosis->policy, diagnosis->others, diagnosis->episodes);
    tot_references_free(diagnosis->references);
    tot_player_free(diagnosis->player);
    base_free(diagnosis);
}
