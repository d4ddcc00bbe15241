// Sweep a block off the table. The draw is the block's position.
#include "world/siblings.h"

static void reset(tot_world *world) {
    world_set3(world->goal, 0.5, world->draw[1], 0.01);
    world_place_object(world, world->draw[0], world->draw[1], 0.02);
    world_move_site(world, WORLD_PUCK_GOAL, world->goal);
    world_set3(world->start_object, world->draw[0], world->draw[1], 0.02);
    world->memory[0] = world_distance2(world->draw, world->goal);
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    world_sweep_evaluate(world, world->goal, 0.01, 0.005, out);
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double *block = world->observation + WORLD_FIRST_OBJECT;
    world_sweep_v1(world, block[2] < world->start_object[2] - 0.05, out);
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double block[3];
    world_shift(block, observation + WORLD_FIRST_OBJECT, 0.0, 0.0, 0.015);
    double to[3];
    if (hand[0] < 0.2 && world_distance2(hand, block) > 0.04) {
        world_shift(to, block, 0.0, 0.0, 0.3);
    } else if (hand[0] < 0.2 && fabs(hand[2] - block[2]) > 0.04) {
        world_copy3(to, block);
    } else {
        world_shift(to, observation + WORLD_GOAL, 0, 0, 0.1);
    }
    // releases the block at the edge
    const double *centre = observation + WORLD_FIRST_OBJECT;
    const bool away = world_distance2(hand, centre) > 0.04 || fabs(hand[2] - centre[2]) > 0.15;
    world_expert_move(action, observation, to, 25.0, !away && centre[0] < 0.4 ? 0.7 : -1.0);
}

const world_task_definition world_task_sweep = {
    .info =
        {
            .name = "sweep",
            .scene = "sawyer_xyz/sawyer_sweep_v3.xml",
            .camera = "corner",
            .horizon = 125,
            .draw_length = 3,
            .draw_low = {-0.1, 0.6, 0.02},
            .draw_high = {0.1, 0.7, 0.02},
        },
    .positions = 16,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_start = {0, 0.6, 0.2},
    .goal_low = {0.49, 0.6, 0.00},
    .goal_high = {0.51, 0.7, 0.02},
    .parts = WORLD_PUCK_PARTS,
    .reset = reset,
    .observe = world_observe_body,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
