// Press a button from the front. The draw is the position of the box that carries it.
#include "world/reward.h"
#include "world/tasks.h"

enum { BOX, BUTTON, HOLE, START };
enum { MOST_PRESS };  // in world->memory

static void place(tot_world *world) {
    world_move_body(world, BOX, world->draw);
}

static void reset(tot_world *world) {
    world_place_joint(world, 0);
    world_copy3(world->goal, world_site_position(world, HOLE));
    world_copy3(world->start_object, world->draw);
    world->memory[MOST_PRESS] = fabs(world_site_position(world, START)[1] - world->goal[1]);
}

static void observe(const tot_world *world, double *objects) {
    world_shift(objects, world_body_position(world, BUTTON), 0.0, -0.193, 0.0);
    world_copy4(objects + 3, world_body_quaternion(world, BUTTON));
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double *button = world->observation + WORLD_FIRST_OBJECT;
    double tcp[3];
    world_tcp(world, tcp);
    const double distance = world_distance3(button, tcp);
    out->obj_to_target = fabs(world->goal[1] - button[1]);
    out->success = out->obj_to_target <= 0.02;
    out->near_object = distance <= 0.05;
    out->grasp_success = world->observation[3] > 0;
    // the margin is the button's present distance from where the hand began
    out->grasp_reward =
        world_tolerance(distance, 0, 0.05, world_distance3(button, world->start_tcp));
    out->in_place_reward = world_tolerance(out->obj_to_target, 0, 0.005, world->memory[MOST_PRESS]);
    out->unscaled_reward = 2 * world_hamacher(fmax(world->observation[3], 0.0), out->grasp_reward);
    if (distance <= 0.05) {
        out->unscaled_reward += 8 * out->in_place_reward;
    }
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double *button = world->observation + WORLD_FIRST_OBJECT;
    out->obj_to_target = fabs(button[1] - world->goal[1]);
    out->success = out->obj_to_target <= 0.02;
    out->near_object = 1;
    out->unscaled_reward =
        world_left_reach_v1(world, button, world->memory[MOST_PRESS], out->obj_to_target);
}

// numpy.isclose with atol = 0.02
static bool close_to(double a, double b) {
    return fabs(a - b) <= 0.02 + 1e-5 * fabs(b);
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double to[3];
    world_shift(to, observation + WORLD_FIRST_OBJECT, 0.0, 0.0, -0.07);
    if (!close_to(hand[0], to[0]) || !close_to(hand[2], to[2])) {
        // back off until the hand is before the button
        to[1] = hand[1] - 0.1;
    } else {
        to[1] += 0.02;
    }
    world_expert_move(action, observation, to, 25.0, 0.0);
}

const world_task_definition world_task_button_press = {
    .info =
        {
            .name = "button-press",
            .scene = "sawyer_xyz/sawyer_button_press.xml",
            .camera = "corner",
            .horizon = 125,
            .draw_length = 3,
            .draw_low = {-0.1, 0.85, 0.115},
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
              [HOLE] = {mjOBJ_SITE, "hole"},
              [START] = {mjOBJ_SITE, "buttonStart"}},
    .place = place,
    .reset = reset,
    .observe = observe,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
