// Checkpoints: everything a run needs to go on, to the last bit.
//
// The folder checkpoint/ holds the newest one and the one before it, each a single .npz that is
// whole or absent, and replay/, to which episodes are only added. A checkpoint names the place in
// the replay's files, the rows of metrics.csv and the bytes of the events that belong to it; what
// was written behind these is cut off when it is loaded.
#ifndef TRAIN_CHECKPOINT_H
#define TRAIN_CHECKPOINT_H

#include "train/run.h"

enum { TRAIN_CHECKPOINT_FORMAT = 1, TRAIN_MOST_CHECKPOINTS = 16, TRAIN_CPU_TEXT = 256 };

// The checkpoints of a folder, the newest first: how far each one is. Returns how many.
size_t train_checkpoints_of(const char *folder, int64_t found[TRAIN_MOST_CHECKPOINTS]);

// path: [TRAIN_PATH], written.
tot_status train_checkpoint_name(char *path, const char *folder, int64_t made);

tot_status train_checkpoint_save(train_run *run);

// Whether the run's folder has one.
bool train_checkpoint_exists(const char *folder);

// Puts the run where the newest whole checkpoint says, and opens its record. A damaged one is
// passed over for the one before it, with a warning. TOT_E_ARGUMENT: of another version, build,
// CPU, thread count or other demonstrations, unless approximate.
tot_status train_checkpoint_load(train_run *run, bool approximate);

// Only the agent's numbers, from the newest whole one, and the state that the run was in.
tot_status train_checkpoint_load_agent(tot_agent *agent, const char *folder,
                                       train_run_state *state);

#endif
