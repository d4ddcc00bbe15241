// The folder of a run: made, locked, and what stands where in it.
#pragma once

#include <temporalot/train.h>

enum { TRAIN_PATH = 4096 };

#define TRAIN_EVENTS "events.out.tfevents.0.temporalot"  // for TensorBoard

// path: [TRAIN_PATH], written: "folder/name". TOT_E_ARGUMENT when it is too long.
tot_status train_path(char *path, const char *folder, const char *name);

// Makes a folder and those above it.
tot_status train_make_folder(const char *path);

// Takes the folder for this process. *lock is the descriptor to close. TOT_E_FILE when another
// process has it.
tot_status train_lock_folder(const char *folder, int *lock);

// TOT_E_FILE where a folder inside a run's is a link: what is written into it would go elsewhere.
tot_status train_check_folders(const char *folder);

// Letters of the folder's path, from its beginning, that are there already.
size_t train_existing(const char *folder);

// Whether nothing stands in the folder, or it is not there.
bool train_is_fresh(const char *folder);

// Removes what a run that was refused made: the files and folders it begins with, and its folder
// down to the first `existing` letters. What others put there stays, and the folders it is in.
void train_unmake_folder(const char *folder, size_t existing);

// Removes what processes that were killed left half written.
void train_remove_leftovers(const char *folder);

// Writes config.yaml.
tot_status train_write_config(const char *folder, const tot_train_config *config);
