// Settling of the hand: it moves to its initial position. Meta-world simulates this for 250 steps
// at every reset; here it is simulated once per task, and a reset continues from the last recorded
// step that is provably unaffected by its draw.
#pragma once

#include "world/sawyer.h"

// Simulates and records the settling of the hand in the unmodified scene. TOT_E_PHYSICS if that
// diverges; path is used in the message.
tot_status world_settling_make(world_settling **settling, const tot_task *task, const char *path);

// settling may be NULL.
void world_settling_free(world_settling *settling);

// Settles the hand of a world whose bodies have been placed, bit-identical to world_settle_fully.
// Returns the step from which it was simulated. Call inside world_mujoco_guard.
int world_settle(tot_world *world);

// The full simulation, as in Meta-world. Call inside world_mujoco_guard.
void world_settle_fully(const tot_task *task, mjModel *model, mjData *data);
