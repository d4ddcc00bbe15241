// Push a puck to a goal. The draw is the puck's position, then the goal's.
#include "world/siblings.h"

static const double radius = 0.05;  // of success

static void reset(tot_world *world) {
    // puck and goal have the height at which the puck settled
    world_reset_pushed(world, world_body_position(world, WORLD_PUCK)[2], WORLD_PUCK_GOAL);
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    const double *puck = world->observation + WORLD_FIRST_OBJECT;
    const double opened = world->observation[3];
    const double *start = world->start_object;
    const double distance = world_tcp_distance(world, puck);
    const double off = world_distance3(puck, world->goal);
    const double in_place = world_tolerance(off, 0, radius, world_distance3(start, world->goal));
    const world_number grasped = world_caging(
        world, action, puck,
        &(world_cage){
            .object_radius = 0.015, .pad_success = 0.05, .xz = 0.005, .high_density = true});
    world_number reward = world_multiply(world_plain(2), grasped);
    if (distance < 0.02 && opened > 0) {
        const world_number more =
            world_add(world_add(world_plain(1.0), reward), world_plain(5.0 * in_place));
        reward = world_add(reward, more);
    }
    out->success = off <= radius;
    out->near_object = distance <= 0.03;
    out->grasp_success =
        opened > 0 && puck[2] - 0.02 > start[2] && world_touches(world, WORLD_PUCK_GEOM);
    out->grasp_reward = grasped.value;
    out->in_place_reward = in_place;
    out->obj_to_target = off;
    out->unscaled_reward = off < radius ? 10.0 : reward.value;
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    world_slide_v1(world, radius, out);
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
    } else {
        world_copy3(to, observation + WORLD_GOAL);
    }
    // the gripper starts to close on the way down
    const double *centre = observation + WORLD_FIRST_OBJECT;
    const bool away = world_distance2(hand, centre) > 0.02 || fabs(hand[2] - centre[2]) > 0.10;
    world_expert_move(action, observation, to, 10.0, away ? 0.0 : 0.6);
}

const world_task_definition world_task_push = {
    .info =
        {
            .name = "push",
            .scene = "sawyer_xyz/sawyer_push_v3.xml",
            .camera = "corner3",
            .horizon = 125,
            .draw_length = 6,
            .draw_low = {-0.1, 0.6, 0.02, -0.1, 0.8, 0.01},
            .draw_high = {0.1, 0.7, 0.02, 0.1, 0.9, 0.02},
            .draw_distance = 0.15,
        },
    .positions = 16,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_start = {0, 0.6, 0.2},
    .goal_low = {-0.1, 0.8, 0.01},
    .goal_high = {0.1, 0.9, 0.02},
    .parts = WORLD_PUCK_PARTS,
    .reset = reset,
    .observe = world_observe_puck,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
