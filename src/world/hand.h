// The hand's control, for who plans a path for it.
#pragma once

#include <temporalot/world.h>

// The mocap body that drags the hand: where actions have moved it to, [3]. The world's own memory.
const double *world_mocap(const tot_world *world);
