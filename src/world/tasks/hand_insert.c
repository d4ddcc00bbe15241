// Put a block into a hole in the table. The draw is the block's position, then the goal's.
#include "world/tasks.h"

enum { BLOCK, GOAL };

static void reset(tot_world *world) {
    tot_place_object(world, world->draw[0], world->draw[1], 0.05);
    tot_copy3(world->goal, world->draw + 3);
    tot_move_site(world, GOAL, world->goal);
}

static void observe(const tot_world *world, double *objects) {
    tot_copy3(objects, tot_body_position(world, BLOCK));
    tot_copy4(objects + 3, tot_body_quaternion(world, BLOCK));
}

static bool success(const tot_world *world) {
    return tot_distance3(world->observation + TOT_FIRST_OBJECT, world->goal) <= 0.05;
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    const double *block = observation + TOT_FIRST_OBJECT;
    const double *goal = observation + TOT_GOAL;
    double to[3];
    if (tot_distance2(hand, block) > 0.02) {
        tot_shift(to, block, 0.0, 0.0, 0.1);
    } else if (fabs(hand[2] - block[2]) > 0.05) {
        tot_shift(to, block, 0.0, 0.0, 0.03);
    } else if (tot_distance2(hand, goal) > 0.04) {
        to[0] = goal[0];
        to[1] = goal[1];
        to[2] = hand[2];
    } else {
        tot_copy3(to, goal);
    }
    const bool away = tot_distance2(hand, block) > 0.02 || fabs(hand[2] - block[2]) > 0.1;
    tot_expert_move(action, observation, to, 10.0, away ? 0.0 : 0.65);
}

const tot_task_definition tot_task_hand_insert = {
    .info =
        {
            .name = "hand-insert",
            .scene = "sawyer_xyz/sawyer_table_with_hole.xml",
            .camera = "corner",
            .horizon = 125,
            .draw_length = 6,
            .draw_low = {-0.1, 0.6, 0.05, -0.04, 0.8, -0.0201},
            .draw_high = {0.1, 0.7, 0.05, 0.04, 0.88, -0.0199},
            .draw_distance = 0.15,
        },
    .positions = 16,
    .hand_low = {-0.5, 0.40, -0.15},
    .hand_high = {0.5, 1, 0.5},
    .hand_start = {0, 0.6f, 0.2f},
    .goal_low = {-0.04, 0.8, -0.0201},
    .goal_high = {0.04, 0.88, -0.0199},
    .parts = {[BLOCK] = {mjOBJ_BODY, "obj"}, [GOAL] = {mjOBJ_SITE, "goal"}},
    .reset = reset,
    .observe = observe,
    .success = success,
    .expert = expert,
};
