// What a frame and a reset cannot do without: MuJoCo's own work, for bench/world.c to measure ours
// against. A world that was driven by these is good for nothing else until its next reset.
#ifndef TOT_WORLD_BARE_H
#define TOT_WORLD_BARE_H

#include <temporalot/world.h>

// Five mj_step and one mj_forward with this action.
void tot_world_bare_frame(tot_world *world, const float *action);

// The 250 mj_step in which the hand settles, from the world's present draw.
void tot_world_bare_reset(tot_world *world);

#endif
