// Put a ball through a hoop. The draw is the ball's position, then the basket's.
#include "world/siblings.h"

enum { BALL, BALL_GEOM, BASKET, GOAL };
enum { BALL_HEIGHT, HEIGHT_TARGET, MOST_PLACING };  // in world->memory

static const double radius = 0.08;  // of success

static void place(tot_world *world) {
    world_move_body(world, BASKET, world->draw + 3);
}

static void reset(tot_world *world) {
    // the ball's height is a float32 in the Python package
    world_place_object(world, world->draw[0], world->draw[1], (double)0.03f);
    world_copy3(world->goal, world_site_position(world, GOAL));
    world_move_site(world, GOAL, world->goal);
    world_set3(world->start_object, world->draw[0], world->draw[1], (double)0.03f);
    double *memory = world->memory;
    memory[BALL_HEIGHT] = world_geom_position(world, BALL_GEOM)[2];
    memory[HEIGHT_TARGET] = memory[BALL_HEIGHT] + 0.3;
    const double above[3] = {world->draw[0], world->draw[1], memory[HEIGHT_TARGET]};
    memory[MOST_PLACING] = world_distance3(above, world->goal) + memory[HEIGHT_TARGET];
}

// Distance to a point slightly above the hoop, with twice the weight in height.
static double distance_to_hoop(const tot_world *world, const double *ball) {
    static const double scale[3] = {1.0, 1.0, 2.0};
    const double hoop[3] = {world->goal[0], world->goal[1], 0.3};
    return world_distance_scaled(ball, hoop, scale);
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    const double *ball = world->observation + WORLD_FIRST_OBJECT;
    const double opened = world->observation[3];
    const double *start = world->start_object;
    const double off = distance_to_hoop(world, ball);
    const double in_place = world_tolerance(off, 0, radius, distance_to_hoop(world, start));
    const double distance = world_tcp_distance(world, ball);
    const bool lifted = distance < 0.035 && opened > 0 && ball[2] - 0.01 > start[2];
    world_number grasped = world_plain(1.0);
    if (!lifted) {
        grasped = world_caging(
            world, action, ball,
            &(world_cage){
                .object_radius = 0.025, .pad_success = 0.06, .xz = 0.005, .high_density = true});
    }
    world_number reward = world_hamacher_number(grasped, world_plain(in_place));
    if (lifted) {
        reward = world_add(reward, world_plain(1.0 + 5.0 * in_place));
    }
    out->success = off <= radius;
    out->near_object = distance <= 0.05;
    out->grasp_success = opened > 0 && ball[2] - 0.03 > start[2];
    out->grasp_reward = grasped.value;
    out->in_place_reward = in_place;
    out->obj_to_target = off;
    out->unscaled_reward = off < radius ? 10.0 : reward.value;
}

static double reach_v1(const tot_world *world, const world_action *action, const double *ball,
                       double distance, const double *tcp) {
    if (distance < 0.05) {
        return -distance + world_closing_v1(action);
    }
    const double aside = world_distance2(ball, tcp);
    return aside < 0.05 ? -distance : -aside - 2 * fabs(tcp[2] - world->start_tcp[2]);
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    const double *ball = world->observation + WORLD_FIRST_OBJECT;
    const double low = world->memory[BALL_HEIGHT] + 0.005;
    const double high = world->memory[HEIGHT_TARGET];
    double tcp[3];
    world_tcp(world, tcp);
    const double distance = world_distance3(ball, tcp);
    const double placing = world_distance3(ball, world->goal);
    const bool picked = ball[2] >= high - 0.01;
    const bool dropped = ball[2] < low && placing > 0.02 && distance > 0.02;
    const double pick = world_pick_v1(picked && !dropped, distance < 0.1, ball[2], low, high);
    double place_reward = 0;
    if (picked && distance < 0.1 && !dropped) {
        place_reward =
            fmax(world_approach(world->memory[MOST_PLACING], placing, 1000, 0.01, 0.001), 0);
    }
    out->success = placing <= radius;
    out->near_object = 1;
    out->obj_to_target = placing;
    out->unscaled_reward = reach_v1(world, action, ball, distance, tcp) + pick + place_reward;
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double ball[3];
    world_shift(ball, observation + WORLD_FIRST_OBJECT, 0.0, 0.0, 0.01);
    // the hoop's y varies little: use its centre
    const double hoop[3] = {observation[WORLD_GOAL], 0.875, 0.35};
    double to[3];
    if (world_distance2(hand, ball) > 0.04) {
        world_shift(to, ball, 0.0, 0.0, 0.3);
    } else if (fabs(hand[2] - ball[2]) > 0.025) {
        world_copy3(to, ball);
    } else if (fabs(ball[2] - hoop[2]) > 0.025) {
        world_set3(to, hand[0], hand[1], hoop[2]);
    } else {
        world_copy3(to, hoop);
    }
    const double *centre = observation + WORLD_FIRST_OBJECT;
    const bool away = world_distance2(hand, centre) > 0.04 || fabs(hand[2] - centre[2]) > 0.15;
    world_expert_move(action, observation, to, 25.0, away ? -1.0 : 0.6);
}

static const double metaworld_low[TOT_MAX_DRAW] = {-0.1, 0.6, 0.0299, -0.1, 0.85, 0.0};
static const double metaworld_high[TOT_MAX_DRAW] = {0.1, 0.7, 0.0301, 0.1, 0.9 + 1e-7, 0.0};

const world_task_definition world_task_basketball = {
    .info =
        {
            .name = "basketball",
            .scene = "sawyer_xyz/sawyer_basketball.xml",
            .camera = "corner",
            .horizon = 175,
            .hold = true,
            .draw_length = 6,
            // the paper's basket is closer to the centre than Meta-world's
            .draw_low = {-0.1, 0.6, 0.0299, -0.025, 0.85, 0.0},
            .draw_high = {0.1, 0.7, 0.0301, 0.025, 0.9 + 1e-7, 0.0},
            .draw_distance = 0.15,
        },
    .metaworld_low = metaworld_low,
    .metaworld_high = metaworld_high,
    .positions = 16,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_start = {0, 0.6f, 0.2f},
    .goal_low = {-0.1, 0.85 - 0.083, 0.0 + 0.2499},
    .goal_high = {0.1, 0.9 + 1e-7 - 0.083, 0.0 + 0.2501},
    .parts = {[BALL] = {mjOBJ_BODY, "bsktball"},
              [BALL_GEOM] = {mjOBJ_GEOM, "objGeom"},
              [BASKET] = {mjOBJ_BODY, "basket_goal"},
              [GOAL] = {mjOBJ_SITE, "goal"}},
    .place = place,
    .reset = reset,
    .observe = world_observe_body,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
