// Checkpoints: everything that a run needs to resume bit for bit.
//
// The folder checkpoint/ holds the newest one and the one before it, each a single .npz that is
// whole or absent, and replay/, to which episodes are appended. A checkpoint names the position in
// the replay's files, the rows of metrics.csv and the bytes of the events that belong to it; what
// was written after that is truncated when it is loaded.
#pragma once

#include "train/run.h"

enum { TRAIN_CHECKPOINT_FORMAT = 1, TRAIN_MOST_CHECKPOINTS = 16, TRAIN_CPU_TEXT = 256 };

// The checkpoints of a folder, the newest first: how far each one is. Returns how many.
size_t train_checkpoints_of(const char *folder, int64_t found[TRAIN_MOST_CHECKPOINTS]);

// path: [TRAIN_PATH], written.
tot_status train_checkpoint_name(char *path, const char *folder, int64_t made);

tot_status train_checkpoint_save(train_run *run);

// Whether the folder of the run has one.
bool train_checkpoint_exists(const char *folder);

// Restores the run from the newest intact checkpoint. A damaged one is skipped for the one before
// it, with a warning. TOT_E_ARGUMENT: it is from another version, build, CPU, thread count or other
// demonstrations, unless approximate.
tot_status train_checkpoint_load(train_run *run, bool approximate);

// Only the agent's tensors, from the newest intact one, and the state of the run.
tot_status train_checkpoint_load_agent(tot_agent *agent, const char *folder,
                                       train_run_state *state);
