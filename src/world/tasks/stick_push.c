// Grasp a stick and push a thermos with it. The draw is the stick's position, then the goal's.
#include "world/siblings.h"

static const double radius = 0.12;  // of success

static void reset(tot_world *world) {
    // the goal has the height of the thermos's handle
    world_stick_reset(world, world_site_position(world, WORLD_STICK_HANDLE)[2], 0.0);
}

static void observe(const tot_world *world, double *objects) {
    world_stick_observe(world, 0.09, objects);
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    const double *observation = world->observation;
    const double *thermos = observation + WORLD_FIRST_OBJECT + 7;
    const double *start = world->memory + WORLD_STICK_START;
    const double opened = observation[3];
    double stick[3];
    world_shift(stick, observation + WORLD_FIRST_OBJECT, 0.015, 0.0, 0.0);
    const double distance = world_tcp_distance(world, stick);
    const double stick_in_place = world_tolerance(world_distance3(stick, world->goal), 0, radius,
                                                  world_distance3(start, world->goal) - radius);
    const double off = world_distance3(thermos, world->goal);
    const double in_place =
        world_tolerance(off, 0, radius, world_distance3(world->start_object, world->goal) - radius);
    world_number grasped = world_caging(world, action, stick,
                                        &(world_cage){.start = start,
                                                      .object_radius = 0.04,
                                                      .pad_success = 0.05,
                                                      .xz = 0.01,
                                                      .high_density = true});
    double reward = grasped.value;
    if (distance < 0.02 && opened > 0 && stick[2] - 0.01 > start[2]) {
        grasped = world_plain(1);
        reward = off <= radius ? 10.0 : 2.0 + 5.0 * stick_in_place + 3.0 * in_place;
    }
    out->grasp_success =
        opened > 0 && stick[2] - 0.01 > start[2] && world_touches(world, WORLD_STICK_GEOM);
    out->success = out->grasp_success != 0 && off <= radius;
    out->near_object = distance <= 0.03;
    out->grasp_reward = grasped.value;
    out->in_place_reward = stick_in_place;
    out->obj_to_target = off;
    out->unscaled_reward = reward;
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    world_stick_v1(world, action, 0.001, 0.0001, out);
}

static void expert(const double *observation, float *action) {
    double stick[3];
    double there[3];
    world_shift(stick, observation + WORLD_FIRST_OBJECT, 0.015, 0.0, 0.03);
    world_shift(there, observation + WORLD_GOAL, 0.0, 0.0, 0.132);
    world_stick_expert(observation, stick, observation + WORLD_FIRST_OBJECT + 7, there, 10.0,
                       action);
}

const world_task_definition world_task_stick_push = {
    .info =
        {
            .name = "stick-push",
            .scene = "sawyer_xyz/sawyer_stick_obj.xml",
            .camera = "corner",
            .horizon = 125,
            .draw_length = 6,
            .draw_low = {-0.08, 0.58, 0.000, 0.399, 0.55, 0.1319},
            .draw_high = {-0.03, 0.62, 0.001, 0.401, 0.6, 0.1321},
            .draw_distance = 0.1,
        },
    .positions = 18,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_start = {0, 0.6, 0.2},
    .goal_low = {0.399, 0.55, 0.1319},
    .goal_high = {0.401, 0.6, 0.1321},
    .parts = WORLD_STICK_PARTS,
    .reset = reset,
    .observe = observe,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
