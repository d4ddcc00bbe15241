// Turn a faucet's handle to the left. The draw is the faucet's position.
#include "world/siblings.h"

static void reset(tot_world *world) {
    world_forward(world);
    world_faucet_reset(world, -1);
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    world_faucet_evaluate(world, world->observation + WORLD_FIRST_OBJECT, out);
}

static void expert(const double *observation, float *action) {
    world_faucet_expert(observation, -1, action);
}

const world_task_definition world_task_faucet_close = {
    .info =
        {
            .name = "faucet-close",
            .scene = "sawyer_xyz/sawyer_faucet.xml",
            .camera = "corner",
            .horizon = 125,
            .draw_length = 3,
            .draw_low = {-0.1, 0.8, 0.0},
            .draw_high = {0.1, 0.85, 0.0},
        },
    .positions = 10,
    .hand_low = {-0.5, 0.40, -0.15},
    .hand_start = {0, 0.4, 0.2},
    .parts = WORLD_FAUCET_PARTS("handleStartClose", "goal_close"),
    .place = world_place_first,
    .reset = reset,
    .observe = world_faucet_observe,
    .evaluate = evaluate,
    .evaluate_v1 = world_faucet_evaluate_v1,
    .expert = expert,
};
