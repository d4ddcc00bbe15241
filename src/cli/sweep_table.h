// Progress of a sweep: a live table on a terminal, otherwise lines, and a summary at the end.
#pragma once

#include "cli/cli.h"

typedef struct cli_table {
    tot_cell *told;  // [count], the runs as last printed
    size_t count;
    bool quiet;
    bool terminal;
    int drawn;  // lines on the screen
} cli_table;

// quiet: print only errors. Returns EXIT_DONE, or EXIT_FAILED if out of memory.
int cli_table_start(cli_table *table, const tot_sweep *sweep, bool quiet);

// For tot_sweep_options.progress; the context is the table.
void cli_table_show(void *context, const tot_sweep *sweep);

void cli_table_end(cli_table *table);

// Prints one line or one JSON object per run on standard output.
void cli_table_print(const tot_sweep *sweep, bool json);

// The number of runs in each state, in one line; valid until the next call.
const char *cli_table_summary(const tot_sweep *sweep);

// Lists the runs that have a problem, one line each, prefixed by `before`; returns whether any
// failed. stopped: runs that stopped were asked to.
bool cli_table_problems(FILE *out, const tot_sweep *sweep, const char *before, bool stopped);

// The same on standard error, followed by the summary. Returns the exit code.
int cli_table_finish(const tot_sweep *sweep, bool stopped, bool quiet, bool json);
