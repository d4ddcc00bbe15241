// The folder of a run: creation, locking, and file names.
#pragma once

#include <temporalot/train.h>

enum { TRAIN_PATH = 4096 };

#define TRAIN_EVENTS "events.out.tfevents.0.temporalot"  // for TensorBoard

// path: [TRAIN_PATH], written: "folder/name". TOT_E_ARGUMENT if it is too long.
tot_status train_path(char *path, const char *folder, const char *name);

// Creates a folder and its parents.
tot_status train_make_folder(const char *path);

// Locks the folder for this process. *lock: descriptor to close. TOT_E_FILE if another process
// holds the lock.
tot_status train_lock_folder(const char *folder, int *lock);

// TOT_E_FILE if a subfolder of the run's folder is a symbolic link, which would redirect writes, or
// a file.
tot_status train_check_folders(const char *folder);

// Length of the existing prefix of the folder's path.
size_t train_existing(const char *folder);

// Whether the folder is empty or does not exist.
bool train_is_fresh(const char *folder);

// Removes what a rejected run created: its initial files and subfolders, and its folder down to the
// first `existing` characters of the path. Other files, and the folders that contain them, are
// kept.
void train_unmake_folder(const char *folder, size_t existing);

// Removes incomplete files left by killed processes.
void train_remove_leftovers(const char *folder);

// Writes config.yaml.
tot_status train_write_config(const char *folder, const tot_train_config *config);
