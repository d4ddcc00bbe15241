// Slide a plate out of a cabinet. The draw is the cabinet's position, which is always the same,
// then the goal's.
#include "world/siblings.h"

static void reset(tot_world *world) {
    world_plate_reset(world, 0, 0.15, NULL);
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double plate[3];
    world_shift(plate, observation + WORLD_FIRST_OBJECT, 0.0, -0.065, 0.025);
    double to[3];
    if (world_distance2(hand, plate) > 0.01) {
        world_shift(to, plate, 0.0, 0.0, 0.1);
    } else if (fabs(hand[2] - plate[2]) > 0.04) {
        world_copy3(to, plate);
    } else if (hand[1] > 0.7) {
        world_shift(to, hand, 0.0, -0.1, 0.0);
    } else {
        // the expert does not aim straight at the goal, which it ignores
        world_set3(to, hand[1] > 0.6 ? 0.15 : hand[0] - 0.1, 0.55, hand[2]);
    }
    world_expert_move(action, observation, to, 10.0, -1.0);
}

const world_task_definition world_task_plate_slide_back = {
    .info =
        {
            .name = "plate-slide-back",
            .scene = "sawyer_xyz/sawyer_plate_slide.xml",
            .camera = "corner",
            .horizon = 125,
            .hold = true,
            .draw_length = 6,
            .draw_low = {0.0, 0.85, 0.0, -0.1, 0.6, 0.015},
            .draw_high = {0.0, 0.85, 0.0, 0.1, 0.6, 0.015},
        },
    .positions = 11,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_start = {0, 0.6f, 0.2f},
    .goal_low = {-0.1, 0.6, 0.015},
    .goal_high = {0.1, 0.6, 0.015},
    .parts = WORLD_PLATE_PARTS,
    .reset = reset,
    .observe = world_observe_geom,
    .evaluate = world_plate_evaluate,
    .evaluate_v1 = world_slide_evaluate_v1,
    .expert = expert,
};
