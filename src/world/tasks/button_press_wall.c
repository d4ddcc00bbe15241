// Press a button from the front, over a wall. The draw is the position of the box that carries it.
#include "world/reward.h"
#include "world/tasks.h"

enum { BOX, BUTTON, HOLE, START };
enum { PRESS, MOST_PRESS };  // in world->memory

static void place(tot_world *world) {
    world_move_body(world, BOX, world->draw);
}

static void reset(tot_world *world) {
    world_place_joint(world, 0);
    world_copy3(world->goal, world_site_position(world, HOLE));
    world_copy3(world->start_object, world->draw);
    const double *start = world_site_position(world, START);
    world->memory[PRESS] = fabs(world->goal[1] - start[1]);
    // Meta-world measures along the wrong axis here
    world->memory[MOST_PRESS] = fabs(start[2] - world->goal[2]);
}

static void observe(const tot_world *world, double *objects) {
    world_shift(objects, world_body_position(world, BUTTON), 0.0, -0.193, 0.0);
    world_copy4(objects + 3, world_body_quaternion(world, BUTTON));
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double opening = world->observation[3];
    const double *button = world->observation + WORLD_FIRST_OBJECT;
    double tcp[3];
    world_tcp(world, tcp);
    const double distance = world_distance3(button, tcp);
    out->obj_to_target = fabs(world->goal[1] - button[1]);
    out->success = out->obj_to_target <= 0.03;
    out->near_object = distance <= 0.05;
    out->grasp_success = opening > 0;
    // the margin is the button's present distance from where the hand began
    out->grasp_reward =
        world_tolerance(distance, 0, 0.01, world_distance3(button, world->start_tcp));
    out->in_place_reward = world_tolerance(out->obj_to_target, 0, 0.005, world->memory[PRESS]);
    if (distance > 0.07) {
        out->unscaled_reward = 2 * world_hamacher((1 - opening) / 2.0, out->grasp_reward);
    } else {
        out->unscaled_reward = 2 + 2 * (1 + opening);
        out->unscaled_reward += 4 * world_square(out->in_place_reward);
    }
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double *button = world->observation + WORLD_FIRST_OBJECT;
    out->obj_to_target = fabs(button[1] - world->goal[1]);
    out->success = out->obj_to_target <= 0.03;
    out->near_object = 1;
    out->unscaled_reward =
        world_left_reach_v1(world, button, world->memory[MOST_PRESS], out->obj_to_target);
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double button[3];
    world_shift(button, observation + WORLD_FIRST_OBJECT, 0.0, 0.0, 0.04);
    double effort = 1.0;
    double to[3];
    if (fabs(hand[0] - button[0]) > 0.02) {
        to[0] = button[0];
        to[1] = hand[1];
        to[2] = 0.3;
    } else if (button[1] - hand[1] > 0.09) {
        // over the wall
        to[0] = button[0];
        to[1] = button[1];
        to[2] = 0.3;
    } else if (fabs(hand[2] - button[2]) > 0.02) {
        world_shift(to, button, 0.0, -0.05, 0.0);
    } else {
        world_shift(to, button, 0.0, -0.02, 0.0);
        effort = -1.0;
    }
    world_expert_move(action, observation, to, 15.0, effort);
}

const world_task_definition world_task_button_press_wall = {
    .info =
        {
            .name = "button-press-wall",
            .scene = "sawyer_xyz/sawyer_button_press_wall.xml",
            .camera = "corner",
            .horizon = 125,
            .draw_length = 3,
            .draw_low = {-0.05, 0.85, 0.1149},
            .draw_high = {0.05, 0.9, 0.1151},
        },
    .positions = 10,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_high = {0.5, 1, 0.5},
    .hand_start = {0, 0.4f, 0.2f},
    .goal_low = {-0.5, 0.40, 0.05},
    .goal_high = {0.5, 1, 0.5},
    .parts = {[BOX] = {mjOBJ_BODY, "box"},
              [BUTTON] = {mjOBJ_BODY, "button"},
              [HOLE] = {mjOBJ_SITE, "hole"},
              [START] = {mjOBJ_SITE, "buttonStart"}},
    .place = place,
    .reset = reset,
    .observe = observe,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
