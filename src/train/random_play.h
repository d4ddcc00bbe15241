// Pictures of random robot motion, to fit the whitening of embeddings.
#pragma once

#include <temporalot/encoder.h>
#include <temporalot/picture.h>
#include <temporalot/world.h>

#include "train/whitening.h"

typedef struct train_random_play {
    const tot_task *task;
    tot_world_settings world;
    int views;
    tot_renderer *const *renderers;  // [views], at the encoder's size
    tot_encoder *encoder;            // NULL: no pictures, so no whitening
    int64_t episodes;                // 0: no whitening
    double floor;                    // see train_whitening_fit
    uint64_t seed;
} train_random_play;

// whitening: [views], must be {0}, and stays so if whitening is off. Otherwise each must be freed,
// even on failure.
tot_status train_random_play_whiten(train_whitening *whitening, const train_random_play *request);
