// Pull a plug out of the side of a box. The draw is the box's position.
#include "world/siblings.h"

enum { BOX, PLUG, END, GOAL };
enum { MOST_PLACE };  // in world->memory

static void reset(tot_world *world) {
    double plug[3];
    world_shift(plug, world->draw, 0.044, 0.0, 0.131);
    double *position = world->data->qpos + WORLD_OBJECT_JOINT;
    double *velocity = world->data->qvel + WORLD_OBJECT_JOINT;
    world_copy3(position, plug);
    // upright; the Python package does not reset the angular velocity
    world_copy4(position + 3, (const double[4]){1, 0, 0, 0});
    world_set3(velocity, 0, 0, 0);
    world_forward(world);
    world_shift(world->goal, plug, 0.15, 0.0, 0.0);
    world_move_site(world, GOAL, world->goal);
    world_copy3(world->start_object, world_site_position(world, END));
    world->memory[MOST_PLACE] = world_distance3(world->goal, world->start_object);
}

static void observe(const tot_world *world, double *objects) {
    world_copy3(objects, world_site_position(world, END));
    world_copy4(objects + 3, world_body_quaternion(world, PLUG));
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    const world_cage cage = {.object_radius = 0.025,
                             .pad_success = 0.05,
                             .xz = 0.005,
                             .effort = 0.8,
                             .high_density = true};
    const double *plug = world->observation + WORLD_FIRST_OBJECT;
    const double reach = world_tcp_distance(world, plug);
    const double distance = world_distance3(plug, world->goal);
    const double in_place = world_tolerance(distance, 0, 0.05, world->memory[MOST_PLACE]);
    const world_number grasped = world_caging(world, action, plug, &cage);
    const bool pulled = world->observation[3] > 0.5 && plug[0] - world->start_object[0] > 0.015;
    world_number reward = world_multiply(world_plain(2), grasped);
    if (pulled && reach < 0.035) {
        reward = world_add(world_add(world_plain(1), reward), world_plain(5 * in_place));
    }
    out->success = distance <= 0.07;
    out->near_object = reach <= 0.03;
    out->grasp_success = pulled;
    out->grasp_reward = grasped.value;
    out->in_place_reward = in_place;
    out->obj_to_target = distance;
    out->unscaled_reward = distance <= 0.05 ? 10.0 : reward.value;
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    const double *plug = world->observation + WORLD_FIRST_OBJECT;
    double tcp[3];
    world_tcp(world, tcp);
    const double reach = world_distance3(plug, tcp);
    const double aside = world_distance2(plug, tcp);
    const double distance = world_distance2(plug, world->goal);
    const double height = fabs(tcp[2] - world->task->definition->hand_start[2]);
    out->success = distance <= 0.07;
    out->near_object = 1;
    out->obj_to_target = distance;
    if (reach < 0.05) {
        out->unscaled_reward = -reach + world_closing_v1(action) +
                               world_approach_v1(world->memory[MOST_PLACE], distance);
    } else {
        out->unscaled_reward = aside < 0.05 ? -reach : -aside - 2 * height;
    }
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double plug[3];
    world_shift(plug, observation + WORLD_FIRST_OBJECT, -0.02, 0.0, 0.035);
    double to[3];
    if (world_distance2(hand, plug) > 0.04) {
        world_shift(to, plug, 0.0, 0.0, 0.2);
    } else if (fabs(hand[2] - 0.15) > 0.02) {
        world_set3(to, plug[0], plug[1], 0.15);
    } else {
        world_shift(to, hand, 0.01, 0.0, 0.0);
    }
    const bool away = world_distance2(hand, plug) > 0.04 || fabs(hand[2] - plug[2]) > 0.15;
    world_expert_move(action, observation, to, 25.0, away ? -1.0 : 0.1);
}

const world_task_definition world_task_peg_unplug_side = {
    .info =
        {
            .name = "peg-unplug-side",
            .scene = "sawyer_xyz/sawyer_peg_unplug_side.xml",
            .camera = "corner",
            .horizon = 125,
            .draw_length = 3,
            .draw_low = {-0.25, 0.6, -0.001},
            .draw_high = {-0.15, 0.8, 0.001},
        },
    .positions = 16,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_start = {0, 0.6, 0.2},
    .goal_low = {-0.25 + 0.194, 0.6 + 0.0, -0.001 + 0.131},
    .goal_high = {-0.15 + 0.194, 0.8 + 0.0, 0.001 + 0.131},
    .parts = {[BOX] = {mjOBJ_BODY, "box"},
              [PLUG] = {mjOBJ_BODY, "plug1"},
              [END] = {mjOBJ_SITE, "pegEnd"},
              [GOAL] = {mjOBJ_SITE, "goal"}},
    .place = world_place_first,
    .reset = reset,
    .observe = observe,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
