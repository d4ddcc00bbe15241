// Pull a handle up. The draw is the position of the box that carries it.
#include "world/siblings.h"

enum { BOX, HANDLE, START, GOAL };

static void reset(tot_world *world) {
    // pressed down
    world_place_joint(world, -0.1);
    world_copy3(world->goal, world_site_position(world, GOAL));
    world_copy3(world->start_object, world->draw);
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    static const world_cage cage = {.object_radius = 0.022,
                                    .pad_success = 0.05,
                                    .reach_radius = 0.01,
                                    .xz = 0.01,
                                    .high_density = true};
    const double radius = 0.05;
    const double opening = world->observation[3];
    const double *handle = world->observation + WORLD_FIRST_OBJECT;
    const double *start = world->start_object;
    const double distance = world_tcp_distance(world, handle);
    const double away = fabs(world->goal[2] - handle[2]);
    const double in_place = world_tolerance(away, 0, radius, fabs(world->goal[2] - start[2]));
    const world_number grasped = world_caging(world, action, handle, &cage);
    world_number reward = world_hamacher_number(grasped, world_plain(in_place));
    // Meta-world compares y with z here
    if (distance < 0.035 && opening > 0 && handle[1] - 0.01 > start[2]) {
        reward = world_add(reward, world_plain(1.0 + 5.0 * in_place));
    }
    out->success = away <= radius;
    out->near_object = distance <= 0.05;
    out->grasp_success = opening > 0 && handle[2] - 0.03 > start[2];
    out->grasp_reward = grasped.value;
    out->in_place_reward = in_place;
    out->obj_to_target = away;
    out->unscaled_reward = away < radius ? 10.0 : reward.value;
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double *handle = world->observation + WORLD_FIRST_OBJECT;
    // Meta-world mistakes the height in the box's frame for the one in the world's
    const double start = world->model.site_pos[3 * world->task->part[START] + 2];
    const double most = fabs(start - world->goal[2]);
    const double distance = fabs(handle[2] - world->goal[2]);
    world_conclude_v1(distance, 0.05, world_left_reach_v1(world, handle, most, distance), out);
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double handle[3];
    world_shift(handle, observation + WORLD_FIRST_OBJECT, 0.0, -0.04, 0.0);
    double to[3];
    if (world_distance2(hand, handle) > 0.02) {
        world_copy3(to, handle);
    } else if (fabs(hand[2] - handle[2]) > 0.02) {
        // Meta-world's expert targets the height in all three coordinates
        world_set3(to, handle[2], handle[2], handle[2]);
    } else {
        world_shift(to, handle, 0.0, 0.0, 0.1);
    }
    world_expert_move(action, observation, to, 25.0, 1.0);
}

const world_task_definition world_task_handle_pull = {
    .info =
        {
            .name = "handle-pull",
            .scene = "sawyer_xyz/sawyer_handle_press.xml",
            .camera = "corner3",
            .horizon = 175,
            .draw_length = 3,
            .draw_low = {-0.1, 0.8, -0.001},
            .draw_high = {0.1, 0.9, 0.001},
        },
    .positions = 10,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_start = {0, 0.6, 0.2},
    .goal_low = {-0.1, 0.55, 0.04},
    .goal_high = {0.1, 0.70, 0.18},
    .parts = {[BOX] = {mjOBJ_BODY, "box"},
              [HANDLE] = {mjOBJ_SITE, "handleRight"},
              [START] = {mjOBJ_SITE, "handleStart"},
              [GOAL] = {mjOBJ_SITE, "goalPull"}},
    .place = world_place_first,
    .reset = reset,
    .observe = world_observe_handle,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
