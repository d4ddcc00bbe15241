// What `sweep` and `reproduce` share: how their runs are run, here or by Slurm.
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

// For the table of options of a command; args is a cli_sweeping.
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

// A usage error is printed; gives EXIT_DONE or EXIT_USAGE.
int cli_sweeping_check(const cli_sweeping *args);

// A folder as it was given, without slashes at its end.
void cli_sweeping_folder(char *folder, size_t size, const char *given);

// Runs what is not finished, with a live table. The sweep is open.
int cli_sweeping_run(tot_sweep *sweep, const cli_sweeping *args, const cli_common *common);

// Submits it to Slurm instead. again: the command that asks how it is.
int cli_sweeping_submit(tot_sweep *sweep, const cli_sweeping *args, const cli_common *common);

// Lists the runs: where they stand, and what the rest would take.
int cli_sweeping_list(tot_sweep *sweep, const cli_sweeping *args, const cli_common *common);

// For tot_sweep_options.ask: whether a signal came.
bool cli_sweeping_ask(void *context);
