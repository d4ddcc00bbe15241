// Reach a goal with the fingers. The draw is the position of a puck, which does not matter, then
// the goal's.
#include "world/reward_v1.h"
#include "world/tasks.h"

enum { PUCK, PUCK_GEOM, GOAL };
enum { MOST_REACH };  // in world->memory

static void reset(tot_world *world) {
    world_place_object(world, world->draw[0], world->draw[1], world->draw[2]);
    world_copy3(world->goal, world->draw + 3);
    world_move_site(world, GOAL, world->goal);
    world_copy3(world->start_object, world->draw);
    world->memory[MOST_REACH] = world_distance3(world->start_tcp, world->goal);
}

static void observe(const tot_world *world, double *objects) {
    world_copy3(objects, world_body_position(world, PUCK));
    world_quaternion(objects + 3, world_geom_matrix(world, PUCK_GEOM));
}

static void conclude(double distance, tot_world_info *out) {
    out->success = distance <= 0.05;
    // the Python package has the distance in these too
    out->near_object = distance;
    out->grasp_reward = distance;
    out->grasp_success = 1.0;
    out->obj_to_target = distance;
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    double tcp[3];
    world_tcp(world, tcp);
    const double distance = world_distance3(tcp, world->goal);
    const double margin = world_distance3(world->task->definition->hand_start, world->goal);
    out->in_place_reward = world_tolerance(distance, 0, 0.05, margin);
    out->unscaled_reward = 10 * out->in_place_reward;
    conclude(distance, out);
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    double tcp[3];
    world_tcp(world, tcp);
    const double distance = world_distance3(tcp, world->goal);
    out->unscaled_reward = world_approach_v1(world->memory[MOST_REACH], distance);
    conclude(distance, out);
}

static void expert(const double *observation, float *action) {
    world_expert_move(action, observation, observation + WORLD_GOAL, 5.0, 0.0);
}

const world_task_definition world_task_reach = {
    .info =
        {
            .name = "reach",
            .scene = "sawyer_xyz/sawyer_reach_v3.xml",
            .camera = "corner3",
            .horizon = 125,
            .draw_length = 6,
            .draw_low = {-0.1, 0.6, 0.02, -0.1, 0.8, 0.05},
            .draw_high = {0.1, 0.7, 0.02, 0.1, 0.9, 0.3},
            .draw_distance = 0.15,
        },
    .positions = 16,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_high = {0.5, 1, 0.5},
    .hand_start = {0, 0.6, 0.2},
    .goal_low = {-0.1, 0.8, 0.05},
    .goal_high = {0.1, 0.9, 0.3},
    .parts = {[PUCK] = {mjOBJ_BODY, "obj"},
              [PUCK_GEOM] = {mjOBJ_GEOM, "objGeom"},
              [GOAL] = {mjOBJ_SITE, "goal"}},
    .reset = reset,
    .observe = observe,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
