#include "train/random_play.h"

#include <temporalot/demo.h>

#include "base/base.h"
#include "picture/renderer.h"

enum { FRAMES = 8, HELD = 8 };  // pictures per episode; steps per action

typedef struct random_play {
    const train_random_play *request;
    tot_world *world;
    tot_random random;
    float action[TOT_ACTION];
    size_t picture;     // bytes of one view
    int64_t count;      // time steps rendered so far
    int64_t drawn;      // those of the current episode
    uint8_t *frames;    // [episodes x FRAMES][views][picture]
    float *embeddings;  // [episodes x FRAMES][views][width]
    float *view;        // the same, for one view
} random_play;

// Draws a random action and repeats it for some steps.
static tot_status act(void *context, const tot_world *world, int64_t step, float *action) {
    (void)world;
    random_play *work = context;
    for (int k = 0; k < TOT_ACTION && step % HELD == 0; k++) {
        work->action[k] = (float)(2 * tot_random_uniform(&work->random) - 1);
    }
    memcpy(action, work->action, sizeof work->action);
    return TOT_OK;
}

// Renders FRAMES evenly spaced time steps of an episode.
static tot_status watch(void *context, const tot_world *world, int64_t step, const float *action) {
    random_play *work = context;
    const train_random_play *request = work->request;
    if (action == NULL || work->drawn == FRAMES ||
        (step - 1) * FRAMES < work->drawn * tot_world_steps(world)) {
        return TOT_OK;
    }
    const size_t place = (size_t)work->count * (size_t)request->views;
    BASE_TRY(picture_draw_views(request->renderers, request->views, world, work->picture,
                                work->frames + place * work->picture));
    work->count++;
    work->drawn++;
    return TOT_OK;
}

// Runs one episode; it ends early if the simulation diverges.
static tot_status play(random_play *work, uint64_t seed, uint64_t episode) {
    const tot_policy policy = {.act = act, .context = work};
    BASE_TRY(tot_world_reset(work->world, seed, episode));
    work->drawn = 0;
    const tot_status status = tot_play(work->world, &policy, -1, watch, work);
    return status == TOT_E_PHYSICS ? TOT_OK : status;
}

// Fits the whitening of each view to the embeddings of all pictures.
static tot_status fit(random_play *work, train_whitening *whitening) {
    const train_random_play *request = work->request;
    const int64_t width = tot_encoder_width(request->encoder);
    const int64_t all = request->views * width;
    BASE_TRY(
        tot_encode(request->encoder, work->frames, work->count * request->views, work->embeddings));
    for (int k = 0; k < request->views; k++) {
        for (int64_t n = 0; n < work->count; n++) {
            memcpy(work->view + n * width, work->embeddings + n * all + k * width,
                   (size_t)width * sizeof *work->view);
        }
        BASE_TRY(
            train_whitening_fit(&whitening[k], work->view, work->count, width, request->floor));
    }
    return TOT_OK;
}

static tot_status play_all(random_play *work, train_whitening *whitening) {
    const train_random_play *request = work->request;
    const size_t most = (size_t)request->episodes * FRAMES;
    const size_t views = (size_t)request->views;
    const size_t width = (size_t)tot_encoder_width(request->encoder);
    const size_t side = (size_t)tot_encoder_size(request->encoder);
    BASE_TRY(tot_world_create(&work->world, request->task, &request->world));
    work->picture = side * side * 3;
    work->frames = base_alloc(most * views, work->picture, "frames");
    work->embeddings = base_alloc(most * views, width * sizeof *work->embeddings, "embeddings");
    work->view = base_alloc(most, width * sizeof *work->view, "embeddings");
    BASE_HAVE(work->frames, work->embeddings, work->view);
    // goals other than those of demonstrations, training and evaluation
    tot_random_init(&work->random, request->seed, "random play");
    const uint64_t seed = tot_random_word(&work->random);
    for (int64_t episode = 0; episode < request->episodes; episode++) {
        BASE_TRY(play(work, seed, (uint64_t)episode));
    }
    BASE_FAIL_IF(work->count < 2, TOT_E_PHYSICS,
                 "whiten: the simulation diverged in all %lld random episodes",
                 (long long)request->episodes);
    return fit(work, whitening);
}

tot_status train_random_play_whiten(train_whitening *whitening, const train_random_play *request) {
    if (request->encoder == NULL || request->episodes == 0) {
        return TOT_OK;
    }
    random_play work = {.request = request};
    const tot_status status = play_all(&work, whitening);
    tot_world_free(work.world);
    BASE_RELEASE(work.frames, work.embeddings, work.view);
    return status;
}
