// Resets and steps environments, including autoreset. Every environment is a job of the pool and
// writes its own part of the caller's arrays.
#include "base/base.h"
#include "demo/trajectory.h"
#include "flat/envs.h"

typedef struct moving {
    tot_flat_envs *envs;
    const uint8_t *chosen;
    const int64_t *seeds;
    const double *draws;
    size_t length;
    const void *actions;
    int bytes;
} moving;

// --- output ------------------------------------------------------------------------------------

// The observation as given to the agent of `temporalot train`.
static void write_input(const tot_flat_envs *envs, int64_t k, const double *state, float *inputs) {
    const tot_world *world = envs->worlds[k];
    const train_input input = train_input_of(&envs->agent, tot_world_steps(world));
    const int repeat = envs->world_settings.action_repeat;
    const int steps = (tot_world_frames(world) + repeat - 1) / repeat;
    float numbers[TOT_OBSERVATION];
    demo_observation_read(state, false, numbers);
    train_input_write(&input, numbers, steps, inputs + input.width * k);
}

static tot_status write_observation(tot_flat_envs *envs, int64_t k, int worker,
                                    const flat_seen *to) {
    double state[TOT_OBSERVATION];
    memcpy(state, tot_world_observation(envs->worlds[k]), sizeof state);
    if (envs->goal_hidden) {
        memset(state + TOT_OBSERVATION - DEMO_GOAL, 0, DEMO_GOAL * sizeof *state);
    }
    if (to->state != NULL) {
        memcpy(to->state + TOT_OBSERVATION * k, state, sizeof state);
    }
    if (to->input != NULL) {
        write_input(envs, k, state, to->input);
    }
    if (to->pixels != NULL) {
        uint8_t *rgb = to->pixels + flat_picture_bytes(&envs->picture) * (size_t)k;
        BASE_TRY(flat_envs_draw(envs, k, worker, rgb));
    }
    return TOT_OK;
}

static void put_byte(uint8_t *bytes, int64_t k, bool value) {
    if (bytes != NULL) {
        bytes[k] = value;
    }
}

// What a step led to; {0} at the start of an episode.
typedef struct outcome {
    double reward;
    bool success, diverged, terminated, truncated;
} outcome;

static void write_outcome(const tot_flat_envs *envs, int64_t k, const outcome *result) {
    const flat_buffers *to = &envs->to;
    if (to->reward != NULL) {
        to->reward[k] = result->reward;
    }
    put_byte(to->success, k, result->success);
    put_byte(to->diverged, k, result->diverged);
    put_byte(to->terminated, k, result->terminated);
    put_byte(to->truncated, k, result->truncated);
    put_byte(to->finished, k, false);
    if (to->frames != NULL) {
        to->frames[k] = tot_world_frames(envs->worlds[k]);
    }
    if (to->info != NULL) {
        double numbers[TOT_WORLD_INFO];
        _Static_assert(sizeof(tot_world_info) == sizeof numbers, "only numbers");
        memcpy(numbers, tot_world_information(envs->worlds[k]), sizeof numbers);
        for (int j = 0; j < TOT_WORLD_INFO; j++) {
            to->info[envs->count * j + k] = numbers[j];
        }
    }
}

// --- reset -------------------------------------------------------------------------------------

static tot_status next_episode(tot_flat_envs *envs, int64_t k) {
    flat_env *env = &envs->env[k];
    BASE_TRY(tot_world_reset(envs->worlds[k], (uint64_t)env->seed, (uint64_t)(env->episode + 1)));
    env->episode++;
    env->over = 0;
    env->started = 1;
    return TOT_OK;
}

// How many elements of its row of draws an environment uses: all, or, in a benchmark, as many as
// its task needs.
static size_t draw_length(const tot_flat_envs *envs, int64_t k, size_t row) {
    const bool whole = envs->task_count == 1 || row != TOT_MAX_DRAW;
    const tot_task *task = tot_world_task(envs->worlds[k]);
    return whole ? row : (size_t)tot_task_information(task)->draw_length;
}

static tot_status reset_one(void *context, size_t index, int worker) {
    const moving *call = context;
    tot_flat_envs *envs = call->envs;
    const int64_t k = (int64_t)index;
    flat_env *env = &envs->env[k];
    if (call->chosen != NULL && call->chosen[k] == 0) {
        return TOT_OK;
    }
    if (call->seeds != NULL && call->seeds[k] >= 0) {
        env->seed = call->seeds[k];
        env->episode = -1;
    }
    if (call->draws != NULL) {
        BASE_TRY(tot_world_reset_to(envs->worlds[k], call->draws + call->length * index,
                                    draw_length(envs, k, call->length)));
        env->over = 0;
        env->started = 1;
    } else {
        BASE_TRY(next_episode(envs, k));
    }
    write_outcome(envs, k, &(outcome){0});
    return write_observation(envs, k, worker, &envs->to.seen);
}

tot_status tot_flat_envs_reset(tot_flat_envs *envs, const uint8_t *chosen, const int64_t *seeds,
                               const double *draws, size_t length) {
    BASE_NEED(envs);
    moving call = {
        .envs = envs, .chosen = chosen, .seeds = seeds, .draws = draws, .length = length};
    for (int64_t k = 0; draws != NULL && k < envs->count; k++) {
        BASE_TRY(tot_task_check_draw(tot_world_task(envs->worlds[k]), draws + length * (size_t)k,
                                     draw_length(envs, k, length)));
    }
    BASE_TRY(flat_threads_start(&envs->threads));
    return tot_pool_run(envs->threads.pool, (size_t)envs->count, reset_one, &call);
}

// --- step --------------------------------------------------------------------------------------

static tot_status move(const moving *call, int64_t k) {
    tot_world *world = call->envs->worlds[k];
    return call->bytes == sizeof(float)
               ? tot_world_step(world, (const float *)call->actions + TOT_ACTION * k)
               : tot_world_step_double(world, (const double *)call->actions + TOT_ACTION * k);
}

static outcome outcome_of(const tot_flat_envs *envs, const tot_world *world, bool diverged) {
    const bool success = tot_world_success(world);
    return (outcome){.reward = envs->reward == FLAT_DENSE    ? tot_world_reward(world)
                               : envs->reward == FLAT_SPARSE ? (double)success
                                                             : 0,
                     .success = success,
                     .diverged = diverged,
                     .terminated = success && envs->terminate_on_success,
                     .truncated = tot_world_done(world)};
}

// Same-step autoreset: writes the final observation and starts the next episode.
static tot_status turn_over(tot_flat_envs *envs, int64_t k, int worker) {
    BASE_TRY(write_observation(envs, k, worker, &envs->to.final));
    put_byte(envs->to.finished, k, true);
    return next_episode(envs, k);
}

static tot_status step_one(void *context, size_t index, int worker) {
    const moving *call = context;
    tot_flat_envs *envs = call->envs;
    const int64_t k = (int64_t)index;
    if (envs->env[k].over && envs->autoreset == FLAT_NEXT_STEP) {
        BASE_TRY(next_episode(envs, k));
        write_outcome(envs, k, &(outcome){0});
    } else {
        const tot_status status = move(call, k);
        if (status != TOT_OK && status != TOT_E_PHYSICS) {
            return status;
        }
        const outcome result = outcome_of(envs, envs->worlds[k], status == TOT_E_PHYSICS);
        write_outcome(envs, k, &result);
        envs->env[k].over = result.terminated || result.truncated;
        if (envs->env[k].over && envs->autoreset == FLAT_SAME_STEP) {
            BASE_TRY(turn_over(envs, k, worker));
        }
    }
    return write_observation(envs, k, worker, &envs->to.seen);
}

// Checked before any world steps: an invalid action leaves all environments unchanged.
static tot_status check_step(const moving *call) {
    const tot_flat_envs *envs = call->envs;
    for (int64_t k = 0; k < envs->count; k++) {
        const flat_env *env = &envs->env[k];
        BASE_FAIL_IF(!env->started, TOT_E_ARGUMENT,
                     "environment: it was never reset; call reset() first");
        BASE_FAIL_IF(tot_world_done(envs->worlds[k]) && envs->autoreset == FLAT_DISABLED,
                     TOT_E_ARGUMENT, "environment: the episode is over; call reset()");
        for (int j = 0; j < TOT_ACTION; j++) {
            const int64_t at = TOT_ACTION * k + j;
            const double value = call->bytes == sizeof(float)
                                     ? (double)((const float *)call->actions)[at]
                                     : ((const double *)call->actions)[at];
            BASE_FAIL_IF(!isfinite(value), TOT_E_VALUE,
                         "action: number %d of environment %lld is %g", j, (long long)k, value);
        }
    }
    return TOT_OK;
}

tot_status tot_flat_envs_step(tot_flat_envs *envs, const void *actions, int bytes) {
    BASE_NEED(envs, actions);
    BASE_FAIL_IF(bytes != sizeof(float) && bytes != sizeof(double), TOT_E_ARGUMENT,
                 "action: numbers of %d bytes are neither float32 nor float64", bytes);
    moving call = {.envs = envs, .actions = actions, .bytes = bytes};
    BASE_TRY(check_step(&call));
    BASE_TRY(flat_threads_start(&envs->threads));
    return tot_pool_run(envs->threads.pool, (size_t)envs->count, step_one, &call);
}
