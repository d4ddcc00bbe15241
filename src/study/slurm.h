// A sweep through Slurm: job arrays, and what became of them.
#pragma once

#include <temporalot/sweep.h>

typedef struct study_slurm_settings {
    const char *partition, *time, *account;  // as sbatch takes them; NULL: the cluster's own
    int threads;                             // a run; 0: 2
    const char *program;                     // temporalot; NULL: the program that runs now
    bool approximate;                        // see tot_sweep_options
} study_slurm_settings;

// What was submitted.
typedef struct study_slurm_receipt {
    size_t runs;
    size_t arrays;
    size_t waiting;  // runs that Slurm has already
    char jobs[256];  // the numbers of the jobs, with commas between
} study_slurm_receipt;

// Writes one script an equal resource shape to FOLDER/slurm/ and submits it. Runs that are
// finished, or that Slurm has already, are left. After tot_sweep_open. TOT_E_MISSING: no Slurm
// here.
tot_status study_slurm_submit(tot_sweep *sweep, const study_slurm_settings *settings,
                              study_slurm_receipt *receipt);

// Reads what squeue and sacct say of the jobs of this sweep into the states of its cells. After
// tot_sweep_open or tot_sweep_peek. TOT_E_MISSING: there are jobs, and no Slurm here.
tot_status study_slurm_look(tot_sweep *sweep);

// --- programs ----------------------------------------------------------------------------------

// Whether a program is on the PATH.
bool study_program_exists(const char *name);

// Runs a program and waits for it. text: what it wrote on standard output, to be freed with
// base_free; errors: [size], the first line it wrote on standard error. Gives its exit code.
// TOT_E_FILE: it could not be started.
tot_status study_program_run(char *const *words, char **text, char *errors, size_t size, int *code);
