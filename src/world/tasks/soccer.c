// Push a ball into a goal. The draw is the ball's position, then the goal's.
#include "world/siblings.h"

enum { BALL, BALL_GEOM, NET, GOAL };

static void place(tot_world *world) {
    world_move_body(world, NET, world->draw + 3);
}

static void reset(tot_world *world) {
    world_copy3(world->goal, world->draw + 3);
    world_place_object(world, world->draw[0], world->draw[1], 0.03);
    world_move_site(world, GOAL, world->goal);
    world_set3(world->start_object, world->draw[0], world->draw[1], 0.03);
    world->memory[0] = world_distance2(world->draw, world->goal);
}

static void observe(const tot_world *world, double *objects) {
    world_copy3(objects, world_body_position(world, BALL));
    world_quaternion(objects + 3, world_body_matrix(world, BALL));
}

static double in_place_reward(const tot_world *world, const double *ball, double distance) {
    static const double scale[3] = {3.0, 1.0, 1.0};
    // how far the ball has rolled, not its initial distance from the goal
    const double margin = world_distance_scaled(ball, world->start_object, scale);
    const double in_place = world_tolerance(distance, 0, 0.07, margin);
    const double line = world->goal[1] - 0.1;
    if (ball[1] > line && fabs(ball[0] - world->goal[0]) > 0.10) {
        // beside the goal
        return world_clip(in_place - 2 * ((ball[1] - line) / (1 - line)), 0.0, 1.0);
    }
    return in_place;
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    static const double scale[3] = {3.0, 1.0, 1.0};
    const double radius = 0.013;
    const double *ball = world->observation + WORLD_FIRST_OBJECT;
    const double reach = world_tcp_distance(world, ball);
    const double strict = world_distance_scaled(ball, world->goal, scale);
    const double in_place = in_place_reward(world, ball, strict);
    const double grasped = world_caging_by_pads(world, ball, radius, radius + 0.01, 0.005);
    out->obj_to_target = world_distance3(ball, world->goal);
    out->success = out->obj_to_target <= 0.07;
    out->near_object = reach <= 0.03;
    out->grasp_success = world->observation[3] > 0 && ball[2] - 0.02 > world->start_object[2] &&
                         world_touches(world, BALL_GEOM);
    out->grasp_reward = grasped;
    out->in_place_reward = in_place;
    out->unscaled_reward = strict < 0.07 ? 10.0 : 3 * grasped + 6.5 * in_place;
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    world_slide_v1(world, 0.07, out);
}

static void expert(const double *observation, float *action) {
    const double offset = 0.03;
    const double *hand = observation;
    double ball[3];
    world_shift(ball, observation + WORLD_FIRST_OBJECT, 0.0, 0.0, 0.03);
    const double aside = ball[0] - observation[WORLD_GOAL];
    // where to push from: the side opposite the goal, or in front
    double to[3];
    if (aside < -0.05) {
        world_shift(to, ball, -offset, 0.0, 0.0);
    } else if (aside > 0.05) {
        world_shift(to, ball, offset, 0.0, 0.0);
    } else {
        world_shift(to, ball, 0.0, -offset, 0.0);
    }
    to[2] = world_distance2(hand, ball) < 0.02 ? 0.1 : 0.03;
    if (!(world_distance3(hand, to) > 0.01)) {
        world_copy3(to, ball);
    }
    world_expert_move(action, observation, to, 25.0, 1.0);
}

const world_task_definition world_task_soccer = {
    .info =
        {
            .name = "soccer",
            .scene = "sawyer_xyz/sawyer_soccer.xml",
            .camera = "corner",
            .horizon = 125,
            .draw_length = 6,
            .draw_low = {-0.1, 0.6, 0.03, -0.1, 0.8, 0.0},
            .draw_high = {0.1, 0.7, 0.03, 0.1, 0.9, 0.0},
            .draw_distance = 0.15,
        },
    .positions = 16,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_start = {0, 0.6, 0.2},
    .goal_low = {-0.1, 0.8, 0.0},
    .goal_high = {0.1, 0.9, 0.0},
    .parts = {[BALL] = {mjOBJ_BODY, "soccer_ball"},
              [BALL_GEOM] = {mjOBJ_GEOM, "objGeom"},
              [NET] = {mjOBJ_BODY, "goal_whole"},
              [GOAL] = {mjOBJ_SITE, "goal"}},
    .place = place,
    .reset = reset,
    .observe = observe,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
