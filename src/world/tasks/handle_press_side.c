// Press a handle down that stands sideways. The draw is the position of the box that carries it.
#include "world/reward.h"
#include "world/tasks.h"

enum { BOX, HANDLE, GOAL };
enum { START };  // in world->memory

static void place(tot_world *world) {
    world_move_body(world, BOX, world->draw);
}

static void reset(tot_world *world) {
    world_place_joint(world, -0.001);
    world_copy3(world->goal, world_site_position(world, GOAL));
    world_copy3(world->start_object, world->draw);
    world_copy3(world->memory + START, world_site_position(world, HANDLE));
}

static void observe(const tot_world *world, double *objects) {
    // the slots of the quaternion stay zero
    world_copy3(objects, world_site_position(world, HANDLE));
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double radius = 0.02;
    const double *handle = world->observation + WORLD_FIRST_OBJECT;
    const double *start = world->memory + START;
    double tcp[3];
    world_tcp(world, tcp);
    const double distance = world_distance3(handle, tcp);
    const double away = fabs(handle[2] - world->goal[2]);
    out->success = away <= radius;
    out->near_object = distance <= 0.05;
    out->grasp_success = 1;
    out->grasp_reward = world_tolerance(distance, 0, radius,
                                        fabs(world_distance3(start, world->start_tcp) - radius));
    out->in_place_reward =
        world_tolerance(away, 0, radius, fabs(fabs(start[2] - world->goal[2]) - radius));
    out->obj_to_target = away;
    out->unscaled_reward =
        (away <= radius ? 1.0 : world_hamacher(out->grasp_reward, out->in_place_reward)) * 10;
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double *handle = world->observation + WORLD_FIRST_OBJECT;
    const double most = fabs(world->memory[START + 2] - world->goal[2]);
    out->obj_to_target = fabs(handle[2] - world->goal[2]);
    out->success = out->obj_to_target <= 0.02;
    out->near_object = 1;
    out->grasp_success = 1;
    out->unscaled_reward = world_left_reach_v1(world, handle, most, out->obj_to_target);
}

static void expert(const double *observation, float *action) {
    const double *handle = observation + WORLD_FIRST_OBJECT;
    double to[3];
    world_shift(to, handle, 0.0, 0.0, world_distance2(observation, handle) > 0.02 ? 0.2 : -0.5);
    world_expert_move(action, observation, to, 25.0, 1.0);
}

const world_task_definition world_task_handle_press_side = {
    .info =
        {
            .name = "handle-press-side",
            .scene = "sawyer_xyz/sawyer_handle_press_sideways.xml",
            .camera = "corner",
            .horizon = 125,
            .hold = true,
            .draw_length = 3,
            .draw_low = {-0.35, 0.65, -0.001},
            .draw_high = {-0.25, 0.75, 0.001},
        },
    .positions = 10,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_high = {0.5, 1, 0.5},
    .hand_start = {0, 0.6, 0.2},
    .goal_low = {-0.5, 0.40, 0.05},
    .goal_high = {0.5, 1, 0.5},
    .parts = {[BOX] = {mjOBJ_BODY, "box"},
              [HANDLE] = {mjOBJ_SITE, "handleStart"},
              [GOAL] = {mjOBJ_SITE, "goalPress"}},
    .place = place,
    .reset = reset,
    .observe = observe,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
