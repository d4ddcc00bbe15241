// Push a sliding window open by its handle. The draw is the window's position.
#include "world/tasks.h"

enum { WINDOW, HANDLE, SLIDE, GOAL };

static void place(tot_world *world) {
    tot_move_body(world, WINDOW, world->draw);
}

static void reset(tot_world *world) {
    tot_shift(world->goal, world->draw, 0.2, 0.0, 0.0);
    *tot_joint_position(world, SLIDE) = 0.0;
    tot_move_site(world, GOAL, world->goal);
}

static void observe(const tot_world *world, double *objects) {
    // the slots of the quaternion stay zero
    tot_copy3(objects, tot_site_position(world, HANDLE));
}

static bool success(const tot_world *world) {
    return fabs(world->observation[TOT_FIRST_OBJECT] - world->goal[0]) <= 0.05;
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double window[3];
    tot_shift(window, observation + TOT_FIRST_OBJECT, -0.03, -0.03, -0.08);
    double to[3];
    if (tot_distance2(hand, window) > 0.04) {
        tot_shift(to, window, 0.0, 0.0, 0.3);
    } else if (fabs(hand[2] - window[2]) > 0.02) {
        tot_copy3(to, window);
    } else {
        tot_shift(to, window, 0.1, 0.0, 0.0);
    }
    tot_expert_move(action, observation, to, 25.0, 1.0);
}

const tot_task_definition tot_task_window_open = {
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
    .hand_high = {0.5, 1, 0.5},
    .hand_start = {0, 0.4f, 0.2f},
    .goal_low = {-0.5, 0.40, 0.05},
    .goal_high = {0.5, 1, 0.5},
    .parts = {[WINDOW] = {mjOBJ_BODY, "window"},
              [HANDLE] = {mjOBJ_SITE, "handleOpenStart"},
              [SLIDE] = {mjOBJ_JOINT, "window_slide"},
              [GOAL] = {mjOBJ_SITE, "goal"}},
    .place = place,
    .reset = reset,
    .observe = observe,
    .success = success,
    .expert = expert,
};
