// Put the lid on a box. The draw is the lid's position, then the goal's, which is the position of
// the box.
#include "world/siblings.h"

enum { LID, LID_HANDLE, BOX, GOAL };
enum { OBJECT_HEIGHT, HEIGHT_TARGET, MOST_PLACING };  // in world->memory

static void place(tot_world *world) {
    const double *box = world->model.body_pos + 3 * world->task->part[BOX];
    const double position[3] = {world->draw[3], world->draw[4], box[2]};
    world_move_body(world, BOX, position);
}

static void reset(tot_world *world) {
    for (int k = 0; k < WORLD_FRAME_SKIP; k++) {
        world_mujoco.mj_step(&world->model, world->data);
    }
    // the lid's height is a float32 in the Python package
    world_place_object(world, world->draw[0], world->draw[1], (double)0.02f);
    world_copy3(world->goal, world->draw + 3);
    world_move_site(world, GOAL, world->goal);
    world_set3(world->start_object, world->draw[0], world->draw[1], (double)0.02f);
    const double height = world_geom_position(world, LID_HANDLE)[2];
    world->memory[OBJECT_HEIGHT] = height;
    world->memory[HEIGHT_TARGET] = height + 0.12;
    world->memory[MOST_PLACING] = world_most_placing(world, height + 0.12);
}

// The hand is at the lid's handle, and on the way there not below a funnel around it.
static double ready_to_lift(const double *hand, const double *lid) {
    const double threshold = 0.02;
    const double radius = world_distance2(hand, lid);
    const double floor = radius <= threshold ? 0.0 : 0.04 * log(radius - threshold) + 0.4;
    const double above_floor =
        hand[2] >= floor ? 1.0 : world_tolerance(floor - hand[2], 0.0, 0.01, floor / 2.0);
    return world_hamacher(above_floor, world_tolerance(world_distance3(hand, lid), 0, 0.02, 0.5));
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    static const double scale[3] = {1.0, 1.0, 3.0};
    const world_number grip = {world_clip(action->value[3], -1, 1), action->single};
    const double grab = world_divide(world_add(grip, world_plain(1.0)), world_plain(2.0)).value;
    double lid[3];
    world_shift(lid, world->observation + WORLD_FIRST_OBJECT, 0.0, 0.0, 0.02);
    const double ready = ready_to_lift(world->observation, lid);
    const double off = world_distance_scaled(world->goal, lid, scale);
    const double lifted = 0.2 * (lid[2] > 0.04) + 0.8 * world_tolerance(off, 0, 0.05, 0.25);
    out->success = world_distance3(world->observation + WORLD_FIRST_OBJECT, world->goal) < 0.08;
    out->near_object = ready;
    out->grasp_success = grab >= 0.5;
    out->grasp_reward = grab;
    out->in_place_reward = lifted;
    const double reward = 2.0 * world_hamacher(grab, ready) + 8.0 * lifted;
    // a tilted lid earns little, or it would be kicked onto the box
    out->unscaled_reward =
        (out->success != 0 ? 10.0 : reward) * world_laid_down(world->observation, 0.2);
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    const double height = world->memory[OBJECT_HEIGHT];
    const double height_target = world->memory[HEIGHT_TARGET];
    const double *lid = world->observation + WORLD_FIRST_OBJECT;
    const double reach = world_tcp_distance(world, lid);
    const double away = world_distance3(lid, world->goal);
    const bool picked = lid[2] >= height_target - 0.01;
    const bool dropped = lid[2] < height + 0.005 && away > 0.02 && reach > 0.02;
    const double pick =
        world_pick_v1(picked && !dropped, reach < 0.1, lid[2], height + 0.005, height_target);
    double place = 0;
    if (picked && reach < 0.1 && !dropped) {
        place = world_approach_v1(world->memory[MOST_PLACING], away);
    }
    const double coming = world_coming_v1(world, action, lid, 0.05, 0.05, 2);
    out->unscaled_reward = coming + pick + place;
    out->success = away < 0.08;
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    const double *goal = observation + WORLD_GOAL;
    double lid[3];
    world_shift(lid, observation + WORLD_FIRST_OBJECT, 0.0, 0.0, 0.02);
    const double box[3] = {goal[0] + 0.0, goal[1] + 0.0, 0.15};
    double to[3];
    if (world_distance2(hand, lid) > 0.01) {
        world_set3(to, lid[0], lid[1], 0.2);
    } else if (fabs(hand[2] - lid[2]) > 0.05) {
        world_copy3(to, lid);
    } else if (fabs(hand[2] - box[2]) > 0.04) {
        world_set3(to, hand[0], hand[1], box[2]);
    } else {
        world_copy3(to, box);
    }
    const bool away = world_distance2(hand, lid) > 0.01 || fabs(hand[2] - lid[2]) > 0.13;
    world_expert_move(action, observation, to, 25.0, away ? 0.5 : 1.0);
}

const world_task_definition world_task_box_close = {
    .info =
        {
            .name = "box-close",
            .scene = "sawyer_xyz/sawyer_box.xml",
            .camera = "corner3",
            .horizon = 175,
            .hold = true,
            .draw_length = 6,
            .draw_low = {-0.05, 0.5, 0.02, -0.1, 0.7, 0.133},
            .draw_high = {0.05, 0.55, 0.02, 0.1, 0.8, 0.133},
            .draw_distance = 0.25,
        },
    .positions = 16,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_start = {0, 0.6f, 0.2f},
    .goal_low = {-0.1, 0.7, 0.133},
    .goal_high = {0.1, 0.8, 0.133},
    .parts = {[LID] = {mjOBJ_BODY, "top_link"},
              [LID_HANDLE] = {mjOBJ_GEOM, "BoxHandleGeom"},
              [BOX] = {mjOBJ_BODY, "boxbody"},
              [GOAL] = {mjOBJ_SITE, "goal"}},
    .place = place,
    .reset = reset,
    .observe = world_observe_body,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
