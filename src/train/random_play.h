// What views show when the robot moves at random, for embeddings to be whitened with.
#pragma once

#include <temporalot/encoder.h>
#include <temporalot/picture.h>
#include <temporalot/world.h>

#include "train/whitening.h"

typedef struct train_random_play {
    const tot_task *task;
    tot_world_settings world;
    int views;
    tot_renderer *const *renderers;  // [views], of the encoder's size
    tot_encoder *encoder;            // NULL: there are no pictures, and nothing is whitened
    int64_t episodes;                // 0: nothing is whitened
    double floor;                    // of train_whitening_fit
    uint64_t seed;
} train_random_play;

// whitening: [views], {0}, which it stays where nothing is whitened; else each is to be freed, also
// where this fails.
tot_status train_random_play_whiten(train_whitening *whitening, const train_random_play *request);
