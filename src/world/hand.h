// Control of the hand, for planning a path.
#pragma once

#include <temporalot/world.h>

// Position of the mocap body that drags the hand, as moved by the actions, [3]. Owned by the world.
const double *world_mocap(const tot_world *world);
