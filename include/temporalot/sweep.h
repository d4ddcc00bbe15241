// temporalot/sweep.h - a grid of runs over tasks, methods, seeds and any setting, run in parallel
// on this machine or by Slurm. Finished runs are kept, interrupted ones resumed.
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
    TOT_CELL_WAITING,   // not started
    TOT_CELL_QUEUED,    // in Slurm's queue
    TOT_CELL_GOING,     // being trained by a process
    TOT_CELL_STOPPED,   // started, can be resumed
    TOT_CELL_FINISHED,  // trained to its last step
    TOT_CELL_FAILED,    // `problem` is the last error
    TOT_CELL_LEFT_OUT,  // cannot be run here: see `problem`
} tot_cell_state;

// "waiting", "queued", "going", "stopped", "finished", "failed", "left out".
TOT_API const char *tot_cell_state_text(tot_cell_state state);

// One run of the grid and its state.
typedef struct tot_cell {
    const char *folder;  // "door-open/temporalot/seed-0", relative to the sweep's folder
    const char *label;   // distinguishes it from the others: "door-open temporalot seed 0"
    const tot_train_config *config;
    tot_cell_state state;
    int64_t step, steps;  // completed, and in total
    double success_rate;  // of the last evaluation; NaN: none yet
    double seconds;       // training time so far; NaN: unknown
    double seconds_left;  // negative: unknown
    const char *problem;  // one line; "" if none
} tot_cell;

// --- the grid ----------------------------------------------------------------------------------

// Reads a grid: YAML, one setting of tot_train_set per line, with a value or a list of values.
// Every combination is a run in the folder TASK/METHOD[,key=value ...]/seed-N, where the keys are
// the settings given as lists. `preset` and `config` take a single value and are applied first
// (default: quick). TOT_E_ARGUMENT: the message names file, line and the closest name; also for an
// empty list.
TOT_API tot_status tot_sweep_load(tot_sweep **sweep, const char *path);

// The same from a string; name is used in error messages.
TOT_API tot_status tot_sweep_parse(tot_sweep **sweep, const char *text, const char *name);

TOT_API size_t tot_sweep_count(const tot_sweep *sweep);

// index is below tot_sweep_count(). tot_sweep_look and tot_sweep_run update the cell.
TOT_API const tot_cell *tot_sweep_at(const tot_sweep *sweep, size_t index);

// sweep may be NULL.
TOT_API void tot_sweep_free(tot_sweep *sweep);

// --- runs --------------------------------------------------------------------------------------

// Opens a folder for the sweep (created if missing), writes a copy of the grid to it (sweep.yaml),
// and reads the state of all runs. Tasks, methods, seeds or values of a list can be added later;
// TOT_E_ARGUMENT if the folder belongs to another sweep: the message names the difference.
TOT_API tot_status tot_sweep_open(tot_sweep *sweep, const char *folder);

// The same without writing anything; the folder need not exist.
TOT_API tot_status tot_sweep_peek(tot_sweep *sweep, const char *folder);

// Reads the state of all runs from their folders. Call it after one of the above.
TOT_API tot_status tot_sweep_look(tot_sweep *sweep);

typedef struct tot_sweep_options {
    int jobs;                    // runs in parallel; 0: 1
    int threads;                 // in total, for all runs; 0: one per CPU
    const char *program;         // path of temporalot; NULL: the running program
    bool approximate;            // resume even if it cannot be exact: see TOT_RESUME_APPROXIMATE
    bool (*ask)(void *context);  // true: every run saves a checkpoint and stops; may be NULL
    void (*progress)(void *context, const tot_sweep *sweep);  // called about once a second; may be
                                                              // NULL
    void *context;
} tot_sweep_options;

// Runs everything that is not finished, each run in its own process (`temporalot train --resume`)
// with its output in log.txt in the run's folder. A failed run does not stop the others: see its
// state and problem. Waits for runs that another process is training. Call it after tot_sweep_open.
// options may be NULL. TOT_E_INTERRUPTED: stopped on request.
TOT_API tot_status tot_sweep_run(tot_sweep *sweep, const tot_sweep_options *options);

#ifdef __cplusplus
}
#endif
#endif
