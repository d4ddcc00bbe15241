// Turn a dial by pushing its knob. The draw is the dial's position.
#include "world/siblings.h"

enum { DIAL, KNOB, GOAL };
enum { MOST_PULL, PUSH_POSITION };  // in world->memory

// The position of the knob's end, on a circle around the dial.
static void knob_position(const tot_world *world, double *position) {
    const double radius = 0.05;
    const double angle = *world_joint_position(world, KNOB);
    world_shift(position, world_body_position(world, DIAL), sin(angle) * radius,
                -cos(angle) * radius, 0.0);
}

// The point where the hand pushes it.
static void push_position(const tot_world *world, double *position) {
    double knob[3];
    knob_position(world, knob);
    world_shift(position, knob, 0.05, 0.02, 0.09);
}

static void reset(tot_world *world) {
    world_shift(world->goal, world->draw, 0.0, 0.03, 0.03);
    world_move_site(world, GOAL, world->goal);
    world_copy3(world->start_object, world->draw);
    world->memory[MOST_PULL] = fabs(world->goal[1] - world->draw[1]);
    push_position(world, world->memory + PUSH_POSITION);
}

static void observe(const tot_world *world, double *objects) {
    knob_position(world, objects);
    world_copy4(objects + 3, world_body_quaternion(world, DIAL));
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    const double *knob = world->observation + WORLD_FIRST_OBJECT;
    const double *start = world->memory + PUSH_POSITION;
    const double away = world_distance3(knob, world->goal);
    const double in_place =
        world_tolerance(away, 0, 0.07, fabs(world_distance3(start, world->goal) - 0.07));
    double push[3];
    push_position(world, push);
    const double distance = world_tcp_distance(world, push);
    const double near = world_tolerance_gaussian(
        distance, 0, 0.005, fabs(world_distance3(start, world->start_tcp) - 0.005));
    const world_number reach = world_hamacher_number(world_plain(near), world_closing(action, 1));
    out->success = away <= 0.07;
    out->near_object = distance <= 0.01;
    out->grasp_success = 1;
    out->grasp_reward = reach.value;
    out->in_place_reward = in_place;
    out->obj_to_target = away;
    out->unscaled_reward =
        world_multiply(world_plain(10), world_hamacher_number(reach, world_plain(in_place))).value;
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    const double *knob = world->observation + WORLD_FIRST_OBJECT;
    const double reach = world_tcp_distance(world, knob);
    const double away = fabs(knob[1] - world->goal[1]);
    double pull = 0;
    if (reach < 0.05) {
        pull = fmax(world_approach(world->memory[MOST_PULL], away, 1000, 0.001, 0.0001), 0);
    }
    out->success = away <= 0.07;
    out->near_object = 1;
    out->grasp_success = 1;
    out->obj_to_target = away;
    out->unscaled_reward = -reach + pull;
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double dial[3];
    world_shift(dial, observation + WORLD_FIRST_OBJECT, 0.05, 0.02, 0.09);
    double to[3];
    if (world_distance2(hand, dial) > 0.02) {
        world_set3(to, dial[0], dial[1], 0.2);
    } else if (fabs(hand[2] - dial[2]) > 0.02) {
        world_copy3(to, dial);
    } else {
        world_shift(to, dial, -0.05, 0.005, 0.0);
    }
    world_expert_move(action, observation, to, 10.0, 1.0);
}

const world_task_definition world_task_dial_turn = {
    .info =
        {
            .name = "dial-turn",
            .scene = "sawyer_xyz/sawyer_dial.xml",
            .camera = "corner",
            .horizon = 125,
            .draw_length = 3,
            .draw_low = {-0.1, 0.7, 0.0},
            .draw_high = {0.1, 0.8, 0.0},
        },
    .positions = 10,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_start = {0, 0.6f, 0.2f},
    .goal_low = {-0.1, 0.73, 0.0299},
    .goal_high = {0.1, 0.83, 0.0301},
    .parts = {[DIAL] = {mjOBJ_BODY, "dial"},
              [KNOB] = {mjOBJ_JOINT, "knob_Joint_1"},
              [GOAL] = {mjOBJ_SITE, "goal"}},
    .place = world_place_first,
    .reset = reset,
    .observe = observe,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
