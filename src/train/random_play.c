// What a run's views show when the robot moves at random, for embeddings to be whitened with.
#include <string.h>

#include <temporalot/world.h>

#include "base/error.h"
#include "base/memory.h"
#include "train/embedder.h"

enum { FRAMES = 8, HELD = 8 };  // pictures of an episode; steps that an action is kept

typedef struct random_play {
    train_embedder *embedder;
    tot_world *world;
    tot_random random;
    int64_t count;      // pictures so far
    uint8_t *frames;    // [episodes x FRAMES][picture]
    float *embeddings;  // [episodes x FRAMES][width]
    float *view;        // the same of one view
} random_play;

// One episode, of which FRAMES moments are drawn. One whose simulation diverges ends there.
static tot_status play(random_play *play, uint64_t seed, uint64_t episode) {
    float action[TOT_ACTION];
    BASE_TRY(tot_world_reset(play->world, seed, episode));
    const int steps = tot_world_steps(play->world);
    int drawn = 0;
    for (int step = 0; step < steps; step++) {
        for (int k = 0; k < TOT_ACTION && step % HELD == 0; k++) {
            action[k] = (float)(2 * tot_random_uniform(&play->random) - 1);
        }
        const tot_status status = tot_world_step(play->world, action);
        if (status == TOT_E_PHYSICS) {
            return TOT_OK;
        }
        BASE_TRY(status);
        if (drawn < FRAMES && step * FRAMES >= drawn * steps) {
            BASE_TRY(train_embedder_render(
                play->embedder, play->world,
                play->frames + (size_t)play->count * play->embedder->picture));
            play->count++;
            drawn++;
        }
    }
    return TOT_OK;
}

// The whitening of each view from the embeddings of all pictures.
static tot_status fit(random_play *play, double floor) {
    train_embedder *embedder = play->embedder;
    const int64_t width = embedder->width / embedder->views.count;
    BASE_TRY(tot_encode(embedder->encoder, play->frames, play->count * embedder->views.count,
                        play->embeddings));
    for (int k = 0; k < embedder->views.count; k++) {
        for (int64_t n = 0; n < play->count; n++) {
            memcpy(play->view + n * width, play->embeddings + n * embedder->width + k * width,
                   (size_t)width * sizeof *play->view);
        }
        BASE_TRY(
            train_whitening_fit(&embedder->whitening[k], play->view, play->count, width, floor));
    }
    return TOT_OK;
}

static tot_status play_all(random_play *work, const tot_train_config *config,
                           const tot_task *task) {
    tot_world_settings settings;
    tot_world_defaults(&settings);
    settings.action_repeat = (int)config->action_repeat;
    settings.horizon = (int)config->horizon;
    BASE_TRY(tot_world_create(&work->world, task, &settings));
    const size_t most = (size_t)config->whiten_episodes * FRAMES;
    work->frames = base_alloc(most, work->embedder->picture, "frames");
    work->embeddings =
        base_alloc(most * (size_t)work->embedder->width, sizeof *work->embeddings, "embeddings");
    work->view = base_alloc(most * (size_t)work->embedder->width, sizeof *work->view, "embeddings");
    BASE_HAVE(work->frames, work->embeddings, work->view);
    // other goals than those of demonstrations, training and evaluation
    tot_random_init(&work->random, (uint64_t)config->demo_seed, "random play");
    const uint64_t seed = tot_random_word(&work->random);
    for (int64_t episode = 0; episode < config->whiten_episodes; episode++) {
        BASE_TRY(play(work, seed, (uint64_t)episode));
    }
    BASE_FAIL_IF(work->count < 2, TOT_E_PHYSICS,
                 "whiten: the simulation diverged in all %lld random episodes",
                 (long long)config->whiten_episodes);
    return fit(work, config->whiten_floor);
}

tot_status train_embedder_whiten(train_embedder *embedder, const tot_train_config *config,
                                 const tot_task *task) {
    if (!embedder->sees_pictures || config->whiten == TOT_WHITEN_OFF) {
        return TOT_OK;
    }
    random_play work = {.embedder = embedder};
    const tot_status status = play_all(&work, config, task);
    tot_world_free(work.world);
    base_free(work.frames);
    base_free(work.embeddings);
    base_free(work.view);
    return status;
}
