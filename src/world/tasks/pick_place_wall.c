// Lift a puck over a wall and hold it at a goal. The draw is the puck's position, then the goal's.
#include "world/siblings.h"

enum { CARRY };  // in world->memory

static void reset(tot_world *world) {
    world_reset_puck(world, WORLD_WALL_GOAL);
    world_carry_remember(world, world_geom_position(world, WORLD_WALL_PUCK)[2], 0.04,
                         world->memory + CARRY);
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    static const double scale[3] = {1.0, 1.0, 3.0};
    static const world_cage cage = {.object_radius = 0.015, .pad_success = 0.05, .xz = 0.005};
    const double *puck = world->observation + WORLD_FIRST_OBJECT;
    const double over_wall[3] = {world->goal[0], 0.77, 0.25};
    const world_wall wall = world_wall_look(world, action, &cage, over_wall, scale, out);
    const world_number reward = world_hamacher_number(wall.grasped, world_plain(wall.at_wall));
    const bool lifted = puck[2] - 0.015 > world->start_object[2];
    world_wall_reward(world, &wall, reward, wall.reach < 0.02 && wall.opened && lifted, out);
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    const double *puck = world->observation + WORLD_FIRST_OBJECT;
    const world_carry carry = world_carry_from(world, puck, world->memory + CARRY);
    world_conclude_v1(carry.distance, 0.07, world_carry_v1(world, action, &carry), out);
}

// Path of the hand with the puck: up, over the wall, down.
static void carry(const double *hand, const double *goal, double *to) {
    const bool at_wall = -0.15 <= hand[0] && hand[0] <= 0.35 && 0.60 <= hand[1] && hand[1] <= 0.80;
    if (at_wall && hand[2] < 0.25) {
        world_shift(to, hand, 0, 0, 1);
    } else if (at_wall && hand[2] < 0.35) {
        world_set3(to, goal[0], goal[1], hand[2]);
    } else if (fabs(hand[2] - goal[2]) > 0.01) {
        world_set3(to, hand[0], hand[1], goal[2]);
    } else {
        world_copy3(to, goal);
    }
}

static void expert(const double *observation, float *action) {
    static const world_wall_plan plan = {.near = 0.015, .up = 0.1, .effort = 0.9, .low = true};
    double onward[3];
    carry(observation, observation + WORLD_GOAL, onward);
    world_wall_expert(observation, &plan, onward, action);
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
    .hand_start = {0, 0.6, 0.2},
    .goal_low = {-0.05, 0.85, 0.05},
    .goal_high = {0.05, 0.9, 0.3},
    .parts = WORLD_WALL_PARTS,
    .reset = reset,
    .observe = world_observe_geom,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
