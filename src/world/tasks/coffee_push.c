// Push a mug under a coffee machine. The draw is the mug's position, then the goal's, behind which
// the machine stands.
#include "world/reward.h"
#include "world/tasks.h"

enum { MACHINE, MUG, MUG_GEOM, GOAL };
enum { MOST_PUSH };  // in world->memory

static void place(tot_world *world) {
    double machine[3];
    world_shift(machine, world->draw + 3, 0.0, 0.22, 0.0);
    world_move_body(world, MACHINE, machine);
}

static void reset(tot_world *world) {
    world_place_mug(world, world->draw);
    world_copy3(world->goal, world->draw + 3);
    world_move_site(world, GOAL, world->goal);
    world_copy3(world->start_object, world->draw);
    world->memory[MOST_PUSH] = world_distance2(world->draw, world->goal);
}

static void observe(const tot_world *world, double *objects) {
    world_copy3(objects, world_body_position(world, MUG));
    world_quaternion(objects + 3, world_geom_matrix(world, MUG_GEOM));
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    static const double scale[3] = {2.0, 2.0, 1.0};
    static const world_cage cage = {.object_radius = 0.02,
                                    .pad_success = 0.05,
                                    .reach_radius = 0.04,
                                    .xz = 0.05,
                                    .effort = 0.7,
                                    .medium_density = true};
    const double opening = world->observation[3];
    const double *mug = world->observation + WORLD_FIRST_OBJECT;
    double tcp[3];
    world_tcp(world, tcp);
    const double distance = world_distance3(mug, tcp);
    const double away = world_distance_scaled(mug, world->goal, scale);
    const double in_place = world_tolerance(
        away, 0, 0.05, world_distance_scaled(world->start_object, world->goal, scale));
    const world_number grasped = world_caging(world, action, mug, &cage);
    world_number reward = world_hamacher_number(grasped, world_plain(in_place));
    if (distance < 0.04 && opening > 0) {
        reward = world_add(reward, world_plain(1.0 + 5.0 * in_place));
    }
    out->obj_to_target = world_distance3(mug, world->goal);
    out->success = out->obj_to_target <= 0.07;
    out->near_object = distance <= 0.03;
    out->grasp_success = opening > 0 && world_touches(world, MUG_GEOM);
    out->grasp_reward = grasped.value;
    out->in_place_reward = in_place;
    out->unscaled_reward = away < 0.05 ? 10.0 : reward.value;
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double *mug = world->observation + WORLD_FIRST_OBJECT;
    out->obj_to_target = world_distance3(mug, world->goal);
    out->success = out->obj_to_target <= 0.07;
    out->near_object = 1;
    out->unscaled_reward =
        world_reach_v1(world, mug, world->memory[MOST_PUSH], world_distance2(mug, world->goal));
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double mug[3];
    world_shift(mug, observation + WORLD_FIRST_OBJECT, 0.01, 0.0, 0.05);
    double to[3];
    if (world_distance2(hand, mug) > 0.06) {
        world_shift(to, mug, 0.0, 0.0, 0.2);
    } else if (fabs(hand[2] - mug[2]) > 0.02) {
        world_copy3(to, mug);
    } else {
        to[0] = observation[WORLD_GOAL];
        to[1] = observation[WORLD_GOAL + 1];
        to[2] = 0.1;
    }
    const bool away = world_distance2(hand, mug) > 0.06 || fabs(hand[2] - mug[2]) > 0.1;
    world_expert_move(action, observation, to, 10.0, away ? -1.0 : 0.5);
}

const world_task_definition world_task_coffee_push = {
    .info =
        {
            .name = "coffee-push",
            .scene = "sawyer_xyz/sawyer_coffee.xml",
            .camera = "corner",
            .horizon = 125,
            .hold = true,
            .draw_length = 6,
            .draw_low = {-0.1, 0.55, -0.001, -0.05, 0.7, -0.001},
            .draw_high = {0.1, 0.65, 0.001, 0.05, 0.75, 0.001},
            .draw_distance = 0.15,
        },
    .positions = 17,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_high = {0.5, 1, 0.5},
    .hand_start = {0, 0.4, 0.2},
    .goal_low = {-0.05, 0.7, -0.001},
    .goal_high = {0.05, 0.75, 0.001},
    .parts = {[MACHINE] = {mjOBJ_BODY, "coffee_machine"},
              [MUG] = {mjOBJ_BODY, "obj"},
              [MUG_GEOM] = {mjOBJ_GEOM, "mug"},
              [GOAL] = {mjOBJ_SITE, "mug_goal"}},
    .place = place,
    .reset = reset,
    .observe = observe,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
