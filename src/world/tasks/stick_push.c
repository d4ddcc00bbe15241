// Grasp a stick and push a thermos with it. The draw is the stick's position, then the goal's.
#include "world/tasks.h"

enum { STICK, STICK_GEOM, THERMOS, GOAL };

static const double stick_height = 0.02;

static void reset(tot_world *world) {
    // where the thermos slides, in x and y; it has two joints behind the stick's free one
    enum { SLIDE_POSITION = 16, SLIDE_VELOCITY = 16 };
    world->goal[0] = world->draw[3];
    world->goal[1] = world->draw[4];
    world->goal[2] = tot_site_position(world, THERMOS)[2];
    tot_place_object(world, world->draw[0], world->draw[1], stick_height);
    mjData *data = world->data;
    data->qpos[SLIDE_POSITION] = 0;
    data->qpos[SLIDE_POSITION + 1] = 0;
    // the Python package counts velocities as it counts positions, of which there is one more: it
    // stops the second slide only
    data->qvel[SLIDE_VELOCITY] = 0;
    tot_forward(world);
    tot_move_site(world, GOAL, world->goal);
}

static void observe(const tot_world *world, double *objects) {
    tot_copy3(objects, tot_body_position(world, STICK));
    tot_quaternion(objects + 3, tot_body_matrix(world, STICK));
    tot_shift(objects + 7, tot_site_position(world, THERMOS), 0.0, 0.09, 0.0);
}

static bool success(const tot_world *world) {
    const double *stick = world->observation + TOT_FIRST_OBJECT;
    return tot_distance3(stick + 7, world->goal) <= 0.12 && world->observation[3] > 0 &&
           stick[2] - 0.01 > stick_height && tot_touches(world, STICK_GEOM);
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    const double *thermos = observation + TOT_FIRST_OBJECT + 7;
    double stick[3];
    tot_shift(stick, observation + TOT_FIRST_OBJECT, 0.015, 0.0, 0.03);
    double to[3];
    if (!(fabs(stick[0] - thermos[0]) > 0.04)) {
        tot_shift(to, observation + TOT_GOAL, 0.0, 0.0, 0.132);
    } else if (tot_distance2(hand, stick) > 0.02) {
        tot_shift(to, stick, 0.0, 0.0, 0.1);
    } else if (fabs(hand[2] - stick[2]) > 0.02) {
        tot_copy3(to, stick);
    } else if (fabs(stick[1] - thermos[1]) > 0.02) {
        to[0] = stick[0];
        to[1] = thermos[1];
        to[2] = stick[2];
    } else if (fabs(stick[2] - thermos[2]) > 0.02) {
        to[0] = stick[0];
        to[1] = thermos[1];
        to[2] = thermos[2];
    } else {
        tot_copy3(to, thermos);
    }
    const bool away = tot_distance2(hand, stick) > 0.02 || fabs(hand[2] - stick[2]) > 0.1;
    tot_expert_move(action, observation, to, 10.0, away ? -1.0 : 0.7);
}

const tot_task_definition tot_task_stick_push = {
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
              [GOAL] = {mjOBJ_SITE, "goal"}},
    .reset = reset,
    .observe = observe,
    .success = success,
    .expert = expert,
};
