// Pick up a puck and hold it at a goal. The draw is the puck's position, then the goal's.
#include "world/siblings.h"

enum { CARRY };  // in world->memory

static void reset(tot_world *world) {
    world_reset_puck(world, WORLD_PUCK_GOAL);
    world_carry_remember(world, world_geom_position(world, WORLD_PUCK_GEOM)[2], 0.04,
                         world->memory + CARRY);
}

// Meta-world has a separate caging reward for this task.
static world_number caging(const tot_world *world, const world_action *action, const double *puck) {
    const double left = world_left_pad(world)[1];
    const double right = world_right_pad(world)[1];
    const double y = puck[1];
    const double caged_y = world_hamacher(world_pad_tolerance(left, y, left - y, 0.015, 0.05),
                                          world_pad_tolerance(right, y, y - right, 0.015, 0.05));
    const double caged = world_hamacher(caged_y, world_xz_tolerance(world, puck, 0.005));
    const world_number gripping = caged > 0.97 ? world_closing(action, 1) : world_plain(0);
    const world_number both = world_hamacher_number(world_plain(caged), gripping);
    return world_divide(world_add(both, world_plain(caged)), world_plain(2));
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    const double *puck = world->observation + WORLD_FIRST_OBJECT;
    const double distance = world_distance3(puck, world->goal);
    const double reach = world_tcp_distance(world, puck);
    const bool opened = world->observation[3] > 0;
    const double start = world->start_object[2];
    const double in_place =
        world_tolerance(distance, 0, 0.05, world_distance3(world->start_object, world->goal));
    const world_number grasped = caging(world, action, puck);
    world_number reward = world_hamacher_number(grasped, world_plain(in_place));
    if (reach < 0.02 && opened && puck[2] - 0.01 > start) {
        reward = world_add(reward, world_plain(1.0 + 5.0 * in_place));
    }
    out->success = distance <= 0.07;
    out->near_object = reach <= 0.03;
    out->grasp_success = opened && puck[2] - 0.02 > start && world_touches(world, WORLD_PUCK_GEOM);
    out->grasp_reward = grasped.value;
    out->in_place_reward = in_place;
    out->obj_to_target = distance;
    out->unscaled_reward = distance < 0.05 ? 10.0 : reward.value;
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    const double *puck = world->observation + WORLD_FIRST_OBJECT;
    const world_carry carry = world_carry_from(world, puck, world->memory + CARRY);
    world_conclude_v1(carry.distance, 0.07, world_carry_v1(world, action, &carry), out);
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double puck[3];
    world_shift(puck, observation + WORLD_FIRST_OBJECT, -0.005, 0, 0);
    double to[3];
    if (world_distance2(hand, puck) > 0.02) {
        world_shift(to, puck, 0.0, 0.0, 0.1);
    } else if (fabs(hand[2] - puck[2]) > 0.05 && puck[2] < 0.04) {
        world_shift(to, puck, 0.0, 0.0, 0.03);
    } else if (observation[3] > 0.73) {
        // wait until the fingers have closed
        world_copy3(to, hand);
    } else {
        world_copy3(to, observation + WORLD_GOAL);
    }
    const bool near = world_distance3(hand, observation + WORLD_FIRST_OBJECT) < 0.07;
    world_expert_move(action, observation, to, 10.0, near ? 1.0 : 0.0);
}

const world_task_definition world_task_pick_place = {
    .info =
        {
            .name = "pick-place",
            .scene = "sawyer_xyz/sawyer_pick_place_v3.xml",
            .camera = "corner3",
            .horizon = 125,
            .draw_length = 6,
            .draw_low = {-0.1, 0.6, 0.02, -0.1, 0.8, 0.05},
            .draw_high = {0.1, 0.7, 0.02, 0.1, 0.9, 0.3},
            .draw_distance = 0.15,
        },
    .positions = 16,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_start = {0, 0.6, 0.2},
    .goal_low = {-0.1, 0.8, 0.05},
    .goal_high = {0.1, 0.9, 0.3},
    .parts = WORLD_PUCK_PARTS,
    .reset = reset,
    .observe = world_observe_puck,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
