// Put a block onto a shelf. The draw is the block's position, then the goal's; the shelf moves with
// the goal.
#include "world/siblings.h"

enum { BLOCK, BLOCK_GEOM, SHELF, GOAL };
enum { CARRY };  // in world->memory

static void place(tot_world *world) {
    double shelf[3];
    world_shift(shelf, world->draw + 3, 0.0, 0.0, -0.3);
    world_move_body(world, SHELF, shelf);
}

static void reset(tot_world *world) {
    // the block's height is the one at which it settled
    const double height = world_body_position(world, BLOCK)[2];
    world_forward(world);
    // the goal's site is attached to the shelf
    const double *site = world->model.site_pos + 3 * world->task->part[GOAL];
    const double *shelf = world->model.body_pos + 3 * world->task->part[SHELF];
    world_shift(world->goal, site, shelf[0], shelf[1], shelf[2]);
    world_place_object(world, world->draw[0], world->draw[1], height);
    world_set3(world->start_object, world->draw[0], world->draw[1], height);
    world_carry_remember(world, world_geom_position(world, BLOCK_GEOM)[2], 0.04,
                         world->memory + CARRY);
}

// in_place is reduced in front of the shelf, below its board, and zero behind its edge. *wide: it
// is then a np.float64, and so is its sum with a float32.
static double in_place_outside_shelf(const double *block, const double *goal, double in_place,
                                     bool *wide) {
    const double depth = 3 * 0.05;
    const bool below =
        0.0 < block[2] && block[2] < 0.24 && goal[0] - 0.15 < block[0] && block[0] < goal[0] + 0.15;
    *wide = below && goal[1] - depth < block[1] && block[1] < goal[1];
    if (*wide) {
        const double z = (0.24 - block[2]) / 0.24;
        const double y = (block[1] - (goal[1] - depth)) / depth;
        return world_clip(in_place - world_hamacher(y, z), 0.0, 1.0);
    }
    return below && block[1] > goal[1] ? 0.0 : in_place;
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    const world_cage cage = {.object_radius = 0.02, .pad_success = 0.05, .xz = 0.01};
    const double *block = world->observation + WORLD_FIRST_OBJECT;
    const double start = world->start_object[2];
    const double distance = world_distance3(block, world->goal);
    const double reach = world_tcp_distance(world, block);
    const bool opened = world->observation[3] > 0;
    double in_place =
        world_tolerance(distance, 0, 0.05, world_distance3(world->start_object, world->goal));
    const world_number grasped = world_caging(world, action, block, &cage);
    world_number reward = world_hamacher_number(grasped, world_plain(in_place));
    bool wide = false;
    in_place = in_place_outside_shelf(block, world->goal, in_place, &wide);
    if (reach < 0.025 && opened && block[2] - 0.01 > start) {
        reward.single = reward.single && !wide;
        reward = world_add(reward, world_plain(1.0 + 5.0 * in_place));
    }
    out->success = distance <= 0.07;
    out->near_object = reach <= 0.03;
    out->grasp_success = opened && block[2] - 0.02 > start && world_touches(world, BLOCK_GEOM);
    out->grasp_reward = grasped.value;
    out->in_place_reward = in_place;
    out->obj_to_target = distance;
    out->unscaled_reward = distance < 0.05 ? 10.0 : reward.value;
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    const double *block = world->observation + WORLD_FIRST_OBJECT;
    const world_carry carry = world_carry_from(world, block, world->memory + CARRY);
    world_conclude_v1(carry.distance, 0.07, world_carry_v1(world, action, &carry), out);
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    const double shelf_x = observation[WORLD_GOAL];
    double block[3];
    world_shift(block, observation + WORLD_FIRST_OBJECT, -0.005, 0.0, 0.015);
    double to[3];
    if (world_distance2(hand, block) > 0.04) {
        world_shift(to, block, 0.0, 0.0, 0.3);
    } else if (fabs(hand[2] - block[2]) > 0.04) {
        world_copy3(to, block);
    } else if (fabs(hand[0] - shelf_x) > 0.02) {
        world_set3(to, shelf_x, hand[1], 0.3);
    } else if (hand[2] < 0.30) {
        world_shift(to, hand, 0.0, 0.0, 0.30);
    } else {
        world_shift(to, hand, 0.0, 0.05, 0.0);
    }
    const double *centre = observation + WORLD_FIRST_OBJECT;
    const bool away = world_distance2(hand, centre) > 0.04 || fabs(hand[2] - centre[2]) > 0.15;
    world_expert_move(action, observation, to, 25.0, away ? -1.0 : 0.7);
}

const world_task_definition world_task_shelf_place = {
    .info =
        {
            .name = "shelf-place",
            .scene = "sawyer_xyz/sawyer_shelf_placing.xml",
            .camera = "corner",
            .horizon = 175,
            .hold = true,
            .draw_length = 6,
            .draw_low = {-0.1, 0.5, 0.019, -0.1, 0.8, 0.299},
            .draw_high = {0.1, 0.6, 0.021, 0.1, 0.9, 0.301},
            .draw_distance = 0.1,
        },
    .positions = 16,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_start = {0, 0.6f, 0.2f},
    .goal_low = {-0.1, 0.8, 0.299},
    .goal_high = {0.1, 0.9, 0.301},
    .parts = {[BLOCK] = {mjOBJ_BODY, "obj"},
              [BLOCK_GEOM] = {mjOBJ_GEOM, "objGeom"},
              [SHELF] = {mjOBJ_BODY, "shelf"},
              [GOAL] = {mjOBJ_SITE, "goal"}},
    .place = place,
    .reset = reset,
    .observe = world_observe_puck,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
