#include "train/noise.h"

#include <math.h>

#include "demo/trajectory.h"

void train_noise_add(const tot_train_config *config, double hand, double fingers,
                     tot_random *random, double *const last[TOT_ACTION], float *action) {
    for (int k = 0; k < TOT_ACTION; k++) {
        const bool is_grip = k == TOT_ACTION - 1;
        const double stays = is_grip ? config->grip_correlation : config->noise_correlation;
        const double fresh = sqrt(1 - stays * stays) * tot_random_normal(random);
        *last[k] = stays * *last[k] + fresh;
        const double here = is_grip ? fingers * config->grip_noise : hand;
        action[k] = (float)fmin(fmax(action[k] + here * *last[k], -1.0), 1.0);
    }
}

double train_reflex_draw(const tot_train_config *config, tot_random *random) {
    const double least = 0.02, most = 0.06;  // from inside the fingers to just above
    if (config->grip_reflex == 0 || tot_random_uniform(random) >= config->grip_reflex) {
        return 0;
    }
    return least + (most - least) * tot_random_uniform(random);
}

// From the hand to object k of an observation, in metres; infinite where there is none.
static double distance_to(const float *observation, int k) {
    static const int objects[] = {4, 11};  // where their positions are
    const float *object = observation + objects[k];
    if (!demo_is_present((double)object[0], (double)object[1], (double)object[2])) {
        return INFINITY;
    }
    return hypot(hypot((double)object[0] - (double)observation[0],
                       (double)object[1] - (double)observation[1]),
                 (double)object[2] - (double)observation[2]);
}

void train_reflex_act(double *reflex, const float *before, const float *observation,
                      float *action) {
    const double reach = 0.1;  // metres; a hand that stays further away passes by
    const double pause = 5;    // steps that fingers need to close
    for (int k = 0; k < 2 && *reflex > 0; k++) {
        const double now = distance_to(observation, k);
        const double was = before != NULL ? distance_to(before, k) : INFINITY;
        // near enough, or as near as it will get
        if (now < *reflex || (was < reach && now > was)) {
            *reflex = -1;
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
