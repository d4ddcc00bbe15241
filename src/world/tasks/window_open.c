// Push a sliding window open by its handle. The draw is the window's position.
#include "world/reward.h"
#include "world/tasks.h"

enum { WINDOW, HANDLE, SLIDE, GOAL };
enum { HANDLE_START };  // in world->memory

static const double radius = 0.05;  // of success

static void place(tot_world *world) {
    world_move_body(world, WINDOW, world->draw);
}

static void reset(tot_world *world) {
    world_shift(world->goal, world->draw, 0.2, 0.0, 0.0);
    *world_joint_position(world, SLIDE) = 0.0;
    world_move_site(world, GOAL, world->goal);
    world_copy3(world->start_object, world->draw);
    world_copy3(world->memory + HANDLE_START, world_site_position(world, HANDLE));
}

static void observe(const tot_world *world, double *objects) {
    // the slots of the quaternion stay zero
    world_copy3(objects, world_site_position(world, HANDLE));
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double *handle = world->observation + WORLD_FIRST_OBJECT;
    double tcp[3];
    world_tcp(world, tcp);
    const double left = fabs(handle[0] - world->goal[0]);
    const double left_at_start = fabs(world->draw[0] - world->goal[0]);
    const double in_place = world_tolerance(left, 0, radius, fabs(left_at_start - radius));
    const double distance = world_distance3(handle, tcp);
    const double far = world_distance3(world->memory + HANDLE_START, world->start_tcp);
    const double reach = world_tolerance(distance, 0, 0.02, fabs(far - 0.02));
    out->success = left <= radius;
    out->near_object = distance <= 0.05;
    out->grasp_success = 1.0;
    out->grasp_reward = reach;
    out->in_place_reward = in_place;
    out->obj_to_target = left;
    out->unscaled_reward = 10 * world_hamacher(reach, in_place);
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double *handle = world->observation + WORLD_FIRST_OBJECT;
    double tcp[3];
    world_tcp(world, tcp);
    const double left = fabs(handle[0] - world->goal[0]);
    const double distance = world_distance3(handle, tcp);
    const double pull = distance < 0.05 ? world_approach(0.2, left, 1000, 0.01, 0.001) : 0;
    out->success = left <= radius;
    out->near_object = 1;
    out->grasp_success = 1.0;
    out->obj_to_target = left;
    out->unscaled_reward = -distance + pull;
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double window[3];
    world_shift(window, observation + WORLD_FIRST_OBJECT, -0.03, -0.03, -0.08);
    double to[3];
    if (world_distance2(hand, window) > 0.04) {
        world_shift(to, window, 0.0, 0.0, 0.3);
    } else if (fabs(hand[2] - window[2]) > 0.02) {
        world_copy3(to, window);
    } else {
        world_shift(to, window, 0.1, 0.0, 0.0);
    }
    world_expert_move(action, observation, to, 25.0, 1.0);
}

const world_task_definition world_task_window_open = {
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
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
