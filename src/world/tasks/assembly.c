// Put a nut with a handle over a peg. The draw is the nut's position, then the goal's: the top of
// the peg.
#include "world/siblings.h"

static void place(tot_world *world) {
    double peg[3];
    world_shift(peg, world->draw + 3, -0.0, -0.0, -0.05);
    world_move_body(world, WORLD_NUT_PEG, peg);
}

static void reset(tot_world *world) {
    world_copy3(world->goal, world->draw + 3);
    world_place_object(world, world->draw[0], world->draw[1], world->draw[2]);
    world_move_site(world, WORLD_NUT_PEG_TOP, world->goal);
    world_nut_remember(world, world_site_position(world, WORLD_NUT_HANDLE)[2], 0.1);
}

// How close the nut is to the peg, from above: the target height is a funnel around the peg.
static double in_place(const tot_world *world, const double *nut, bool success) {
    const double x = world->goal[0] - nut[0];
    const double y = world->goal[1] - nut[1];
    const double radius = world_norm2(x, y);
    // wider once the nut is on the peg
    const double threshold = success ? 0.02 : 0.01;
    const double height = radius > threshold ? 0.02 * log(radius - threshold) + 0.2 : 0.0;
    const bool lifted = nut[2] > 0.02 || radius < threshold;
    const double off = world_norm3(x * 1.0, y * 1.0, (height - nut[2]) * 3.0);
    return 0.1 * lifted + 0.9 * world_tolerance(off, 0, 0.02, 0.4);
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    const double *nut = world_site_position(world, WORLD_NUT_CENTRE);
    out->success = world_distance2(world->goal, nut) < 0.02 && world->goal[2] - nut[2] > 0.0;
    out->in_place_reward = in_place(world, nut, out->success != 0);
    world_nut_evaluate(world, action, false, out);
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    const double height = world->memory[WORLD_NUT_HEIGHT];
    const double height_target = world->memory[WORLD_NUT_LIFT];
    const double *nut = world_body_position(world, WORLD_NUT);
    const double *handle = world->observation + WORLD_FIRST_OBJECT;
    const double reach = world_tcp_distance(world, handle);
    const double away = world_distance2(nut, world->goal);
    const double above = fabs(nut[2] - height);
    const bool picked = nut[2] >= height_target - 0.01 && reach < 0.03;
    const bool dropped = nut[2] < height + 0.005 && away > 0.02 && reach > 0.02;
    const bool placed =
        fabs(nut[0] - world->goal[0]) < 0.03 && fabs(nut[1] - world->goal[1]) < 0.03;
    const double pick = world_pick_v1(placed || (picked && !dropped), reach < 0.04, nut[2],
                                      height + 0.005, height_target);
    double place = 0;
    if (placed || (picked && reach < 0.04 && !dropped)) {
        place = world_approach(world->memory[WORLD_NUT_MOST], away, 1000, 0.01, 0.001);
        if (placed) {
            const double square = world_square(above);
            place += 2000 * (height_target - above) +
                     2000 * (exp(-square / 0.003) + exp(-square / 0.0003));
        }
        place = fmax(place, 0);
    }
    const double coming = world_coming_v1(world, action, handle, 0.04, 0.04, 1);
    out->unscaled_reward = coming + pick + place;
    out->success = placed && above <= 0.04;
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double handle[3];
    world_shift(handle, observation + WORLD_FIRST_OBJECT, -0.02, 0.0, 0.0);
    double peg[3];
    world_shift(peg, observation + WORLD_GOAL, 0.12, 0.0, 0.14);
    double to[3];
    if (world_distance2(hand, handle) > 0.02) {
        world_shift(to, handle, 0.0, 0.0, 0.1);
    } else if (world_distance2(hand, peg) <= 0.02) {
        // over the peg: drop the nut onto it
        world_shift(to, peg, 0.0, 0.0, -0.2);
    } else if (fabs(hand[2] - handle[2]) > 0.05) {
        world_shift(to, handle, 0.0, 0.0, 0.03);
    } else if (fabs(hand[2] - peg[2]) > 0.04) {
        world_set3(to, hand[0], hand[1], peg[2]);
    } else {
        world_copy3(to, peg);
    }
    const bool away = world_distance2(hand, handle) > 0.02 || fabs(hand[2] - handle[2]) > 0.12;
    world_expert_move(action, observation, to, 10.0, away ? 0.0 : 0.6);
}

const world_task_definition world_task_assembly = {
    .info =
        {
            .name = "assembly",
            .scene = "sawyer_xyz/sawyer_assembly_peg.xml",
            .camera = "corner",
            .horizon = 175,
            .draw_length = 6,
            .draw_low = {0, 0.6, 0.02, -0.1, 0.75, 0.1},
            .draw_high = {0, 0.6, 0.02, 0.1, 0.85, 0.1},
            .draw_distance = 0.1,
        },
    .positions = 16,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_start = {0, 0.6f, 0.2f},
    .goal_low = {-0.1, 0.75, 0.1},
    .goal_high = {0.1, 0.85, 0.1},
    .parts = WORLD_NUT_PARTS,
    .place = place,
    .reset = reset,
    .observe = world_nut_observe,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
