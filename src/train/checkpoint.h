// Checkpoints: everything a run needs to resume bit for bit.
//
// The folder checkpoint/ contains the two newest ones, each a single .npz written atomically, and
// replay/, to which episodes are appended. A checkpoint names the position in the replay's files,
// the rows of metrics.csv and the bytes of the events that belong to it; everything written after
// that is truncated when it is loaded.
#pragma once

#include <cjson/cJSON.h>

#include "train/run.h"

enum { TRAIN_CHECKPOINT_FORMAT = 1, TRAIN_MOST_CHECKPOINTS = 16, TRAIN_CPU_TEXT = 256 };

// The progress of each checkpoint in a folder, newest first. Returns their number.
size_t train_checkpoints_of(const char *folder, int64_t found[TRAIN_MOST_CHECKPOINTS]);

// path: [TRAIN_PATH], written.
tot_status train_checkpoint_name(char *path, const char *folder, int64_t made);

tot_status train_checkpoint_save(train_run *run);

// Whether the run's folder has a checkpoint.
bool train_checkpoint_exists(const char *folder);

// Restores the run from the newest intact checkpoint. Damaged ones are skipped with a warning.
// TOT_E_ARGUMENT if it is from another version, build, CPU, thread count or other demonstrations,
// unless approximate.
tot_status train_checkpoint_load(train_run *run, bool approximate);

// Loads only the agent's tensors and the run's state, from the newest intact checkpoint.
// TOT_E_ARGUMENT if the agent was trained with other settings of TRAIN_CHECKPOINT_SEEN.
tot_status train_checkpoint_load_agent(tot_agent *agent, const tot_train_config *config,
                                       const char *folder, train_run_state *state);

// The settings, separated by '|', that decide what the agent and its reward see: a policy means
// nothing with others, whatever the tensors' sizes say. Checkpoints store their values.
#define TRAIN_CHECKPOINT_SEEN                                                               \
    "obs|observation|clock|action_repeat|horizon|pixels|agent_view|hand_margin|camera|view" \
    "|arm|size|renderer|quality"

// The metadata of the newest checkpoint, freed with cJSON_Delete; NULL if there is none or it
// cannot be read. Only TOT_E_MEMORY is a failure.
tot_status train_checkpoint_meta(cJSON **meta, const char *folder);

// A string of the metadata; "" if it is missing.
const char *train_checkpoint_text(const cJSON *meta, const char *name);

// build.c: what a run's results depend on besides its settings. The program's build: the linker's
// build id, or the compiler if there is none. Never NULL.
const char *train_build_text(void);

// The CPU: the instruction set used by the vector code, and the model name.
void train_cpu_kind(char *text, size_t size);
