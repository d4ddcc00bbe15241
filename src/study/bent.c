#include "study/bent.h"

#include "base/base.h"
#include "demo/trajectory.h"
#include "world/sawyer.h"

enum { OBJECT = 4 };                    // index of the first object in an observation
static const double moved = 0.003;      // metres; an object that moved less was not touched
static const double frame_move = 0.01;  // metres the mocap moves per frame with an action of 1
static const int64_t lead = 8;          // frames between contact and the shifts before and after it
static const int64_t shortest = 5;      // frames that a shift takes at least

// --- the expert --------------------------------------------------------------------------------

static tot_status look(void *context, const tot_world *world, int64_t step, const float *action) {
    study_bent_demo *demo = context;
    memcpy(demo->observations + step * TOT_OBSERVATION, tot_world_observation(world),
           TOT_OBSERVATION * sizeof *demo->observations);
    memcpy(demo->mocap + 3 * step, world_mocap(world), 3 * sizeof *demo->mocap);
    if (action != NULL) {
        memcpy(demo->actions + (step - 1) * TOT_ACTION, action, TOT_ACTION * sizeof *action);
        const bool first = demo->success == demo->frames && tot_world_success(world);
        demo->success = first ? step - 1 : demo->success;
    }
    return TOT_OK;
}

static int64_t find_contact(const study_bent_demo *demo) {
    const double *start = demo->observations + OBJECT;
    for (int64_t k = 0; k <= demo->frames; k++) {
        const double *now = demo->observations + k * TOT_OBSERVATION + OBJECT;
        double squares = 0;
        for (int i = 0; i < 3; i++) {
            squares += (now[i] - start[i]) * (now[i] - start[i]);
        }
        if (sqrt(squares) > moved) {
            return k;
        }
    }
    return demo->frames / 2;
}

tot_status study_bent_demo_play(study_bent_demo *demo, tot_world *world, const double *rand_vec,
                                bool hold) {
    const int length = tot_task_information(tot_world_task(world))->draw_length;
    const size_t frames = (size_t)tot_world_horizon(world);
    tot_expert expert = {.hold = hold};
    const tot_policy policy = tot_policy_holding(&expert);
    study_bent_demo_free(demo);
    demo->frames = demo->success = (int64_t)frames;
    demo->draw_length = length;
    memcpy(demo->rand_vec, rand_vec, (size_t)length * sizeof *rand_vec);
    demo->observations =
        base_alloc(frames + 1, TOT_OBSERVATION * sizeof *demo->observations, "demonstration");
    demo->mocap = base_alloc(frames + 1, 3 * sizeof *demo->mocap, "demonstration");
    demo->actions = base_alloc(frames, TOT_ACTION * sizeof *demo->actions, "demonstration");
    BASE_HAVE(demo->observations, demo->mocap, demo->actions);
    BASE_TRY(tot_world_reset_to(world, rand_vec, (size_t)length));
    BASE_TRY(tot_play(world, &policy, -1, look, demo));
    demo->contact = find_contact(demo);
    return TOT_OK;
}

void study_bent_demo_free(study_bent_demo *demo) {
    if (demo != NULL) {
        BASE_RELEASE(demo->observations, demo->mocap, demo->actions);
        *demo = (study_bent_demo){0};
    }
}

// --- paths -------------------------------------------------------------------------------------

// Smoothstep from 0 to 1.
static double ease(double x) {
    x = fmax(0, fmin(1, x));
    return x * x * (3 - 2 * x);
}

static int64_t at_least(int64_t frames) {
    return frames > shortest ? frames : shortest;
}

// object and goal: their displacements relative to the demonstration.
static void bend(const study_bent_demo *demo, const double object[3], const double goal[3],
                 double *path) {
    const int64_t until_contact = at_least(demo->contact - lead);
    const int64_t until_success = at_least(demo->success - demo->contact - lead);
    for (int64_t k = 0; k <= demo->frames; k++) {
        const double reach = ease((double)k / (double)until_contact);
        const double carry = ease((double)(k - demo->contact - lead) / (double)until_success);
        for (int i = 0; i < 3; i++) {
            path[3 * k + i] =
                demo->mocap[3 * k + i] + (reach * object[i] + carry * (goal[i] - object[i]));
        }
    }
}

void study_bent_path(const study_bent_demo *demo, const double *rand_vec, double *path) {
    double object[3], goal[3];
    const int place = demo->draw_length >= 6 ? 3 : 0;
    for (int k = 0; k < 3; k++) {
        object[k] = rand_vec[k] - demo->rand_vec[k];
        goal[k] = rand_vec[place + k] - demo->rand_vec[place + k];
    }
    bend(demo, object, goal, path);
}

void study_bent_path_shifted(const study_bent_demo *demo, const double shift[3], double *path) {
    bend(demo, shift, shift, path);
}

int64_t study_bent_stop_short(const study_bent_demo *demo, double distance, double *path) {
    const double *end = path + 3 * demo->contact;
    int64_t stop = demo->contact;
    for (int64_t k = 0; k < demo->contact && stop == demo->contact; k++) {
        const double *at = path + 3 * k;
        const double x = at[0] - end[0], y = at[1] - end[1], z = at[2] - end[2];
        stop = sqrt(x * x + y * y + z * z) < distance ? k : stop;
    }
    for (int64_t k = stop + 1; k <= demo->frames; k++) {
        memcpy(path + 3 * k, path + 3 * stop, 3 * sizeof *path);
    }
    return stop;
}

typedef struct follower {
    const study_bent_demo *demo;
    const double *path;
    int64_t grip_stop;
    bool open;
    float *actions;  // [frames][TOT_ACTION], written
} follower;

static tot_status follow(void *context, const tot_world *world, int64_t step, float *action) {
    const follower *this = context;
    const double *now = world_mocap(world);
    const double *want = this->path + 3 * (step + 1);
    const int64_t from = step < this->grip_stop ? step : this->grip_stop;
    for (int i = 0; i < 3; i++) {
        action[i] = (float)fmax(-1, fmin(1, (want[i] - now[i]) / frame_move));
    }
    action[3] = this->open ? -1 : this->demo->actions[from * TOT_ACTION + 3];
    memcpy(this->actions + step * TOT_ACTION, action, TOT_ACTION * sizeof *action);
    return TOT_OK;
}

tot_status study_bent_follow(const study_bent_demo *demo, tot_world *world, const double *rand_vec,
                             const double *path, int64_t grip_stop, bool open, float *actions) {
    follower this = {demo, path, grip_stop, open, actions};
    const tot_policy policy = {.act = follow, .context = &this};
    BASE_TRY(tot_world_reset_to(world, rand_vec, (size_t)demo->draw_length));
    return tot_play(world, &policy, -1, NULL, NULL);
}

tot_status study_replay(tot_world *world, const double *rand_vec, const float *actions,
                        tot_step_callback after, void *context) {
    const int length = tot_task_information(tot_world_task(world))->draw_length;
    const tot_array given = {.type = TOT_F32,
                             .dimensions = 2,
                             .shape = {tot_world_steps(world), TOT_ACTION},
                             .data = (void *)actions};
    const tot_policy policy = tot_policy_replay(&given);
    BASE_TRY(tot_world_reset_to(world, rand_vec, (size_t)length));
    return tot_play(world, &policy, -1, after, context);
}
