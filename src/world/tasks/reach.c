// Reach a goal with the fingers. The draw is the position of a puck, which has no effect, then the
// goal's.
#include "world/siblings.h"

// The Python package also reports the distance in these.
static void repeat_distance(double distance, tot_world_info *out) {
    out->near_object = distance;
    out->grasp_reward = distance;
    out->grasp_success = 1.0;
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    repeat_distance(world_reach_evaluate(world, out), out);
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    repeat_distance(world_reach_evaluate_v1(world, out), out);
}

static void expert(const double *observation, float *action) {
    world_expert_move(action, observation, observation + WORLD_GOAL, 5.0, 0.0);
}

const world_task_definition world_task_reach = {
    .info =
        {
            .name = "reach",
            .scene = "sawyer_xyz/sawyer_reach_v3.xml",
            .camera = "corner3",
            .horizon = 125,
            .draw_length = 6,
            .draw_low = {-0.1, 0.6, 0.02, -0.1, 0.8, 0.05},
            .draw_high = {0.1, 0.7, 0.02, 0.1, 0.9, 0.3},
            .draw_distance = 0.15,
        },
    .positions = 16,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_start = {0, 0.6, 0.2},
    .goal_low = {-0.1, 0.8, 0.05},
    .goal_high = {0.1, 0.9, 0.3},
    .parts = WORLD_PUCK_PARTS,
    .reset = world_reach_reset,
    .observe = world_observe_puck,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
