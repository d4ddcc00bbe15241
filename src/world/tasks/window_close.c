// Push a sliding window shut by its handle. The draw is the window's position.
#include "world/reward.h"
#include "world/tasks.h"

enum { WINDOW, HANDLE, SLIDE, GOAL };
enum { START_HANDLE };  // in world->memory

static void place(tot_world *world) {
    world_move_body(world, WINDOW, world->draw);
}

static void reset(tot_world *world) {
    world_copy3(world->goal, world->draw);
    *world_joint_position(world, SLIDE) = 0.2;
    world_move_site(world, GOAL, world->goal);
    world_copy3(world->start_object, world->draw);
    world_shift(world->memory + START_HANDLE, world_site_position(world, HANDLE), 0.2, 0.0, 0.0);
}

static void observe(const tot_world *world, double *objects) {
    // the slots of the quaternion stay zero
    world_copy3(objects, world_site_position(world, HANDLE));
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double radius = 0.02;
    const double *handle = world_site_position(world, HANDLE);
    const double *start = world->memory + START_HANDLE;
    double tcp[3];
    world_tcp(world, tcp);
    const double distance = fabs(handle[0] - world->goal[0]);
    const double reach = world_distance3(handle, tcp);
    const double in_place =
        world_tolerance(distance, 0, 0.05, fabs(fabs(start[0] - world->goal[0]) - 0.05));
    const double reached = world_tolerance_gaussian(
        reach, 0, radius, fabs(world_distance3(start, world->start_tcp) - radius));
    out->success = distance <= 0.05;
    out->near_object = reach <= 0.05;
    out->grasp_success = 1.0;
    out->grasp_reward = reached;
    out->in_place_reward = in_place;
    out->obj_to_target = distance;
    out->unscaled_reward = 10 * world_hamacher(reached, in_place);
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double most = 0.2;
    const double *handle = world->observation + WORLD_FIRST_OBJECT;
    double tcp[3];
    world_tcp(world, tcp);
    const double distance = fabs(handle[0] - world->goal[0]);
    const double reach = world_distance3(handle, tcp);
    out->success = distance <= 0.05;
    out->near_object = 1;
    out->grasp_success = 1.0;
    out->obj_to_target = distance;
    // here the approach may cost, too
    out->unscaled_reward =
        -reach + (reach < 0.05 ? world_approach(most, distance, 1000, 0.01, 0.001) : 0);
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double window[3];
    world_shift(window, observation + WORLD_FIRST_OBJECT, 0.03, -0.03, -0.08);
    double to[3];
    if (world_distance2(hand, window) > 0.04) {
        world_shift(to, window, 0.0, 0.0, 0.25);
    } else if (fabs(hand[2] - window[2]) > 0.02) {
        world_copy3(to, window);
    } else {
        world_shift(to, window, -0.1, 0.0, 0.0);
    }
    world_expert_move(action, observation, to, 25.0, 1.0);
}

const world_task_definition world_task_window_close = {
    .info =
        {
            .name = "window-close",
            .scene = "sawyer_xyz/sawyer_window_horizontal.xml",
            .camera = "corner3",
            .horizon = 125,
            .draw_length = 3,
            .draw_low = {0.0, 0.75, 0.2},
            .draw_high = {0.0, 0.9, 0.2},
        },
    .positions = 10,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_high = {0.5, 1, 0.5},
    .hand_start = {0, 0.4f, 0.2f},
    .goal_low = {-0.5, 0.40, 0.05},
    .goal_high = {0.5, 1, 0.5},
    .parts = {[WINDOW] = {mjOBJ_BODY, "window"},
              [HANDLE] = {mjOBJ_SITE, "handleCloseStart"},
              [SLIDE] = {mjOBJ_JOINT, "window_slide"},
              [GOAL] = {mjOBJ_SITE, "goal"}},
    .place = place,
    .reset = reset,
    .observe = observe,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
