// Grasp a stick and push a thermos with it. The draw is the stick's position, then the goal's.
#include "world/reward.h"
#include "world/tasks.h"

enum { STICK, STICK_GEOM, THERMOS, THERMOS_BODY, GOAL };
// in world->memory
enum { STICK_START, STICK_HEIGHT = STICK_START + 3, HEIGHT_TARGET, MOST_PLACING, MOST_PUSH };

static const double radius = 0.12;  // of success

static const double stick_height = 0.02;

// What the rewards compare with, as it is at the start.
static void remember(tot_world *world) {
    double *memory = world->memory;
    double *start = memory + STICK_START;
    start[0] = world->draw[0];
    start[1] = world->draw[1];
    start[2] = stick_height;
    world_copy3(world->start_object, world_body_position(world, THERMOS_BODY));
    memory[STICK_HEIGHT] = world_body_position(world, STICK)[2];
    memory[HEIGHT_TARGET] = memory[STICK_HEIGHT] + 0.04;
    const double above[3] = {world->start_object[0], world->start_object[1], memory[HEIGHT_TARGET]};
    memory[MOST_PLACING] = world_distance3(above, start) + memory[HEIGHT_TARGET];
    memory[MOST_PUSH] = world_distance2(world->start_object, world->goal);
}

static void reset(tot_world *world) {
    // where the thermos slides, in x and y; it has two joints behind the stick's free one
    enum { SLIDE_POSITION = 16, SLIDE_VELOCITY = 16 };
    world->goal[0] = world->draw[3];
    world->goal[1] = world->draw[4];
    world->goal[2] = world_site_position(world, THERMOS)[2];
    world_place_object(world, world->draw[0], world->draw[1], stick_height);
    mjData *data = world->data;
    data->qpos[SLIDE_POSITION] = 0;
    data->qpos[SLIDE_POSITION + 1] = 0;
    // the Python package counts velocities as it counts positions, of which there is one more: it
    // stops the second slide only
    data->qvel[SLIDE_VELOCITY] = 0;
    world_forward(world);
    world_move_site(world, GOAL, world->goal);
    remember(world);
}

static void observe(const tot_world *world, double *objects) {
    world_copy3(objects, world_body_position(world, STICK));
    world_quaternion(objects + 3, world_body_matrix(world, STICK));
    world_shift(objects + 7, world_site_position(world, THERMOS), 0.0, 0.09, 0.0);
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    const double *observation = world->observation;
    const double *thermos = observation + WORLD_FIRST_OBJECT + 7;
    const double *start = world->memory + STICK_START;
    const double opened = observation[3];
    double stick[3];
    world_shift(stick, observation + WORLD_FIRST_OBJECT, 0.015, 0.0, 0.0);
    double tcp[3];
    world_tcp(world, tcp);
    const double distance = world_distance3(stick, tcp);
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
        opened > 0 && stick[2] - 0.01 > start[2] && world_touches(world, STICK_GEOM);
    out->success = out->grasp_success != 0 && off <= radius;
    out->near_object = distance <= 0.03;
    out->grasp_reward = grasped.value;
    out->in_place_reward = stick_in_place;
    out->obj_to_target = off;
    out->unscaled_reward = reward;
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    const double *memory = world->memory;
    const double *stick = world->observation + WORLD_FIRST_OBJECT;
    // not where the thermos is in an observation of this version
    const double *thermos = world->observation + 6;
    const double low = memory[STICK_HEIGHT] + 0.005;
    const double high = memory[HEIGHT_TARGET];
    double tcp[3];
    world_tcp(world, tcp);
    const double pushing = world_distance2(thermos, world->goal);
    const double placing = world_distance3(thermos, stick);
    const double distance = world_distance3(stick, tcp);
    const bool picked = stick[2] >= high - 0.01;
    const bool dropped = stick[2] < low && pushing > 0.02 && distance > 0.02;
    double pick = 0;
    if (picked && !dropped) {
        pick = 100 * high;
    } else if (distance < 0.1 && stick[2] > low) {
        pick = 100 * fmin(high, stick[2]);
    }
    double push = 0;
    if (picked && distance < 0.1 && !dropped) {
        push = world_approach(memory[MOST_PLACING], placing, 1000, 0.01, 0.001);
        if (placing < 0.05) {
            push += world_approach(memory[MOST_PUSH], pushing, 2000, 0.001, 0.0001);
        }
        push = fmax(push, 0);
    }
    const double reach = distance < 0.05 ? -distance + world_closing_v1(action) : -distance;
    out->near_object = 1;
    out->obj_to_target = pushing;
    out->unscaled_reward = reach + pick + push;
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    const double *thermos = observation + WORLD_FIRST_OBJECT + 7;
    double stick[3];
    world_shift(stick, observation + WORLD_FIRST_OBJECT, 0.015, 0.0, 0.03);
    double to[3];
    if (!(fabs(stick[0] - thermos[0]) > 0.04)) {
        world_shift(to, observation + WORLD_GOAL, 0.0, 0.0, 0.132);
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
    world_expert_move(action, observation, to, 10.0, away ? -1.0 : 0.7);
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
    .hand_high = {0.5, 1, 0.5},
    .hand_start = {0, 0.6, 0.2},
    .goal_low = {0.399, 0.55, 0.1319},
    .goal_high = {0.401, 0.6, 0.1321},
    .parts = {[STICK] = {mjOBJ_BODY, "stick"},
              [STICK_GEOM] = {mjOBJ_GEOM, "objGeom"},
              [THERMOS] = {mjOBJ_SITE, "insertion"},
              [THERMOS_BODY] = {mjOBJ_BODY, "object"},
              [GOAL] = {mjOBJ_SITE, "goal"}},
    .reset = reset,
    .observe = observe,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
