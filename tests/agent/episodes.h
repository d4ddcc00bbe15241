// Episodes whose values encode their own position.
#pragma once

#include <stdlib.h>

#include <temporalot/replay.h>

#include "owned.h"

OWNER(tot_replay)

enum { MOST_STEPS = 64, MOST_WIDTH = 8, MOST_PIXELS = 8 };

typedef struct made_episode {
    float observations[(MOST_STEPS + 1) * MOST_WIDTH];
    uint8_t pictures[(MOST_STEPS + 1) * MOST_PIXELS * MOST_PIXELS * 3];
    float actions[MOST_STEPS * 4];
    float rewards[MOST_STEPS];
    tot_episode view;
} made_episode;

// observations: 1000 number + step + index / 16; rewards: number + step / 100; a picture's bytes
// encode step, position and colour.
static inline const tot_episode *make_episode(made_episode *made, const tot_replay_shape *shape,
                                              int64_t number, int64_t steps) {
    int64_t points = (int64_t)shape->pixels * shape->pixels;
    for (int64_t t = 0; t <= steps; t++) {
        for (int64_t k = 0; k < shape->width; k++) {
            made->observations[t * shape->width + k] =
                (float)(1000 * number + t) + (float)k / 16.0f;
        }
        for (int64_t k = 0; k < 3 * points; k++) {
            made->pictures[t * 3 * points + k] = (uint8_t)(7 * number + 31 * t + 5 * k);
        }
    }
    for (int64_t t = 0; t < steps; t++) {
        made->rewards[t] = (float)number + (float)t / 100.0f;
        for (int64_t k = 0; k < 4; k++) {
            made->actions[4 * t + k] = (float)(t % 8) / 8.0f - (float)k / 4.0f;
        }
    }
    made->view = (tot_episode){
        .steps = steps,
        .observations = shape->width > 0 ? made->observations : NULL,
        .pictures = shape->pixels > 0 ? made->pictures : NULL,
        .actions = made->actions,
        .rewards = made->rewards,
    };
    return &made->view;
}

// Whether an episode of a replay equals the one from make_episode.
static inline bool is_episode(const tot_replay *replay, const tot_replay_shape *shape,
                              int64_t number, int64_t steps) {
    static made_episode made;
    tot_episode found;
    const tot_episode *wanted = make_episode(&made, shape, number, steps);
    if (tot_replay_episode(replay, number, &found) != TOT_OK || found.steps != steps) {
        return false;
    }
    size_t frames = (size_t)steps + 1;
    size_t picture = 3 * (size_t)shape->pixels * (size_t)shape->pixels;
    return memcmp(found.actions, wanted->actions, (size_t)steps * 16) == 0 &&
           memcmp(found.rewards, wanted->rewards, (size_t)steps * 4) == 0 &&
           (shape->width == 0 || memcmp(found.observations, wanted->observations,
                                        frames * (size_t)shape->width * 4) == 0) &&
           (shape->pixels == 0 || memcmp(found.pictures, wanted->pictures, frames * picture) == 0);
}
