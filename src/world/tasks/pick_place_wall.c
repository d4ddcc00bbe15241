// Lift a puck over a wall and hold it at a goal. The draw is the puck's position, then the goal's.
#include "world/siblings.h"

enum { PUCK, GOAL };
enum { CARRY };  // in world->memory

static void reset(tot_world *world) {
    world_reset_puck(world, GOAL);
    world_carry_remember(world, world_geom_position(world, PUCK)[2], 0.04, world->memory + CARRY);
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    static const double scale[3] = {1.0, 1.0, 3.0};
    const world_cage cage = {.object_radius = 0.015, .pad_success = 0.05, .xz = 0.005};
    const double *puck = world->observation + WORLD_FIRST_OBJECT;
    const double *start = world->start_object;
    const double over_wall[3] = {world->goal[0], 0.77, 0.25};
    double tcp[3];
    world_tcp(world, tcp);
    const double reach = world_distance3(puck, tcp);
    const double distance = world_distance3(puck, world->goal);
    const bool opened = world->observation[3] > 0;
    const double at_wall = world_tolerance(world_distance_scaled(puck, over_wall, scale), 0, 0.05,
                                           world_distance_scaled(start, over_wall, scale));
    const double in_place = world_tolerance(distance, 0, 0.05, world_distance3(start, world->goal));
    const world_number grasped = world_caging(world, action, puck, &cage);
    world_number reward = world_hamacher_number(grasped, world_plain(at_wall));
    if (reach < 0.02 && opened && puck[2] - 0.015 > start[2]) {
        reward = world_past_wall(reward, puck, in_place, at_wall);
    }
    out->success = distance <= 0.07;
    out->near_object = reach <= 0.03;
    out->grasp_success = opened && puck[2] - 0.02 > start[2] && world_touches(world, PUCK);
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

// Where the hand goes with the puck: up, over the wall, down.
static void carry(const double *hand, const double *goal, double *to) {
    const bool at_wall = -0.15 <= hand[0] && hand[0] <= 0.35 && 0.60 <= hand[1] && hand[1] <= 0.80;
    if (at_wall && hand[2] < 0.25) {
        world_shift(to, hand, 0, 0, 1);
    } else if (at_wall && hand[2] < 0.35) {
        to[0] = goal[0];
        to[1] = goal[1];
        to[2] = hand[2];
    } else if (fabs(hand[2] - goal[2]) > 0.01) {
        to[0] = hand[0];
        to[1] = hand[1];
        to[2] = goal[2];
    } else {
        world_copy3(to, goal);
    }
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double puck[3];
    world_shift(puck, observation + WORLD_FIRST_OBJECT, -0.005, 0, 0);
    double to[3];
    if (world_distance2(hand, puck) > 0.015) {
        world_shift(to, puck, 0.0, 0.0, 0.1);
    } else if (fabs(hand[2] - puck[2]) > 0.04 && puck[2] < 0.03) {
        world_shift(to, puck, 0.0, 0.0, 0.03);
    } else {
        carry(hand, observation + WORLD_GOAL, to);
    }
    const double *centre = observation + WORLD_FIRST_OBJECT;
    const bool away = world_distance2(hand, centre) > 0.015 || fabs(hand[2] - centre[2]) > 0.1;
    world_expert_move(action, observation, to, 10.0, away ? 0.0 : 0.9);
}

const world_task_definition world_task_pick_place_wall = {
    .info =
        {
            .name = "pick-place-wall",
            .scene = "sawyer_xyz/sawyer_pick_place_wall_v3.xml",
            .camera = "corner3",
            .horizon = 175,
            .draw_length = 6,
            .draw_low = {-0.05, 0.6, 0.015, -0.05, 0.85, 0.05},
            .draw_high = {0.05, 0.65, 0.015, 0.05, 0.9, 0.3},
            .draw_distance = 0.15,
        },
    .positions = 16,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_high = {0.5, 1, 0.5},
    .hand_start = {0, 0.6, 0.2},
    .goal_low = {-0.05, 0.85, 0.05},
    .goal_high = {0.05, 0.9, 0.3},
    .parts = {[PUCK] = {mjOBJ_GEOM, "objGeom"}, [GOAL] = {mjOBJ_SITE, "goal"}},
    .reset = reset,
    .observe = world_observe_geom,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
