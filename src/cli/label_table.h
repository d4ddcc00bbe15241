// The output of `temporalot label`: a row or a JSON object per episode, and a summary.
#pragma once

#include "cli/output.h"

enum { LABEL_TABLE_ROWS = 24, LABEL_TABLE_OUTPUTS = 3 };

typedef struct label_table {
    const tot_method *method;
    const cli_common *common;
    cli_output outputs[LABEL_TABLE_OUTPUTS];
    size_t count;  // episodes so far
    double total;  // sum of their sums of rewards
    double best, worst;
} label_table;

// Adds a labelled episode, in order: prints a row for the first LABEL_TABLE_ROWS, and a warning if
// more iterations would change its rewards.
void label_table_add(label_table *table, const tot_labelled *episode);

void label_table_end(const label_table *table);
