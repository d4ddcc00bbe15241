// Press a button from the front. The draw is the position of the box that carries it.
#include "world/siblings.h"

static void reset(tot_world *world) {
    world_place_joint(world, 0);
    world_button_remember(world, 1);
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    world_button_front(world, world->memory[WORLD_BUTTON_TRAVEL], out);
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    world_button_front_v1(world, 0.02, world->memory[WORLD_BUTTON_TRAVEL], out);
}

// numpy.isclose with atol = 0.02
static bool close_to(double a, double b) {
    return fabs(a - b) <= 0.02 + 1e-5 * fabs(b);
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double to[3];
    world_shift(to, observation + WORLD_FIRST_OBJECT, 0.0, 0.0, -0.07);
    if (!close_to(hand[0], to[0]) || !close_to(hand[2], to[2])) {
        // back off until the hand is in front of the button
        to[1] = hand[1] - 0.1;
    } else {
        to[1] += 0.02;
    }
    world_expert_move(action, observation, to, 25.0, 0.0);
}

const world_task_definition world_task_button_press = {
    .info =
        {
            .name = "button-press",
            .scene = "sawyer_xyz/sawyer_button_press.xml",
            .camera = "corner",
            .horizon = 125,
            .draw_length = 3,
            .draw_low = {-0.1, 0.85, 0.115},
            .draw_high = {0.1, 0.9, 0.115},
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
