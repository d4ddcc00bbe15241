// Push a mug under a coffee machine. The draw is the mug's position, then the goal's; the machine
// stands behind the goal.
#include "world/siblings.h"

static void place(tot_world *world) {
    world_mug_place(world, world->draw + 3);
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double *mug = world->observation + WORLD_FIRST_OBJECT;
    const double distance = world_distance2(mug, world->goal);
    world_mug_conclude_v1(world,
                          world_reach_v1(world, mug, world->memory[WORLD_MUG_MOST], distance), out);
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double mug[3];
    world_shift(mug, observation + WORLD_FIRST_OBJECT, 0.01, 0.0, 0.05);
    double to[3];
    if (world_distance2(hand, mug) > 0.06) {
        world_shift(to, mug, 0.0, 0.0, 0.2);
    } else if (fabs(hand[2] - mug[2]) > 0.02) {
        world_copy3(to, mug);
    } else {
        world_set3(to, observation[WORLD_GOAL], observation[WORLD_GOAL + 1], 0.1);
    }
    const bool away = world_distance2(hand, mug) > 0.06 || fabs(hand[2] - mug[2]) > 0.1;
    world_expert_move(action, observation, to, 10.0, away ? -1.0 : 0.5);
}

const world_task_definition world_task_coffee_push = {
    .info =
        {
            .name = "coffee-push",
            .scene = "sawyer_xyz/sawyer_coffee.xml",
            .camera = "corner",
            .horizon = 125,
            .hold = true,
            .draw_length = 6,
            .draw_low = {-0.1, 0.55, -0.001, -0.05, 0.7, -0.001},
            .draw_high = {0.1, 0.65, 0.001, 0.05, 0.75, 0.001},
            .draw_distance = 0.15,
        },
    .positions = 17,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_start = {0, 0.4, 0.2},
    .goal_low = {-0.05, 0.7, -0.001},
    .goal_high = {0.05, 0.75, 0.001},
    .parts = WORLD_MUG_PARTS,
    .place = place,
    .reset = world_mug_reset,
    .observe = world_mug_observe,
    .evaluate = world_mug_evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
