// Push a sliding window open by its handle. The draw is the window's position.
#include "world/siblings.h"

static void reset(tot_world *world) {
    world_shift(world->goal, world->draw, 0.2, 0.0, 0.0);
    world_window_reset(world, 0);
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double way = fabs(world->draw[0] - world->goal[0]);
    world_window_evaluate(world, way, world_tolerance, out);
}

static void expert(const double *observation, float *action) {
    world_window_expert(observation, 1, 0.3, action);
}

const world_task_definition world_task_window_open = {
    .info =
        {
            .name = "window-open",
            .scene = "sawyer_xyz/sawyer_window_horizontal.xml",
            .camera = "corner3",
            .horizon = 125,
            .draw_length = 3,
            .draw_low = {-0.1, 0.7, 0.16},
            .draw_high = {0.1, 0.9, 0.16},
        },
    .positions = 10,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_start = {0, 0.4f, 0.2f},
    .parts = WORLD_WINDOW_PARTS("handleOpenStart"),
    .place = world_place_first,
    .reset = reset,
    .observe = world_observe_handle,
    .evaluate = evaluate,
    .evaluate_v1 = world_window_evaluate_v1,
    .expert = expert,
};
