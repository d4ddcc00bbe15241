// Push an open drawer shut. The draw is the position of the chest.
#include "world/siblings.h"

static const double travel = 0.15;  // how far the drawer is open

static void reset(tot_world *world) {
    world_shift(world->goal, world->draw, 0.0, -0.16, 0.09);
    // open, with its velocity unchanged
    world->data->qpos[WORLD_OBJECT_JOINT] = -travel;
    world_forward(world);
    world_move_site(world, WORLD_DRAWER_GOAL, world->goal);
    world_drawer_front(world, 0.05, world->start_object);
}

static void observe(const tot_world *world, double *objects) {
    // the quaternion stays zero
    world_drawer_front(world, 0.05, objects);
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    const double *drawer = world->observation + WORLD_FIRST_OBJECT;
    const double away = world_distance3(drawer, world->goal);
    const double in_place = world_tolerance(
        away, 0, 0.05, fabs(world_distance3(world->start_object, world->goal) - 0.05));
    const double distance = world_tcp_distance(world, drawer);
    const double near = world_tolerance_gaussian(
        distance, 0, 0.005, fabs(world_distance3(world->start_object, world->start_tcp) - 0.005));
    const world_number reach = world_hamacher_number(world_plain(near), world_closing(action, 1));
    out->success = away <= 0.05 + 0.015;
    out->near_object = distance <= 0.01;
    out->grasp_success = 1;
    out->grasp_reward = reach.value;
    out->in_place_reward = in_place;
    out->obj_to_target = away;
    const world_number reward = world_hamacher_number(reach, world_plain(in_place));
    out->unscaled_reward = out->success != 0 ? 10 : world_multiply(reward, world_plain(10)).value;
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    world_drawer_v1(world, travel, 0.05 + 0.015, out);
    out->grasp_success = 1;
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double drawer[3];
    world_shift(drawer, observation + WORLD_FIRST_OBJECT, 0.0, 0.0, -0.02);
    double to[3];
    if (hand[1] > drawer[1]) {
        // behind the drawer's front: up and back over it
        if (hand[2] < drawer[2] + 0.23) {
            world_set3(to, hand[0], hand[1], drawer[2] + 0.5);
        } else {
            world_shift(to, drawer, 0.0, -0.075, 0.23);
        }
    } else if (fabs(hand[2] - drawer[2]) > 0.04) {
        world_shift(to, drawer, 0.0, -0.075, 0.0);
    } else {
        world_copy3(to, drawer);
    }
    world_expert_move(action, observation, to, 25.0, 1.0);
}

const world_task_definition world_task_drawer_close = {
    .info =
        {
            .name = "drawer-close",
            .scene = "sawyer_xyz/sawyer_drawer.xml",
            .camera = "corner",
            .horizon = 125,
            .draw_length = 3,
            .draw_low = {-0.1, 0.9, 0.0},
            .draw_high = {0.1, 0.9, 0.0},
        },
    .positions = 10,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_start = {0, 0.6f, 0.2f},
    .parts = WORLD_DRAWER_PARTS,
    .place = world_place_first,
    .reset = reset,
    .observe = observe,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
