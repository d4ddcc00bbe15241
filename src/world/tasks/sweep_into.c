// Sweep a block into a hole in the table. The draw is the block's position; its last three numbers
// are the goal's in Meta-world's box, but the goal is always the same.
#include "world/siblings.h"

enum { BLOCK, BLOCK_GEOM, GOAL };

static const double hole[3] = {0.0, 0.84, 0.02};

static void reset(tot_world *world) {
    // the block's height is the one at which it came to lie
    const double height = world_body_position(world, BLOCK)[2];
    world_copy3(world->goal, hole);
    world_place_object(world, world->draw[0], world->draw[1], height);
    world_move_site(world, GOAL, world->goal);
    world_copy3(world->start_object, (const double[3]){world->draw[0], world->draw[1], height});
    world->memory[0] = world_distance2(world->draw, world->goal);
}

static void observe(const tot_world *world, double *objects) {
    world_copy3(objects, world_body_position(world, BLOCK));
    world_quaternion(objects + 3, world_geom_matrix(world, BLOCK_GEOM));
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double radius = 0.02;
    const double *block = world->observation + WORLD_FIRST_OBJECT;
    // as low as the block: how deep it lies in the hole does not count
    const double goal[3] = {world->goal[0], world->goal[1], block[2]};
    double tcp[3];
    world_tcp(world, tcp);
    const double distance = world_distance3(block, goal);
    const double in_place =
        world_tolerance(distance, 0, 0.05, world_distance3(world->start_object, goal));
    const double grasped = world_caging_by_pads(world, block, radius, radius + 0.005, 0.01);
    out->success = distance <= 0.05;
    out->near_object = world_distance3(block, tcp) <= 0.03;
    out->grasp_success = world->observation[3] > 0 && world_touches(world, BLOCK_GEOM);
    out->grasp_reward = grasped;
    out->in_place_reward = in_place;
    out->obj_to_target = distance;
    out->unscaled_reward =
        distance < 0.05 ? 10.0 : 2 * grasped + 6 * world_hamacher(grasped, in_place);
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double *block = world->observation + WORLD_FIRST_OBJECT;
    const bool in_hole =
        block[2] < world->start_object[2] - 0.05 && 0.4 < block[1] && block[1] < 1.0;
    world_sweep_v1(world, in_hole, out);
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double block[3];
    world_shift(block, observation + WORLD_FIRST_OBJECT, -0.005, 0.0, 0.01);
    double to[3];
    if (world_distance2(hand, block) > 0.04) {
        world_shift(to, block, 0.0, 0.0, 0.3);
    } else if (fabs(hand[2] - block[2]) > 0.04) {
        world_copy3(to, block);
    } else {
        world_copy3(to, observation + WORLD_GOAL);
    }
    const double *centre = observation + WORLD_FIRST_OBJECT;
    const bool away = world_distance2(hand, centre) > 0.04 || fabs(hand[2] - centre[2]) > 0.15;
    world_expert_move(action, observation, to, 25.0, away ? -1.0 : 0.7);
}

const world_task_definition world_task_sweep_into = {
    .info =
        {
            .name = "sweep-into",
            .scene = "sawyer_xyz/sawyer_table_with_hole.xml",
            .camera = "corner",
            .horizon = 125,
            .draw_length = 6,
            .draw_low = {-0.1, 0.6, 0.02, -0.001, 0.8399, 0.0199},
            .draw_high = {0.1, 0.7, 0.02, 0.001, 0.8401, 0.0201},
            .draw_distance = 0.15,
        },
    .fixed_goal = hole,
    .positions = 16,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_high = {0.5, 1, 0.5},
    .hand_start = {0, 0.6, 0.2},
    .goal_low = {-0.001, 0.8399, 0.0199},
    .goal_high = {0.001, 0.8401, 0.0201},
    .parts = {[BLOCK] = {mjOBJ_BODY, "obj"},
              [BLOCK_GEOM] = {mjOBJ_GEOM, "objGeom"},
              [GOAL] = {mjOBJ_SITE, "goal"}},
    .reset = reset,
    .observe = observe,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
