// temporalot/runs.h - run folders read back: what was set, what came out, and whether it is done.
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
    TOT_RUN_FINISHED,  // its last row is its last step
    TOT_RUN_DAMAGED,   // its settings or its metrics cannot be read: `problem` says why
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
    const char *folder;  // as it was found
    tot_run_state state;
    const char *problem;             // of a damaged run, one line; else ""
    const tot_train_config *config;  // NULL where it cannot be read
    const tot_run_point *points;     // [point_count], by step
    size_t point_count;
    double success_rate;  // of the last evaluation; NaN: none yet
    int64_t step;         // of the last row
    int64_t steps;        // of the whole run (bc: updates); 0: not known
    double wall_seconds;  // that training took so far; NaN: not known
    // what the newest checkpoint tells of the program that wrote it; "" and 0 where not known
    const char *version;  // "0.1.0"
    const char *commit;
    const char *build;  // the linker's build id, or the compiler
    const char *cpu;
    int threads;
} tot_run_record;

typedef struct tot_runs tot_runs;

// Every run folder at or below the given ones, each once, in the order of their paths ("seed-2"
// before "seed-10"). A run folder has a config.yaml or a metrics.csv; what is inside one is not
// looked at, and links to folders are not followed. Damaged runs are among them, with the reason;
// a last row that is not whole yet is left out. Nothing is written and no lock is taken.
// TOT_E_FILE: a folder that is not there or cannot be read; TOT_E_ARGUMENT: no run in any.
TOT_API tot_status tot_runs_find(tot_runs **runs, const char *const *folders, size_t count);

TOT_API size_t tot_runs_count(const tot_runs *runs);
TOT_API const tot_run_record *tot_runs_at(const tot_runs *runs, size_t index);

// runs may be NULL.
TOT_API void tot_runs_free(tot_runs *runs);

#ifdef __cplusplus
}
#endif
#endif
