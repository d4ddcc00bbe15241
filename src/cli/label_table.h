// The output of `temporalot label`: a row or a JSON object per episode, and a summary.
#pragma once

#include "cli/encoding.h"
#include "cli/output.h"

enum { LABEL_TABLE_ROWS = 24, LABEL_TABLE_OUTPUTS = 3 };

typedef struct label_table {
    const tot_label_options *options;
    const cli_common *common;
    cli_output outputs[LABEL_TABLE_OUTPUTS];
    cli_watching watching;
    size_t count;  // episodes so far
    double total;  // sum of their sums of rewards
    double best, worst;
} label_table;

// Checks the output files, and sets the callbacks of the options: every labelled episode gets a
// row, up to LABEL_TABLE_ROWS of them, and a warning if more iterations would change its rewards.
// Returns the exit code.
int label_table_start(label_table *table, tot_label_options *options,
                      const tot_source_list *sources, const cli_encoding *encoding,
                      const cli_common *common);

// done: all episodes were labelled, and the summary is printed.
void label_table_end(label_table *table, bool done);
