// Pick a block out of one bin and put it into another. The draw is the block's position, then one
// that Meta-world draws but does not use: the other bin never moves.
#include "world/siblings.h"

enum { BLOCK, BIN };
enum { OBJECT_HEIGHT, HEIGHT_TARGET, MOST_PLACING, FIRST_DISTANCE };  // in world->memory

static void reset(tot_world *world) {
    // the height at which the block settled
    const double height = world_body_position(world, BLOCK)[2];
    world_place_object(world, world->draw[0], world->draw[1], height);
    world_copy3(world->goal, world_body_position(world, BIN));
    world_set3(world->start_object, world->draw[0], world->draw[1], height);
    const double lying = world_body_position(world, BLOCK)[2];
    world->memory[OBJECT_HEIGHT] = lying;
    world->memory[HEIGHT_TARGET] = lying + 0.1;
    world->memory[MOST_PLACING] = world_distance2(world->draw, world->goal) + (lying + 0.1);
}

// Minimum height of the hand to clear the bins: a funnel over either end of the path.
static double floor_height(const double *hand, const double *end) {
    const double threshold = 0.03;
    const double radius = world_distance2(hand, end);
    return radius > threshold ? 0.02 * log(radius - threshold) + 0.2 : 0.0;
}

static double above_floor(const tot_world *world, const double *hand) {
    const double floor =
        fmin(floor_height(hand, world->start_object), floor_height(hand, world->goal));
    return hand[2] >= floor ? 1.0 : world_tolerance(fmax(floor - hand[2], 0.0), 0.0, 0.01, 0.05);
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    static const world_cage cage = {.object_radius = 0.015,
                                    .pad_success = 0.05,
                                    .reach_radius = 0.01,
                                    .xz = 0.01,
                                    .effort = 0.7,
                                    .high_density = true};
    const double *hand = world->observation;
    const double *block = world->observation + WORLD_FIRST_OBJECT;
    const double away = world_distance3(block, world->goal);
    if (world->frames == 1) {
        world->memory[FIRST_DISTANCE] = away;
    }
    const double in_place = world_tolerance(away, 0, 0.05, world->memory[FIRST_DISTANCE]);
    const world_number grasped = world_caging(world, action, block, &cage);
    world_number reward = world_hamacher_number(grasped, world_plain(in_place));
    out->near_object = world_distance3(block, hand) < 0.04;
    // lifted, and the gripper is not closed without the block
    out->grasp_success = out->near_object != 0 && block[2] - 0.02 > world->start_object[2] &&
                         !(world->observation[3] < 0.43);
    if (out->grasp_success != 0) {
        const double carried = world_hamacher(above_floor(world, hand), in_place);
        reward = world_add(reward, world_plain(1.0 + 5.0 * carried));
    }
    out->success = away <= 0.05;
    out->grasp_reward = grasped.value;
    out->in_place_reward = in_place;
    out->obj_to_target = away;
    out->unscaled_reward = away < 0.05 ? 10.0 : reward.value;
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    const double height = world->memory[OBJECT_HEIGHT];
    const double height_target = world->memory[HEIGHT_TARGET];
    const double *block = world->observation + WORLD_FIRST_OBJECT;
    const double reach = world_tcp_distance(world, block);
    const double away = world_distance2(block, world->goal);
    const bool picked = block[2] >= height_target - 0.01;
    const bool dropped = block[2] < height + 0.005 && away > 0.02 && reach > 0.02;
    const bool over =
        fabs(block[0] - world->goal[0]) < 0.05 && fabs(block[1] - world->goal[1]) < 0.05;
    const double place = world_approach_v1(world->memory[MOST_PLACING], away);
    // over the bin the gripper should open
    const world_number grip = {action->value[3], action->single};
    const double released = world_multiply(world_plain(-200), grip).value + place;
    out->obj_to_target = away;
    out->success = away <= 0.05;
    if (over && block[2] < height + 0.05) {
        out->unscaled_reward = released;
        return;
    }
    const double pick =
        world_pick_v1(picked && !dropped, reach < 0.1, block[2], height + 0.005, height_target);
    const bool carried = picked && reach < 0.1 && !dropped;
    const double coming = world_coming_v1(world, action, block, 0.06, 0.05, 1);
    out->unscaled_reward = coming + pick + (!carried ? 0 : over ? released : place);
}

static void expert(const double *observation, float *action) {
    static const double bin[3] = {0.12, 0.7, 0.02};
    const double *hand = observation;
    double block[3];
    world_shift(block, observation + WORLD_FIRST_OBJECT, 0.0, 0.0, 0.03);
    // away from the bin's edges, where the fingers would get stuck; closing, they drag the block
    block[1] = fmax(0.675, fmin(block[1], 0.725));
    double to[3];
    if (world_distance2(hand, block) > 0.02) {
        world_shift(to, block, 0.0, 0.0, 0.15);
    } else if (fabs(hand[2] - block[2]) > 0.01) {
        world_copy3(to, block);
    } else if (world_distance2(hand, bin) <= 0.02) {
        world_copy3(to, bin);
    } else if (hand[2] < 0.15) {
        world_shift(to, hand, 0.0, 0.0, 0.1);
    } else {
        world_set3(to, bin[0], bin[1], 0.18);
    }
    const bool away = world_distance2(hand, block) > 0.02 || fabs(hand[2] - block[2]) > 0.02;
    world_expert_move(action, observation, to, 25.0, away ? -1.0 : 0.6);
}

const world_task_definition world_task_bin_picking = {
    .info =
        {
            .name = "bin-picking",
            .scene = "sawyer_xyz/sawyer_bin_picking.xml",
            .camera = "corner",
            .horizon = 175,
            .draw_length = 6,
            .draw_low = {-0.21, 0.65, 0.02, 0.1199, 0.699, -0.001},
            .draw_high = {-0.03, 0.75, 0.02, 0.1201, 0.701, 0.001},
        },
    .positions = 16,
    .hand_low = {-0.5, 0.40, 0.07},
    .hand_start = {0, 0.6, 0.2},
    .goal_low = {0.1199, 0.699, -0.001},
    .goal_high = {0.1201, 0.701, 0.001},
    .parts = {[BLOCK] = {mjOBJ_BODY, "obj"}, [BIN] = {mjOBJ_BODY, "bin_goal"}},
    .reset = reset,
    .observe = world_observe_body,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
