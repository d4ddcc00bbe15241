// Pull a door open by its handle. The draw is the door's position.
#include "world/tasks.h"

enum { DOOR, HANDLE, HINGE, GOAL };

static void place(tot_world *world) {
    tot_move_body(world, DOOR, world->draw);
}

static void reset(tot_world *world) {
    tot_shift(world->goal, world->draw, -0.3, -0.45, 0.0);
    tot_move_site(world, GOAL, world->goal);
    *tot_joint_position(world, HINGE) = 0;
    *tot_joint_velocity(world, HINGE) = 0;
    tot_forward(world);
}

static void observe(const tot_world *world, double *objects) {
    tot_copy3(objects, tot_geom_position(world, HANDLE));
    tot_quaternion(objects + 3, tot_geom_matrix(world, HANDLE));
}

static bool success(const tot_world *world) {
    return fabs(world->observation[TOT_FIRST_OBJECT] - world->goal[0]) <= 0.08;
}

static void expert(const double *observation, float *action) {
    double door[3];
    tot_copy3(door, observation + TOT_FIRST_OBJECT);
    door[0] -= 0.05;
    double to[3];
    if (tot_distance2(observation, door) > 0.12) {
        // above the handle
        tot_shift(to, door, 0.06, 0.02, 0.2);
    } else if (fabs(observation[2] - door[2]) > 0.04) {
        // down behind its front edge
        tot_shift(to, door, 0.06, 0.02, 0.0);
    } else {
        // and towards its middle
        tot_copy3(to, door);
    }
    tot_expert_move(action, observation, to, 25.0, 1.0);
}

const tot_task_definition tot_task_door_open = {
    .info =
        {
            .name = "door-open",
            .scene = "sawyer_xyz/sawyer_door_pull.xml",
            .camera = "corner3",
            .horizon = 125,
            .hold = true,
            .draw_length = 3,
            .draw_low = {0.0, 0.85, 0.15},
            .draw_high = {0.1, 0.95, 0.15},
        },
    .positions = 10,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_high = {0.5, 1, 0.5},
    .hand_start = {0, 0.6, 0.2},
    .goal_low = {-0.3, 0.4, 0.1499},
    .goal_high = {-0.2, 0.5, 0.1501},
    .parts = {[DOOR] = {mjOBJ_BODY, "door"},
              [HANDLE] = {mjOBJ_GEOM, "handle"},
              [HINGE] = {mjOBJ_JOINT, "doorjoint"},
              [GOAL] = {mjOBJ_SITE, "goal"}},
    .place = place,
    .reset = reset,
    .observe = observe,
    .success = success,
    .expert = expert,
};
