// Pull a door open by its handle. The draw is the door's position.
#include "world/siblings.h"

enum { DOOR, HANDLE, HINGE, GOAL };
enum { MOST_PULL };  // in world->memory

static void reset(tot_world *world) {
    world_shift(world->goal, world->draw, -0.3, -0.45, 0.0);
    world_move_site(world, GOAL, world->goal);
    *world_joint_position(world, HINGE) = 0;
    *world_joint_velocity(world, HINGE) = 0;
    world_forward(world);
    world_copy3(world->start_object, world->draw);
    world->memory[MOST_PULL] = world_distance2(world_geom_position(world, HANDLE), world->goal);
}

static void observe(const tot_world *world, double *objects) {
    world_copy3(objects, world_geom_position(world, HANDLE));
    world_quaternion(objects + 3, world_geom_matrix(world, HANDLE));
}

static void conclude(const tot_world *world, tot_world_info *out) {
    out->success = fabs(world->observation[WORLD_FIRST_OBJECT] - world->goal[0]) <= 0.08;
    out->grasp_success = out->grasp_reward >= 0.5;
    out->obj_to_target = 0;
}

// The hand is behind the handle, and on the way there not below a funnel around it.
static double ready_to_open(const double *observation) {
    const double threshold = 0.12;
    const double *hand = observation;
    double door[3];
    world_shift(door, observation + WORLD_FIRST_OBJECT, -0.05, 0, 0);
    const double radius = world_distance2(hand, door);
    const double floor = radius <= threshold ? 0.0 : 0.04 * log(radius - threshold) + 0.4;
    const double above_floor =
        hand[2] >= floor ? 1.0 : world_tolerance(floor - hand[2], 0.0, 0.01, floor / 2.0);
    const double off =
        world_norm3(hand[0] - door[0] - 0.05, hand[1] - door[1] - 0.03, hand[2] - door[2] - -0.01);
    return world_hamacher(above_floor, world_tolerance(off, 0, threshold / 2.0, 0.5));
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    const double pi = 3.141592653589793;
    const double theta = *world_joint_position(world, HINGE);
    const world_number grip = {world_clip(action->value[3], -1, 1), action->single};
    const double grab = world_divide(world_add(grip, world_plain(1.0)), world_plain(2.0)).value;
    const double ready = ready_to_open(world->observation);
    const double opened = 0.2 * (theta < -pi / 90.0) +
                          0.8 * world_tolerance(pi / 2.0 + pi / 6 - -theta, 0, 0.5, pi / 3.0);
    out->near_object = ready;
    out->grasp_reward = grab;
    out->in_place_reward = opened;
    out->unscaled_reward = 2.0 * world_hamacher(ready, grab) + 8.0 * opened;
    conclude(world, out);
    if (out->success != 0) {
        out->unscaled_reward = 10.0;
    }
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double *door = world->observation + WORLD_FIRST_OBJECT;
    out->unscaled_reward =
        world_reach_v1(world, door, world->memory[MOST_PULL], world_distance2(door, world->goal));
    conclude(world, out);
}

static void expert(const double *observation, float *action) {
    double door[3];
    world_copy3(door, observation + WORLD_FIRST_OBJECT);
    door[0] -= 0.05;
    double to[3];
    if (world_distance2(observation, door) > 0.12) {
        // above the handle
        world_shift(to, door, 0.06, 0.02, 0.2);
    } else if (fabs(observation[2] - door[2]) > 0.04) {
        // down behind its front edge
        world_shift(to, door, 0.06, 0.02, 0.0);
    } else {
        // and towards its middle
        world_copy3(to, door);
    }
    world_expert_move(action, observation, to, 25.0, 1.0);
}

const world_task_definition world_task_door_open = {
    .info =
        {
            .name = "door-open",
            .scene = "sawyer_xyz/sawyer_door_pull.xml",
            .camera = "corner3",
            .horizon = 125,
            .hold = true,
            .draw_length = 3,
            .draw_low = {0.0, 0.85, 0.15},
            .draw_high = {0.1, 0.95, 0.15},
        },
    .positions = 10,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_start = {0, 0.6, 0.2},
    .goal_low = {-0.3, 0.4, 0.1499},
    .goal_high = {-0.2, 0.5, 0.1501},
    .parts = {[DOOR] = {mjOBJ_BODY, "door"},
              [HANDLE] = {mjOBJ_GEOM, "handle"},
              [HINGE] = {mjOBJ_JOINT, "doorjoint"},
              [GOAL] = {mjOBJ_SITE, "goal"}},
    .place = world_place_first,
    .reset = reset,
    .observe = observe,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
