// The cells of a sweep: how a grid becomes them, and what is known of each.
#pragma once

#include <temporalot/sweep.h>

#include "train/folder.h"

// A cell with what it owns. `shown` is what others see of it.
typedef struct study_sweep_cell {
    tot_cell info;
    char *folder;
    char *label;
    tot_train_config *config;
    char problem[256];
    char *path;       // of the run: the sweep's folder, and the cell's
    int threads;      // it began with; 0: it has no checkpoint yet
    int process;      // that trains it; 0: none of ours
    bool tried;       // by this process
    bool moved;       // files it needs stand elsewhere than when it began
    bool wrote;       // its config.yaml, which was not there
    double looked;    // when another process was last seen at it
    size_t existing;  // letters of path that were there before it was prepared; 0: all, or not yet
    char slurm[32];   // its job: "12_3"; "": none
} study_sweep_cell;

struct tot_sweep {
    study_sweep_cell *cells;
    size_t count;
    size_t capacity;
    char *text;       // of the grid
    char *name;       // of the grid, in errors
    char *folder;     // NULL before it is opened
    bool made;        // its sweep.yaml was not there before it was opened
    size_t existing;  // letters of the folder's path that were
};

tot_status study_sweep_create(tot_sweep **out, const char *text, const char *name);

// How the folder of a cell is named: by the settings that are lists, or by those that the grid
// gives and that are not the base's, so that the same run has the same folder in every grid.
typedef enum study_cell_naming { STUDY_NAME_LISTS, STUDY_NAME_DIFFERENCES } study_cell_naming;

// Adds the cells of a grid. base: what they begin with. A cell that is there already is an error
// with STUDY_NAME_LISTS, and left otherwise.
tot_status study_sweep_add(tot_sweep *sweep, const tot_train_config *base, const char *text,
                           const char *name, study_cell_naming naming);

// Moves the cells of another sweep here; those that are here already are freed.
tot_status study_sweep_move(tot_sweep *sweep, tot_sweep *other);

// Removes a cell.
void study_sweep_drop(tot_sweep *sweep, size_t index);

// Gives a cell another name behind its method: "orca" and "misaligned" are "orca,misaligned".
tot_status study_sweep_rename(study_sweep_cell *cell, const char *suffix);

// Where this cell stands, from its folder. One that is left out stays so unless it is finished.
tot_status study_cell_look(study_sweep_cell *cell);

// Makes the run's folder with its config.yaml. Where one is there it is the same, and written again
// only where files of the run moved.
tot_status study_cell_prepare(study_sweep_cell *cell);

// Undoes it: what it made goes, what stood there before stays.
void study_cell_unmake(study_sweep_cell *cell);
