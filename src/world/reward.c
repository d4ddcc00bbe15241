// Building blocks of Meta-world's dense rewards.
#include "world/reward.h"

// --- float32 where Python uses it --------------------------------------------------------------

#define ARITHMETIC(name, sign)                                                 \
    world_number name(world_number a, world_number b) {                        \
        const float x = (float)a.value, y = (float)b.value;                    \
        return a.single || b.single ? (world_number){(double)(x sign y), true} \
                                    : world_plain(a.value sign b.value);       \
    }
ARITHMETIC(world_add, +)
ARITHMETIC(world_subtract, -)
ARITHMETIC(world_multiply, *)
ARITHMETIC(world_divide, /)

double world_hamacher(double a, double b) {
    const double denominator = a + b - a * b;
    return denominator > 0 ? a * b / denominator : 0;
}

world_number world_hamacher_number(world_number a, world_number b) {
    const world_number product = world_multiply(a, b);
    const world_number denominator = world_subtract(world_add(a, b), product);
    return denominator.value > 0 ? world_divide(product, denominator) : world_plain(0);
}

// --- reward_utils ------------------------------------------------------------------------------

double world_square(double x) {
    // read at run time, or the compiler would turn it into x * x
    static const volatile double two = 2.0;
    return pow(x, two);
}

// Distance of x from the interval low .. high, in margins. Only called outside of it.
static double beyond(double x, double low, double high, double margin) {
    return (x < low ? low - x : x - high) / margin;
}

double world_tolerance(double x, double low, double high, double margin) {
    if (low <= x && x <= high) {
        return 1.0;
    }
    if (margin == 0) {
        return 0.0;
    }
    const double scale = 3.0;  // sqrt(1 / 0.1 - 1): 0.1 at the margin
    return 1 / (world_square(beyond(x, low, high, margin) * scale) + 1);
}

double world_tolerance_gaussian(double x, double low, double high, double margin) {
    if (low <= x && x <= high) {
        return 1.0;
    }
    if (margin == 0) {
        return 0.0;
    }
    const double scale = sqrt(-2 * log(0.1));
    return exp(-0.5 * world_square(beyond(x, low, high, margin) * scale));
}

static bool between(double x, double a, double b) {
    return b >= a ? a <= x && x <= b : b <= x && x <= a;
}

double world_rect_prism(const double *point, const double *zero, const double *one) {
    for (int k = 0; k < 3; k++) {
        if (!between(point[k], zero[k], one[k])) {
            return 1.0;
        }
    }
    const double x = (point[0] - zero[0]) / (one[0] - zero[0]);
    const double y = (point[1] - zero[1]) / (one[1] - zero[1]);
    const double z = (point[2] - zero[2]) / (one[2] - zero[2]);
    return x * y * z;
}

// --- the fingers -------------------------------------------------------------------------------

world_number world_closing(const world_action *action, double most) {
    // Python's built-in min and max choose between the action and a Python float
    world_number closed = world_plain(0);
    if (action->value[3] > 0) {
        closed = (world_number){action->value[3], action->single};
    }
    // a float32 is compared in float32
    const double limit = closed.single ? (double)(float)most : most;
    if (limit < closed.value) {
        closed = world_plain(most);
    }
    return world_divide(closed, world_plain(most));
}

double world_closing_v1(const world_action *action) {
    const world_number grip = {action->value[3], action->single};
    return grip.value >= 0 ? world_divide(grip, world_plain(50)).value : 0;
}

double world_approach(double most, double distance, double c1, double c2, double c3) {
    const double square = world_square(distance);
    return 1000 * (most - distance) + c1 * (exp(-square / c2) + exp(-square / c3));
}

// -reach, plus the reward for moving the object once the hand is close enough.
static double reach_and_move(double reach, double most, double distance) {
    double pull = 0;
    if (reach < 0.05) {
        pull = fmax(world_approach(most, distance, 1000, 0.01, 0.001), 0);
    }
    return -reach + pull;
}

double world_reach_v1(const tot_world *world, const double *object, double most, double distance) {
    return reach_and_move(world_tcp_distance(world, object), most, distance);
}

double world_left_reach_v1(const tot_world *world, const double *object, double most,
                           double distance) {
    return reach_and_move(world_distance3(object, world_left_finger(world)), most, distance);
}

// --- caging ------------------------------------------------------------------------------------

// The pads are on both sides of the object in y, neither too close nor too far.
static double cage_y(const tot_world *world, const double *object, const double *start,
                     const world_cage *cage) {
    const double pads[2] = {world_left_pad(world)[1], world_right_pad(world)[1]};
    double caged[2];
    for (int k = 0; k < 2; k++) {
        const double margin = fabs(fabs(pads[k] - start[1]) - cage->pad_success);
        caged[k] = world_tolerance(fabs(pads[k] - object[1]), cage->object_radius,
                                   cage->pad_success, margin);
    }
    return world_hamacher(caged[0], caged[1]);
}

// The TCP is at the object in x and z.
static double cage_xz(const tot_world *world, const double *object, const double *start,
                      double xz) {
    const double *begin = world->start_tcp;
    double tcp[3];
    world_tcp(world, tcp);
    const double margin = world_norm2(start[0] - begin[0], start[2] - begin[2]) - xz;
    return world_tolerance(world_norm2(tcp[0] - object[0], tcp[2] - object[2]), 0, xz, margin);
}

static double reach(const tot_world *world, const double *object, const double *start,
                    double radius) {
    const double margin = fabs(world_distance3(start, world->start_tcp) - radius);
    return world_tolerance(world_tcp_distance(world, object), 0, radius, margin);
}

world_number world_caging(const tot_world *world, const world_action *action, const double *object,
                          const world_cage *cage) {
    const double *start = cage->start != NULL ? cage->start : world->start_object;
    const double caged =
        world_hamacher(cage_y(world, object, start, cage), cage_xz(world, object, start, cage->xz));
    const world_number gripping =
        caged > 0.97 ? world_closing(action, cage->effort > 0 ? cage->effort : 1) : world_plain(0);
    world_number both = world_hamacher_number(world_plain(caged), gripping);
    if (cage->high_density) {
        both = world_divide(world_add(both, world_plain(caged)), world_plain(2));
    }
    if (cage->medium_density) {
        const double near = reach(world, object, start, cage->reach_radius);
        both = world_divide(world_add(both, world_plain(near)), world_plain(2));
    }
    return both;
}

double world_pad_tolerance(double pad, double object, double distance, double radius, double most) {
    // Python keeps views of the current pads as the initial ones, so the margin moves with them
    const double pad_success = 0.05;
    const double margin = fabs(fabs(object - pad) - pad_success);
    return world_tolerance(distance, radius, most, margin);
}

double world_xz_tolerance(const tot_world *world, const double *object, double xz) {
    return cage_xz(world, object, world->start_object, xz);
}

double world_caging_by_pads(const tot_world *world, const double *object, double object_radius,
                            double grip, double xz) {
    const double left = world_left_pad(world)[1];
    const double right = world_right_pad(world)[1];
    const double y = object[1];
    const double limits[2] = {0.05, grip};
    double both[2];
    for (int k = 0; k < 2; k++) {
        both[k] = world_hamacher(world_pad_tolerance(right, y, y - right, object_radius, limits[k]),
                                 world_pad_tolerance(left, y, left - y, object_radius, limits[k]));
    }
    const double caging = world_hamacher(both[0], world_xz_tolerance(world, object, xz));
    return (caging + (caging > 0.95 ? both[1] : 0.0)) / 2;
}

// --- tools with a handle -----------------------------------------------------------------------

double world_turned(const double *quaternion, const double *ideal, double most) {
    const double off = world_norm4(quaternion[0] - ideal[0], quaternion[1] - ideal[1],
                                   quaternion[2] - ideal[2], quaternion[3] - ideal[3]);
    return fmax(1.0 - off / most, 0.0);
}

double world_laid_down(const double *observation, double most) {
    static const double ideal[4] = {0.707, 0, 0, 0.707};
    return world_turned(observation + WORLD_FIRST_OBJECT + 3, ideal, most);
}

void world_along_handle(const double *observation, double half, double *object) {
    world_copy3(object, observation + WORLD_FIRST_OBJECT);
    if (fabs(object[0] - observation[0]) < half) {
        object[0] = observation[0];
    }
}

world_number world_tool_reward(world_number grab, double in_place, double turned) {
    const world_number sum =
        world_add(world_multiply(world_plain(2.0), grab), world_plain(6.0 * in_place));
    return world_multiply(sum, world_plain(turned));
}

// --- v1 ----------------------------------------------------------------------------------------

double world_coming_v1(const tot_world *world, const world_action *action, const double *object,
                       double near_xy, double near, double weight) {
    double tcp[3];
    world_tcp(world, tcp);
    const double reach = world_distance3(object, tcp);
    if (reach < near) {
        return -reach + world_closing_v1(action);
    }
    const double across = world_distance2(object, tcp);
    return across < near_xy ? -reach : -across - weight * fabs(tcp[2] - world->start_tcp[2]);
}

double world_most_placing(const tot_world *world, double height) {
    const double lifted[3] = {world->start_object[0], world->start_object[1], height};
    return world_distance3(lifted, world->goal) + height;
}
