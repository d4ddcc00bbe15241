// A synthetic episode as saved by a run.
#pragma once

#include <math.h>

#include "base/memory.h"
#include "train/episode.h"

enum { MADE_STEPS = 20, MADE_DEMO_STEPS = 30, MADE_PICTURES = 5, MADE_SIDE = 12, MADE_BAND = 6 };

static inline uint32_t made_word(uint32_t *word) {
    *word = *word * 1664525 + 1013904223;
    return *word >> 8;
}

// Noise pictures at evenly spaced steps.
static inline void make_pictures(train_episode_pictures *pictures, size_t count, int side,
                                 size_t steps, uint32_t word) {
    const size_t size = count * (size_t)side * (size_t)side * 3;
    *pictures = (train_episode_pictures){.count = count, .width = side, .height = side};
    pictures->rgb = base_alloc(size, 1, "test");
    assert_non_null(pictures->rgb);
    for (size_t k = 0; k < size; k++) {
        pictures->rgb[k] = (uint8_t)made_word(&word);
    }
    for (size_t k = 0; k < count; k++) {
        pictures->steps[k] = k * (steps - 1) / (count > 1 ? count - 1 : 1);
    }
}

// With a band of MADE_BAND around the diagonal; row i of the plan moves all mass to its centre.
static inline train_labelled_episode make_labelled(size_t pictures, int side) {
    train_labelled_episode labelled = {.episode = 41,
                                       .solved = true,
                                       .demo = 1,
                                       .demos = 2,
                                       .steps = MADE_STEPS,
                                       .demo_steps = MADE_DEMO_STEPS};
    const size_t count = MADE_STEPS * MADE_DEMO_STEPS;
    labelled.rewards = base_alloc(MADE_STEPS, sizeof(double), "test");
    labelled.cost = base_alloc(count, sizeof(double), "test");
    labelled.mask = base_alloc(count, sizeof(double), "test");
    labelled.plan = base_alloc(count, sizeof(double), "test");
    assert_true(labelled.rewards != NULL && labelled.cost != NULL && labelled.mask != NULL &&
                labelled.plan != NULL);
    for (size_t k = 0; k < count; k++) {
        const int row = (int)(k / MADE_DEMO_STEPS);
        const int away = (int)(k % MADE_DEMO_STEPS) - row * MADE_DEMO_STEPS / MADE_STEPS;
        const bool inside = abs(away) <= MADE_BAND;
        labelled.rewards[row] = -0.25 * row;
        labelled.mask[k] = inside ? 1 : 0;
        labelled.cost[k] = inside ? 0.125 * abs(away) + row : (double)NAN;
        labelled.plan[k] = away == 0 ? 1.0 / MADE_STEPS : 0;
    }
    make_pictures(&labelled.frames, pictures, side, MADE_STEPS, 7);
    make_pictures(&labelled.demo_frames, pictures, side, MADE_DEMO_STEPS, 8);
    return labelled;
}
