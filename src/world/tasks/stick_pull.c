// Put a stick through the handle of a thermos and pull it. The draw is the stick's position, then
// the goal's.
#include "world/reward.h"
#include "world/tasks.h"

enum { STICK, STICK_GEOM, STICK_END, THERMOS, HANDLE, GOAL };
enum { HEIGHT, LIFT, MOST_PULL, MOST_PLACE };  // in world->memory

static const double stick_height = 0.02;

// What the older reward reads.
static void remember(tot_world *world) {
    const double *thermos = world->start_object;
    const double height = world_body_position(world, STICK)[2];
    const double lift = height + 0.04;
    const double above[3] = {thermos[0], thermos[1], lift};
    const double stick[3] = {world->draw[0], world->draw[1], stick_height};
    world->memory[HEIGHT] = height;
    world->memory[LIFT] = lift;
    world->memory[MOST_PULL] = world_distance2(thermos, world->goal);
    world->memory[MOST_PLACE] = world_distance3(above, stick) + lift;
}

static void reset(tot_world *world) {
    // where the thermos slides, in x and y; it has two joints behind the stick's free one
    enum { SLIDE_POSITION = 16, SLIDE_VELOCITY = 16 };
    world->goal[0] = world->draw[3];
    world->goal[1] = world->draw[4];
    world->goal[2] = stick_height;
    world_place_object(world, world->draw[0], world->draw[1], stick_height);
    mjData *data = world->data;
    data->qpos[SLIDE_POSITION] = 0;
    data->qpos[SLIDE_POSITION + 1] = 0.09;
    // only the second slide is stopped: see stick_push.c
    data->qvel[SLIDE_VELOCITY] = 0;
    world_forward(world);
    world_move_site(world, GOAL, world->goal);
    world_copy3(world->start_object, world_body_position(world, THERMOS));
    remember(world);
}

static void observe(const tot_world *world, double *objects) {
    world_copy3(objects, world_body_position(world, STICK));
    world_quaternion(objects + 3, world_body_matrix(world, STICK));
    world_copy3(objects + 7, world_site_position(world, HANDLE));
}

static bool inserted(const double *handle, const double *end) {
    return end[0] >= handle[0] && fabs(end[1] - handle[1]) <= 0.040 &&
           fabs(end[2] - handle[2]) <= 0.060;
}

static void conclude(const tot_world *world, tot_world_info *out) {
    const double *handle = world->observation + WORLD_FIRST_OBJECT + 7;
    out->success = world_distance3(handle, world->goal) <= 0.12 &&
                   inserted(handle, world_site_position(world, STICK_END));
}

// The reward while the stick is held: bring it to the thermos, put it in, pull.
static double held_reward(const tot_world *world, const double *stick, const double *thermos,
                          double in_place, double both) {
    const double *goal = world->goal;
    const double start[3] = {world->draw[0], world->draw[1], stick_height};
    if (!inserted(stick + 7, world_site_position(world, STICK_END))) {
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
    const double stick_start[3] = {world->draw[0], world->draw[1], stick_height};
    const bool opened = world->observation[3] > 0;
    double tcp[3];
    double thermos[3];
    double thermos_start[3];
    world_tcp(world, tcp);
    world_shift(thermos, handle, 0.05, 0.0, 0.0);
    world_shift(thermos_start, world->start_object, 0.05, 0.0, 0.0);
    const double reach = world_distance3(stick, tcp);
    const double in_place =
        world_tolerance(world_distance_scaled(stick, thermos, scale), 0, 0.05,
                        world_distance_scaled(stick_start, thermos_start, scale));
    const bool held = reach < 0.02 && opened && stick[2] - 0.01 > stick_start[2];
    const world_number grasped = held ? world_plain(1) : world_caging(world, action, stick, &cage);
    const double both = world_hamacher_number(grasped, world_plain(in_place)).value;
    conclude(world, out);
    out->near_object = reach <= 0.03;
    out->grasp_success =
        opened && stick[2] - 0.02 > world->start_object[2] && world_touches(world, STICK_GEOM);
    out->grasp_reward = grasped.value;
    out->in_place_reward = in_place;
    out->obj_to_target = world_distance3(handle, world->goal);
    out->unscaled_reward = held ? held_reward(world, stick, thermos, in_place, both) : both;
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    const double *stick = world->observation + WORLD_FIRST_OBJECT;
    // the Python package takes the stick's height and two numbers of its quaternion for the thermos
    const double *thermos = stick + 2;
    double tcp[3];
    world_tcp(world, tcp);
    const double left = world_distance2(thermos, world->goal);
    const double apart = world_distance3(stick, thermos);
    const double reach = world_distance3(stick, tcp);
    const double height = world->memory[HEIGHT];
    const double lift = world->memory[LIFT];
    const bool dropped = stick[2] < height + 0.005 && left > 0.02 && reach > 0.02;
    const bool picked = stick[2] >= lift - 0.01 && !dropped;
    double pick = 0;
    if (picked) {
        pick = 100 * lift;
    } else if (reach < 0.1 && stick[2] > height + 0.005) {
        pick = 100 * fmin(lift, stick[2]);
    }
    double pull = 0;
    if (picked && reach < 0.1) {
        pull = world_approach(world->memory[MOST_PLACE], apart, 1000, 0.01, 0.001);
        if (apart < 0.05) {
            pull += world_approach(world->memory[MOST_PULL], left, 2000, 0.01, 0.001);
        }
        pull = fmax(pull, 0);
    }
    conclude(world, out);
    out->near_object = 1;
    out->obj_to_target = left;
    out->unscaled_reward = -reach + (reach < 0.05 ? world_closing_v1(action) : 0) + pick + pull;
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double stick[3];
    double thermos[3];
    world_shift(stick, observation + WORLD_FIRST_OBJECT, -0.015, 0.0, 0.03);
    world_shift(thermos, observation + WORLD_FIRST_OBJECT + 7, -0.015, 0.0, 0.03);
    double to[3];
    if (!(fabs(stick[0] - thermos[0]) > 0.04)) {
        world_shift(to, observation + WORLD_GOAL, -0.05, 0.0, 0.0);
    } else if (world_distance2(hand, stick) > 0.02) {
        world_shift(to, stick, 0.0, 0.0, 0.1);
    } else if (fabs(hand[2] - stick[2]) > 0.02) {
        world_copy3(to, stick);
    } else if (fabs(stick[1] - thermos[1]) > 0.02) {
        to[0] = stick[0];
        to[1] = thermos[1];
        to[2] = stick[2];
    } else if (fabs(stick[2] - thermos[2]) > 0.02) {
        to[0] = stick[0];
        to[1] = thermos[1];
        to[2] = thermos[2];
    } else {
        world_copy3(to, thermos);
    }
    const bool away = world_distance2(hand, stick) > 0.02 || fabs(hand[2] - stick[2]) > 0.1;
    world_expert_move(action, observation, to, 25.0, away ? -1.0 : 0.7);
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
    .hand_high = {0.5, 1, 0.5},
    .hand_start = {0, 0.6, 0.2},
    .goal_low = {0.35, 0.45, 0.0199},
    .goal_high = {0.45, 0.55, 0.0201},
    .parts = {[STICK] = {mjOBJ_BODY, "stick"},
              [STICK_GEOM] = {mjOBJ_GEOM, "objGeom"},
              [STICK_END] = {mjOBJ_SITE, "stick_end"},
              [THERMOS] = {mjOBJ_BODY, "object"},
              [HANDLE] = {mjOBJ_SITE, "insertion"},
              [GOAL] = {mjOBJ_SITE, "goal"}},
    .reset = reset,
    .observe = observe,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
