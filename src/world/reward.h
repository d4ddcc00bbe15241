// What the dense rewards of Meta-world's tasks share, in the order of operations of Python and
// NumPy, so that the last digit is the same.
#pragma once

#include "world/sawyer.h"

// A number that may be a float32. Where a float32 action enters a reward, NumPy 2 computes on in
// float32: a Python float that meets it is rounded first. A np.float64 that meets it makes the
// result a float64; there, compute with the value.
typedef struct world_number {
    double value;
    bool single;
} world_number;

// A Python float.
static inline world_number world_plain(double value) {
    return (world_number){.value = value};
}

// The sums of numbers that are Python floats or float32.
world_number world_add(world_number a, world_number b);
world_number world_subtract(world_number a, world_number b);
world_number world_multiply(world_number a, world_number b);
world_number world_divide(world_number a, world_number b);

// reward_utils.hamacher_product, for Python floats and np.float64, and where one may be a float32.
double world_hamacher(double a, double b);
world_number world_hamacher_number(world_number a, world_number b);

// x ** 2 as Python and NumPy compute it: with libm's pow, which is not always x * x.
double world_square(double x);

// reward_utils.tolerance with sigmoid="long_tail" and with sigmoid="gaussian".
double world_tolerance(double x, double low, double high, double margin);
double world_tolerance_gaussian(double x, double low, double high, double margin);

// reward_utils.rect_prism_tolerance
double world_rect_prism(const double *point, const double *zero, const double *one);

// How far the action closes the fingers: min(max(0, action[-1]), most) / most.
world_number world_closing(const world_action *action, double most);

// max(action[-1], 0) / 50, which v1 rewards add to a np.float64.
double world_closing_v1(const world_action *action);

// 1000 * (most - distance) + c1 * (exp(-distance**2 / c2) + exp(-distance**2 / c3)): how v1 rewards
// an approach. Most tasks have c1 = 1000, c2 = 0.01, c3 = 0.001.
double world_approach(double most, double distance, double c1, double c2, double c3);

// The v1 reward of most tasks: less the distance from the finger tips to the object, and when that
// is below 0.05, max(world_approach(most, distance, 1000, 0.01, 0.001), 0).
double world_reach_v1(const tot_world *world, const double *object, double most, double distance);

// The arguments of _gripper_caging_reward.
typedef struct world_cage {
    const double *start;  // where the object stood; NULL: world->start_object
    double object_radius;
    double pad_success;   // pad_success_thresh
    double reach_radius;  // object_reach_radius; read with medium_density alone
    double xz;            // xz_thresh
    double effort;        // desired_gripper_effort; 0: 1
    bool high_density;
    bool medium_density;
} world_cage;

// SawyerXYZEnv._gripper_caging_reward
world_number world_caging(const tot_world *world, const world_action *action, const double *object,
                          const world_cage *cage);

// The variant of push-back, soccer, sweep and sweep-into, which does not look at the action.
// grip: grip_success_margin; xz: x_z_success_margin.
double world_caging_by_pads(const tot_world *world, const double *object, double object_radius,
                            double grip, double xz);

// Its parts, for pick-place, which combines them otherwise: the tolerance of one pad's distance
// from the object in y, and of the distance in x and z.
double world_pad_tolerance(double pad, double object, double distance, double radius, double most);
double world_xz_tolerance(const tot_world *world, const double *object, double xz);

// --- tools with a handle: the nut of assembly and disassemble, the hammer, the lid of box-close --

// How far a quaternion is from the one to have: 1, and 0 where they differ by most or more.
double world_turned(const double *quaternion, const double *ideal, double most);

// The same for an object that should lie turned by a quarter about z, as nut and lid do.
double world_laid_down(const double *observation, double most);

// The object for world_caging, which takes it for a sphere: moved along x to the hand, where that
// is nearer than half the handle's length.
void world_along_handle(const double *observation, double half, double *object);

// (2 * grab + 6 * in_place) * turned
world_number world_tool_reward(world_number grab, double in_place, double turned);

// --- v1 ----------------------------------------------------------------------------------------

// world_reach_v1 from the left finger's tip alone.
double world_left_reach_v1(const tot_world *world, const double *object, double most,
                           double distance);

// The part of reaching where the object is to be lifted. Farther than near_xy in x and y the hand
// is to stay at the height it began at: what it differs by costs weight times as much. Nearer than
// near the fingers are to close.
double world_coming_v1(const tot_world *world, const world_action *action, const double *object,
                       double near_xy, double near, double weight);

// maxPlacingDist: from the object's start, lifted to a height, to the goal; and that height.
double world_most_placing(const tot_world *world, double height);
