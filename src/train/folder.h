// The folder of a run: made, locked, and what stands where in it.
#ifndef TRAIN_FOLDER_H
#define TRAIN_FOLDER_H

#include <temporalot/train.h>

enum { TRAIN_PATH = 4096 };

// path: [TRAIN_PATH], written: "folder/name". TOT_E_ARGUMENT when it is too long.
tot_status train_path(char *path, const char *folder, const char *name);

// Makes a folder and those above it.
tot_status train_make_folder(const char *path);

// Takes the folder for this process. *lock is the descriptor to close. TOT_E_FILE when another
// process has it.
tot_status train_lock_folder(const char *folder, int *lock);

// Writes a whole text file, or leaves what was there.
tot_status train_write_text(const char *path, const char *text);

// Writes config.yaml.
tot_status train_write_config(const char *folder, const tot_train_config *config);

#endif
