// The hand moves to where an episode begins. Meta-world simulates that for 250 steps at every
// reset; here it is done once for each task, and a reset continues from the last step up to which
// it can be shown that its draw changes nothing.
#pragma once

#include "world/sawyer.h"

// Simulates the scene as it was loaded while the hand settles. TOT_E_PHYSICS when that diverges;
// path is for its text.
tot_status world_settling_make(world_settling **settling, const tot_task *task, const char *path);

// settling may be NULL.
void world_settling_free(world_settling *settling);

// Settles the hand of a world whose bodies have been placed, to the same bits as
// world_settle_fully. Returns from which step on it was simulated. Inside world_mujoco_guard.
int world_settle(tot_world *world);

// The whole simulation, as Meta-world does it. Inside world_mujoco_guard.
void world_settle_fully(const tot_task *task, mjModel *model, mjData *data);
