// Unlock a door by pushing its lock sideways. The draw is the door's position.
#include "world/siblings.h"

static void reset(tot_world *world) {
    // turn the lock to its locked position
    world_place_joint(world, 1.5708);
    world_lock_remember(world, 0.1, -0.04, 0.0);
}

// The lock is pushed by the hand's shoulder, not its fingers.
static double shoulder_to(const double *hand, const double *lock) {
    static const double scale[3] = {0.25, 1.0, 0.5};
    double shoulder[3];
    world_shift(shoulder, hand, 0.0, 0.055, 0.07);
    return world_distance_scaled(shoulder, lock, scale);
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double *lock = world->observation + WORLD_FIRST_OBJECT;
    const double distance = shoulder_to(world->observation, lock);
    // Python keeps a view of the lock's initial position, so it is the current one
    const double margin =
        shoulder_to(world->start_tcp, world_body_position(world, WORLD_LOCK_LINK));
    const double ready = world_tolerance(distance, 0, 0.02, margin);
    const double left = fabs(world->goal[0] - lock[0]);
    const double pushed = world_tolerance(left, 0, 0.005, 0.1);
    out->success = left <= 0.02;
    out->near_object = distance <= 0.05;
    out->grasp_success = world->observation[3] > 0;
    out->grasp_reward = ready;
    out->in_place_reward = pushed;
    out->obj_to_target = left;
    out->unscaled_reward = 2 * ready + 8 * pushed;
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double lock[3];
    world_shift(lock, observation + WORLD_FIRST_OBJECT, -0.04, -0.02, -0.03);
    double to[3];
    if (world_distance2(hand, lock) > 0.02) {
        if (hand[2] > 0.15) {
            // down first, to come from below
            world_shift(to, hand, 0.0, -0.1, -0.1);
        } else {
            world_copy3(to, lock);
        }
    } else {
        world_shift(to, lock, 0.1, 0.0, 0.01);
    }
    world_expert_move(action, observation, to, 25.0, 1.0);
}

const world_task_definition world_task_door_unlock = {
    .info =
        {
            .name = "door-unlock",
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
    .goal_low = {0.0, 0.64, 0.2100},
    .goal_high = {0.2, 0.7, 0.2111},
    .parts = WORLD_LOCK_PARTS("lockStartUnlock"),
    .place = world_place_first,
    .reset = reset,
    .observe = world_lock_observe,
    .evaluate = evaluate,
    .evaluate_v1 = world_lock_evaluate_v1,
    .expert = expert,
};
