// The arm: what all tasks of Meta-world have in common. MuJoCo is called in the same order as in
// the Python package, because the constraint solver is warm-started from the previous call.
#include "world/sawyer.h"

#include <string.h>

const double world_hand_high[3] = {0.5, 1, 0.5};
const double world_hand_turn[4] = {1, 0, 1, 0};

static void move_mocap(tot_world *world, const double move[3]) {
    const world_task_definition *definition = world->task->definition;
    mjData *data = world->data;
    for (int k = 0; k < 3; k++) {
        data->mocap_pos[k] =
            world_clip(data->mocap_pos[k] + move[k], definition->hand_low[k], world_hand_high[k]);
    }
    world_copy4(data->mocap_quat, world_hand_turn);
}

// mj_step for the case that only mocap and controls have changed since mj_forward. As positions and
// velocities are unchanged, it can skip inertia, contacts, passive and bias forces; the mocap only
// affects its own body and the weld.
static void step_again(const mjModel *model, mjData *data) {
    world_mujoco.mj_kinematics(model, data);
    world_mujoco.mj_makeConstraint(model, data);
    world_mujoco.mj_projectConstraint(model, data);
    world_mujoco.mj_referenceConstraint(model, data);
    world_mujoco.mj_fwdActuation(model, data);
    world_mujoco.mj_fwdAcceleration(model, data);
    world_mujoco.mj_fwdConstraint(model, data);
    world_mujoco.mj_checkAcc(model, data);
    world_mujoco.mj_Euler(model, data);
}

void world_sawyer_frame(tot_world *world, const double move[3], double right, double left) {
    const mjModel *model = &world->model;
    mjData *data = world->data;
    move_mocap(world, move);
    data->ctrl[0] = right;
    data->ctrl[1] = left;
    int done = 0;
    if (world->fresh && world->task->reuse) {
        step_again(model, data);
        done = 1;
    }
    for (; done < WORLD_FRAME_SKIP; done++) {
        world_mujoco.mj_step(model, data);
    }
    world_mujoco.mj_forward(model, data);
    world->fresh = true;
}

void world_sawyer_look(tot_world *world) {
    const tot_task *task = world->task;
    const double *position = world->data->xpos;
    double *now = world->now;
    world_copy3(now, position + 3 * task->hand);
    const double opening =
        world_distance3(position + 3 * task->right_claw, position + 3 * task->left_claw);
    now[3] = world_clip(opening / 0.1, 0.0, 1.0);
    memset(now + WORLD_FIRST_OBJECT, 0, WORLD_OBJECT_NUMBERS * sizeof *now);
    task->definition->observe(world, now + WORLD_FIRST_OBJECT);
}

// Clips hand and gripper in one frame of the observation.
static void clip_frame(double *frame) {
    static const double low[WORLD_FIRST_OBJECT] = {-0.525, 0.348, -0.0525, -1.0};
    static const double high[WORLD_FIRST_OBJECT] = {0.525, 1.025, 0.7, 1.0};
    for (int k = 0; k < WORLD_FIRST_OBJECT; k++) {
        frame[k] = world_clip(frame[k], low[k], high[k]);
    }
}

static void write_goal(const tot_world *world, bool clipped, double *observation) {
    const world_task_definition *definition = world->task->definition;
    const bool own = definition->goal_high[1] > 0;  // has its own box
    const double *low = own ? definition->goal_low : definition->hand_low;
    const double *high = own ? definition->goal_high : world_hand_high;
    for (int k = 0; k < 3; k++) {
        const double place = world->goal[k];
        observation[WORLD_GOAL + k] = clipped ? world_clip(place, low[k], high[k]) : place;
    }
}

void world_sawyer_observe(tot_world *world, const double before[WORLD_FRAME_NUMBERS]) {
    double *out = world->observation;
    memcpy(out, world->now, WORLD_FRAME_NUMBERS * sizeof *out);
    memcpy(out + WORLD_FRAME_NUMBERS, before, WORLD_FRAME_NUMBERS * sizeof *out);
    clip_frame(out);
    clip_frame(out + WORLD_FRAME_NUMBERS);
    if (!world->settings.goal_hidden) {
        write_goal(world, true, out);
    }
}

void world_sawyer_observe_first(tot_world *world) {
    double *out = world->observation;
    memset(out, 0, sizeof world->observation);
    memcpy(out, world->now, WORLD_FRAME_NUMBERS * sizeof *out);
    memcpy(out + WORLD_FRAME_NUMBERS, world->now, WORLD_FRAME_NUMBERS * sizeof *out);
    if (!world->settings.goal_hidden) {
        write_goal(world, false, out);
    }
}

void world_observe_goal(const tot_world *world, double *observation) {
    memcpy(observation, world->observation, sizeof world->observation);
    write_goal(world, world->frames > 0, observation);
}

bool world_sawyer_diverged(const mjData *data) {
    return data->warning[mjWARN_BADQPOS].number != 0 || data->warning[mjWARN_BADQVEL].number != 0 ||
           data->warning[mjWARN_BADQACC].number != 0 || data->warning[mjWARN_BADCTRL].number != 0;
}

void world_place_object(tot_world *world, double x, double y, double z) {
    world_set3(world->data->qpos + WORLD_OBJECT_JOINT, x, y, z);
    memset(world->data->qvel + WORLD_OBJECT_JOINT, 0, 6 * sizeof(double));
    world_forward(world);
}

void world_place_joint(tot_world *world, double position) {
    world->data->qpos[WORLD_OBJECT_JOINT] = position;
    world->data->qvel[WORLD_OBJECT_JOINT] = 0;
    world_forward(world);
}

void world_place_mug(tot_world *world, const double *position) {
    world_copy3(world->data->qpos, position);
    memset(world->data->qvel + WORLD_OBJECT_JOINT, 0, 6 * sizeof(double));
    world_forward(world);
}

static bool between(const mjContact *contact, int a, int b) {
    return (contact->geom1 == a || contact->geom2 == a) &&
           (contact->geom1 == b || contact->geom2 == b);
}

// The sum of the first force component of all contacts between a pad and the geom.
static double pressure(const mjData *data, int pad, int geom) {
    double sum = 0;
    for (int k = 0; k < data->ncon; k++) {
        const mjContact *contact = &data->contact[k];
        if (between(contact, pad, geom) && data->nefc > 0) {
            // a contact without a constraint has address -1, which in Python indexes the last
            // element
            const int address = contact->efc_address;
            sum += data->efc_force[address >= 0 ? address : data->nefc - 1];
        }
    }
    return sum;
}

bool world_touches(const tot_world *world, int part) {
    const int geom = world->task->part[part];
    return 0 < pressure(world->data, world->task->left_pad, geom) &&
           0 < pressure(world->data, world->task->right_pad, geom);
}
