// Reach a goal behind a wall. The draw is the position of a puck, which has no effect, then the
// goal's.
#include "world/siblings.h"

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    world_reach_evaluate(world, out);
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    world_reach_evaluate_v1(world, out);
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double to[3];
    world_copy3(to, observation + WORLD_GOAL);
    if (-0.1 <= hand[0] && hand[0] <= 0.3 && 0.60 <= hand[1] && hand[1] <= 0.80 && hand[2] < 0.25) {
        // up, before it hits the wall
        to[2] += 1.0;
    }
    world_expert_move(action, observation, to, 5.0, 0.0);
}

const world_task_definition world_task_reach_wall = {
    .info =
        {
            .name = "reach-wall",
            .scene = "sawyer_xyz/sawyer_reach_wall_v3.xml",
            .camera = "corner",
            .horizon = 125,
            .draw_length = 6,
            .draw_low = {-0.05, 0.6, 0.015, -0.05, 0.85, 0.05},
            .draw_high = {0.05, 0.65, 0.015, 0.05, 0.9, 0.3},
            .draw_distance = 0.15,
        },
    .positions = 16,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_start = {0, 0.6, 0.2},
    .goal_low = {-0.05, 0.85, 0.05},
    .goal_high = {0.05, 0.9, 0.3},
    .parts = WORLD_PUCK_PARTS,
    .reset = world_reach_reset,
    .observe = world_observe_puck,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
