// Sweep a block into a hole in the table. The draw is the block's position; in Meta-world's box its
// last three values are the goal's, but the goal is always the same.
#include "world/siblings.h"

static const double hole[3] = {0.0, 0.84, 0.02};

static void reset(tot_world *world) {
    // the block's height is the one at which it settled
    const double height = world_body_position(world, WORLD_PUCK)[2];
    world_copy3(world->goal, hole);
    world_place_object(world, world->draw[0], world->draw[1], height);
    world_move_site(world, WORLD_PUCK_GOAL, world->goal);
    world_set3(world->start_object, world->draw[0], world->draw[1], height);
    world->memory[0] = world_distance2(world->draw, world->goal);
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    // at the height of the block: its depth in the hole does not count
    const double height = world->observation[WORLD_FIRST_OBJECT + 2];
    const double goal[3] = {world->goal[0], world->goal[1], height};
    world_sweep_evaluate(world, goal, 0.005, 0.01, out);
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
    .hand_start = {0, 0.6, 0.2},
    .goal_low = {-0.001, 0.8399, 0.0199},
    .goal_high = {0.001, 0.8401, 0.0201},
    .parts = WORLD_PUCK_PARTS,
    .reset = reset,
    .observe = world_observe_puck,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
