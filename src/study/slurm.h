// Runs a sweep through Slurm: submits job arrays and queries their state.
#pragma once

#include <temporalot/sweep.h>

typedef struct study_slurm_settings {
    const char *partition, *time, *account;  // as for sbatch; NULL: the cluster's default
    int threads;                             // per run; 0: 2
    const char *program;                     // temporalot; NULL: this program
    bool approximate;                        // see tot_sweep_options
} study_slurm_settings;

// What was submitted.
typedef struct study_slurm_receipt {
    size_t runs;
    size_t arrays;
    size_t waiting;  // runs already in Slurm
    char jobs[256];  // job numbers, separated by commas
} study_slurm_receipt;

// Writes one script per set of equal resources to FOLDER/slurm/ and submits it. Runs that are
// finished or already in Slurm are skipped. Call after tot_sweep_open. TOT_E_MISSING: Slurm is not
// installed.
tot_status study_slurm_submit(tot_sweep *sweep, const study_slurm_settings *settings,
                              study_slurm_receipt *receipt);

// Updates the states of the cells from squeue and sacct. Call after tot_sweep_open or
// tot_sweep_peek. TOT_E_MISSING: there are jobs, but Slurm is not installed.
tot_status study_slurm_look(tot_sweep *sweep);

// --- programs ----------------------------------------------------------------------------------

// Whether a program is on the PATH.
bool study_program_exists(const char *name);

// Runs a program and waits for it. text: its standard output, to be freed with base_free; errors:
// [size], the first line of its standard error; code: its exit code. TOT_E_FILE: it could not be
// started.
tot_status study_program_run(char *const *words, char **text, char *errors, size_t size, int *code);
