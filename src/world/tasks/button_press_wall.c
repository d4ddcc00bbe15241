// Press a button from the front, over a wall. The draw is the position of the box that carries it.
#include "world/siblings.h"

enum { MOST_PRESS = WORLD_BUTTON_TRAVEL + 1 };  // in world->memory

static void reset(tot_world *world) {
    world_place_joint(world, 0);
    world_button_remember(world, 1);
    // Meta-world measures along the wrong axis here
    world->memory[MOST_PRESS] =
        fabs(world_site_position(world, WORLD_BUTTON_START)[2] - world->goal[2]);
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double opening = world->observation[3];
    const double travel = world->memory[WORLD_BUTTON_TRAVEL];
    const double distance = world_button_look(world, 1, 0.03, 0.01, travel, out);
    if (distance > 0.07) {
        out->unscaled_reward = 2 * world_hamacher((1 - opening) / 2.0, out->grasp_reward);
    } else {
        out->unscaled_reward = 2 + 2 * (1 + opening);
        out->unscaled_reward += 4 * world_square(out->in_place_reward);
    }
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    world_button_front_v1(world, 0.03, world->memory[MOST_PRESS], out);
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double button[3];
    world_shift(button, observation + WORLD_FIRST_OBJECT, 0.0, 0.0, 0.04);
    double effort = 1.0;
    double to[3];
    if (fabs(hand[0] - button[0]) > 0.02) {
        world_set3(to, button[0], hand[1], 0.3);
    } else if (button[1] - hand[1] > 0.09) {
        // over the wall
        world_set3(to, button[0], button[1], 0.3);
    } else if (fabs(hand[2] - button[2]) > 0.02) {
        world_shift(to, button, 0.0, -0.05, 0.0);
    } else {
        world_shift(to, button, 0.0, -0.02, 0.0);
        effort = -1.0;
    }
    world_expert_move(action, observation, to, 15.0, effort);
}

const world_task_definition world_task_button_press_wall = {
    .info =
        {
            .name = "button-press-wall",
            .scene = "sawyer_xyz/sawyer_button_press_wall.xml",
            .camera = "corner",
            .horizon = 125,
            .draw_length = 3,
            .draw_low = {-0.05, 0.85, 0.1149},
            .draw_high = {0.05, 0.9, 0.1151},
        },
    .positions = 10,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_start = {0, 0.4f, 0.2f},
    .parts = WORLD_BUTTON_PARTS,
    .place = world_place_first,
    .reset = reset,
    .observe = world_button_observe_front,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
