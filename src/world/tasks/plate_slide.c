// Slide a plate into a cabinet. The draw is the plate's position, which is always the same, then
// the cabinet's.
#include "world/siblings.h"

static void place(tot_world *world) {
    world_move_body(world, WORLD_PLATE_CABINET, world->draw + 3);
}

static void reset(tot_world *world) {
    world_plate_reset(world, 0, 0, world->draw);
}

static void evaluate(tot_world *world, const world_action *action, tot_world_info *out) {
    (void)action;
    world_plate_look(world, 0, out);
    const double reward = 8 * world_hamacher(out->grasp_reward, out->in_place_reward);
    out->unscaled_reward = out->obj_to_target < 0.05 ? 10.0 : reward;
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double plate[3];
    world_shift(plate, observation + WORLD_FIRST_OBJECT, 0.0, -0.055, 0.03);
    double to[3];
    if (!(world_distance2(hand, plate) <= 0.03)) {
        world_shift(to, plate, 0.0, 0.0, 0.1);
    } else if (fabs(hand[2] - plate[2]) > 0.04) {
        world_copy3(to, plate);
    } else {
        world_set3(to, observation[WORLD_GOAL], 0.9, plate[2]);
    }
    world_expert_move(action, observation, to, 10.0, -1.0);
}

const world_task_definition world_task_plate_slide = {
    .info =
        {
            .name = "plate-slide",
            .scene = "sawyer_xyz/sawyer_plate_slide.xml",
            .camera = "corner",
            .horizon = 125,
            .draw_length = 6,
            .draw_low = {0.0, 0.6, 0.0, -0.1, 0.85, 0.0},
            .draw_high = {0.0, 0.6, 0.0, 0.1, 0.9, 0.0},
        },
    .positions = 11,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_start = {0, 0.6f, 0.2f},
    .goal_low = {-0.1, 0.85, 0.0},
    .goal_high = {0.1, 0.9, 0.0},
    .parts = WORLD_PLATE_PARTS,
    .place = place,
    .reset = reset,
    .observe = world_observe_geom,
    .evaluate = evaluate,
    .evaluate_v1 = world_slide_evaluate_v1,
    .expert = expert,
};
