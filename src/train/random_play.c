#include "train/random_play.h"

#include <string.h>

#include "base/base.h"

enum { FRAMES = 8, HELD = 8 };  // pictures of an episode; steps that an action is kept

typedef struct random_play {
    const train_random_play *request;
    tot_world *world;
    tot_random random;
    size_t picture;     // bytes of one view
    int64_t count;      // moments drawn so far
    uint8_t *frames;    // [episodes x FRAMES][views][picture]
    float *embeddings;  // [episodes x FRAMES][views][width]
    float *view;        // the same of one view
} random_play;

// One episode, of which FRAMES moments are drawn. One whose simulation diverges ends there.
static tot_status play(random_play *work, uint64_t seed, uint64_t episode) {
    const train_random_play *request = work->request;
    float action[TOT_ACTION];
    BASE_TRY(tot_world_reset(work->world, seed, episode));
    const int steps = tot_world_steps(work->world);
    int drawn = 0;
    for (int step = 0; step < steps; step++) {
        for (int k = 0; k < TOT_ACTION && step % HELD == 0; k++) {
            action[k] = (float)(2 * tot_random_uniform(&work->random) - 1);
        }
        const tot_status status = tot_world_step(work->world, action);
        if (status == TOT_E_PHYSICS) {
            return TOT_OK;
        }
        BASE_TRY(status);
        if (drawn == FRAMES || step * FRAMES < drawn * steps) {
            continue;
        }
        for (int k = 0; k < request->views; k++) {
            const size_t place = (size_t)work->count * (size_t)request->views + (size_t)k;
            BASE_TRY(tot_renderer_draw(request->renderers[k], work->world,
                                       work->frames + place * work->picture));
        }
        work->count++;
        drawn++;
    }
    return TOT_OK;
}

// The whitening of each view from the embeddings of all pictures.
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
    // other goals than those of demonstrations, training and evaluation
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
    random_play work = {.request = request};
    const tot_status status = play_all(&work, whitening);
    tot_world_free(work.world);
    BASE_RELEASE(work.frames, work.embeddings, work.view);
    return status;
}
