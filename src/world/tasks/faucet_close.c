// Turn a faucet's handle to the left. The draw is the faucet's position.
#include "world/reward.h"
#include "world/tasks.h"

enum { FAUCET, HANDLE, GOAL };

static void place(tot_world *world) {
    world_move_body(world, FAUCET, world->draw);
}

static void reset(tot_world *world) {
    const double length = 0.175;
    world_shift(world->goal, world->draw, -length, 0.0, 0.125);
    world_forward(world);
    world_move_site(world, GOAL, world->goal);
    world_copy3(world->start_object, world->draw);
}

static void observe(const tot_world *world, double *objects) {
    world_shift(objects, world_site_position(world, HANDLE), 0.0, 0.0, -0.01);
    world_copy4(objects + 3, world_body_quaternion(world, FAUCET));
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double radius = 0.07;
    const double *handle = world->observation + WORLD_FIRST_OBJECT;
    double tcp[3];
    world_tcp(world, tcp);
    const double away = world_distance3(handle, world->goal);
    const double distance = world_distance3(handle, tcp);
    out->success = away <= radius;
    out->near_object = distance <= 0.01;
    out->grasp_success = 1;
    out->grasp_reward = world_tolerance_gaussian(
        distance, 0, 0.01, fabs(world_distance3(world->start_object, world->start_tcp) - 0.01));
    out->in_place_reward = world_tolerance(
        away, 0, radius, fabs(world_distance3(world->start_object, world->goal) - radius));
    out->obj_to_target = away;
    out->unscaled_reward =
        away <= radius ? 10 : (2 * out->grasp_reward + 3 * out->in_place_reward) * 2;
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double *handle = world->observation + WORLD_FIRST_OBJECT;
    const double most = world_distance3(world->goal, world->start_object);
    out->obj_to_target = world_distance3(handle, world->goal);
    out->success = out->obj_to_target <= 0.07;
    out->near_object = 1;
    out->grasp_success = 1;
    out->unscaled_reward = world_reach_v1(world, handle, most, out->obj_to_target);
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double handle[3];
    world_shift(handle, observation + WORLD_FIRST_OBJECT, 0.04, 0.0, 0.03);
    double to[3];
    if (world_distance2(hand, handle) > 0.04) {
        world_shift(to, handle, 0.0, 0.0, 0.1);
    } else if (fabs(hand[2] - handle[2]) > 0.04) {
        world_copy3(to, handle);
    } else {
        world_shift(to, handle, -0.1, 0.05, 0.0);
    }
    world_expert_move(action, observation, to, 25.0, 1.0);
}

const world_task_definition world_task_faucet_close = {
    .info =
        {
            .name = "faucet-close",
            .scene = "sawyer_xyz/sawyer_faucet.xml",
            .camera = "corner",
            .horizon = 125,
            .draw_length = 3,
            .draw_low = {-0.1, 0.8, 0.0},
            .draw_high = {0.1, 0.85, 0.0},
        },
    .positions = 10,
    .hand_low = {-0.5, 0.40, -0.15},
    .hand_high = {0.5, 1, 0.5},
    .hand_start = {0, 0.4, 0.2},
    .goal_low = {-0.5, 0.40, -0.15},
    .goal_high = {0.5, 1, 0.5},
    .parts = {[FAUCET] = {mjOBJ_BODY, "faucetBase"},
              [HANDLE] = {mjOBJ_SITE, "handleStartClose"},
              [GOAL] = {mjOBJ_SITE, "goal_close"}},
    .place = place,
    .reset = reset,
    .observe = observe,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
