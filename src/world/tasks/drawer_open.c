// Pull a drawer open by its handle. The draw is the position of the chest.
#include "world/siblings.h"

static const double travel = 0.2;  // how far the drawer must be opened

static void reset(tot_world *world) {
    world_shift(world->goal, world->draw, 0.0, -0.16 - travel, 0.09);
    world_move_site(world, WORLD_DRAWER_GOAL, world->goal);
    world_copy3(world->start_object, world->draw);
}

static void observe(const tot_world *world, double *objects) {
    world_drawer_front(world, 0.0, objects);
    world_copy4(objects + 3, world_body_quaternion(world, WORLD_DRAWER));
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    static const double scale[3] = {3.0, 3.0, 1.0};
    const double *hand = world->observation;
    const double *handle = world->observation + WORLD_FIRST_OBJECT;
    const double away = world_distance3(handle, world->goal);
    double start[3];
    world_shift(start, world->goal, 0.0, travel, 0.0);
    out->success = away <= 0.03;
    out->near_object = world_distance3(handle, hand) <= 0.03;
    out->grasp_success = world->observation[3] > 0;
    out->grasp_reward = world_tolerance(world_distance_scaled(handle, hand, scale), 0, 0.01,
                                        world_distance_scaled(start, world->start_tcp, scale));
    out->in_place_reward = world_tolerance(away, 0, 0.02, travel);
    out->obj_to_target = away;
    out->unscaled_reward = (out->grasp_reward + out->in_place_reward) * 5.0;
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    world_drawer_v1(world, travel, 0.03, out);
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double drawer[3];
    world_shift(drawer, observation + WORLD_FIRST_OBJECT, 0.0, 0.0, -0.02);
    double gain = 4.0;
    double to[3];
    if (world_distance2(hand, drawer) > 0.06) {
        world_shift(to, drawer, 0.0, 0.0, 0.3);
    } else if (fabs(hand[2] - drawer[2]) > 0.04) {
        world_copy3(to, drawer);
    } else {
        // behind the handle: pull hard
        world_shift(to, drawer, 0.0, -0.06, 0.0);
        gain = 50.0;
    }
    world_expert_move(action, observation, to, gain, -1.0);
}

const world_task_definition world_task_drawer_open = {
    .info =
        {
            .name = "drawer-open",
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
