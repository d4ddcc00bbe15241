// Unlock a door by pushing its lock sideways. The draw is the door's position.
#include "world/tasks.h"

enum { DOOR, DOOR_LINK, LOCK_LINK, LOCK };

static void place(tot_world *world) {
    tot_move_body(world, DOOR, world->draw);
}

static void reset(tot_world *world) {
    // the lock turned to where it is locked
    world->data->qpos[TOT_OBJECT_JOINT] = 1.5708;
    world->data->qvel[TOT_OBJECT_JOINT] = 0;
    tot_forward(world);
    tot_shift(world->goal, tot_body_position(world, LOCK_LINK), 0.1, -0.04, 0.0);
}

static void observe(const tot_world *world, double *objects) {
    tot_copy3(objects, tot_site_position(world, LOCK));
    tot_copy4(objects + 3, tot_body_quaternion(world, DOOR_LINK));
}

static bool success(const tot_world *world) {
    return fabs(world->goal[0] - world->observation[TOT_FIRST_OBJECT]) <= 0.02;
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double lock[3];
    tot_shift(lock, observation + TOT_FIRST_OBJECT, -0.04, -0.02, -0.03);
    double to[3];
    if (tot_distance2(hand, lock) > 0.02) {
        if (hand[2] > 0.15) {
            // down first, so as to come from below
            tot_shift(to, hand, 0.0, -0.1, -0.1);
        } else {
            tot_copy3(to, lock);
        }
    } else {
        tot_shift(to, lock, 0.1, 0.0, 0.01);
    }
    tot_expert_move(action, observation, to, 25.0, 1.0);
}

const tot_task_definition tot_task_door_unlock = {
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
    .hand_high = {0.5, 1, 0.5},
    .hand_start = {0, 0.6f, 0.2f},
    .goal_low = {0.0, 0.64, 0.2100},
    .goal_high = {0.2, 0.7, 0.2111},
    .parts = {[DOOR] = {mjOBJ_BODY, "door"},
              [DOOR_LINK] = {mjOBJ_BODY, "door_link"},
              [LOCK_LINK] = {mjOBJ_BODY, "lock_link"},
              [LOCK] = {mjOBJ_SITE, "lockStartUnlock"}},
    .place = place,
    .reset = reset,
    .observe = observe,
    .success = success,
    .expert = expert,
};
