// What is seen of a sweep: a live table on a terminal, lines elsewhere, and how it ended.
#pragma once

#include "cli/cli.h"

typedef struct cli_table {
    tot_cell_state *states;  // [count], what was told of each run
    double *rates;
    size_t count;
    bool quiet;
    bool terminal;
    int drawn;  // lines that stand there
} cli_table;

// quiet: only errors are told. Gives EXIT_DONE, or EXIT_FAILED without memory.
int cli_table_start(cli_table *table, const tot_sweep *sweep, bool quiet);

// For tot_sweep_options.progress; the context is the table.
void cli_table_show(void *context, const tot_sweep *sweep);

void cli_table_end(cli_table *table);

// Every run a line, or an object a line, on standard output.
void cli_table_print(const tot_sweep *sweep, bool json);

// How many runs there are in each state, in one line; the line is the caller's until the next call.
const char *cli_table_summary(const tot_sweep *sweep);

// Names the runs that have a problem, a line each behind `before`; gives whether any failed.
// stopped: those that stopped did so because they were asked to.
bool cli_table_problems(FILE *out, const tot_sweep *sweep, const char *before, bool stopped);

// The same on standard error, and how many runs are in which state. Gives what to exit with.
int cli_table_finish(const tot_sweep *sweep, bool stopped, bool quiet, bool json);
