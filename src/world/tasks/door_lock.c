// Lock a door by turning its lock down. The draw is the door's position.
#include "world/siblings.h"

static void reset(tot_world *world) {
    for (int k = 0; k < WORLD_FRAME_SKIP; k++) {
        world_mujoco.mj_step(&world->model, world->data);
    }
    world_lock_remember(world, 0.0, -0.04, -0.1);
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    static const double scale[3] = {0.25, 1.0, 0.5};
    const double *lock = world->observation + WORLD_FIRST_OBJECT;
    const double opened = world->observation[3];
    const double distance = world_distance_scaled(lock, world_left_pad(world), scale);
    const double left = fabs(world->goal[2] - lock[2]);
    // the margin should be the initial distance, but Python keeps a view of the pad
    const double near = world_tolerance(distance, 0, 0.01, distance);
    const double pressed = world_tolerance(left, 0, 0.005, 0.1);
    double reward = 2 * world_hamacher(fmax(opened, 0.0), near);
    reward += 8 * pressed;
    out->success = left <= 0.02;
    out->near_object = distance <= 0.05;
    out->grasp_success = opened > 0;
    out->grasp_reward = near;
    out->in_place_reward = pressed;
    out->obj_to_target = left;
    out->unscaled_reward = reward;
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double lock[3];
    world_shift(lock, observation + WORLD_FIRST_OBJECT, -0.02, -0.02, 0.0);
    double to[3];
    if (world_distance2(hand, lock) > 0.02) {
        if (hand[2] < 0.25) {
            // up first, to avoid the door
            world_shift(to, hand, 0.0, -0.1, 0.1);
        } else {
            world_shift(to, lock, 0.0, 0.0, 0.3);
        }
    } else if (fabs(hand[2] - lock[2]) > 0.02) {
        world_copy3(to, lock);
    } else {
        world_shift(to, lock, -0.1, 0.0, -0.1);
    }
    world_expert_move(action, observation, to, 25.0, -1.0);
}

const world_task_definition world_task_door_lock = {
    .info =
        {
            .name = "door-lock",
            .scene = "sawyer_xyz/sawyer_door_lock.xml",
            .camera = "corner",
            .horizon = 125,
            .draw_length = 3,
            .draw_low = {-0.1, 0.8, 0.15},
            .draw_high = {0.1, 0.85, 0.15},
        },
    .positions = 10,
    .hand_low = {-0.5, 0.40, -0.15},
    .hand_start = {0, 0.6f, 0.2f},
    .parts = WORLD_LOCK_PARTS("lockStartLock"),
    .place = world_place_first,
    .reset = reset,
    .observe = world_lock_observe,
    .evaluate = evaluate,
    .evaluate_v1 = world_lock_evaluate_v1,
    .expert = expert,
};
