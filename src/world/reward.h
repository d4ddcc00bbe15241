// Shared by the dense rewards of Meta-world's tasks, in the order of operations of Python and
// NumPy, so that results are bit-identical.
#pragma once

#include "world/sawyer.h"

// A number that may be a float32. If a float32 action enters a reward, NumPy 2 continues in
// float32, and rounds Python floats that are combined with it. Combining it with a np.float64 gives
// a float64; use the value there.
typedef struct world_number {
    double value;
    bool single;
} world_number;

// A Python float.
static inline world_number world_plain(double value) {
    return (world_number){.value = value};
}

// Arithmetic on numbers that are Python floats or float32.
world_number world_add(world_number a, world_number b);
world_number world_subtract(world_number a, world_number b);
world_number world_multiply(world_number a, world_number b);
world_number world_divide(world_number a, world_number b);

// reward_utils.hamacher_product, for Python floats and np.float64, and if one may be a float32.
double world_hamacher(double a, double b);
world_number world_hamacher_number(world_number a, world_number b);

// x ** 2 as computed by Python and NumPy: with libm's pow, which is not always x * x.
double world_square(double x);

// reward_utils.tolerance with sigmoid="long_tail" and with sigmoid="gaussian".
double world_tolerance(double x, double low, double high, double margin);
double world_tolerance_gaussian(double x, double low, double high, double margin);

// reward_utils.rect_prism_tolerance
double world_rect_prism(const double *point, const double *zero, const double *one);

// How far the action closes the gripper: min(max(0, action[-1]), most) / most.
world_number world_closing(const world_action *action, double most);

// max(action[-1], 0) / 50, which v1 rewards add to a np.float64.
double world_closing_v1(const world_action *action);

// 1000 * (most - distance) + c1 * (exp(-distance**2 / c2) + exp(-distance**2 / c3)): the v1 reward
// for approaching. Most tasks have c1 = 1000, c2 = 0.01, c3 = 0.001.
double world_approach(double most, double distance, double c1, double c2, double c3);

// The v1 reward of most tasks: minus the distance from the TCP to the object, and if that is below
// 0.05, plus max(world_approach(most, distance, 1000, 0.01, 0.001), 0).
double world_reach_v1(const tot_world *world, const double *object, double most, double distance);

// The arguments of _gripper_caging_reward.
typedef struct world_cage {
    const double *start;  // initial position of the object; NULL: world->start_object
    double object_radius;
    double pad_success;   // pad_success_thresh
    double reach_radius;  // object_reach_radius; only used with medium_density
    double xz;            // xz_thresh
    double effort;        // desired_gripper_effort; 0 means 1
    bool high_density;
    bool medium_density;
} world_cage;

// SawyerXYZEnv._gripper_caging_reward
world_number world_caging(const tot_world *world, const world_action *action, const double *object,
                          const world_cage *cage);

// The variant of push-back, soccer, sweep and sweep-into, which ignores the action. grip:
// grip_success_margin; xz: x_z_success_margin.
double world_caging_by_pads(const tot_world *world, const double *object, double object_radius,
                            double grip, double xz);

// Its parts, for pick-place, which combines them differently: tolerance of one pad's distance from
// the object in y, and of the distance in x and z.
double world_pad_tolerance(double pad, double object, double distance, double radius, double most);
double world_xz_tolerance(const tot_world *world, const double *object, double xz);

// --- tools with a handle: the nut of assembly and disassemble, the hammer, the lid of box-close --

// Score of a quaternion against the ideal one: 1 if equal, 0 if they differ by `most` or more.
double world_turned(const double *quaternion, const double *ideal, double most);

// The same for an object that should be rotated by 90 degrees about z, like nut and lid.
double world_laid_down(const double *observation, double most);

// The object position for world_caging, which assumes a sphere: shifted along x to the hand, if
// that is within half the length of the handle.
void world_along_handle(const double *observation, double half, double *object);

// (2 * grab + 6 * in_place) * turned
world_number world_tool_reward(world_number grab, double in_place, double turned);

// --- v1 ----------------------------------------------------------------------------------------

// world_reach_v1 for the left fingertip only.
double world_left_reach_v1(const tot_world *world, const double *object, double most,
                           double distance);

// The reaching term for an object that is to be lifted. Farther than near_xy in x and y, the hand
// should stay at its initial height: the difference is penalised, multiplied by weight. Closer than
// near, the gripper should close.
double world_coming_v1(const tot_world *world, const world_action *action, const double *object,
                       double near_xy, double near, double weight);

// maxPlacingDist: from the object's initial position, lifted to a height, to the goal, plus that
// height.
double world_most_placing(const tot_world *world, double height);
