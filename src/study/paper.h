// The paper's own numbers: its three tables of results, as printed.
#pragma once

#include <stddef.h>

// Success in percent, mean and standard deviation over five seeds. NaN: the paper gives none.
typedef struct study_paper_cell {
    double mean, deviation;
} study_paper_cell;

// The tasks of two of its tables, with a separator between them.
#define STUDY_TABLE1_TASKS(separator)                                                     \
    "basketball" separator "button-press-topdown" separator "door-lock" separator         \
    "door-open" separator "hand-insert" separator "lever-pull" separator "push" separator \
    "stick-push" separator "window-open"
#define STUDY_SPEED_TASKS(separator) \
    "basketball" separator "button-press-topdown" separator "door-open"

typedef struct study_paper_table {
    const char *name;   // its name in `temporalot reproduce`: "table1", "pretrain", "speed"
    const char *title;  // what it shows
    const char *row_kind, *column_kind;
    const char *const *rows;  // [row_count]; tasks and methods are named as in this program
    size_t row_count;
    const char *const *columns;  // [column_count]
    size_t column_count;
    const study_paper_cell *cells;  // [row_count * column_count], row by row
} study_paper_table;

// The table with that name, or NULL.
const study_paper_table *study_paper_find(const char *name);

// The cell at a named row and column; NaN if there is none.
study_paper_cell study_paper_cell_of(const study_paper_table *table, const char *row,
                                     const char *column);
