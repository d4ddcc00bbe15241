// Press a button from above, over a wall. The draw is the position of the box that carries it.
#include "world/siblings.h"

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    world_button_topdown(world, fmax(world->observation[3], 0.0), out);
}

static void expert(const double *observation, float *action) {
    double button[3];
    world_shift(button, observation + WORLD_FIRST_OBJECT, 0.0, -0.06, 0.0);
    double to[3];
    if (world_distance2(observation, button) > 0.04) {
        world_shift(to, button, 0.0, 0.0, 0.1);
    } else {
        world_copy3(to, button);
    }
    world_expert_move(action, observation, to, 25.0, -1.0);
}

const world_task_definition world_task_button_press_topdown_wall = {
    .info =
        {
            .name = "button-press-topdown-wall",
            .scene = "sawyer_xyz/sawyer_button_press_topdown_wall.xml",
            .camera = "corner",
            .horizon = 125,
            .draw_length = 3,
            .draw_low = {-0.1, 0.8, 0.115},
            .draw_high = {0.1, 0.9, 0.115},
        },
    .positions = 10,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_start = {0, 0.4f, 0.2f},
    .parts = WORLD_BUTTON_PARTS,
    .place = world_place_first,
    .reset = world_button_reset_topdown,
    .observe = world_button_observe_topdown,
    .evaluate = evaluate,
    .evaluate_v1 = world_button_topdown_v1,
    .expert = expert,
};
