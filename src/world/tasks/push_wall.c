// Push a puck around a wall to a goal. The draw is the puck's position, then the goal's.
#include "world/siblings.h"

enum { PUCK, GOAL };

static void reset(tot_world *world) {
    // puck and goal are as high as the puck came to lie
    world_reset_pushed(world, world_geom_position(world, PUCK)[2], GOAL);
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    static const double scale[3] = {3.0, 1.0, 1.0};
    const world_cage cage = {
        .object_radius = 0.015, .pad_success = 0.05, .xz = 0.005, .high_density = true};
    const double *puck = world->observation + WORLD_FIRST_OBJECT;
    const double *start = world->start_object;
    const double beside_wall[3] = {-0.05, 0.77, puck[2]};
    double tcp[3];
    world_tcp(world, tcp);
    const double reach = world_distance3(puck, tcp);
    const double distance = world_distance3(puck, world->goal);
    const bool opened = world->observation[3] > 0;
    const double at_wall = world_tolerance(world_distance_scaled(puck, beside_wall, scale), 0, 0.05,
                                           world_distance_scaled(start, beside_wall, scale));
    const double in_place = world_tolerance(distance, 0, 0.05, world_distance3(start, world->goal));
    const world_number grasped = world_caging(world, action, puck, &cage);
    world_number reward = world_multiply(world_plain(2), grasped);
    if (reach < 0.02 && opened) {
        reward = world_past_wall(reward, puck, in_place, at_wall);
    }
    out->success = distance <= 0.07;
    out->near_object = reach <= 0.03;
    out->grasp_success = opened && puck[2] - 0.02 > start[2] && world_touches(world, PUCK);
    out->grasp_reward = grasped.value;
    out->in_place_reward = in_place;
    out->obj_to_target = distance;
    out->unscaled_reward = distance < 0.05 ? 10.0 : reward.value;
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    world_slide_v1(world, 0.07, out);
}

static bool between(double low, double value, double high) {
    return low < value && value < high;
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double puck[3];
    world_shift(puck, observation + WORLD_FIRST_OBJECT, -0.005, 0, 0);
    double to[3];
    if (world_distance2(hand, puck) > 0.02) {
        world_shift(to, puck, 0.0, 0.0, 0.2);
    } else if (fabs(hand[2] - puck[2]) > 0.04) {
        world_shift(to, puck, 0.0, 0.0, 0.03);
    } else if (-0.1 <= puck[0] && puck[0] <= 0.3 && 0.65 <= puck[1] && puck[1] <= 0.75) {
        // in front of the wall: along it
        world_shift(to, hand, -1, 0, 0);
    } else if ((between(-0.15, puck[0], 0.05) || between(0.15, puck[0], 0.35)) &&
               0.695 <= puck[1] && puck[1] <= 0.755) {
        // at its end: past it
        world_shift(to, hand, 0, 1, 0);
    } else {
        world_copy3(to, observation + WORLD_GOAL);
    }
    const double *centre = observation + WORLD_FIRST_OBJECT;
    const bool away = world_distance2(hand, centre) > 0.02 || fabs(hand[2] - centre[2]) > 0.1;
    world_expert_move(action, observation, to, 10.0, away ? 0.0 : 0.6);
}

const world_task_definition world_task_push_wall = {
    .info =
        {
            .name = "push-wall",
            .scene = "sawyer_xyz/sawyer_push_wall_v3.xml",
            .camera = "corner",
            .horizon = 175,
            .draw_length = 6,
            .draw_low = {-0.05, 0.6, 0.015, -0.05, 0.85, 0.01},
            .draw_high = {0.05, 0.65, 0.015, 0.05, 0.9, 0.02},
            .draw_distance = 0.15,
        },
    .positions = 16,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_high = {0.5, 1, 0.5},
    .hand_start = {0, 0.6, 0.2},
    .goal_low = {-0.05, 0.85, 0.01},
    .goal_high = {0.05, 0.9, 0.02},
    .parts = {[PUCK] = {mjOBJ_GEOM, "objGeom"}, [GOAL] = {mjOBJ_SITE, "goal"}},
    .reset = reset,
    .observe = world_observe_geom,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
