// Grasp a hammer and drive a nail into a box. The draw is the hammer's position.
#include "world/siblings.h"

enum { HAMMER, HEAD, NAIL, NAIL_SLIDE, NAIL_HEAD, GOAL };
enum { OBJECT_HEIGHT, HEIGHT_TARGET, MOST_HAMMERING };  // in world->memory

static void reset(tot_world *world) {
    world_copy3(world->goal, world_site_position(world, GOAL));
    world_place_object(world, world->draw[0], world->draw[1], world->draw[2]);
    world_copy3(world->start_object, world->draw);
    const double height = world_body_position(world, HAMMER)[2];
    const double height_target = height + 0.09;
    world->memory[OBJECT_HEIGHT] = height;
    world->memory[HEIGHT_TARGET] = height_target;
    world->memory[MOST_HAMMERING] = fabs(height_target - world->draw[2]) + height_target +
                                    fabs(world->draw[1] - world->goal[1]);
}

static void observe(const tot_world *world, double *objects) {
    world_copy3(objects, world_body_position(world, HAMMER));
    world_copy4(objects + 3, world_body_quaternion(world, HAMMER));
    world_copy3(objects + 7, world_body_position(world, NAIL));
    world_copy4(objects + 10, world_body_quaternion(world, NAIL));
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    static const double ideal[4] = {1.0, 0.0, 0.0, 0.0};
    static const world_cage cage = {.object_radius = 0.015,
                                    .pad_success = 0.02,
                                    .reach_radius = 0.01,
                                    .xz = 0.01,
                                    .high_density = true};
    const double *hammer = world->observation + WORLD_FIRST_OBJECT;
    double head[3];
    world_shift(head, hammer, 0.16, 0.06, 0.0);
    double handle[3];
    world_along_handle(world->observation, 0.14 / 2.0, handle);
    const world_number grab = world_caging(world, action, handle, &cage);
    out->success = *world_joint_position(world, NAIL_SLIDE) > 0.09;
    out->near_object = world_turned(hammer + 3, ideal, 0.4);
    out->grasp_success = grab.value >= 0.5;
    out->grasp_reward = grab.value;
    out->in_place_reward = 0.1 * (head[2] > 0.02) +
                           0.9 * world_tolerance(world_distance3(world->goal, head), 0, 0.02, 0.2);
    out->unscaled_reward = world_tool_reward(grab, out->in_place_reward, out->near_object).value;
    // the nail can also be driven in by other means
    if (out->success != 0 && out->unscaled_reward > 5.0) {
        out->unscaled_reward = 10.0;
    }
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    const double height = world->memory[OBJECT_HEIGHT];
    const double height_target = world->memory[HEIGHT_TARGET];
    const double *hammer = world->observation + WORLD_FIRST_OBJECT;
    const double *nail = world_site_position(world, NAIL_HEAD);
    const double swing = world_distance3(nail, world_geom_position(world, HEAD));
    const double depth = fabs(nail[1] - world->goal[1]);
    const double reach = world_tcp_distance(world, hammer);
    const bool picked = hammer[2] >= height_target - 0.01;
    const bool dropped = hammer[2] < height + 0.005 && swing > 0.02 && reach > 0.02;
    const double pick =
        world_pick_v1(picked && !dropped, reach < 0.1, hammer[2], height + 0.005, height_target);
    double hammering = 0;
    if (picked && reach < 0.1 && !dropped) {
        const double square = world_square(swing + depth);
        hammering = 1000 * (world->memory[MOST_HAMMERING] - swing - depth) +
                    1000 * (exp(-square / 0.01) + exp(-square / 0.001));
        hammering = fmax(hammering, 0);
    }
    const double coming = reach < 0.05 ? -reach + world_closing_v1(action) : -reach;
    out->unscaled_reward = coming + pick + hammering;
    out->success = *world_joint_position(world, NAIL_SLIDE) > 0.09;
}

static void expert(const double *observation, float *action) {
    // in front of the nail, given how the hand holds the hammer
    static const double nail[3] = {0.24 + -0.19, 0.71 + 0.0, 0.11 + 0.05};
    const double *hand = observation;
    double hammer[3];
    world_shift(hammer, observation + WORLD_FIRST_OBJECT, -0.04, 0.0, -0.01);
    double to[3];
    if (world_distance2(hand, hammer) > 0.04) {
        world_shift(to, hammer, 0.0, 0.0, 0.1);
    } else if (fabs(hand[2] - hammer[2]) > 0.05 && hammer[2] < 0.03) {
        world_shift(to, hammer, 0.0, 0.0, 0.03);
    } else if (world_distance_xz(hand, nail) > 0.02) {
        world_set3(to, nail[0], hand[1], nail[2]);
    } else {
        world_copy3(to, nail);
    }
    const bool away = world_distance2(hand, hammer) > 0.04 || fabs(hand[2] - hammer[2]) > 0.1;
    world_expert_move(action, observation, to, 10.0, away ? 0.0 : 0.8);
}

const world_task_definition world_task_hammer = {
    .info =
        {
            .name = "hammer",
            .scene = "sawyer_xyz/sawyer_hammer.xml",
            .camera = "corner3",
            .horizon = 125,
            .draw_length = 3,
            .draw_low = {-0.1, 0.4, 0.0},
            .draw_high = {0.1, 0.5, 0.0},
        },
    .positions = 17,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_start = {0, 0.4, 0.2},
    .goal_low = {0.2399, 0.7399, 0.109},
    .goal_high = {0.2401, 0.7401, 0.111},
    .parts = {[HAMMER] = {mjOBJ_BODY, "hammer"},
              [HEAD] = {mjOBJ_GEOM, "HammerHead"},
              [NAIL] = {mjOBJ_BODY, "nail_link"},
              [NAIL_SLIDE] = {mjOBJ_JOINT, "NailSlideJoint"},
              [NAIL_HEAD] = {mjOBJ_SITE, "nailHead"},
              [GOAL] = {mjOBJ_SITE, "goal"}},
    .reset = reset,
    .observe = observe,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
