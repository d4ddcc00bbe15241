// Shared by the tests in this folder: actions, and rollouts as bytes.
#pragma once

#include <temporalot/world.h>

#include "asserts.h"
#include "owned.h"
#include "sanitizers.h"

OWNER(tot_pool)
OWNER(tot_task)
OWNER(tot_world)
OWNER(tot_worlds)

// How many tasks a test covers: all, but only a few with Valgrind (30 times slower) or a sanitizer.
static inline size_t tasks_to_try(void) {
    return getenv("TEMPORALOT_VALGRIND") != NULL ? 2 : TEST_SANITIZED ? 3 : tot_task_count();
}

// The action for a step of an episode, determined by both alone.
static inline void action_of(uint64_t episode, int step, float *action) {
    tot_random random;
    tot_random_init_numbered(&random, episode, "test actions", (uint64_t)step);
    for (int k = 0; k < TOT_ACTION; k++) {
        action[k] = (float)(2.4 * tot_random_uniform(&random) - 1.2);
    }
}

// One observation, success flag and reward of a rollout.
typedef struct frame_record {
    double observation[TOT_OBSERVATION];
    uint64_t success;
    double reward;
} frame_record;

static inline void record_frame(frame_record *record, const tot_world *world) {
    memcpy(record->observation, tot_world_observation(world), sizeof record->observation);
    record->success = tot_world_success(world);
    record->reward = tot_world_reward(world);
}

// Steps a world starting at step `first`; records: [steps], written.
static inline void roll(tot_world *world, uint64_t episode, int first, int steps,
                        frame_record *records) {
    for (int k = 0; k < steps; k++) {
        float action[TOT_ACTION];
        action_of(episode, first + k, action);
        assert_ok(tot_world_step(world, action));
        record_frame(&records[k], world);
    }
}
