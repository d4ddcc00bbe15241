// Many worlds, of one or several tasks, each one a job for the pool.
#include "base/base.h"
#include "world/sawyer.h"

enum { TEXT_SIZE = 256 };

struct tot_worlds {
    size_t count;
    tot_pool *pool;
    tot_world **world;        // [count]
    size_t width;             // of an observation with its identity
    double *observations;     // [count x width]
    double *rewards;          // [count]
    bool *success;            // [count]
    bool *done;               // [count]
    tot_status *status;       // [count]
    bool *failed;             // [count]: in the current call
    char (*text)[TEXT_SIZE];  // [count]: error message

    // arguments of the current call
    uint64_t seed;
    uint64_t first;
    const float *actions;
    const double *draws;
};

static tot_status take_memory(tot_worlds *worlds, size_t count) {
    worlds->world = base_alloc_zero(count, sizeof(tot_world *), "worlds");
    worlds->observations = base_alloc_zero(count, worlds->width * sizeof(double), "worlds");
    worlds->rewards = base_alloc_zero(count, sizeof *worlds->rewards, "worlds");
    worlds->success = base_alloc_zero(count, sizeof *worlds->success, "worlds");
    worlds->done = base_alloc_zero(count, sizeof *worlds->done, "worlds");
    worlds->status = base_alloc_zero(count, sizeof *worlds->status, "worlds");
    worlds->failed = base_alloc_zero(count, sizeof *worlds->failed, "worlds");
    worlds->text = base_alloc_zero(count, sizeof *worlds->text, "worlds");
    BASE_HAVE(worlds->world, worlds->observations, worlds->rewards, worlds->success, worlds->done,
              worlds->status, worlds->failed, worlds->text);
    return TOT_OK;
}

// Tasks of the worlds: one task, or tasks[count].
typedef struct plan {
    const tot_task *task;
    const tot_task *const *tasks;
    const tot_world_settings *settings;
    size_t count;
    const size_t *identities;
    size_t identity_count;
} plan;

static tot_status check_plan(const plan *request) {
    BASE_FAIL_IF(request->count < 1, TOT_E_ARGUMENT, "worlds: %zu is not 1 or more",
                 request->count);
    for (size_t k = 0; request->identities != NULL && k < request->count; k++) {
        BASE_FAIL_IF(request->identities[k] >= request->identity_count, TOT_E_ARGUMENT,
                     "identities[%zu]: %zu is not below %zu", k, request->identities[k],
                     request->identity_count);
    }
    return TOT_OK;
}

static tot_status make_worlds(tot_worlds *worlds, const plan *request) {
    BASE_TRY(take_memory(worlds, request->count));
    for (; worlds->count < request->count; worlds->count++) {
        const size_t k = worlds->count;
        const tot_task *task = request->tasks != NULL ? request->tasks[k] : request->task;
        BASE_TRY(tot_world_create(&worlds->world[k], task, request->settings));
        if (request->identities != NULL) {
            worlds->observations[worlds->width * k + TOT_OBSERVATION + request->identities[k]] = 1;
        }
    }
    return TOT_OK;
}

static tot_status create(tot_worlds **out, const plan *request, tot_pool *pool) {
    *out = NULL;
    BASE_TRY(check_plan(request));
    BASE_NEW(tot_worlds, worlds, "worlds");
    worlds->pool = pool;
    worlds->width = TOT_OBSERVATION + (request->identities != NULL ? request->identity_count : 0);
    BASE_GIVE(make_worlds(worlds, request), out, worlds, tot_worlds_free);
}

tot_status tot_worlds_create(tot_worlds **out, const tot_task *task,
                             const tot_world_settings *settings, size_t count, tot_pool *pool) {
    BASE_NEED(out, task);
    return create(out, &(plan){.task = task, .settings = settings, .count = count}, pool);
}

tot_status tot_worlds_create_mixed(tot_worlds **out, const tot_task *const *tasks,
                                   const tot_world_settings *settings, size_t count,
                                   const size_t *identities, size_t identity_count,
                                   tot_pool *pool) {
    BASE_NEED(out, tasks);
    return create(out,
                  &(plan){.tasks = tasks,
                          .settings = settings,
                          .count = count,
                          .identities = identities,
                          .identity_count = identity_count},
                  pool);
}

void tot_worlds_free(tot_worlds *worlds) {
    BASE_UNLESS_NULL(worlds);
    for (size_t k = 0; k < worlds->count; k++) {
        tot_world_free(worlds->world[k]);
    }
    BASE_RELEASE(worlds->world, worlds->observations, worlds->rewards, worlds->success,
                 worlds->done, worlds->status, worlds->failed, worlds->text, worlds);
}

// Records the result of a world. The job itself never fails, so that all others run.
static void note(tot_worlds *worlds, size_t index, tot_status status) {
    const tot_world *world = worlds->world[index];
    worlds->failed[index] = status != TOT_OK;
    worlds->status[index] = status;
    if (status != TOT_OK) {
        snprintf(worlds->text[index], TEXT_SIZE, "%s", tot_error());
    }
    memcpy(worlds->observations + worlds->width * index, world->observation,
           sizeof world->observation);
    worlds->rewards[index] = world->reward;
    worlds->success[index] = world->success;
    worlds->done[index] = tot_world_done(world);
}

static tot_status reset_one(void *context, size_t index, int worker) {
    (void)worker;
    tot_worlds *worlds = context;
    note(worlds, index, tot_world_reset(worlds->world[index], worlds->seed, worlds->first + index));
    return TOT_OK;
}

static tot_status reset_one_to(void *context, size_t index, int worker) {
    (void)worker;
    tot_worlds *worlds = context;
    tot_world *world = worlds->world[index];
    note(worlds, index,
         tot_world_reset_to(world, worlds->draws + TOT_MAX_DRAW * index,
                            (size_t)world->task->info.draw_length));
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
    BASE_TRY(tot_pool_run(worlds->pool, worlds->count, job, worlds));
    for (size_t k = 0; k < worlds->count; k++) {
        BASE_FAIL_IF(worlds->failed[k], worlds->status[k], "world %zu: %s", k, worlds->text[k]);
    }
    return TOT_OK;
}

tot_status tot_worlds_reset(tot_worlds *worlds, uint64_t seed, uint64_t first) {
    BASE_NEED(worlds);
    worlds->seed = seed;
    worlds->first = first;
    return run(worlds, reset_one);
}

tot_status tot_worlds_reset_to(tot_worlds *worlds, const double *draws) {
    BASE_NEED(worlds, draws);
    worlds->draws = draws;
    BASE_FINALLY(run(worlds, reset_one_to), worlds->draws = NULL);
}

tot_status tot_worlds_step(tot_worlds *worlds, const float *actions) {
    BASE_NEED(worlds, actions);
    worlds->actions = actions;
    BASE_FINALLY(run(worlds, step_one), worlds->actions = NULL);
}

BASE_GETTER(size_t, tot_worlds_count, tot_worlds, worlds, 0, worlds->count)
BASE_GETTER(size_t, tot_worlds_width, tot_worlds, worlds, 0, worlds->width)

tot_world *tot_worlds_at(tot_worlds *worlds, size_t index) {
    BASE_NEED_OR(NULL, worlds);
    return index < worlds->count ? worlds->world[index] : NULL;
}

BASE_GETTER(const double *, tot_worlds_observations, tot_worlds, worlds, NULL, worlds->observations)
BASE_GETTER(const double *, tot_worlds_rewards, tot_worlds, worlds, NULL, worlds->rewards)
BASE_GETTER(const bool *, tot_worlds_success, tot_worlds, worlds, NULL, worlds->success)
BASE_GETTER(const bool *, tot_worlds_done, tot_worlds, worlds, NULL, worlds->done)
BASE_GETTER(const tot_status *, tot_worlds_status, tot_worlds, worlds, NULL, worlds->status)
