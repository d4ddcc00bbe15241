// Shared by `sweep` and `reproduce`: how runs are executed, locally or by Slurm.
#pragma once

#include "cli/cli.h"

typedef struct cli_sweeping {
    int64_t jobs;
    bool dry_run;
    bool approximate;
    bool slurm;
    bool status;
    const char *partition, *time, *account;
} cli_sweeping;

// Rows for a cli_option table; args is a cli_sweeping.
#define CLI_SWEEPING_OPTIONS(args)                                                              \
    {"jobs", CLI_COUNT, &(args).jobs, "N", "runs in parallel (default 2)"},                     \
        {"dry-run", CLI_FLAG, &(args).dry_run, NULL,                                            \
         "list the runs, their state and how long they would take"},                            \
        {"approximate", CLI_FLAG, &(args).approximate, NULL,                                    \
         "also resume runs of another version, build or CPU; they are then not bit-identical"}, \
        {"slurm", CLI_FLAG, &(args).slurm, NULL, "submit the runs to Slurm as job arrays"},     \
        {"status", CLI_FLAG, &(args).status, NULL, "list the runs and their state in Slurm"},   \
        {"partition", CLI_TEXT, &(args).partition, "NAME", "Slurm partition"},                  \
        {"time", CLI_TEXT, &(args).time, "LIMIT", "time limit of a job, such as 4:00:00"}, {    \
        "account", CLI_TEXT, &(args).account, "NAME", "Slurm account"                           \
    }

// Returns EXIT_DONE, or EXIT_USAGE with an error printed.
int cli_sweeping_check(const cli_sweeping *args);

// Copies a folder name without trailing slashes.
void cli_sweeping_folder(char *folder, size_t size, const char *given);

// Trains the unfinished runs, with a live table, or submits them to Slurm. The sweep must be open.
int cli_sweeping_run(tot_sweep *sweep, const cli_sweeping *args, const cli_common *common);

// Lists the runs in a folder, their states, and the time the remaining ones would take.
int cli_sweeping_list(tot_sweep *sweep, const char *folder, const cli_sweeping *args,
                      const cli_common *common);

// For tot_sweep_options.ask: whether a signal was received.
bool cli_sweeping_ask(void *context);
