// temporalot/runs.h - reading run folders: settings, results and state.
//
//     #include <stdio.h>
//     #include <temporalot/runs.h>
//
//     int main(void) {
//         tot_runs *runs = NULL;
//         const char *const folders[] = {"runs"};
//         if (tot_runs_find(&runs, folders, 1) != TOT_OK) {
//             printf("%s\n", tot_error());
//             return 0;
//         }
//         for (size_t k = 0; k < tot_runs_count(runs); k++) {
//             const tot_run_record *run = tot_runs_at(runs, k);
//             printf("%s: %s, %.0f %%\n", run->folder, tot_run_state_text(run->state),
//                    100 * run->success_rate);
//         }
//         tot_runs_free(runs);
//         return 0;
//     }
#ifndef TEMPORALOT_RUNS_H
#define TEMPORALOT_RUNS_H

#include <temporalot/base.h>
#include <temporalot/train.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tot_run_state {
    TOT_RUN_NEW,       // no checkpoint and no evaluation yet
    TOT_RUN_GOING,     // a process holds its lock
    TOT_RUN_STOPPED,   // can be resumed
    TOT_RUN_FINISHED,  // its last row is the final step
    TOT_RUN_DAMAGED,   // its settings or metrics cannot be read: see `problem`
} tot_run_state;

// "new", "going", "stopped", "finished", "damaged".
TOT_API const char *tot_run_state_text(tot_run_state state);

// One evaluation of a run.
typedef struct tot_run_point {
    int64_t step;
    double success_rate;    // 0 .. 1
    double episode_return;  // mean number of steps in success
} tot_run_point;

typedef struct tot_run_record {
    const char *folder;  // path as it was found
    tot_run_state state;
    const char *problem;             // for a damaged run, one line; else ""
    const tot_train_config *config;  // NULL if it cannot be read
    const tot_run_point *points;     // [point_count], sorted by step
    size_t point_count;
    double success_rate;  // of the last evaluation; NaN: none yet
    int64_t step;         // of the last row
    int64_t steps;        // of the whole run (bc: updates); 0: unknown
    double wall_seconds;  // training time so far; NaN: unknown
    // the program that wrote the newest checkpoint; "" and 0 if unknown
    const char *version;  // "0.1.0"
    const char *commit;
    const char *build;  // the linker's build ID, or the compiler
    const char *cpu;
    int threads;
} tot_run_record;

typedef struct tot_runs tot_runs;

// Finds every run folder at or below the given ones, each once, sorted by path ("seed-2" before
// "seed-10"). A run folder contains a config.yaml or a metrics.csv; its subfolders are not
// searched, and symbolic links to folders are not followed. Damaged runs are included with the
// reason; an incomplete last row is ignored. Writes nothing and takes no lock. TOT_E_FILE: a folder
// is missing or cannot be read; TOT_E_ARGUMENT: no run in any of them.
TOT_API tot_status tot_runs_find(tot_runs **runs, const char *const *folders, size_t count);

TOT_API size_t tot_runs_count(const tot_runs *runs);
TOT_API const tot_run_record *tot_runs_at(const tot_runs *runs, size_t index);

// runs may be NULL.
TOT_API void tot_runs_free(tot_runs *runs);

#ifdef __cplusplus
}
#endif
#endif
