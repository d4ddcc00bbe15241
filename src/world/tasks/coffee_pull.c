// Pull a mug away from a coffee machine. The draw is the mug's position, then the goal's.
#include "world/siblings.h"

static void place(tot_world *world) {
    world_mug_place(world, world->draw);
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    const double *mug = world->observation + WORLD_FIRST_OBJECT;
    const double reach = world_tcp_distance(world, mug);
    // Meta-world uses the mug's position as its distance from the hand
    const double apart = world_norm3(mug[0], mug[1], world->start_tcp[2]);
    double coming = -apart;
    if (apart < 0.05) {
        coming = -reach + 0.1;
        if (reach < 0.05) {
            coming += world_closing_v1(action);
        }
    }
    double pull = 0;
    if (reach < 0.05) {
        pull = world_approach_v1(world->memory[WORLD_MUG_MOST], world_distance2(mug, world->goal));
    }
    world_mug_conclude_v1(world, coming + pull, out);
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double mug[3];
    world_shift(mug, observation + WORLD_FIRST_OBJECT, -0.005, 0.0, 0.05);
    double to[3];
    if (world_distance2(hand, mug) > 0.06) {
        world_shift(to, mug, 0.0, 0.0, 0.15);
    } else if (fabs(hand[2] - mug[2]) > 0.02) {
        world_copy3(to, mug);
    } else {
        world_copy3(to, observation + WORLD_GOAL);
    }
    double rim[3];
    world_shift(rim, observation + WORLD_FIRST_OBJECT, 0.01, 0.0, 0.05);
    const bool away = world_distance2(hand, rim) > 0.06 || fabs(hand[2] - rim[2]) > 0.1;
    world_expert_move(action, observation, to, 10.0, away ? -1.0 : 0.7);
}

const world_task_definition world_task_coffee_pull = {
    .info =
        {
            .name = "coffee-pull",
            .scene = "sawyer_xyz/sawyer_coffee.xml",
            .camera = "corner",
            .horizon = 125,
            .draw_length = 6,
            .draw_low = {-0.05, 0.7, -0.001, -0.1, 0.55, -0.001},
            .draw_high = {0.05, 0.75, 0.001, 0.1, 0.65, 0.001},
            .draw_distance = 0.15,
        },
    .positions = 17,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_start = {0, 0.4, 0.2},
    .goal_low = {-0.1, 0.55, -0.001},
    .goal_high = {0.1, 0.65, 0.001},
    .parts = WORLD_MUG_PARTS,
    .place = place,
    .reset = world_mug_reset,
    .observe = world_mug_observe,
    .evaluate = world_mug_evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
