// Put a ball through a hoop. The draw is the ball's position, then the basket's.
#include "world/tasks.h"

enum { BALL, BASKET, GOAL };

static void place(tot_world *world) {
    tot_move_body(world, BASKET, world->draw + 3);
}

static void reset(tot_world *world) {
    // the ball's height is a float32 in the Python package
    tot_place_object(world, world->draw[0], world->draw[1], (double)0.03f);
    tot_copy3(world->goal, tot_site_position(world, GOAL));
    tot_move_site(world, GOAL, world->goal);
}

static void observe(const tot_world *world, double *objects) {
    tot_copy3(objects, tot_body_position(world, BALL));
    tot_copy4(objects + 3, tot_body_quaternion(world, BALL));
}

static bool success(const tot_world *world) {
    // a place slightly above the hoop, and twice as strict in height
    const double *ball = world->observation + TOT_FIRST_OBJECT;
    const double x = (ball[0] - world->goal[0]) * 1.0;
    const double y = (ball[1] - world->goal[1]) * 1.0;
    const double z = (ball[2] - 0.3) * 2.0;
    return sqrt(x * x + y * y + z * z) <= 0.08;
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double ball[3];
    tot_shift(ball, observation + TOT_FIRST_OBJECT, 0.0, 0.0, 0.01);
    // the hoop's y varies little: its middle will do
    const double hoop[3] = {observation[TOT_GOAL], 0.875, 0.35};
    double to[3];
    if (tot_distance2(hand, ball) > 0.04) {
        tot_shift(to, ball, 0.0, 0.0, 0.3);
    } else if (fabs(hand[2] - ball[2]) > 0.025) {
        tot_copy3(to, ball);
    } else if (fabs(ball[2] - hoop[2]) > 0.025) {
        to[0] = hand[0];
        to[1] = hand[1];
        to[2] = hoop[2];
    } else {
        tot_copy3(to, hoop);
    }
    const double *centre = observation + TOT_FIRST_OBJECT;
    const bool away = tot_distance2(hand, centre) > 0.04 || fabs(hand[2] - centre[2]) > 0.15;
    tot_expert_move(action, observation, to, 25.0, away ? -1.0 : 0.6);
}

static const double metaworld_low[TOT_MAX_DRAW] = {-0.1, 0.6, 0.0299, -0.1, 0.85, 0.0};
static const double metaworld_high[TOT_MAX_DRAW] = {0.1, 0.7, 0.0301, 0.1, 0.9 + 1e-7, 0.0};

const tot_task_definition tot_task_basketball = {
    .info =
        {
            .name = "basketball",
            .scene = "sawyer_xyz/sawyer_basketball.xml",
            .camera = "corner",
            .horizon = 175,
            .hold = true,
            .draw_length = 6,
            // the paper's basket stands nearer to the middle than Meta-world's
            .draw_low = {-0.1, 0.6, 0.0299, -0.025, 0.85, 0.0},
            .draw_high = {0.1, 0.7, 0.0301, 0.025, 0.9 + 1e-7, 0.0},
            .draw_distance = 0.15,
        },
    .metaworld_low = metaworld_low,
    .metaworld_high = metaworld_high,
    .positions = 16,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_high = {0.5, 1, 0.5},
    .hand_start = {0, 0.6f, 0.2f},
    .goal_low = {-0.1, 0.85 - 0.083, 0.0 + 0.2499},
    .goal_high = {0.1, 0.9 + 1e-7 - 0.083, 0.0 + 0.2501},
    .parts = {[BALL] = {mjOBJ_BODY, "bsktball"},
              [BASKET] = {mjOBJ_BODY, "basket_goal"},
              [GOAL] = {mjOBJ_SITE, "goal"}},
    .place = place,
    .reset = reset,
    .observe = observe,
    .success = success,
    .expert = expert,
};
