// Pictures to calibrate int8 with: a few hundred, from the user's files or from expert episodes of
// the paper's ten tasks.
#include "cli/encoding.h"

enum { CHANNELS = 3, MOST_PICTURES = 512, TASK_PICTURES = 32, EPISODES = 2 };

// The pictures gathered so far.
typedef struct gathering {
    uint8_t *rgb;    // [MOST_PICTURES][size][size][3]
    size_t picture;  // bytes per picture
    int64_t count;
    int64_t every;  // keep one picture out of this many
    int64_t seen;
    tot_renderer *renderer;  // of the current task
    cli_progress progress;
} gathering;

// --- from the user's files ---------------------------------------------------------------------

// When the buffer is full: drops every second picture, and from now on keeps half as many.
static void thin(gathering *work) {
    for (int64_t k = 1; 2 * k < work->count; k++) {
        memcpy(work->rgb + (size_t)k * work->picture, work->rgb + (size_t)(2 * k) * work->picture,
               work->picture);
    }
    work->count = (work->count + 1) / 2;
    work->every *= 2;
}

static tot_status gather_frames(gathering *work, tot_frames *frames) {
    bool end = false;
    while (true) {
        BASE_FAIL_IF(cli_stopped(), TOT_E_INTERRUPTED, "stopped; nothing was written");
        if (work->count == MOST_PICTURES) {
            thin(work);
        }
        // a picture that is not kept is overwritten by the next
        BASE_TRY(tot_frames_read(frames, work->rgb + (size_t)work->count * work->picture, &end));
        if (end) {
            return TOT_OK;
        }
        work->count += work->seen++ % work->every == 0 ? 1 : 0;
        cli_progress_show(&work->progress, work->seen);
    }
}

static tot_status gather_view(gathering *work, const char *path, const tot_excerpt *excerpt,
                              int size) {
    tot_frames *frames = NULL;
    BASE_TRY(tot_frames_open(&frames, path));
    tot_status status = excerpt != NULL ? tot_frames_pick(frames, excerpt) : TOT_OK;
    BASE_THEN(status, tot_frames_resize(frames, size, size));
    BASE_THEN(status, gather_frames(work, frames));
    tot_frames_close(frames);
    return status;
}

static tot_status gather_source(gathering *work, const tot_label_source *source, int size) {
    BASE_TRY(gather_view(work, source->path, source->excerpt, size));
    for (size_t k = 0; k < source->other_count; k++) {
        const tot_label_source *other = &source->others[k];
        const tot_excerpt *excerpt = other->excerpt != NULL ? other->excerpt : source->excerpt;
        BASE_TRY(gather_view(work, other->path, excerpt, size));
    }
    return TOT_OK;
}

// --- from tasks --------------------------------------------------------------------------------

// Takes pictures at regular intervals of an expert episode.
static tot_status film_step(void *context, const tot_world *world, int64_t step,
                            const float *action) {
    (void)action;
    gathering *work = context;
    const int pictures = TASK_PICTURES / EPISODES;
    BASE_FAIL_IF(cli_stopped(), TOT_E_INTERRUPTED, "stopped; nothing was written");
    if (step == work->count % pictures * tot_world_steps(world) / pictures) {
        BASE_TRY(tot_renderer_draw(work->renderer, world,
                                   work->rgb + (size_t)work->count * work->picture));
        cli_progress_show(&work->progress, ++work->count);
    }
    return TOT_OK;
}

static tot_status film_task(gathering *work, const char *name, int size, tot_pool *pool) {
    tot_picture_settings settings;
    tot_task *task = NULL;
    tot_world *world = NULL;
    const tot_policy expert = tot_policy_expert();
    tot_picture_defaults(&settings);
    settings.quality = TOT_QUALITY_FAST;
    settings.width = size;
    settings.height = size;
    tot_status status = tot_task_load(&task, name, NULL);
    BASE_THEN(status, tot_world_create(&world, task, NULL));
    BASE_THEN(status, tot_renderer_create(&work->renderer, task, &settings, pool));
    for (uint64_t episode = 0; status == TOT_OK && episode < EPISODES; episode++) {
        status = tot_world_reset(world, 0, episode);
        BASE_THEN(status, tot_play(world, &expert, -1, film_step, work));
    }
    tot_renderer_free(work->renderer);
    work->renderer = NULL;
    tot_world_free(world);
    tot_task_free(task);
    return status;
}

// The paper's ten tasks, so that a calibration does not change when tasks are added.
static const char *const tasks[] = {
    "basketball",  "button-press-topdown", "door-lock", "door-open",  "door-unlock",
    "hand-insert", "lever-pull",           "push",      "stick-push", "window-open"};

enum { TASKS = BASE_LENGTH(tasks) };

static tot_status film_tasks(gathering *work, int size, tot_pool *pool) {
    for (size_t k = 0; k < TASKS; k++) {
        BASE_TRY(film_task(work, tasks[k], size, pool));
    }
    return TOT_OK;
}

// -----------------------------------------------------------------------------------------------

static tot_status measure(const gathering *work, tot_weights *weights, int size, const char *out,
                          tot_pool *pool) {
    tot_calibration *calibration = NULL;
    BASE_TRY(tot_calibrate(&calibration, weights, size, work->rgb, work->count, pool));
    BASE_FINALLY(tot_calibration_save(calibration, out), tot_calibration_free(calibration));
}

tot_status cli_calibrate(tot_weights *weights, int size, const tot_source_list *sources,
                         const char *out, bool quiet, tot_pool *pool, int64_t *count) {
    gathering work = {.picture = (size_t)size * (size_t)size * CHANNELS, .every = 1};
    work.rgb = base_alloc(MOST_PICTURES, work.picture, "pictures");
    BASE_HAVE(work.rgb);
    cli_progress_start(&work.progress, "pictures",
                       sources->count > 0 ? 0 : (int64_t)TASKS * TASK_PICTURES, quiet);
    tot_status status = sources->count > 0 ? TOT_OK : film_tasks(&work, size, pool);
    for (size_t k = 0; status == TOT_OK && k < sources->count; k++) {
        status = gather_source(&work, &sources->items[k], size);
    }
    cli_progress_end(&work.progress);
    BASE_THEN(status, measure(&work, weights, size, out, pool));
    base_free(work.rgb);
    *count = work.count;
    return status;
}
