// Shared by the tests in this folder: synthetic trajectories, and comparison of two.
#pragma once

#include "../file/test_folder.h"
#include "../owned.h"

#include <temporalot/demo.h>

#include "base/memory.h"
#include "demo/trajectory.h"

OWNER(tot_task)
OWNER(tot_world)

// A trajectory of random values determined by seed; with 2 x 3 pictures if requested.
static inline void make_up(tot_trajectory *out, int64_t steps, uint64_t seed, bool frames) {
    tot_random random;
    tot_random_init(&random, seed, "trajectory");
    assert_ok(demo_trajectory_allocate(out, steps));
    for (int64_t k = 0; k < (steps + 1) * TOT_OBSERVATION; k++) {
        out->observations[k] = tot_random_normal(&random);
    }
    for (int64_t k = 0; k < steps * TOT_ACTION; k++) {
        out->actions[k] = (float)tot_random_normal(&random);
    }
    for (int64_t k = 0; k < steps; k++) {
        out->success[k] = k >= steps / 2;
    }
    // every other one has no rewards, like older files
    if (seed % 2 == 1) {
        out->rewards = base_alloc((size_t)steps, sizeof(double), "rewards");
        out->info = base_alloc((size_t)steps, TOT_WORLD_INFO * sizeof(double), "info");
        assert_true(out->rewards != NULL && out->info != NULL);
        for (int64_t k = 0; k < steps * TOT_WORLD_INFO; k++) {
            out->rewards[k % steps] = out->info[k] = tot_random_normal(&random);
        }
    }
    out->draw_length = seed % 2 == 0 ? 3 : 6;
    for (int k = 0; k < out->draw_length; k++) {
        out->rand_vec[k] = tot_random_uniform(&random);
    }
    out->seed = (int64_t)seed;
    out->episode = (int64_t)seed + 10;
    out->attempts = 3;
    if (frames) {
        static uint8_t pixels[1000 * 2 * 3 * 3];
        for (size_t k = 0; k < sizeof pixels; k++) {
            pixels[k] = (uint8_t)(k / 18);
        }
        // borrowed, so not freed with the trajectory
        out->frames =
            (tot_array){.type = TOT_U8, .dimensions = 4, .shape = {steps, 2, 3, 3}, .data = pixels};
    }
}

static inline tot_recording_meta made_up_meta(void) {
    return (tot_recording_meta){
        .task = "door-open",
        .policy = "expert",
        .camera = "corner3",
        .upright = true,
        .action_repeat = 2,
        .horizon = 125,
        .hold = true,
        .speed = 1,
        .mujoco = "3.3.0",
        .metaworld = "3.1.1",
        .program = "0.1.0",
    };
}

static inline void make_up_recording(tot_recording *out, size_t count, bool frames) {
    *out = (tot_recording){.meta = made_up_meta()};
    for (size_t k = 0; k < count; k++) {
        tot_trajectory one = {0};
        make_up(&one, 5 + (int64_t)k, k, frames);
        assert_ok(tot_recording_add(out, &one));
    }
}

static inline void assert_same_array(const tot_array *a, const tot_array *b) {
    assert_int_equal(a->data == NULL, b->data == NULL);
    if (a->data != NULL) {
        assert_int_equal(a->type, b->type);
        assert_int_equal(a->dimensions, b->dimensions);
        assert_memory_equal(a->shape, b->shape, (size_t)a->dimensions * sizeof *a->shape);
        assert_memory_equal(a->data, b->data, (size_t)tot_array_count(a) * tot_type_size(a->type));
    }
}

static inline void assert_same_trajectory(const tot_trajectory *a, const tot_trajectory *b) {
    const size_t steps = (size_t)a->steps;
    assert_int_equal(a->steps, b->steps);
    assert_int_equal(a->rewards == NULL, b->rewards == NULL);
    assert_int_equal(a->info == NULL, b->info == NULL);
    if (a->rewards != NULL && a->info != NULL) {
        assert_memory_equal(a->rewards, b->rewards, steps * sizeof(double));
        assert_memory_equal(a->info, b->info, steps * TOT_WORLD_INFO * sizeof(double));
    }
    assert_memory_equal(a->observations, b->observations,
                        (steps + 1) * TOT_OBSERVATION * sizeof *a->observations);
    assert_memory_equal(a->actions, b->actions, steps * TOT_ACTION * sizeof *a->actions);
    assert_memory_equal(a->success, b->success, steps);
    assert_int_equal(a->draw_length, b->draw_length);
    assert_memory_equal(a->rand_vec, b->rand_vec, (size_t)a->draw_length * sizeof *a->rand_vec);
    assert_int_equal(a->seed, b->seed);
    assert_int_equal(a->episode, b->episode);
    assert_int_equal(a->attempts, b->attempts);
    assert_same_array(&a->frames, &b->frames);
}

static inline void assert_empty(const tot_recording *recording) {
    assert_int_equal(recording->count, 0);
    assert_null(recording->trajectories);
}
