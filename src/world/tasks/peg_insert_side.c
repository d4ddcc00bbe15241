// Insert a peg into a hole in the side of a box. The draw is the peg's position, then the box's.
#include "world/reward_v1.h"
#include "world/tasks.h"

enum { BOX, PEG, GRASP, HEAD, LOW_CORNER_1, HIGH_CORNER_1, LOW_CORNER_2, HIGH_CORNER_2, GOAL };
enum { CARRY, START_HEAD = 3 };  // in world->memory

static void place(tot_world *world) {
    world_move_body(world, BOX, world->draw + 3);
}

static void reset(tot_world *world) {
    // where the peg is in the scene, not where it starts
    world_copy3(world->memory + START_HEAD, world_site_position(world, HEAD));
    world_place_object(world, world->draw[0], world->draw[1], world->draw[2]);
    world_shift(world->goal, world->draw + 3, 0.03, 0.0, 0.13);
    world_move_site(world, GOAL, world->goal);
    world_copy3(world->start_object, world->draw);
    world_carry_remember(world, world_body_position(world, PEG)[2], 0.11, world->memory + CARRY);
}

static void observe(const tot_world *world, double *objects) {
    world_copy3(objects, world_site_position(world, GRASP));
    world_quaternion(objects + 3, world_site_matrix(world, GRASP));
}

// Below one while the head of the peg is in one of two boxes around the hole, where it would push
// against the rim.
static double clear_of_box(const tot_world *world, const double *head) {
    const double first = world_rect_prism(head, world_site_position(world, LOW_CORNER_1),
                                          world_site_position(world, HIGH_CORNER_1));
    const double second = world_rect_prism(head, world_site_position(world, LOW_CORNER_2),
                                           world_site_position(world, HIGH_CORNER_2));
    return world_hamacher(second, first);
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    static const double scale[3] = {1.0, 2.0, 2.0};
    const world_cage cage = {
        .object_radius = 0.0075, .pad_success = 0.03, .xz = 0.005, .high_density = true};
    const double *peg = world->observation + WORLD_FIRST_OBJECT;
    const double *head = world_site_position(world, HEAD);
    const double reach = world_tcp_distance(world, peg);
    const double distance = world_distance_scaled(head, world->goal, scale);
    const double margin = world_distance_scaled(world->memory + START_HEAD, world->goal, scale);
    const double clear = clear_of_box(world, head);
    const double in_place = world_hamacher(world_tolerance(distance, 0, 0.07, margin), clear);
    const bool lifted = world->observation[3] > 0 && peg[2] - 0.01 > world->start_object[2];
    const bool held = reach < 0.08 && lifted;
    const world_number grasped = held ? world_plain(1.0) : world_caging(world, action, peg, &cage);
    // in one of the boxes in_place is a np.float64, and so is its product with a float32
    double reward = clear < 1 ? world_hamacher(grasped.value, in_place)
                              : world_hamacher_number(grasped, world_plain(in_place)).value;
    if (held) {
        reward += 1.0 + 5 * in_place;
    }
    out->success = distance <= 0.07;
    out->near_object = reach <= 0.03;
    out->grasp_success = reach < 0.02 && lifted;
    out->grasp_reward = grasped.value;
    out->in_place_reward = in_place;
    out->obj_to_target = distance;
    out->unscaled_reward = distance <= 0.07 ? 10.0 : reward;
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    const double *peg = world->observation + WORLD_FIRST_OBJECT;
    const double head = world_distance3(world_site_position(world, HEAD), world->goal);
    world_carry carry = world_carry_from(world, peg, world->memory + CARRY);
    carry.z_weight = 1;
    if (!(head <= 0.05)) {
        carry.remaining = head;
    }
    world_conclude_v1(carry.distance, 0.07, world_carry_v1(world, action, &carry), out);
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    const double *peg = observation + WORLD_FIRST_OBJECT;
    // behind the hole: overshooting does no harm
    const double hole[3] = {-0.35, observation[WORLD_GOAL + 1], 0.16};
    double to[3];
    if (world_distance2(hand, peg) > 0.04) {
        world_shift(to, peg, 0.0, 0.0, 0.3);
    } else if (fabs(hand[2] - peg[2]) > 0.025) {
        world_copy3(to, peg);
    } else if (world_distance2(peg + 1, hole + 1) > 0.03) {
        // in front of the hole, aligned in y and z
        world_shift(to, hole, 0.4, 0.0, 0.0);
    } else {
        world_copy3(to, hole);
    }
    const bool away = world_distance2(hand, peg) > 0.04 || fabs(hand[2] - peg[2]) > 0.15;
    world_expert_move(action, observation, to, 25.0, away ? -1.0 : 0.6);
}

const world_task_definition world_task_peg_insert_side = {
    .info =
        {
            .name = "peg-insert-side",
            .scene = "sawyer_xyz/sawyer_peg_insertion_side.xml",
            .camera = "corner3",
            .horizon = 150,
            .draw_length = 6,
            .draw_low = {0.0, 0.5, 0.02, -0.35, 0.4, -0.001},
            .draw_high = {0.2, 0.7, 0.02, -0.25, 0.7, 0.001},
            .draw_distance = 0.1,
        },
    .positions = 16,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_start = {0, 0.6, 0.2},
    .goal_low = {-0.35 + 0.03, 0.4 + 0.0, -0.001 + 0.13},
    .goal_high = {-0.25 + 0.03, 0.7 + 0.0, 0.001 + 0.13},
    .parts = {[BOX] = {mjOBJ_BODY, "box"},
              [PEG] = {mjOBJ_BODY, "peg"},
              [GRASP] = {mjOBJ_SITE, "pegGrasp"},
              [HEAD] = {mjOBJ_SITE, "pegHead"},
              [LOW_CORNER_1] = {mjOBJ_SITE, "bottom_right_corner_collision_box_1"},
              [HIGH_CORNER_1] = {mjOBJ_SITE, "top_left_corner_collision_box_1"},
              [LOW_CORNER_2] = {mjOBJ_SITE, "bottom_right_corner_collision_box_2"},
              [HIGH_CORNER_2] = {mjOBJ_SITE, "top_left_corner_collision_box_2"},
              [GOAL] = {mjOBJ_SITE, "goal"}},
    .place = place,
    .reset = reset,
    .observe = observe,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
