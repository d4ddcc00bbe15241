// Pull a lever until it points upwards. The draw is the lever's position.
#include "world/siblings.h"

#define PI 3.141592653589793

enum { LEVER, LEVER_GEOM, AXIS, TIP, GOAL };
enum { TIP_START, MOST_PULL = TIP_START + 3 };  // in world->memory

static void reset(tot_world *world) {
    const double radius = 0.2;
    world_shift(world->goal, world->draw, 0.12, 0.0, 0.25 + radius);
    world_move_site(world, GOAL, world->goal);
    world_copy3(world->start_object, world->draw);
    world_shift(world->memory + TIP_START, world->draw, 0.12, -radius, 0.25);
    world->memory[MOST_PULL] = world_distance3(world->goal, world->draw);
}

static void observe(const tot_world *world, double *objects) {
    world_copy3(objects, world_site_position(world, TIP));
    world_quaternion(objects + 3, world_geom_matrix(world, LEVER_GEOM));
}

// The hand's shoulder moves under the lever; y has less weight.
static double shoulder_to(const double *hand, const double *lever) {
    static const double scale[3] = {4.0, 1.0, 4.0};
    double shoulder[3];
    world_shift(shoulder, hand, 0.0, 0.055, 0.07);
    return world_distance_scaled(shoulder, lever, scale);
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double *lever = world->observation + WORLD_FIRST_OBJECT;
    const double *start = world->memory + TIP_START;
    const double distance = shoulder_to(world->observation, lever);
    const double ready = world_tolerance(distance, 0, 0.02, shoulder_to(world->start_tcp, start));
    const double angle = -*world_joint_position(world, AXIS);
    const double left = fabs(angle - PI / 2.0);
    const double in_place = world_tolerance(world_distance3(lever, world->goal), 0, 0.04,
                                            world_distance3(start, world->goal));
    out->success = left <= PI / 24;
    out->near_object = distance < 0.03;
    out->grasp_success = ready > 0.9;
    out->grasp_reward = ready;
    out->in_place_reward = world_tolerance(left, 0, PI / 48.0, PI / 2.0 - PI / 12.0);
    out->obj_to_target = distance;
    out->unscaled_reward = 10.0 * world_hamacher(ready, in_place);
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double *lever = world->observation + WORLD_FIRST_OBJECT;
    const double left = world_distance3(lever, world->goal);
    // compares a distance in metres with an angle, as in Python
    out->success = left <= PI / 24;
    out->near_object = 1;
    out->unscaled_reward = world_reach_v1(world, lever, world->memory[MOST_PULL], left);
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double lever[3];
    world_shift(lever, observation + WORLD_FIRST_OBJECT, 0.0, -0.055, 0.0);
    double to[3];
    if (world_distance2(hand, lever) > 0.02) {
        world_shift(to, lever, 0.0, 0.0, -0.1);
    } else if (fabs(hand[2] - lever[2]) > 0.02) {
        world_copy3(to, lever);
    } else {
        world_shift(to, lever, 0.0, 0.08, 0.02);
    }
    world_expert_move(action, observation, to, 25.0, 1.0);
}

const world_task_definition world_task_lever_pull = {
    .info =
        {
            .name = "lever-pull",
            .scene = "sawyer_xyz/sawyer_lever_pull.xml",
            .camera = "corner4",
            .horizon = 175,
            .hold = true,
            .draw_length = 3,
            .draw_low = {-0.1, 0.7, 0.0},
            .draw_high = {0.1, 0.8, 0.0},
        },
    .positions = 10,
    .hand_low = {-0.5, 0.40, -0.15},
    .hand_start = {0, 0.4f, 0.2f},
    .parts = {[LEVER] = {mjOBJ_BODY, "lever"},
              [LEVER_GEOM] = {mjOBJ_GEOM, "objGeom"},
              [AXIS] = {mjOBJ_JOINT, "LeverAxis"},
              [TIP] = {mjOBJ_SITE, "leverStart"},
              [GOAL] = {mjOBJ_SITE, "goal"}},
    .place = world_place_first,
    .reset = reset,
    .observe = observe,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
