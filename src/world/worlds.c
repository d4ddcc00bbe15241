// Many worlds of a task, each one a job for the pool.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "world/sawyer.h"

enum { TEXT_SIZE = 256 };

struct tot_worlds {
    size_t count;
    tot_pool *pool;
    tot_world **world;        // [count]
    double *observations;     // [count x TOT_OBSERVATION]
    bool *success;            // [count]
    bool *done;               // [count]
    tot_status *status;       // [count]
    bool *failed;             // [count]: in the call under way
    char (*text)[TEXT_SIZE];  // [count]: of the failure

    // the call under way
    uint64_t seed;
    uint64_t first;
    const float *actions;
};

tot_status tot_worlds_create(tot_worlds **out, const tot_task *task,
                             const tot_world_settings *settings, size_t count, tot_pool *pool) {
    *out = NULL;
    if (count < 1) {
        return tot_fail(TOT_E_ARGUMENT, "worlds: %zu is not 1 or more", count);
    }
    tot_worlds *worlds = tot_alloc_zero(1, sizeof *worlds, "worlds");
    if (worlds == NULL) {
        return TOT_E_MEMORY;
    }
    worlds->pool = pool;
    worlds->world = tot_alloc_zero(count, sizeof(tot_world *), "worlds");
    worlds->observations =
        tot_alloc_zero(count, TOT_OBSERVATION * sizeof *worlds->observations, "worlds");
    worlds->success = tot_alloc_zero(count, sizeof *worlds->success, "worlds");
    worlds->done = tot_alloc_zero(count, sizeof *worlds->done, "worlds");
    worlds->status = tot_alloc_zero(count, sizeof *worlds->status, "worlds");
    worlds->failed = tot_alloc_zero(count, sizeof *worlds->failed, "worlds");
    worlds->text = tot_alloc_zero(count, sizeof *worlds->text, "worlds");
    tot_status status = TOT_OK;
    if (worlds->world == NULL || worlds->observations == NULL || worlds->success == NULL ||
        worlds->done == NULL || worlds->status == NULL || worlds->failed == NULL ||
        worlds->text == NULL) {
        status = TOT_E_MEMORY;
    }
    for (; status == TOT_OK && worlds->count < count; worlds->count++) {
        status = tot_world_create(&worlds->world[worlds->count], task, settings);
        if (status != TOT_OK) {
            break;
        }
    }
    if (status != TOT_OK) {
        tot_worlds_free(worlds);
        return status;
    }
    *out = worlds;
    return TOT_OK;
}

void tot_worlds_free(tot_worlds *worlds) {
    if (worlds == NULL) {
        return;
    }
    for (size_t k = 0; k < worlds->count; k++) {
        tot_world_free(worlds->world[k]);
    }
    tot_free(worlds->world);
    tot_free(worlds->observations);
    tot_free(worlds->success);
    tot_free(worlds->done);
    tot_free(worlds->status);
    tot_free(worlds->failed);
    tot_free(worlds->text);
    tot_free(worlds);
}

// Notes what became of a world. The job itself never fails, so that all the others run.
static void note(tot_worlds *worlds, size_t index, tot_status status) {
    const tot_world *world = worlds->world[index];
    worlds->failed[index] = status != TOT_OK;
    worlds->status[index] = status;
    if (status != TOT_OK) {
        snprintf(worlds->text[index], TEXT_SIZE, "%s", tot_error());
    }
    memcpy(worlds->observations + TOT_OBSERVATION * index, world->observation,
           sizeof world->observation);
    worlds->success[index] = world->success;
    worlds->done[index] = tot_world_done(world);
}

static tot_status reset_one(void *context, size_t index, int worker) {
    (void)worker;
    tot_worlds *worlds = context;
    note(worlds, index, tot_world_reset(worlds->world[index], worlds->seed, worlds->first + index));
    return TOT_OK;
}

static tot_status step_one(void *context, size_t index, int worker) {
    (void)worker;
    tot_worlds *worlds = context;
    tot_world *world = worlds->world[index];
    worlds->failed[index] = false;
    if (!world->ready || !tot_world_done(world)) {
        note(worlds, index, tot_world_step(world, worlds->actions + TOT_ACTION * index));
    }
    return TOT_OK;
}

static tot_status run(tot_worlds *worlds, tot_job job) {
    TOT_TRY(tot_pool_run(worlds->pool, worlds->count, job, worlds));
    for (size_t k = 0; k < worlds->count; k++) {
        if (worlds->failed[k]) {
            return tot_fail(worlds->status[k], "world %zu: %s", k, worlds->text[k]);
        }
    }
    return TOT_OK;
}

tot_status tot_worlds_reset(tot_worlds *worlds, uint64_t seed, uint64_t first) {
    worlds->seed = seed;
    worlds->first = first;
    return run(worlds, reset_one);
}

tot_status tot_worlds_step(tot_worlds *worlds, const float *actions) {
    worlds->actions = actions;
    const tot_status status = run(worlds, step_one);
    worlds->actions = NULL;
    return status;
}

size_t tot_worlds_count(const tot_worlds *worlds) {
    return worlds->count;
}

tot_world *tot_worlds_at(tot_worlds *worlds, size_t index) {
    return index < worlds->count ? worlds->world[index] : NULL;
}

const double *tot_worlds_observations(const tot_worlds *worlds) {
    return worlds->observations;
}

const bool *tot_worlds_success(const tot_worlds *worlds) {
    return worlds->success;
}

const bool *tot_worlds_done(const tot_worlds *worlds) {
    return worlds->done;
}

const tot_status *tot_worlds_status(const tot_worlds *worlds) {
    return worlds->status;
}
