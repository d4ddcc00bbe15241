// Press a button from above. The draw is the position of the box that carries it.
#include "world/tasks.h"

enum { BOX, BUTTON, HOLE };

static void place(tot_world *world) {
    tot_move_body(world, BOX, world->draw);
}

static void reset(tot_world *world) {
    tot_forward(world);
    tot_copy3(world->goal, tot_site_position(world, HOLE));
}

static void observe(const tot_world *world, double *objects) {
    tot_shift(objects, tot_body_position(world, BUTTON), 0.0, 0.0, 0.193);
    tot_copy4(objects + 3, tot_body_quaternion(world, BUTTON));
}

static bool success(const tot_world *world) {
    return fabs(world->goal[2] - world->observation[TOT_FIRST_OBJECT + 2]) <= 0.024;
}

static void expert(const double *observation, float *action) {
    const double *button = observation + TOT_FIRST_OBJECT;
    double to[3];
    if (tot_distance2(observation, button) > 0.04) {
        tot_shift(to, button, 0.0, 0.0, 0.1);
    } else {
        tot_copy3(to, button);
    }
    tot_expert_move(action, observation, to, 25.0, 1.0);
}

const tot_task_definition tot_task_button_press_topdown = {
    .info =
        {
            .name = "button-press-topdown",
            .scene = "sawyer_xyz/sawyer_button_press_topdown.xml",
            .camera = "corner",
            .horizon = 125,
            .draw_length = 3,
            .draw_low = {-0.1, 0.8, 0.115},
            .draw_high = {0.1, 0.9, 0.115},
        },
    .positions = 10,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_high = {0.5, 1, 0.5},
    .hand_start = {0, 0.4f, 0.2f},
    .goal_low = {-0.5, 0.40, 0.05},
    .goal_high = {0.5, 1, 0.5},
    .parts = {[BOX] = {mjOBJ_BODY, "box"},
              [BUTTON] = {mjOBJ_BODY, "button"},
              [HOLE] = {mjOBJ_SITE, "hole"}},
    .place = place,
    .reset = reset,
    .observe = observe,
    .success = success,
    .expert = expert,
};
