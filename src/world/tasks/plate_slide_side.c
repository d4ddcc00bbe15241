// Slide a plate sideways into a cabinet. The draw is the plate's position, which is always the
// same, then the goal's; the cabinet does not move.
#include "world/siblings.h"

static void reset(tot_world *world) {
    world_plate_reset(world, 0, 0, world->draw);
}

static void expert(const double *observation, float *action) {
    const double *hand = observation;
    double plate[3];
    world_shift(plate, observation + WORLD_FIRST_OBJECT, 0.07, 0.0, -0.005);
    double to[3];
    if (world_distance2(hand, plate) > 0.04) {
        world_shift(to, plate, 0.0, 0.0, 0.1);
    } else if (fabs(hand[2] - plate[2]) > 0.04) {
        world_copy3(to, plate);
    } else if (hand[0] > -0.2) {
        world_set3(to, hand[0] - 0.1, 0.6, hand[2]);
    } else {
        world_shift(to, plate, -0.1, 0.0, 0.0);
    }
    world_expert_move(action, observation, to, 25.0, 1.0);
}

const world_task_definition world_task_plate_slide_side = {
    .info =
        {
            .name = "plate-slide-side",
            .scene = "sawyer_xyz/sawyer_plate_slide_sideway.xml",
            .camera = "corner",
            .horizon = 125,
            .hold = true,
            .draw_length = 6,
            .draw_low = {0.0, 0.6, 0.0, -0.3, 0.54, 0.0},
            .draw_high = {0.0, 0.6, 0.0, -0.25, 0.66, 0.0},
        },
    .positions = 11,
    .hand_low = {-0.5, 0.40, 0.05},
    .hand_start = {0, 0.6f, 0.2f},
    .goal_low = {-0.3, 0.54, 0.0},
    .goal_high = {-0.25, 0.66, 0.0},
    .parts = WORLD_PLATE_PARTS,
    .reset = reset,
    .observe = world_observe_geom,
    .evaluate = world_plate_evaluate,
    .evaluate_v1 = world_slide_evaluate_v1,
    .expert = expert,
};
