// Pictures to calibrate int8 with: a few hundred, from the user's files or of expert episodes of
// all tasks.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/encoding.h"

enum { CHANNELS = 3, MOST_PICTURES = 512, TASK_PICTURES = 32, EPISODES = 2 };

// What was gathered so far.
typedef struct gathering {
    uint8_t *rgb;    // [MOST_PICTURES][size][size][3]
    size_t picture;  // bytes of one
    int64_t count;
    int64_t every;  // one of so many is kept
    int64_t seen;
    cli_progress progress;
} gathering;

// --- of the user's files -----------------------------------------------------------------------

// Full: keeps every second of those it has, and from now on only half as many of those that come.
static void thin(gathering *work) {
    for (int64_t k = 1; 2 * k < work->count; k++) {
        memcpy(work->rgb + (size_t)k * work->picture, work->rgb + (size_t)(2 * k) * work->picture,
               work->picture);
    }
    work->count = (work->count + 1) / 2;
    work->every *= 2;
}

static tot_status gather_frames(gathering *work, cli_encoder *encoder, tot_frames *frames) {
    while (true) {
        int64_t count = 0;
        if (cli_stopped()) {
            return tot_fail(TOT_E_INTERRUPTED, "stopped; nothing was written");
        }
        if (work->count == MOST_PICTURES) {
            thin(work);
        }
        // one that is not kept is read over by the next
        uint8_t *place = work->rgb + (size_t)work->count * work->picture;
        TOT_TRY(cli_pictures_read(encoder, frames, place, 1, &count));
        if (count == 0) {
            return TOT_OK;
        }
        work->count += work->seen++ % work->every == 0 ? 1 : 0;
        cli_progress_show(&work->progress, work->seen);
    }
}

static tot_status gather_path(gathering *work, cli_encoder *encoder, const char *path) {
    tot_frames *frames = NULL;
    TOT_TRY(tot_frames_open(&frames, path));
    const tot_status status = gather_frames(work, encoder, frames);
    tot_frames_close(frames);
    return status;
}

// --- of the tasks ------------------------------------------------------------------------------

// Pictures of one expert episode, evenly over its length.
static tot_status film_episode(gathering *work, tot_world *world, tot_painter *painter,
                               uint64_t episode) {
    const int pictures = TASK_PICTURES / EPISODES;
    float action[TOT_ACTION];
    int next = 0;
    TOT_TRY(tot_world_reset(world, 0, episode));
    const int steps = tot_world_steps(world);
    for (int step = 0; step < steps && next < pictures; step++) {
        if (cli_stopped()) {
            return tot_fail(TOT_E_INTERRUPTED, "stopped; nothing was written");
        }
        if (step == next * steps / pictures) {
            uint8_t *place = work->rgb + (size_t)work->count * work->picture;
            TOT_TRY(tot_painter_draw(painter, world, place));
            cli_progress_show(&work->progress, ++work->count);
            next++;
        }
        tot_world_expert(world, action);
        TOT_TRY(tot_world_step(world, action));
    }
    return TOT_OK;
}

static tot_status film_task(gathering *work, const char *name, int size, tot_pool *pool) {
    tot_picture_settings settings;
    tot_task *task = NULL;
    tot_world *world = NULL;
    tot_painter *painter = NULL;
    tot_picture_defaults(&settings);
    settings.quality = TOT_QUALITY_FAST;
    settings.width = size;
    settings.height = size;
    tot_status status = tot_task_load(&task, name, NULL);
    status = status != TOT_OK ? status : tot_world_create(&world, task, NULL);
    status = status != TOT_OK ? status : tot_painter_create(&painter, task, &settings, pool);
    for (uint64_t episode = 0; status == TOT_OK && episode < EPISODES; episode++) {
        status = film_episode(work, world, painter, episode);
    }
    tot_painter_free(painter);
    tot_world_free(world);
    tot_task_free(task);
    return status;
}

static tot_status film_tasks(gathering *work, int size, tot_pool *pool) {
    for (size_t k = 0; k < tot_task_count() && work->count + TASK_PICTURES <= MOST_PICTURES; k++) {
        TOT_TRY(film_task(work, tot_task_at(k)->name, size, pool));
    }
    return TOT_OK;
}

// -----------------------------------------------------------------------------------------------

static tot_status measure(const gathering *work, cli_encoder *encoder, const char *out,
                          tot_pool *pool) {
    tot_calibration *calibration = NULL;
    TOT_TRY(tot_calibrate(&calibration, encoder->weights, encoder->settings.size, work->rgb,
                          work->count, pool));
    const tot_status status = tot_calibration_save(calibration, out);
    tot_calibration_free(calibration);
    return status;
}

tot_status cli_calibrate(cli_encoder *encoder, const char *const *paths, size_t path_count,
                         const char *out, bool quiet, tot_pool *pool, int64_t *count) {
    const size_t size = (size_t)encoder->settings.size;
    gathering work = {.picture = size * size * CHANNELS, .every = 1};
    work.rgb = tot_alloc(MOST_PICTURES, work.picture, "pictures");
    if (work.rgb == NULL) {
        return TOT_E_MEMORY;
    }
    cli_progress_start(&work.progress, "pictures",
                       path_count > 0 ? 0 : (int64_t)tot_task_count() * TASK_PICTURES, quiet);
    tot_status status = path_count > 0 ? TOT_OK : film_tasks(&work, (int)size, pool);
    for (size_t k = 0; status == TOT_OK && k < path_count; k++) {
        status = gather_path(&work, encoder, paths[k]);
    }
    cli_progress_end(&work.progress);
    status = status != TOT_OK ? status : measure(&work, encoder, out, pool);
    tot_free(work.rgb);
    *count = work.count;
    return status;
}
