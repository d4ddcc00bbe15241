// Pick a block out of a hole and hold it at a goal. The draw is the block's position, which is
// always the same, then the goal's.
#include "world/siblings.h"

enum { CARRY };  // in world->memory

static void reset(tot_world *world) {
    world_place_object(world, world->draw[0], world->draw[1], world->draw[2]);
    world_copy3(world->goal, world->draw + 3);
    world_move_site(world, WORLD_PUCK_GOAL, world->goal);
    world_copy3(world->start_object, world->draw);
    world_carry_remember(world, world_geom_position(world, WORLD_PUCK_GEOM)[2], 0.11,
                         world->memory + CARRY);
}

// Height of the hand above a funnel around the hole, to avoid its edge.
static double above_floor(const tot_world *world, const double *tcp) {
    const double threshold = 0.03;
    const double radius = world_distance2(tcp, world->start_object);
    const double floor = radius <= threshold ? 0.0 : 0.015 * log(radius - threshold) + 0.15;
    return tcp[2] >= floor ? 1.0 : world_tolerance(floor - tcp[2], 0.0, 0.01, 0.02);
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    const world_cage cage = {.object_radius = 0.015,
                             .pad_success = 0.02,
                             .xz = 0.03,
                             .effort = 0.1,
                             .high_density = true};
    const double *block = world->observation + WORLD_FIRST_OBJECT;
    double tcp[3];
    world_tcp(world, tcp);
    const double distance = world_distance3(block, world->goal);
    const double reach = world_distance3(block, tcp);
    const double in_place =
        world_tolerance(distance, 0, 0.02, world_distance3(world->start_object, world->goal));
    const world_number grasped = world_caging(world, action, block, &cage);
    const bool held =
        reach < 0.04 && block[2] - 0.02 > world->start_object[2] && !(world->observation[3] < 0.33);
    world_number reward = world_hamacher_number(grasped, world_plain(in_place));
    if (held) {
        const double clear = world_hamacher(in_place, above_floor(world, tcp));
        reward = world_add(reward, world_plain(1.0 + 5.0 * clear));
    }
    out->success = distance <= 0.07;
    out->near_object = reach <= 0.03;
    out->grasp_success = held;
    out->grasp_reward = grasped.value;
    out->in_place_reward = in_place;
    out->obj_to_target = distance;
    out->unscaled_reward = distance < 0.05 ? 10.0 : reward.value;
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    const double *block = world->observation + WORLD_FIRST_OBJECT;
    world_carry carry = world_carry_from(world, block, world->memory + CARRY);
    carry.base = carry.height;
    carry.more = 0.02;
    world_conclude_v1(carry.distance, 0.07, world_carry_v1(world, action, &carry), out);
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    const double *goal = observation + WORLD_GOAL;
    double block[3];
    world_shift(block, observation + WORLD_FIRST_OBJECT, 0.0, 0.0, 0.02);
    double to[3];
    if (world_distance2(hand, block) > 0.02) {
        world_shift(to, block, 0.0, 0.0, 0.15);
    } else if (fabs(hand[2] - block[2]) > 0.01) {
        world_copy3(to, block);
    } else if (fabs(hand[2] - goal[2]) > 0.04) {
        world_set3(to, hand[0], hand[1], goal[2]);
    } else {
        world_copy3(to, goal);
    }
    const bool away = world_distance2(hand, block) > 0.02 || fabs(hand[2] - block[2]) > 0.15;
    world_expert_move(action, observation, to, 25.0, away ? 0.0 : 0.1);
}

const world_task_definition world_task_pick_out_of_hole = {
    .info =
        {
            .name = "pick-out-of-hole",
            .scene = "sawyer_xyz/sawyer_pick_out_of_hole.xml",
            .camera = "corner",
            .horizon = 125,
            .draw_length = 6,
            .draw_low = {0, 0.75, 0.02, -0.1, 0.5, 0.15},
            .draw_high = {0, 0.75, 0.02, 0.1, 0.6, 0.3},
            .draw_distance = 0.15,
        },
    .positions = 16,
    .hand_low = {-0.5, 0.40, -0.05},
    .hand_start = {0, 0.6, 0.2},
    .goal_low = {-0.1, 0.5, 0.15},
    .goal_high = {0.1, 0.6, 0.3},
    .parts = WORLD_PUCK_PARTS,
    .reset = reset,
    .observe = world_observe_body,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
