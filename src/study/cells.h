// The cells of a sweep: how they are made from a grid, and what is known about each.
#pragma once

#include <temporalot/sweep.h>

#include "train/folder.h"

// A cell with what it owns. `info` is its public part.
typedef struct study_sweep_cell {
    tot_cell info;
    char *folder;
    char *label;
    tot_train_config config;
    char problem[256];
    char *path;       // of the run: the sweep's folder and the cell's
    int threads;      // that it was started with; 0: no checkpoint yet
    int process;      // ID of the process that trains it; 0: none of ours
    bool tried;       // already tried by this process
    bool moved;       // files it needs are now elsewhere
    bool wrote;       // its config.yaml was created here
    double looked;    // when another process was last seen training it
    size_t existing;  // length of the part of path that existed before it was prepared; 0: all of
                      // it, or not prepared
    char slurm[32];   // Slurm job: "12_3"; "": none
} study_sweep_cell;

struct tot_sweep {
    study_sweep_cell **cells;  // [count], owned
    size_t count;
    size_t capacity;
    char *text;       // of the grid
    char *name;       // of the grid, for errors
    char *folder;     // NULL until it is opened
    bool made;        // its sweep.yaml did not exist before it was opened
    size_t existing;  // length of the part of folder that existed before
};

tot_status study_sweep_create(tot_sweep **out, const char *text, const char *name);

// How the folder of a cell is named: after the settings that are lists, or after those that differ
// from the base, so that the same run has the same folder in every grid.
typedef enum study_cell_naming { STUDY_NAME_LISTS, STUDY_NAME_DIFFERENCES } study_cell_naming;

// Adds the cells of a grid. base: the settings they start from. An existing cell is an error with
// STUDY_NAME_LISTS, and skipped otherwise.
tot_status study_sweep_add(tot_sweep *sweep, const tot_train_config *base, const char *text,
                           const char *name, study_cell_naming naming);

// Moves the cells of another sweep to this one; those that exist here already are freed.
tot_status study_sweep_move(tot_sweep *sweep, tot_sweep *other);

// Whether a setting has its own level in the folder name of a run: task, method and seed.
bool study_names_folder(const char *key);

// Removes a cell.
void study_sweep_drop(tot_sweep *sweep, size_t index);

// Renames a cell by a suffix to its method: "orca" and "misaligned" give "orca,misaligned".
tot_status study_sweep_rename(study_sweep_cell *cell, const char *suffix);

// Updates the state of a cell from its folder. A cell that is left out stays so unless it is
// finished.
tot_status study_cell_look(study_sweep_cell *cell);

// Creates the run's folder with its config.yaml. An existing one has the same settings and is
// rewritten only if files of the run have moved.
tot_status study_cell_prepare(study_sweep_cell *cell);

// Undoes study_cell_prepare: removes what it created and keeps what existed before.
void study_cell_unmake(study_sweep_cell *cell);
