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

void train_reflex_act(double *reflex, const float *observation, float *action) {
    static const int objects[] = {4, 11};  // where their positions are in an observation
    for (int k = 0; k < 2 && *reflex > 0; k++) {
        const float *object = observation + objects[k];
        const bool present =
            demo_is_present((double)object[0], (double)object[1], (double)object[2]);
        double square = 0;
        for (int i = 0; i < 3; i++) {
            const double away = (double)object[i] - (double)observation[i];
            square += away * away;
        }
        *reflex = present && square < *reflex * *reflex ? -1 : *reflex;
    }
    if (*reflex < 0) {
        action[TOT_ACTION - 1] = 1;
    }
}
