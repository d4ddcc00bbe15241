#include "demo/steady.h"

#include "base/base.h"
#include "demo/trajectory.h"

// Standard deviation of the noise per action axis. A frame moves the hand by at most one
// centimetre, so after the 125 frames of an episode it is off by about one or three centimetres.
static const double noises[] = {0.1, 0.3};

typedef struct replay {
    const tot_trajectory *whole;
    tot_random random;
    double noise;
} replay;

static tot_status act(void *context, const tot_world *world, int64_t step, float *action) {
    (void)world;
    replay *this = context;
    memcpy(action, this->whole->actions + step * TOT_ACTION, TOT_ACTION * sizeof *action);
    for (int k = 0; k < TOT_ACTION - 1; k++) {
        action[k] += (float)(this->noise * tot_random_normal(&this->random));
    }
    demo_clip_action(action);
    return TOT_OK;
}

tot_status demo_steady(tot_world *world, const tot_trajectory *whole, int *steady) {
    replay this = {.whole = whole};
    const tot_policy policy = {.act = act, .context = &this};
    *steady = 0;
    for (int k = 0; k < DEMO_REPLAYS; k++) {
        this.noise = noises[k % (int)BASE_LENGTH(noises)];
        tot_random_init_numbered(&this.random, (uint64_t)whole->seed, "steady", (uint64_t)k);
        BASE_TRY(tot_world_reset(world, (uint64_t)whole->seed, (uint64_t)whole->episode));
        const tot_status status = tot_play(world, &policy, whole->steps, NULL, NULL);
        // a diverged simulation is not a success
        BASE_TRY(status == TOT_E_PHYSICS ? TOT_OK : status);
        *steady += status == TOT_OK && tot_world_success(world) ? 1 : 0;
    }
    return TOT_OK;
}
