// Pull a block back towards the robot. The draw is the block's position, then the goal's.
#include "world/siblings.h"

enum { BLOCK, GOAL };

static void reset(tot_world *world) {
    // block and goal have the height at which the block settled
    world_reset_pushed(world, world_geom_position(world, BLOCK)[2], GOAL);
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double radius = 0.007;
    const double *block = world->observation + WORLD_FIRST_OBJECT;
    const double opening = world->observation[3];
    const double reach = world_tcp_distance(world, block);
    const double distance = world_distance3(block, world->goal);
    const double before = world_distance3(world->start_object, world->goal);
    const double in_place = world_tolerance(distance, 0, 0.05, before);
    const double grasped = world_caging_by_pads(world, block, radius, radius + 0.003, 0.01);
    double reward = world_hamacher(grasped, in_place);
    if (reach < 0.01 && 0 < opening && opening < 0.55 && before - distance > 0.01) {
        reward += 1.0 + 5.0 * in_place;
    }
    out->success = distance <= 0.07;
    out->near_object = reach <= 0.03;
    out->grasp_success =
        opening > 0 && block[2] - 0.02 > world->start_object[2] && world_touches(world, BLOCK);
    out->grasp_reward = grasped;
    out->in_place_reward = in_place;
    out->obj_to_target = distance;
    out->unscaled_reward = distance < 0.05 ? 10.0 : reward;
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    const double *block = observation + WORLD_FIRST_OBJECT;
    double to[3];
    if (world_distance2(hand, block) > 0.04) {
        world_shift(to, block, 0.0, 0.0, 0.3);
    } else if (fabs(hand[2] - block[2]) > 0.055) {
        world_copy3(to, block);
    } else {
        world_shift(to, observation + WORLD_GOAL, 0.0, 0.0, hand[2]);
    }
    const bool away = world_distance2(hand, block) > 0.04 || fabs(hand[2] - block[2]) > 0.05;
    world_expert_move(action, observation, to, 10.0, away ? 0.0 : 0.9);
}

const world_task_definition world_task_push_back = {
    .info =
        {
            .name = "push-back",
            .scene = "sawyer_xyz/sawyer_push_back_v3.xml",
            .camera = "corner",
            .horizon = 125,
            .hold = true,
            .draw_length = 6,
            .draw_low = {-0.1, 0.8, 0.02, -0.1, 0.6, 0.0199},
            .draw_high = {0.1, 0.85, 0.02, 0.1, 0.7, 0.0201},
            .draw_distance = 0.15,
        },
    .positions = 16,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_start = {0, 0.6f, 0.2f},
    .goal_low = {-0.1, 0.6, 0.0199},
    .goal_high = {0.1, 0.7, 0.0201},
    .parts = {[BLOCK] = {mjOBJ_GEOM, "objGeom"}, [GOAL] = {mjOBJ_SITE, "goal"}},
    .reset = reset,
    .observe = world_observe_geom,
    .evaluate = evaluate,
    .evaluate_v1 = world_slide_evaluate_v1,
    .expert = expert,
};
