// Put a stick through the handle of a thermos and pull it. The draw is the stick's position, then
// the goal's.
#include "world/siblings.h"

static void reset(tot_world *world) {
    world_stick_reset(world, 0.02, 0.09);
}

static void observe(const tot_world *world, double *objects) {
    world_stick_observe(world, 0.0, objects);
}

static bool inserted(const double *handle, const double *end) {
    return end[0] >= handle[0] && fabs(end[1] - handle[1]) <= 0.040 &&
           fabs(end[2] - handle[2]) <= 0.060;
}

static void conclude(const tot_world *world, tot_world_info *out) {
    const double *handle = world->observation + WORLD_FIRST_OBJECT + 7;
    out->success = world_distance3(handle, world->goal) <= 0.12 &&
                   inserted(handle, world_site_position(world, WORLD_STICK_END));
}

// The reward while the stick is held: move it to the thermos, insert it, pull.
static double held_reward(const tot_world *world, const double *stick, const double *thermos,
                          double in_place, double both) {
    const double *goal = world->goal;
    const double *start = world->memory + WORLD_STICK_START;
    if (!inserted(stick + 7, world_site_position(world, WORLD_STICK_END))) {
        return 1.0 + both + 5.0 * in_place;
    }
    if (world_distance3(stick + 7, goal) <= 0.12) {
        return 10.0;
    }
    const double stick_there =
        world_tolerance(world_distance3(stick, goal), 0, 0.05, world_distance3(start, goal));
    const double thermos_there = world_tolerance(world_distance3(thermos, goal), 0, 0.05,
                                                 world_distance3(world->start_object, goal));
    return 1.0 + both + 5.0 + 2.0 * stick_there + 1.0 * thermos_there;
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    static const double scale[3] = {1.0, 1.0, 2.0};
    const world_cage cage = {
        .object_radius = 0.014, .pad_success = 0.05, .xz = 0.01, .high_density = true};
    const double *stick = world->observation + WORLD_FIRST_OBJECT;
    const double *handle = stick + 7;
    const double *stick_start = world->memory + WORLD_STICK_START;
    const bool opened = world->observation[3] > 0;
    double thermos[3];
    double thermos_start[3];
    world_shift(thermos, handle, 0.05, 0.0, 0.0);
    world_shift(thermos_start, world->start_object, 0.05, 0.0, 0.0);
    const double reach = world_tcp_distance(world, stick);
    const double in_place =
        world_tolerance(world_distance_scaled(stick, thermos, scale), 0, 0.05,
                        world_distance_scaled(stick_start, thermos_start, scale));
    const bool held = reach < 0.02 && opened && stick[2] - 0.01 > stick_start[2];
    const world_number grasped = held ? world_plain(1) : world_caging(world, action, stick, &cage);
    const double both = world_hamacher_number(grasped, world_plain(in_place)).value;
    conclude(world, out);
    out->near_object = reach <= 0.03;
    out->grasp_success = opened && stick[2] - 0.02 > world->start_object[2] &&
                         world_touches(world, WORLD_STICK_GEOM);
    out->grasp_reward = grasped.value;
    out->in_place_reward = in_place;
    out->obj_to_target = world_distance3(handle, world->goal);
    out->unscaled_reward = held ? held_reward(world, stick, thermos, in_place, both) : both;
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    conclude(world, out);
    world_stick_v1(world, action, 0.01, 0.001, out);
}

static void expert(const double *observation, float *action) {
    double stick[3];
    double thermos[3];
    double there[3];
    world_shift(stick, observation + WORLD_FIRST_OBJECT, -0.015, 0.0, 0.03);
    world_shift(thermos, observation + WORLD_FIRST_OBJECT + 7, -0.015, 0.0, 0.03);
    world_shift(there, observation + WORLD_GOAL, -0.05, 0.0, 0.0);
    world_stick_expert(observation, stick, thermos, there, 25.0, action);
}

const world_task_definition world_task_stick_pull = {
    .info =
        {
            .name = "stick-pull",
            .scene = "sawyer_xyz/sawyer_stick_obj.xml",
            .camera = "corner3",
            .horizon = 175,
            .hold = true,
            .draw_length = 6,
            .draw_low = {-0.1, 0.55, 0.000, 0.35, 0.45, 0.0199},
            .draw_high = {0.0, 0.65, 0.001, 0.45, 0.55, 0.0201},
            .draw_distance = 0.1,
        },
    .positions = 18,
    .hand_low = {-0.5, 0.35, 0.05},
    .hand_start = {0, 0.6, 0.2},
    .goal_low = {0.35, 0.45, 0.0199},
    .goal_high = {0.45, 0.55, 0.0201},
    .parts = WORLD_STICK_PARTS,
    .reset = reset,
    .observe = observe,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
