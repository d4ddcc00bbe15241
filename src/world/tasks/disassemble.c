// Pull a nut with a handle off a peg. The draw is the nut's position, then one that Meta-world only
// compares with it.
#include "world/siblings.h"

static void place(tot_world *world) {
    double peg[3];
    world_shift(peg, world->draw, 0.0, 0.0, 0.03);
    world_move_body(world, WORLD_NUT_PEG, peg);
    double top[3];
    world_shift(top, world->draw, 0.0, 0.0, 0.08);
    world_move_site(world, WORLD_NUT_PEG_TOP, top);
}

static void reset(tot_world *world) {
    world_shift(world->goal, world->draw, 0.0, 0.0, 0.15);
    world_forward(world);
    world_place_object(world, world->draw[0], world->draw[1], world->draw[2]);
    world_nut_remember(world, world_body_position(world, WORLD_NUT)[2], 0.05);
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    const double *nut = world_site_position(world, WORLD_NUT_CENTRE);
    double above[3];
    world_shift(above, world->goal, 0.0, 0.0, 0.1);
    out->success = world->observation[WORLD_FIRST_OBJECT + 2] > world->goal[2];
    out->in_place_reward =
        0.1 * (nut[2] > 0.02) + 0.9 * world_tolerance(world_distance3(above, nut), 0, 0.02, 0.2);
    world_nut_evaluate(world, action, true, out);
}

static void evaluate_v1(tot_world *world, const world_action *action, tot_world_info *out) {
    const double height = world->memory[WORLD_NUT_HEIGHT];
    const double height_target = world->memory[WORLD_NUT_LIFT];
    const double *handle = world->observation + WORLD_FIRST_OBJECT;
    const double reach = world_tcp_distance(world, handle);
    const double away = world_distance3(handle, world->goal);
    const bool picked = handle[2] >= height_target - 0.01 && reach < 0.04;
    const bool dropped = handle[2] < height + 0.005 && away > 0.02 && reach > 0.02;
    double coming = world_coming_v1(world, action, handle, 0.04, 0.04, 2);
    double pick =
        world_pick_v1(picked && !dropped, reach < 0.04, handle[2], height + 0.005, height_target);
    double place = 0;
    if (picked && reach < 0.03 && !dropped) {
        place = world_approach_v1(world->memory[WORLD_NUT_MOST], away);
    }
    const double *peg = world->model.body_pos + 3 * world->task->part[WORLD_NUT_PEG];
    const double *nut = world_body_position(world, WORLD_NUT);
    if (fabs(nut[0] - peg[0]) > 0.05 || fabs(nut[1] - peg[1]) > 0.05) {
        coming = 0;
        pick = height_target * 100;
    }
    out->unscaled_reward = coming + pick + place;
    out->success = handle[2] > world->goal[2];
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double handle[3];
    world_shift(handle, observation + WORLD_FIRST_OBJECT, -0.02, 0.0, 0.01);
    double to[3];
    if (world_distance2(hand, handle) > 0.02) {
        world_shift(to, handle, 0.0, 0.0, 0.1);
    } else if (fabs(hand[2] - handle[2]) > 0.03) {
        world_copy3(to, handle);
    } else {
        world_shift(to, hand, 0.0, 0.0, 0.1);
    }
    const bool away = world_distance2(hand, handle) > 0.02 || fabs(hand[2] - handle[2]) > 0.07;
    world_expert_move(action, observation, to, 10.0, away ? 0.0 : 0.8);
}

const world_task_definition world_task_disassemble = {
    .info =
        {
            .name = "disassemble",
            .scene = "sawyer_xyz/sawyer_assembly_peg.xml",
            .camera = "corner",
            .horizon = 125,
            .draw_length = 6,
            .draw_low = {0.0, 0.6, 0.025, -0.1, 0.6, 0.1699},
            .draw_high = {0.1, 0.75, 0.02501, 0.1, 0.75, 0.1701},
            .draw_distance = 0.1,
        },
    .positions = 16,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_start = {0, 0.4f, 0.2f},
    .goal_low = {-0.1, 0.6, 0.1699 + 0.005},
    .goal_high = {0.1, 0.75, 0.1701 + 0.005},
    .parts = WORLD_NUT_PARTS,
    .place = place,
    .reset = reset,
    .observe = world_nut_observe,
    .evaluate = evaluate,
    .evaluate_v1 = evaluate_v1,
    .expert = expert,
};
