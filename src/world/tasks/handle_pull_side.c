// Pull up a handle that points sideways. The draw is the position of its box.
#include "world/siblings.h"

enum { BOX, HANDLE, START, PULLED };
enum { MOST_PULL };  // in world->memory

static void reset(tot_world *world) {
    // the handle starts pressed down
    world_place_joint(world, -0.1);
    world_copy3(world->goal, world_site_position(world, PULLED));
    world->memory[MOST_PULL] = fabs(world_site_position(world, START)[2] - world->goal[2]);
    world_copy3(world->start_object, world_site_position(world, HANDLE));
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    const world_cage cage = {
        .object_radius = 0.032, .pad_success = 0.06, .xz = 0.01, .high_density = true};
    const double *handle = world->observation + WORLD_FIRST_OBJECT;
    const double distance = world_distance3(handle, world->goal);
    const double reach = world_tcp_distance(world, handle);
    const bool opened = world->observation[3] > 0;
    const double in_place =
        world_tolerance(distance, 0, 0.05, world_distance3(world->start_object, world->goal));
    const world_number grasped = world_caging(world, action, handle, &cage);
    world_number reward = world_hamacher_number(grasped, world_plain(in_place));
    if (reach < 0.035 && opened && handle[2] - 0.01 > world->start_object[2]) {
        reward = world_add(reward, world_plain(1.0 + 5.0 * in_place));
    }
    out->success = distance <= 0.08;
    out->near_object = reach <= 0.05;
    out->grasp_success = opened && handle[2] - 0.03 > world->start_object[2];
    out->grasp_reward = grasped.value;
    out->in_place_reward = in_place;
    out->obj_to_target = distance;
    out->unscaled_reward = distance < 0.05 ? 10.0 : reward.value;
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double *handle = world->observation + WORLD_FIRST_OBJECT;
    const double distance = fabs(handle[2] - world->goal[2]);
    // only one finger counts
    const double reward = world_left_reach_v1(world, handle, world->memory[MOST_PULL], distance);
    world_conclude_v1(distance, 0.08, reward, out);
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    const double *handle = observation + WORLD_FIRST_OBJECT;
    double to[3];
    if (world_distance2(hand, handle) > 0.04) {
        world_shift(to, handle, 0.0, 0.0, 0.1);
    } else if (fabs(hand[2] - handle[2]) > 0.03) {
        world_copy3(to, handle);
    } else {
        world_shift(to, handle, 0.0, 0.0, 1.0);
    }
    const bool away = world_distance2(hand, handle) > 0.04 || fabs(hand[2] - handle[2]) > 0.04;
    world_expert_move(action, observation, to, 25.0, away ? 0.0 : 0.6);
}

const world_task_definition world_task_handle_pull_side = {
    .info =
        {
            .name = "handle-pull-side",
            .scene = "sawyer_xyz/sawyer_handle_press_sideways.xml",
            .camera = "corner",
            .horizon = 125,
            .draw_length = 3,
            .draw_low = {-0.35, 0.65, 0.0},
            .draw_high = {-0.25, 0.75, 0.0},
        },
    .positions = 10,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_start = {0, 0.6, 0.2},
    .parts = {[BOX] = {mjOBJ_BODY, "box"},
              [HANDLE] = {mjOBJ_SITE, "handleCenter"},
              [START] = {mjOBJ_SITE, "handleStart"},
              [PULLED] = {mjOBJ_SITE, "goalPull"}},
    .place = world_place_first,
    .reset = reset,
    .observe = world_observe_handle,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
