// What `temporalot label` prints: a row or a line of JSON per episode, and how it ended.
#pragma once

#include "cli/output.h"

enum { LABEL_TABLE_ROWS = 24, LABEL_TABLE_OUTPUTS = 3 };

typedef struct label_table {
    const tot_method *method;
    const cli_common *common;
    cli_output outputs[LABEL_TABLE_OUTPUTS];
    size_t count;  // of the episodes so far
    double total;  // of their sums
    double best, worst;
} label_table;

// One labelled episode, in order: a row for the first LABEL_TABLE_ROWS, and a warning where more
// iterations would change its rewards.
void label_table_add(label_table *table, const tot_labelled *episode);

void label_table_end(const label_table *table);
