// Pull a lever until it points upwards. The draw is the lever's position.
#include "world/tasks.h"

#define PI 3.141592653589793

enum { LEVER, LEVER_GEOM, AXIS, TIP, GOAL };

static void place(tot_world *world) {
    tot_move_body(world, LEVER, world->draw);
}

static void reset(tot_world *world) {
    const double radius = 0.2;
    tot_shift(world->goal, world->draw, 0.12, 0.0, 0.25 + radius);
    tot_move_site(world, GOAL, world->goal);
}

static void observe(const tot_world *world, double *objects) {
    tot_copy3(objects, tot_site_position(world, TIP));
    tot_quaternion(objects + 3, tot_geom_matrix(world, LEVER_GEOM));
}

static bool success(const tot_world *world) {
    const double angle = -*tot_joint_position(world, AXIS);
    return fabs(angle - PI / 2.0) <= PI / 24;
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double lever[3];
    tot_shift(lever, observation + TOT_FIRST_OBJECT, 0.0, -0.055, 0.0);
    double to[3];
    if (tot_distance2(hand, lever) > 0.02) {
        tot_shift(to, lever, 0.0, 0.0, -0.1);
    } else if (fabs(hand[2] - lever[2]) > 0.02) {
        tot_copy3(to, lever);
    } else {
        tot_shift(to, lever, 0.0, 0.08, 0.02);
    }
    tot_expert_move(action, observation, to, 25.0, 1.0);
}

const tot_task_definition tot_task_lever_pull = {
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
    .hand_high = {0.5, 1, 0.5},
    .hand_start = {0, 0.4f, 0.2f},
    .goal_low = {-0.5, 0.40, -0.15},
    .goal_high = {0.5, 1, 0.5},
    .parts = {[LEVER] = {mjOBJ_BODY, "lever"},
              [LEVER_GEOM] = {mjOBJ_GEOM, "objGeom"},
              [AXIS] = {mjOBJ_JOINT, "LeverAxis"},
              [TIP] = {mjOBJ_SITE, "leverStart"},
              [GOAL] = {mjOBJ_SITE, "goal"}},
    .place = place,
    .reset = reset,
    .observe = observe,
    .success = success,
    .expert = expert,
};
