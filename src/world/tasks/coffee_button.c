// Press the button of a coffee machine. The draw is the machine's position.
#include "world/siblings.h"

enum { MACHINE, BUTTON };
enum { MOST_PRESS };  // in world->memory

static const double travel = 0.03;  // how far the button must be pressed

static void reset(tot_world *world) {
    double mug[3];
    world_shift(mug, world->draw, 0.0, -0.22, 0.0);
    world_place_mug(world, mug);
    double button[3];
    world_shift(button, world->draw, 0.0, -0.22, 0.3);
    world_shift(world->goal, button, 0.0, travel, 0.0);
    world_copy3(world->start_object, world->draw);
    world->memory[MOST_PRESS] = fabs(world_site_position(world, BUTTON)[1] - world->goal[1]);
}

static void observe(const tot_world *world, double *objects) {
    world_copy3(objects, world_site_position(world, BUTTON));
    objects[3] = 1;
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    world_button_front(world, travel, out);
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    world_button_front_v1(world, 0.02, world->memory[MOST_PRESS], out);
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double button[3];
    world_shift(button, observation + WORLD_FIRST_OBJECT, 0.0, 0.0, -0.07);
    double to[3];
    world_copy3(to, button);
    if (world_distance_xz(hand, button) > 0.02) {
        to[1] = hand[1];
    } else {
        to[1] += 0.2;
    }
    world_expert_move(action, observation, to, 10.0, -1.0);
}

const world_task_definition world_task_coffee_button = {
    .info =
        {
            .name = "coffee-button",
            .scene = "sawyer_xyz/sawyer_coffee.xml",
            .camera = "corner",
            .horizon = 125,
            .hold = true,
            .draw_length = 3,
            .draw_low = {-0.1, 0.8, -0.001},
            .draw_high = {0.1, 0.9, 0.001},
        },
    .positions = 17,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_start = {0, 0.4, 0.2},
    .goal_low = {-0.1 - 0.001, 0.8 + (-0.22 + 0.03), -0.001 + 0.299},
    .goal_high = {0.1 + 0.001, 0.9 + (-0.22 + 0.03), 0.001 + 0.301},
    .parts = {[MACHINE] = {mjOBJ_BODY, "coffee_machine"}, [BUTTON] = {mjOBJ_SITE, "buttonStart"}},
    .place = world_place_first,
    .reset = reset,
    .observe = observe,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
