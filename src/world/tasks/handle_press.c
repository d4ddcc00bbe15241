// Press a handle down. The draw is the position of the box that carries it. Under the hand it moves
// on past the goal; released, it comes to rest there.
#include "world/siblings.h"

static void expert(const double *observation, float *action) {
    double handle[3];
    world_shift(handle, observation + WORLD_FIRST_OBJECT, 0.0, -0.02, 0.0);
    double to[3];
    world_shift(to, handle, 0.0, 0.0, world_distance2(observation, handle) > 0.02 ? 0.2 : -0.5);
    world_expert_move(action, observation, to, 25.0, -1.0);
}

const world_task_definition world_task_handle_press = {
    .info =
        {
            .name = "handle-press",
            .scene = "sawyer_xyz/sawyer_handle_press.xml",
            .camera = "corner",
            .horizon = 125,
            .hold = true,
            .lift = true,
            .draw_length = 3,
            .draw_low = {-0.1, 0.8, -0.001},
            .draw_high = {0.1, 0.9, 0.001},
        },
    .positions = 10,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_start = {0, 0.6, 0.2},
    .goal_low = {-0.1, 0.55, 0.04},
    .goal_high = {0.1, 0.70, 0.08},
    .parts = WORLD_HANDLE_PARTS,
    .place = world_place_first,
    .reset = world_handle_reset,
    .observe = world_observe_handle,
    .evaluate = world_handle_evaluate,
    .evaluate_v1 = world_handle_evaluate_v1,
    .expert = expert,
};
