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
    tot_encoder *encoder;
    int64_t episodes;  // 1 or more
    double floor;      // of train_whitening_fit
    uint64_t seed;
} train_random_play;

// whitening: [views], written; each is to be freed, also where this fails.
tot_status train_random_play_whiten(train_whitening *whitening, const train_random_play *request);
