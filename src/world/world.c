// A world: one simulated scene.
#include "base/base.h"
#include "world/sawyer.h"
#include "world/settle.h"

enum { MOST_FRAMES = 1000000000 };

void tot_world_defaults(tot_world_settings *settings) {
    BASE_NEED_OR(, settings);
    *settings = (tot_world_settings){.action_repeat = 1, .horizon = 0};
}

static tot_status check_settings(const tot_world_settings *settings) {
    BASE_FAIL_IF(settings->action_repeat < 1 || settings->action_repeat > MOST_FRAMES,
                 TOT_E_ARGUMENT, "action_repeat: %d is not in 1 .. %d", settings->action_repeat,
                 MOST_FRAMES);
    BASE_FAIL_IF(settings->horizon < 0 || settings->horizon > MOST_FRAMES, TOT_E_ARGUMENT,
                 "horizon: %d is not in 0 .. %d", settings->horizon, MOST_FRAMES);
    return TOT_OK;
}

static bool make_data(void *context) {
    tot_world *world = context;
    world->data = world_mujoco.mj_makeData(&world->model);
    return world->data != NULL;
}

// Resets body and site positions to those of the scene.
static void copy_positions(tot_world *world) {
    const mjModel *shared = world->task->model;
    memcpy(world->model.body_pos, shared->body_pos, 3 * (size_t)shared->nbody * sizeof(double));
    memcpy(world->model.site_pos, shared->site_pos, 3 * (size_t)shared->nsite * sizeof(double));
}

// The world owns the struct of its model; the arrays are the task's, except the two that resets
// modify.
static tot_status make_model(tot_world *world) {
    const mjModel *shared = world->task->model;
    const size_t bodies = 3 * (size_t)shared->nbody;
    const size_t sites = 3 * (size_t)shared->nsite;
    const size_t physics = world_physics_count(shared);
    double *own = base_alloc(bodies + sites + physics, sizeof *own, "world");
    BASE_HAVE(own);
    world->model = *shared;
    world->model.body_pos = own;
    world->model.site_pos = own + bodies;
    world->physics = own + bodies + sites;
    copy_positions(world);
    return TOT_OK;
}

tot_status tot_world_create(tot_world **out, const tot_task *task,
                            const tot_world_settings *settings) {
    BASE_NEED(out, task);
    *out = NULL;
    tot_world_settings chosen;
    tot_world_defaults(&chosen);
    if (settings != NULL) {
        chosen = *settings;
    }
    BASE_TRY(check_settings(&chosen));
    BASE_NEW(tot_world, world, "world");
    world->task = task;
    world->settings = chosen;
    if (chosen.horizon == 0) {
        world->settings.horizon = task->info.horizon;
    }
    tot_status status = make_model(world);
    BASE_THEN(status, world_mujoco_guard(make_data, world));
    if (status == TOT_OK && world->data == NULL) {
        status = base_fail(TOT_E_MEMORY, "world: no memory for MuJoCo's data");
    }
    BASE_GIVE(status, out, world, tot_world_free);
}

void tot_world_free(tot_world *world) {
    BASE_UNLESS_NULL(world);
    if (world->data != NULL) {
        world_mujoco.mj_deleteData(world->data);
    }
    BASE_RELEASE(world->model.body_pos, world);
}

// --- reset -------------------------------------------------------------------------------------

// Updates the sites that the reset moved. Meta-world resets twice, and the second time they are
// already in place; this only matters for pictures.
static void refresh_sites(tot_world *world) {
    const mjModel *model = &world->model;
    const double *before = world->task->model->site_pos;
    mjData *data = world->data;
    for (int k = 0; k < model->nsite; k++) {
        const double *now = model->site_pos + 3 * k;
        const double *then = before + 3 * k;
        if (now[0] != then[0] || now[1] != then[1] || now[2] != then[2]) {
            world_mujoco.mj_local2Global(data, data->site_xpos + 3 * k, data->site_xmat + 9 * k,
                                         now, model->site_quat + 4 * k, model->site_bodyid[k],
                                         model->site_sameframe[k]);
        }
    }
}

static bool start(void *context) {
    tot_world *world = context;
    const tot_task *task = world->task;
    copy_positions(world);
    if (task->definition->place != NULL) {
        task->definition->place(world);
    }
    world_settle(world);
    world_tcp(world, world->start_tcp);
    task->definition->reset(world);
    world_sawyer_look(world);
    refresh_sites(world);
    return true;
}

static bool all_finite(const double *numbers, size_t count) {
    for (size_t k = 0; k < count; k++) {
        if (!isfinite(numbers[k])) {
            return false;
        }
    }
    return true;
}

// Meta-world gives an unstable frame neither reward nor success.
static void forget_evaluation(tot_world *world) {
    world->success = false;
    world->reward = 0;
    world->evaluation = (tot_world_info){0};
}

static tot_status diverged(tot_world *world) {
    world->diverged = true;
    forget_evaluation(world);
    return base_fail(TOT_E_PHYSICS, "%s: the simulation diverged at frame %d; reset the world",
                     world->task->info.name, world->frames);
}

// Starts the episode of world->draw.
static tot_status begin(tot_world *world) {
    world->ready = false;
    world->diverged = false;
    forget_evaluation(world);
    memset(world->memory, 0, sizeof world->memory);
    world->fresh = false;
    world->frames = 0;
    BASE_TRY(world_mujoco_guard(start, world));
    if (world_sawyer_diverged(world->data) || !all_finite(world->now, WORLD_FRAME_NUMBERS) ||
        !all_finite(world->goal, 3)) {
        return diverged(world);
    }
    world_sawyer_observe_first(world);
    world->ready = true;
    return TOT_OK;
}

tot_status tot_world_reset(tot_world *world, uint64_t seed, uint64_t episode) {
    BASE_NEED(world);
    world->seed = seed;
    world->episode = episode;
    world_task_draw_from(world->task, seed, episode, world->draw, &world->random);
    return begin(world);
}

tot_status tot_world_reset_to(tot_world *world, const double *rand_vec, size_t length) {
    BASE_NEED(world, rand_vec);
    BASE_TRY(tot_task_check_draw(world->task, rand_vec, length));
    world->seed = 0;
    world->episode = 0;
    world->random = (tot_random){0};
    memcpy(world->draw, rand_vec, length * sizeof *rand_vec);
    return begin(world);
}

tot_status world_begin_again(tot_world *world, const double *rand_vec) {
    memmove(world->draw, rand_vec, (size_t)world->task->info.draw_length * sizeof *rand_vec);
    return begin(world);
}

// --- step --------------------------------------------------------------------------------------

typedef struct motion {
    tot_world *world;
    world_action action;
    double move[3];
} motion;

static bool run_frame(void *context) {
    motion *job = context;
    const double grip = job->action.value[3];
    world_sawyer_frame(job->world, job->move, grip, -grip);
    world_sawyer_look(job->world);
    return true;
}

static void evaluate(tot_world *world, const world_action *action) {
    const tot_task *task = world->task;
    tot_world_info *out = &world->evaluation;
    *out = (tot_world_info){0};
    if (task->settings.reward_version == 1) {
        task->definition->evaluate_v1(world, action, out);
    } else {
        task->definition->evaluate(world, action, out);
    }
    world->success = out->success != 0;
    world->reward += out->unscaled_reward;
}

static tot_status advance(motion *job) {
    tot_world *world = job->world;
    double before[WORLD_FRAME_NUMBERS];
    memcpy(before, world->now, sizeof before);
    world->frames++;
    const tot_status status = world_mujoco_guard(run_frame, job);
    if (status != TOT_OK) {
        world->diverged = true;
        forget_evaluation(world);
        return status;
    }
    if (world_sawyer_diverged(world->data) || !all_finite(world->now, WORLD_FRAME_NUMBERS)) {
        return diverged(world);
    }
    world_sawyer_observe(world, before);
    evaluate(world, &job->action);
    return TOT_OK;
}

static tot_status check_ready(const tot_world *world) {
    const char *name = world->task->info.name;
    BASE_FAIL_IF(!world->ready, TOT_E_ARGUMENT, "%s: the world was not reset before its first step",
                 name);
    BASE_FAIL_IF(world->diverged, TOT_E_PHYSICS,
                 "%s: the simulation diverged at frame %d; reset the world", name, world->frames);
    BASE_FAIL_IF(tot_world_done(world), TOT_E_ARGUMENT,
                 "%s: the episode is over after %d frames; reset the world", name, world->frames);
    return TOT_OK;
}

static tot_status step(tot_world *world, const double action[TOT_ACTION], bool single) {
    motion job = {.world = world, .action.single = single};
    BASE_TRY(check_ready(world));
    for (int k = 0; k < TOT_ACTION; k++) {
        BASE_FAIL_IF(!isfinite(action[k]), TOT_E_VALUE, "action[%d]: %g is not a finite number", k,
                     action[k]);
        job.action.value[k] = action[k];
    }
    for (int k = 0; k < 3; k++) {
        const double clipped = world_clip(action[k], -1, 1);
        // numpy keeps float32 in this product
        job.move[k] = single ? (double)((float)clipped * 0.01f) : clipped * 0.01;
    }
    world->reward = 0;
    for (int k = 0; k < world->settings.action_repeat && !tot_world_done(world); k++) {
        BASE_TRY(advance(&job));
    }
    return TOT_OK;
}

tot_status tot_world_step(tot_world *world, const float *action) {
    BASE_NEED(world, action);
    const double wide[TOT_ACTION] = {action[0], action[1], action[2], action[3]};
    return step(world, wide, true);
}

tot_status tot_world_step_double(tot_world *world, const double *action) {
    BASE_NEED(world, action);
    return step(world, action, false);
}

// --- properties --------------------------------------------------------------------------------

BASE_GETTER(const double *, tot_world_observation, tot_world, world, NULL, world->observation)
BASE_GETTER(bool, tot_world_success, tot_world, world, false, world->success)
BASE_GETTER(double, tot_world_reward, tot_world, world, 0, world->reward)

_Static_assert(sizeof(tot_world_info) == TOT_WORLD_INFO * sizeof(double),
               "it is read as an array of numbers");

const char *tot_world_info_name(size_t index) {
    static const char *const names[TOT_WORLD_INFO] = {
        "success",         "near_object",   "grasp_success",  "grasp_reward",
        "in_place_reward", "obj_to_target", "unscaled_reward"};
    return index < TOT_WORLD_INFO ? names[index] : NULL;
}

BASE_GETTER(const tot_world_info *, tot_world_information, tot_world, world, NULL,
            &world->evaluation)
BASE_GETTER(bool, tot_world_done, tot_world, world, false,
            world->diverged || world->frames >= world->settings.horizon)
BASE_GETTER(int, tot_world_frames, tot_world, world, 0, world->frames)
BASE_GETTER(int, tot_world_horizon, tot_world, world, 0, world->settings.horizon)
BASE_GETTER(int, tot_world_steps, tot_world, world, 0,
            (world->settings.horizon - 1) / world->settings.action_repeat + 1)
BASE_GETTER(const tot_task *, tot_world_task, tot_world, world, NULL, world->task)
BASE_GETTER(const double *, tot_world_draw, tot_world, world, NULL, world->draw)

void tot_world_expert(const tot_world *world, float *action) {
    BASE_NEED_OR(, world, action);
    double observation[TOT_OBSERVATION];
    world_observe_goal(world, observation);
    tot_task_expert(world->task, observation, action);
}
