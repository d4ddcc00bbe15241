// Press a button from above. The draw is the position of the box that carries it.
#include "world/reward.h"
#include "world/tasks.h"

enum { BOX, BUTTON, BUTTON_START, HOLE };
enum { MOST_PRESS };  // in world->memory

static void place(tot_world *world) {
    world_move_body(world, BOX, world->draw);
}

static void reset(tot_world *world) {
    world_forward(world);
    world_copy3(world->goal, world_site_position(world, HOLE));
    world_copy3(world->start_object, world->draw);
    world->memory[MOST_PRESS] = fabs(world->goal[2] - world_site_position(world, BUTTON_START)[2]);
}

static void observe(const tot_world *world, double *objects) {
    world_shift(objects, world_body_position(world, BUTTON), 0.0, 0.0, 0.193);
    world_copy4(objects + 3, world_body_quaternion(world, BUTTON));
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double *button = world->observation + WORLD_FIRST_OBJECT;
    const double opened = world->observation[3];
    double tcp[3];
    world_tcp(world, tcp);
    const double distance = world_distance3(button, tcp);
    const double left = fabs(world->goal[2] - button[2]);
    const double near =
        world_tolerance(distance, 0, 0.01, world_distance3(button, world->start_tcp));
    const double pressed = world_tolerance(left, 0, 0.005, world->memory[MOST_PRESS]);
    double reward = 5 * world_hamacher(1 - opened, near);
    if (distance <= 0.03) {
        reward += 5 * pressed;
    }
    out->success = left <= 0.024;
    out->near_object = distance <= 0.05;
    out->grasp_success = opened > 0;
    out->grasp_reward = near;
    out->in_place_reward = pressed;
    out->obj_to_target = left;
    out->unscaled_reward = reward;
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double *button = world->observation + WORLD_FIRST_OBJECT;
    const double left = fabs(button[2] - world->goal[2]);
    out->success = left <= 0.024;
    out->near_object = 1;
    out->obj_to_target = left;
    out->unscaled_reward = world_reach_v1(world, button, world->memory[MOST_PRESS], left);
}

static void expert(const double *observation, float *action) {
    const double *button = observation + WORLD_FIRST_OBJECT;
    double to[3];
    if (world_distance2(observation, button) > 0.04) {
        world_shift(to, button, 0.0, 0.0, 0.1);
    } else {
        world_copy3(to, button);
    }
    world_expert_move(action, observation, to, 25.0, 1.0);
}

const world_task_definition world_task_button_press_topdown = {
    .info =
        {
            .name = "button-press-topdown",
            .scene = "sawyer_xyz/sawyer_button_press_topdown.xml",
            .camera = "corner",
            .horizon = 125,
            .draw_length = 3,
            .draw_low = {-0.1, 0.8, 0.115},
            .draw_high = {0.1, 0.9, 0.115},
        },
    .positions = 10,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_high = {0.5, 1, 0.5},
    .hand_start = {0, 0.4f, 0.2f},
    .goal_low = {-0.5, 0.40, 0.05},
    .goal_high = {0.5, 1, 0.5},
    .parts = {[BOX] = {mjOBJ_BODY, "box"},
              [BUTTON] = {mjOBJ_BODY, "button"},
              [BUTTON_START] = {mjOBJ_SITE, "buttonStart"},
              [HOLE] = {mjOBJ_SITE, "hole"}},
    .place = place,
    .reset = reset,
    .observe = observe,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
