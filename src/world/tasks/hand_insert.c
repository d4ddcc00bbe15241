// Put a block into a hole in the table. The draw is the block's position, then the goal's.
#include "world/siblings.h"

enum { MOST_REACH };  // in world->memory

static const double radius = 0.05;  // of success

static void reset(tot_world *world) {
    world_place_object(world, world->draw[0], world->draw[1], 0.05);
    world_copy3(world->goal, world->draw + 3);
    world_move_site(world, WORLD_PUCK_GOAL, world->goal);
    world_set3(world->start_object, world->draw[0], world->draw[1], 0.05);
    world->memory[MOST_REACH] = fabs((double)0.2f - world->goal[2]);
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    const double *block = world->observation + WORLD_FIRST_OBJECT;
    const double opened = world->observation[3];
    const double *start = world->start_object;
    const double off = world_distance3(block, world->goal);
    const double in_place = world_tolerance(off, 0, radius, world_distance3(start, world->goal));
    const world_number grasped = world_caging(
        world, action, block,
        &(world_cage){
            .object_radius = 0.015, .pad_success = 0.05, .xz = 0.005, .high_density = true});
    const double distance = world_tcp_distance(world, block);
    world_number reward = world_hamacher_number(grasped, world_plain(in_place));
    if (distance < 0.02 && opened > 0) {
        reward = world_add(reward, world_plain(1.0 + 7.0 * in_place));
    }
    out->success = off <= radius;
    out->near_object = distance <= 0.03;
    out->grasp_success =
        opened > 0 && block[2] - 0.02 > start[2] && world_touches(world, WORLD_PUCK_GEOM);
    out->grasp_reward = grasped.value;
    out->in_place_reward = in_place;
    out->obj_to_target = off;
    out->unscaled_reward = off < radius ? 10.0 : reward.value;
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    double tcp[3];
    world_tcp(world, tcp);
    const double aside = world_distance2(tcp, world->goal);
    double near = 0.0;
    if (aside < 0.05) {
        near = world_approach(world->memory[MOST_REACH], fabs(tcp[2] - world->goal[2]), 1000, 0.01,
                              0.001);
    }
    // Meta-world reports, and judges success by, the block's initial distance from the goal
    out->obj_to_target = world_distance3(world->start_object, world->goal);
    out->success = out->obj_to_target <= radius;
    out->near_object = 1;
    out->unscaled_reward = -aside + fmax(near, 0);
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    const double *block = observation + WORLD_FIRST_OBJECT;
    const double *goal = observation + WORLD_GOAL;
    double to[3];
    if (world_distance2(hand, block) > 0.02) {
        world_shift(to, block, 0.0, 0.0, 0.1);
    } else if (fabs(hand[2] - block[2]) > 0.05) {
        world_shift(to, block, 0.0, 0.0, 0.03);
    } else if (world_distance2(hand, goal) > 0.04) {
        world_set3(to, goal[0], goal[1], hand[2]);
    } else {
        world_copy3(to, goal);
    }
    const bool away = world_distance2(hand, block) > 0.02 || fabs(hand[2] - block[2]) > 0.1;
    world_expert_move(action, observation, to, 10.0, away ? 0.0 : 0.65);
}

const world_task_definition world_task_hand_insert = {
    .info =
        {
            .name = "hand-insert",
            .scene = "sawyer_xyz/sawyer_table_with_hole.xml",
            .camera = "corner",
            .horizon = 125,
            .draw_length = 6,
            .draw_low = {-0.1, 0.6, 0.05, -0.04, 0.8, -0.0201},
            .draw_high = {0.1, 0.7, 0.05, 0.04, 0.88, -0.0199},
            .draw_distance = 0.15,
        },
    .positions = 16,
    .hand_low = {-0.5, 0.40, -0.15},
    .hand_start = {0, 0.6f, 0.2f},
    .goal_low = {-0.04, 0.8, -0.0201},
    .goal_high = {0.04, 0.88, -0.0199},
    .parts = WORLD_PUCK_PARTS,
    .reset = reset,
    .observe = world_observe_body,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
