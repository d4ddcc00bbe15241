// Collects demonstrations from Meta-world's scripted experts.
#include "base/base.h"
#include "demo/meta.h"
#include "demo/trajectory.h"
#include "picture/renderer.h"

enum { MOST_DEMONSTRATIONS = 10000, MOST_ATTEMPTS = 1000000000, MOST_SPEED = 1000000 };

void tot_collect_defaults(tot_collect_settings *settings) {
    BASE_NEED_OR(, settings);
    *settings = (tot_collect_settings){
        .count = 2, .speed = 1, .hold = TOT_HOLD_AUTO, .attempts = 300, .fit_margin = 0.05};
}

static tot_status check_range(const char *name, int64_t value, int64_t high) {
    BASE_FAIL_IF(value < 1 || value > high, TOT_E_ARGUMENT, "%s: %lld is not in 1 .. %lld", name,
                 (long long)value, (long long)high);
    return TOT_OK;
}

static tot_status check_settings(const tot_collect_settings *settings) {
    BASE_TRY(check_range("count", settings->count, MOST_DEMONSTRATIONS));
    BASE_TRY(check_range("speed", settings->speed, MOST_SPEED));
    BASE_FAIL_IF(settings->views < 0 || settings->views > TOT_MAX_VIEWS, TOT_E_ARGUMENT,
                 "views: %d is not in 0 .. %d", settings->views, TOT_MAX_VIEWS);
    BASE_TRY(check_range("attempts", settings->attempts, MOST_ATTEMPTS));
    BASE_TRY(settings->choose == 0 ? TOT_OK
                                   : check_range("choose", settings->choose, MOST_ATTEMPTS));
    BASE_FAIL_IF(settings->seed > DEMO_META_MOST, TOT_E_ARGUMENT, "seed: %llu is not in 0 .. %lld",
                 (unsigned long long)settings->seed, DEMO_META_MOST);
    return TOT_OK;
}

// --- steadiness --------------------------------------------------------------------------------

// Standard deviation of the noise per action axis. A frame moves the hand by at most one
// centimetre, so after the 125 frames of an episode it is off by about one or three centimetres.
static const double noises[] = {0.1, 0.3};

typedef struct replay {
    const tot_trajectory *whole;
    tot_random random;
    double noise;
} replay;

static tot_status act(void *context, const tot_world *world, int64_t step, float *action) {
    (void)world;
    replay *this = context;
    memcpy(action, this->whole->actions + step * TOT_ACTION, TOT_ACTION * sizeof *action);
    for (int k = 0; k < TOT_ACTION - 1; k++) {
        action[k] += (float)(this->noise * tot_random_normal(&this->random));
    }
    demo_clip_action(action);
    return TOT_OK;
}

tot_status demo_steady(tot_world *world, const tot_trajectory *whole, int *steady) {
    replay this = {.whole = whole};
    const tot_policy policy = {.act = act, .context = &this};
    *steady = 0;
    for (int k = 0; k < DEMO_REPLAYS; k++) {
        this.noise = noises[k % (int)BASE_LENGTH(noises)];
        tot_random_init_numbered(&this.random, (uint64_t)whole->seed, "steady", (uint64_t)k);
        BASE_TRY(tot_world_reset(world, (uint64_t)whole->seed, (uint64_t)whole->episode));
        const tot_status status = tot_play(world, &policy, whole->steps, NULL, NULL);
        // a diverged simulation is not a success
        BASE_TRY(status == TOT_E_PHYSICS ? TOT_OK : status);
        *steady += status == TOT_OK && tot_world_success(world) ? 1 : 0;
    }
    return TOT_OK;
}

// --- attempts ----------------------------------------------------------------------------------

typedef struct collection {
    const tot_collect_settings *settings;
    tot_recording *recording;
    tot_world *world;
    tot_trajectory whole;     // every frame of the attempt
    tot_trajectory repeated;  // every agent step of the attempt
    tot_trajectory demonstration;
    tot_trajectory chosen;  // every frame of the steadiest of several attempts so far
    tot_expert expert;
    int views;                                 // number of views; 0: no pictures
    tot_picture_settings view[TOT_MAX_VIEWS];  // all of the same size
    tot_renderer *renderer[TOT_MAX_VIEWS];
    int64_t attempts;   // attempts so far
    int64_t before;     // attempts before the current demonstration
    int64_t succeeded;  // successful attempts so far
} collection;

// An expert that stops at its first success stops at the boundary of the success region. When
// choosing among several attempts, some continue after it: for 0, 4 and 8 frames in turn, moving at
// most one centimetre per frame.
static int frames_after_success(const collection *work, int64_t episode) {
    enum { STEP = 4, WAYS = 3 };
    return work->settings->choose > 1 ? STEP * (int)(episode % WAYS) : 0;
}

// Runs one attempt. A diverged simulation counts as a failure.
static tot_status attempt(collection *work, bool *succeeded) {
    const int64_t episode = work->attempts++;
    work->expert.after = frames_after_success(work, episode);
    const tot_policy policy = tot_policy_holding(&work->expert);
    tot_status status = tot_world_reset(work->world, work->settings->seed, (uint64_t)episode);
    BASE_THEN(status, tot_trajectory_record(&work->whole, work->world, &policy, NULL, NULL));
    *succeeded = status == TOT_OK && tot_trajectory_succeeded(&work->whole);
    work->succeeded += *succeeded ? 1 : 0;
    work->whole.seed = (int64_t)work->settings->seed;
    work->whole.episode = episode;
    return status == TOT_E_PHYSICS ? TOT_OK : status;
}

typedef struct drawing {
    const collection *work;
    uint8_t *rgb;  // destination of the next frame
} drawing;

static tot_status draw_step(void *context, const tot_world *world, int64_t step,
                            const float *action) {
    (void)action;
    drawing *this = context;
    const collection *work = this->work;
    const size_t picture = (size_t)work->view->width * (size_t)work->view->height * 3;
    if (step % (TOT_DEMO_REPEAT * work->settings->speed) != 0 || tot_world_done(world)) {
        return TOT_OK;
    }
    BASE_TRY(picture_draw_views(work->renderer, work->views, world, picture, this->rgb));
    this->rgb += (size_t)work->views * picture;
    return TOT_OK;
}

// Renders a demonstration after it was found. Most attempts may fail, so nothing is rendered during
// the search: the episode is replayed, which is bit-identical.
static tot_status draw(collection *work, tot_trajectory *kept) {
    const tot_policy policy = tot_policy_holding(&work->expert);
    const int64_t height = (int64_t)work->view->height * work->views;
    BASE_TRY(demo_frames_allocate(&kept->frames, kept->steps, height, work->view->width));
    drawing this = {.work = work, .rgb = kept->frames.data};
    work->expert.after = frames_after_success(work, kept->episode);
    BASE_TRY(tot_world_reset(work->world, work->settings->seed, (uint64_t)kept->episode));
    return tot_play(work->world, &policy, -1, draw_step, &this);
}

static tot_status fit_views(collection *work, const tot_task *task) {
    double *points = NULL;
    size_t count = 0;
    BASE_TRY(demo_recording_tracks(work->recording, &points, &count));
    tot_status status = TOT_OK;
    for (int k = 0; status == TOT_OK && k < work->views; k++) {
        if (work->view[k].fitted) {
            status = tot_view_fit(task, &work->view[k], points, count, work->settings->fit_margin,
                                  work->view[k].crop);
        }
    }
    base_free(points);
    return status;
}

static tot_status draw_all(collection *work, const tot_task *task) {
    BASE_TRY(fit_views(work, task));
    for (int k = 0; k < work->views; k++) {
        BASE_TRY(
            tot_renderer_create(&work->renderer[k], task, &work->view[k], work->settings->pool));
    }
    for (size_t k = 0; k < work->recording->count; k++) {
        BASE_TRY(draw(work, &work->recording->trajectories[k]));
    }
    demo_recording_describe_views(&work->recording->meta, work->view, work->renderer, work->views);
    return TOT_OK;
}

static tot_status give_up(const collection *work) {
    const tot_task_info *info = tot_task_information(tot_world_task(work->world));
    const size_t found = work->recording->count;
    const long long tried = work->attempts - work->before;
    return base_fail(
        TOT_E_ATTEMPTS,
        "%s: gave up on demonstration %zu (of %lld, from 0) after %lld attempt%s; %lld of all %lld "
        "ended in success (%.1f %%), with hold %s",
        info->name, found, (long long)work->settings->count, tried, tried == 1 ? "" : "s",
        (long long)work->succeeded, (long long)work->attempts,
        100.0 * (double)work->succeeded / (double)work->attempts, work->expert.hold ? "on" : "off");
}

static tot_status report(const collection *work) {
    const tot_collect_settings *settings = work->settings;
    BASE_FAIL_IF(settings->progress != NULL &&
                     !settings->progress(settings->progress_context, work->attempts,
                                         (int64_t)work->recording->count),
                 TOT_E_INTERRUPTED, "collecting: stopped after %lld attempts",
                 (long long)work->attempts);
    return TOT_OK;
}

// Keeps the attempt in work->chosen if it is the steadiest so far; ties go to the earlier success.
static tot_status choose(collection *work, int *best) {
    int steady = 0;
    if (work->settings->choose > 1) {
        BASE_TRY(demo_steady(work->world, &work->whole, &steady));
    }
    const bool sooner = steady == *best && tot_trajectory_first_success(&work->whole) <
                                               tot_trajectory_first_success(&work->chosen);
    if (steady > *best || sooner) {
        const tot_trajectory before = work->chosen;
        work->chosen = work->whole;
        work->whole = before;
        *best = steady;
    }
    return TOT_OK;
}

static tot_status keep(collection *work) {
    work->chosen.attempts = work->attempts - work->before;
    BASE_TRY(tot_trajectory_thin(&work->repeated, &work->chosen, TOT_DEMO_REPEAT));
    // in two passes: rewards are then sums of the rewards at speed 1
    BASE_TRY(tot_trajectory_thin(&work->demonstration, &work->repeated, work->settings->speed));
    return tot_recording_add(work->recording, &work->demonstration);
}

// Finds one demonstration: the first successful attempt, or the steadiest of several.
static tot_status find_one(collection *work) {
    const int64_t wanted = work->settings->choose > 1 ? work->settings->choose : 1;
    int64_t found = 0;
    int best = -1;
    bool kept = false;
    work->before = work->attempts;
    while (!kept) {
        if (work->attempts - work->before >= work->settings->attempts) {
            return give_up(work);
        }
        bool succeeded = false;
        BASE_TRY(attempt(work, &succeeded));
        if (succeeded) {
            found++;
            BASE_TRY(choose(work, &best));
        }
        const bool last = work->attempts - work->before >= work->settings->attempts;
        kept = found == wanted || (last && found > 0);
        BASE_TRY(kept ? keep(work) : TOT_OK);
        BASE_TRY(report(work));
    }
    return TOT_OK;
}

static tot_status prepare(collection *work, const tot_task *task) {
    // every frame is observed, so the world's own action repeat is 1
    BASE_TRY(tot_world_create(&work->world, task, NULL));
    work->views = work->settings->pictures == NULL ? 0
                  : work->settings->views > 1      ? work->settings->views
                                                   : 1;
    for (int k = 0; k < work->views; k++) {
        // report a missing camera before running any episode
        picture_view view;
        work->view[k] = work->settings->pictures[k];
        BASE_TRY(picture_view_resolve(&view, task, &work->view[k]));
    }
    tot_recording_meta *meta = &work->recording->meta;
    BASE_TRY(tot_recording_describe(meta, task, NULL, "expert"));
    meta->action_repeat = TOT_DEMO_REPEAT;
    meta->speed = work->settings->speed;
    meta->hold = work->expert.hold;
    return TOT_OK;
}

static tot_status collect(collection *work, const tot_task *task) {
    BASE_TRY(prepare(work, task));
    for (int64_t k = 0; k < work->settings->count; k++) {
        BASE_TRY(find_one(work));
    }
    return work->views > 0 ? draw_all(work, task) : TOT_OK;
}

tot_status tot_collect(tot_recording *recording, const tot_task *task,
                       const tot_collect_settings *settings) {
    BASE_NEED(recording, task, settings);
    tot_recording_free(recording);
    BASE_TRY(check_settings(settings));
    collection work = {.settings = settings, .recording = recording};
    work.expert.hold = settings->hold == TOT_HOLD_AUTO ? tot_task_information(task)->hold
                                                       : settings->hold == TOT_HOLD_ON;
    const tot_status status = collect(&work, task);
    tot_trajectory_free(&work.whole);
    tot_trajectory_free(&work.chosen);
    tot_trajectory_free(&work.repeated);
    tot_trajectory_free(&work.demonstration);
    for (int k = 0; k < work.views; k++) {
        tot_renderer_free(work.renderer[k]);
    }
    tot_world_free(work.world);
    if (status != TOT_OK) {
        tot_recording_free(recording);
    }
    return status;
}
