// Slide a plate sideways out of a cabinet. The draw is the cabinet's position, which is always the
// same, then the goal's.
#include "world/reward.h"
#include "world/tasks.h"

enum { PLATE, CABINET, GOAL };
enum { MOST_SLIDE };  // in world->memory

static void place(tot_world *world) {
    world_move_body(world, CABINET, world->draw);
}

static void reset(tot_world *world) {
    world_copy3(world->goal, world->draw + 3);
    world->data->qpos[WORLD_OBJECT_JOINT] = -0.15;
    world->data->qpos[WORLD_OBJECT_JOINT + 1] = 0;
    world_forward(world);
    world_move_site(world, GOAL, world->goal);
    world_copy3(world->start_object, world->draw);
    world->memory[MOST_SLIDE] = world_distance2(world_geom_position(world, PLATE), world->goal);
}

static void observe(const tot_world *world, double *objects) {
    world_copy3(objects, world_geom_position(world, PLATE));
    world_quaternion(objects + 3, world_geom_matrix(world, PLATE));
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double radius = 0.05;
    const double *plate = world->observation + WORLD_FIRST_OBJECT;
    const double *start = world->draw;
    double tcp[3];
    world_tcp(world, tcp);
    const double distance = world_distance3(plate, world->goal);
    const double reach = world_distance3(tcp, plate);
    const double in_place =
        world_tolerance(distance, 0, radius, world_distance3(start, world->goal) - radius);
    const double grasped =
        world_tolerance(reach, 0, radius, world_distance3(world->start_tcp, start) - radius);
    const bool behind = tcp[2] <= 0.03 && reach < 0.07;
    const double reward = behind ? 2.0 + 7.0 * in_place : 1.5 * grasped;
    out->success = distance <= 0.07;
    out->near_object = reach <= 0.03;
    out->grasp_reward = grasped;
    out->in_place_reward = in_place;
    out->obj_to_target = distance;
    out->unscaled_reward = distance < radius ? 10.0 : reward;
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double *plate = world->observation + WORLD_FIRST_OBJECT;
    const double distance = world_distance2(plate, world->goal);
    out->success = distance <= 0.07;
    out->near_object = 1;
    out->obj_to_target = distance;
    out->unscaled_reward = world_reach_v1(world, plate, world->memory[MOST_SLIDE], distance);
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double plate[3];
    world_shift(plate, observation + WORLD_FIRST_OBJECT, 0.023, 0.0, 0.025);
    double to[3];
    if (world_distance2(hand, plate) > 0.01) {
        world_shift(to, plate, 0.0, 0.0, 0.07);
    } else if (fabs(hand[2] - plate[2]) > 0.04) {
        world_copy3(to, plate);
    } else {
        to[0] = hand[0] + 0.1;
        to[1] = 0.6;
        to[2] = hand[2];
    }
    world_expert_move(action, observation, to, 10.0, 1.0);
}

const world_task_definition world_task_plate_slide_back_side = {
    .info =
        {
            .name = "plate-slide-back-side",
            .scene = "sawyer_xyz/sawyer_plate_slide_sideway.xml",
            .camera = "corner",
            .horizon = 125,
            .hold = true,
            .draw_length = 6,
            .draw_low = {-0.25, 0.6, 0.0, -0.05, 0.6, 0.015},
            .draw_high = {-0.25, 0.6, 0.0, 0.15, 0.6, 0.015},
        },
    .positions = 11,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_high = {0.5, 1, 0.5},
    .hand_start = {0, 0.6f, 0.2f},
    .goal_low = {-0.05, 0.6, 0.015},
    .goal_high = {0.15, 0.6, 0.015},
    .parts = {[PLATE] = {mjOBJ_GEOM, "puck"},
              [CABINET] = {mjOBJ_BODY, "puck_goal"},
              [GOAL] = {mjOBJ_SITE, "goal"}},
    .place = place,
    .reset = reset,
    .observe = observe,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
