// temporalot/sweep.h - a grid of runs: tasks, methods, seeds and any setting; some at a time, on
// this machine or by Slurm. What is finished is left, what was interrupted goes on.
//
//     #include <stdio.h>
//     #include <temporalot/sweep.h>
//
//     int main(void) {
//         tot_sweep *sweep = NULL;
//         const char *grid = "task: [door-open, push]\nseed: [0, 1, 2]\ndiscount: [0.9, 0.99]\n";
//         if (tot_sweep_parse(&sweep, grid, "grid") != TOT_OK) {
//             fprintf(stderr, "%s\n", tot_error());
//             return 1;
//         }
//         for (size_t k = 0; k < tot_sweep_count(sweep); k++) {
//             printf("%s\n", tot_sweep_at(sweep, k)->label);
//         }
//         // tot_sweep_open(sweep, "runs/first") and tot_sweep_run(sweep, NULL) would run them
//         tot_sweep_free(sweep);
//         return 0;
//     }
#ifndef TEMPORALOT_SWEEP_H
#define TEMPORALOT_SWEEP_H

#include <temporalot/train.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tot_sweep tot_sweep;

typedef enum tot_cell_state {
    TOT_CELL_WAITING,   // not begun
    TOT_CELL_QUEUED,    // Slurm has it in its queue
    TOT_CELL_GOING,     // a process trains it
    TOT_CELL_STOPPED,   // begun, and can be resumed
    TOT_CELL_FINISHED,  // trained to its last step
    TOT_CELL_FAILED,    // `problem` is its last error
    TOT_CELL_LEFT_OUT,  // cannot be run here: `problem` says why
} tot_cell_state;

// "waiting", "queued", "going", "stopped", "finished", "failed", "left out".
TOT_API const char *tot_cell_state_text(tot_cell_state state);

// One run of the grid, and where it stands.
typedef struct tot_cell {
    const char *folder;  // "door-open/temporalot/seed-0", below the sweep's
    const char *label;   // what tells it from the others: "door-open temporalot seed 0"
    const tot_train_config *config;
    tot_cell_state state;
    int64_t step, steps;  // done, and of the whole run
    double success_rate;  // of the last evaluation; NaN: none yet
    double seconds;       // of training so far; NaN: not known
    double seconds_left;  // negative: not known
    const char *problem;  // one line; "" where there is none
} tot_cell;

// --- the grid ----------------------------------------------------------------------------------

// Reads a grid: YAML, a setting of tot_train_set a line, with one value or a list of them. Every
// combination is a run, whose folder is TASK/METHOD[,key=value ...]/seed-N with the settings that
// are lists. `preset` and `config` are single, and come before all others (default: quick).
// TOT_E_ARGUMENT names file, line and the nearest name; an empty list is one too.
TOT_API tot_status tot_sweep_load(tot_sweep **sweep, const char *path);

// The same from a text; name stands for it in errors.
TOT_API tot_status tot_sweep_parse(tot_sweep **sweep, const char *text, const char *name);

TOT_API size_t tot_sweep_count(const tot_sweep *sweep);

// index is below tot_sweep_count(). The cell changes with tot_sweep_look and tot_sweep_run.
TOT_API const tot_cell *tot_sweep_at(const tot_sweep *sweep, size_t index);

// sweep may be NULL.
TOT_API void tot_sweep_free(tot_sweep *sweep);

// --- its runs ----------------------------------------------------------------------------------

// Takes a folder for the sweep, made where it is not there, leaves a copy of the grid in it
// (sweep.yaml), and looks at all runs. More tasks, methods, seeds or values of a list may come in
// later; TOT_E_ARGUMENT names what differs when the folder is another sweep's.
TOT_API tot_status tot_sweep_open(tot_sweep *sweep, const char *folder);

// The same, but nothing is written; the folder need not be there.
TOT_API tot_status tot_sweep_peek(tot_sweep *sweep, const char *folder);

// Reads from their folders where all runs stand. After one of the above.
TOT_API tot_status tot_sweep_look(tot_sweep *sweep);

typedef struct tot_sweep_options {
    int jobs;             // runs at a time; 0: 1
    int threads;          // of all of them together; 0: one per CPU
    const char *program;  // temporalot; NULL: the program that runs now
    bool approximate;     // go on also where it cannot be bit for bit: see TOT_RESUME_APPROXIMATE
    bool (*ask)(void *context);  // true: every run writes a checkpoint and stops; may be NULL
    void (*progress)(void *context, const tot_sweep *sweep);  // about once a second; may be NULL
    void *context;
} tot_sweep_options;

// Runs what is not finished, each in a process of its own (`temporalot train --resume`), whose
// words go to log.txt in the run's folder. A run that fails does not stop the others: its state and
// problem tell. A run that another process trains is waited for. After tot_sweep_open. options may
// be NULL. TOT_E_INTERRUPTED: stopped on request.
TOT_API tot_status tot_sweep_run(tot_sweep *sweep, const tot_sweep_options *options);

#ifdef __cplusplus
}
#endif
#endif
