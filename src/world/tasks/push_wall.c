// Push a puck around a wall to a goal. The draw is the puck's position, then the goal's.
#include "world/siblings.h"

static void reset(tot_world *world) {
    // puck and goal have the height at which the puck settled
    world_reset_pushed(world, world_geom_position(world, WORLD_WALL_PUCK)[2], WORLD_WALL_GOAL);
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    static const double scale[3] = {3.0, 1.0, 1.0};
    static const world_cage cage = {
        .object_radius = 0.015, .pad_success = 0.05, .xz = 0.005, .high_density = true};
    const double *puck = world->observation + WORLD_FIRST_OBJECT;
    const double beside_wall[3] = {-0.05, 0.77, puck[2]};
    const world_wall wall = world_wall_look(world, action, &cage, beside_wall, scale, out);
    const world_number reward = world_multiply(world_plain(2), wall.grasped);
    world_wall_reward(world, &wall, reward, wall.reach < 0.02 && wall.opened, out);
}

static bool between(double low, double value, double high) {
    return low < value && value < high;
}

// Path of the hand with the puck: along the wall, past its end, to the goal.
static void expert(const double *observation, float *action) {
    static const world_wall_plan plan = {.near = 0.02, .up = 0.2, .effort = 0.6};
    const double *hand = observation;
    double puck[3];
    world_shift(puck, observation + WORLD_FIRST_OBJECT, -0.005, 0, 0);
    double onward[3];
    if (-0.1 <= puck[0] && puck[0] <= 0.3 && 0.65 <= puck[1] && puck[1] <= 0.75) {
        world_shift(onward, hand, -1, 0, 0);
    } else if ((between(-0.15, puck[0], 0.05) || between(0.15, puck[0], 0.35)) &&
               0.695 <= puck[1] && puck[1] <= 0.755) {
        world_shift(onward, hand, 0, 1, 0);
    } else {
        world_copy3(onward, observation + WORLD_GOAL);
    }
    world_wall_expert(observation, &plan, onward, action);
}

const world_task_definition world_task_push_wall = {
    .info =
        {
            .name = "push-wall",
            .scene = "sawyer_xyz/sawyer_push_wall_v3.xml",
            .camera = "corner",
            .horizon = 175,
            .draw_length = 6,
            .draw_low = {-0.05, 0.6, 0.015, -0.05, 0.85, 0.01},
            .draw_high = {0.05, 0.65, 0.015, 0.05, 0.9, 0.02},
            .draw_distance = 0.15,
        },
    .positions = 16,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_start = {0, 0.6, 0.2},
    .goal_low = {-0.05, 0.85, 0.01},
    .goal_high = {0.05, 0.9, 0.02},
    .parts = WORLD_WALL_PARTS,
    .reset = reset,
    .observe = world_observe_geom,
    .evaluate = evaluate,
    .evaluate_v1 = world_slide_evaluate_v1,
    .expert = expert,
};
