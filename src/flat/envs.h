// Environments: shared by the files that implement them.
#pragma once

#include <temporalot/world.h>

#include "flat/flat.h"
#include "train/input.h"

typedef enum flat_reward { FLAT_SPARSE, FLAT_DENSE, FLAT_NO_REWARD } flat_reward;

typedef enum flat_autoreset { FLAT_NEXT_STEP, FLAT_SAME_STEP, FLAT_DISABLED } flat_autoreset;

// Destination of an observation; NULL where not needed.
typedef struct flat_seen {
    double *state;    // [count][TOT_OBSERVATION]
    float *input;     // [count][tot_flat_envs_input_width()]
    uint8_t *pixels;  // [count][height][width][3]
} flat_seen;

// The caller's arrays, in the order of their names; NULL where not needed.
typedef struct flat_buffers {
    flat_seen seen;
    double *reward;       // [count], like all of the following
    uint8_t *terminated;  // the task was solved, if that ends an episode
    uint8_t *truncated;   // the horizon was reached, or the physics diverged
    uint8_t *success;     // at the last frame
    uint8_t *diverged;    // the physics diverged
    uint8_t *finished;    // final was written in this step
    flat_seen final;      // the last observation of an episode
    int64_t *frames;      // since the reset
    double *info;         // [TOT_WORLD_INFO][count]
} flat_buffers;

// The state of one environment, saved with its world's.
typedef struct flat_env {
    int64_t seed;
    int64_t episode;  // of that seed; -1: none yet
    int64_t started;  // it has been reset
    int64_t over;     // the episode has ended, and the next one has not started
} flat_env;

struct tot_flat_envs {
    tot_task **tasks;  // [task_count]: environment k runs task k modulo task_count
    size_t task_count;
    int64_t count;
    tot_world **worlds;  // [count]
    flat_env *env;       // [count]
    flat_threads threads;
    tot_renderer **renderers;  // [threads][task_count], created on first use
    flat_buffers to;

    tot_task_settings task_settings;
    tot_world_settings world_settings;
    flat_picture picture;
    tot_train_config agent;  // only observation and clock are used: they define `input`
    flat_reward reward;
    flat_autoreset autoreset;
    bool goal_hidden;
    bool terminate_on_success;
};

// Renders environment k with this worker's renderer.
tot_status flat_envs_draw(tot_flat_envs *envs, int64_t k, int worker, uint8_t *rgb);
