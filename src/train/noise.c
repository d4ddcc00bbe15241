#include "train/noise.h"

#include <math.h>

#include "demo/trajectory.h"

void train_noise_add(const tot_train_config *config, double deviation, tot_random *random,
                     double *const last[TOT_ACTION], float *action) {
    for (int k = 0; k < TOT_ACTION; k++) {
        const bool is_grip = k == TOT_ACTION - 1;
        const double stays = is_grip ? config->grip_correlation : config->noise_correlation;
        const double fresh = sqrt(1 - stays * stays) * tot_random_normal(random);
        *last[k] = stays * *last[k] + fresh;
        const double here = is_grip ? deviation * config->grip_noise : deviation;
        action[k] = (float)fmin(fmax(action[k] + here * *last[k], -1.0), 1.0);
    }
}

double train_reflex_draw(const tot_train_config *config, tot_random *random) {
    const double least = 0.02, most = 0.06;  // metres: from between the fingers to just above
    if (config->grip_reflex == 0 || tot_random_uniform(random) >= config->grip_reflex) {
        return 0;
    }
    return least + (most - least) * tot_random_uniform(random);
}

double train_still_draw(const tot_train_config *config, int64_t horizon, tot_random *random) {
    if (config->still_share == 0 || tot_random_uniform(random) >= config->still_share) {
        return -1;
    }
    return floor(tot_random_uniform(random) * (double)horizon);
}

void train_still_act(double from, int64_t step, float *action) {
    if (from < 0 || (double)step < from) {
        return;
    }
    for (int k = 0; k < TOT_ACTION - 1; k++) {
        action[k] = 0;
    }
    if (step > 0) {
        action[TOT_ACTION - 1] = action[-1];  // the gripper command of the previous action
    }
}

// Distance in metres from the hand to object k of an observation, and its offset; infinite if there
// is no such object.
static double distance_to(const float *observation, int k, double offset[3]) {
    static const int objects[] = {4, 11};  // offsets of their positions
    const float *object = observation + objects[k];
    if (!demo_is_present((double)object[0], (double)object[1], (double)object[2])) {
        return INFINITY;
    }
    for (int axis = 0; axis < 3; axis++) {
        offset[axis] = (double)object[axis] - (double)observation[axis];
    }
    return hypot(hypot(offset[0], offset[1]), offset[2]);
}

static float towards(double metres) {
    const double step = 0.02;  // metres the hand moves in a step of two frames
    return (float)fmin(fmax(metres / step, -1.0), 1.0);
}

// Moves above the object, then down to it, with open fingers. Returns whether it is close enough.
static bool reach(const double offset[3], double near, float *action) {
    const double above = 0.06, aside = 0.02;  // metres
    const bool over = hypot(offset[0], offset[1]) < aside;
    action[0] = towards(offset[0]);
    action[1] = towards(offset[1]);
    action[2] = over ? towards(offset[2]) : towards(fmax(offset[2] + above, 0));
    action[TOT_ACTION - 1] = -1;
    return over && fabs(offset[2]) < near;
}

// Whether to close the fingers now, given the position of object k. Within `from` metres, the hand
// first reaches for the object.
static bool is_time(double *reflex, double from, int k, const float *before,
                    const float *observation, float *action) {
    const double passing = 0.1;  // metres; a hand that stays farther away is just passing
    const double most_steps = 15;
    double offset[3], unused[3];
    const double now = distance_to(observation, k, offset);
    const double near = *reflex - floor(*reflex);  // the integer part counts the steps of reaching
    if (now < from) {
        const bool there = reach(offset, near, action);
        *reflex += 1;
        return there || *reflex > most_steps;
    }
    const double was = before != NULL ? distance_to(before, k, unused) : INFINITY;
    // close enough, or moving away again
    return now < near || (was < passing && now > was);
}

void train_reflex_act(double *reflex, double from, const float *before, const float *observation,
                      float *action) {
    const double pause = 5;  // steps the fingers need to close
    for (int k = 0; k < 2 && *reflex > 0; k++) {
        if (is_time(reflex, from, k, before, observation, action)) {
            *reflex = -1;
        } else if (*reflex >= 1) {
            break;  // reaching for this object
        }
    }
    if (*reflex < 0) {
        for (int k = 0; k < TOT_ACTION - 1 && *reflex >= -pause; k++) {
            action[k] = 0;
        }
        action[TOT_ACTION - 1] = 1;
        *reflex -= *reflex >= -pause ? 1 : 0;
    }
}
