// Push an open door shut. The draw is the door's position.
#include "world/siblings.h"

enum { DOOR, HANDLE, GOAL };
enum { MOST_PULL };  // in world->memory

static void reset(tot_world *world) {
    world_shift(world->goal, world->draw, 0.2, -0.2, 0.0);
    world_move_site(world, GOAL, world->goal);
    // wide open
    world_place_joint(world, -1.5708);
    world_copy3(world->start_object, world->draw);
    world->memory[MOST_PULL] = world_distance2(world_geom_position(world, HANDLE), world->goal);
}

static void observe(const tot_world *world, double *objects) {
    world_copy3(objects, world_geom_position(world, HANDLE));
    world_quaternion(objects + 3, world_geom_matrix(world, HANDLE));
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double radius = 0.05;
    const double *handle = world->observation + WORLD_FIRST_OBJECT;
    double tcp[3];
    world_tcp(world, tcp);
    const double away = world_distance3(handle, world->goal);
    const double in_place = world_tolerance_gaussian(
        away, 0, radius, world_distance3(world->start_object, world->goal));
    const double hand_in_place = world_tolerance_gaussian(
        world_distance3(tcp, world->goal), 0, 0.25 * radius,
        world_distance3(world->task->definition->hand_start, handle) + 0.1);
    out->success = away <= 0.08;
    out->grasp_success = 1;
    out->grasp_reward = 1;
    out->in_place_reward = hand_in_place;
    out->obj_to_target = away;
    out->unscaled_reward = away < radius ? 10 : 3 * hand_in_place + 6 * in_place;
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double *handle = world->observation + WORLD_FIRST_OBJECT;
    out->obj_to_target = world_distance2(handle, world->goal);
    out->success = out->obj_to_target <= 0.08;
    out->grasp_success = 1;
    out->grasp_reward = 1;
    out->unscaled_reward =
        world_reach_v1(world, handle, world->memory[MOST_PULL], out->obj_to_target);
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double door[3];
    world_shift(door, observation + WORLD_FIRST_OBJECT, 0.05, 0.12, 0.1);
    double to[3];
    if (hand[0] > door[0]) {
        // on the wrong side of the handle: up and over it
        if (hand[2] < door[2] + 0.2) {
            world_set3(to, hand[0], hand[1], door[2] + 0.25);
        } else {
            world_set3(to, door[0] - 0.02, door[1], hand[2]);
        }
    } else if (fabs(hand[2] - door[2]) > 0.04) {
        world_shift(to, door, -0.02, 0.0, 0.0);
    } else {
        world_copy3(to, observation + WORLD_GOAL);
    }
    world_expert_move(action, observation, to, 25.0, 1.0);
}

const world_task_definition world_task_door_close = {
    .info =
        {
            .name = "door-close",
            .scene = "sawyer_xyz/sawyer_door_pull.xml",
            .camera = "corner",
            .horizon = 125,
            .draw_length = 3,
            .draw_low = {0.0, 0.85, 0.15},
            .draw_high = {0.1, 0.95, 0.15},
        },
    .positions = 10,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_start = {-0.5, 0.6f, 0.2f},
    .goal_low = {0.2, 0.65, 0.1499},
    .goal_high = {0.3, 0.75, 0.1501},
    .parts = {[DOOR] = {mjOBJ_BODY, "door"},
              [HANDLE] = {mjOBJ_GEOM, "handle"},
              [GOAL] = {mjOBJ_SITE, "goal"}},
    .place = world_place_first,
    .reset = reset,
    .observe = observe,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
