// The paper's own numbers: its three tables of results, as printed.
#ifndef TOT_STUDY_PAPER_H
#define TOT_STUDY_PAPER_H

#include <stddef.h>

// Success in percent, mean and standard deviation over five seeds. NaN: the paper gives none.
typedef struct tot_paper_cell {
    double mean, deviation;
} tot_paper_cell;

typedef struct tot_paper_table {
    const char *name;   // as `temporalot reproduce` calls it: "table1", "pretrain", "speed"
    const char *title;  // what it shows
    const char *row_kind, *column_kind;
    const char *const *rows;  // [row_count]; tasks and methods have our names
    size_t row_count;
    const char *const *columns;  // [column_count]
    size_t column_count;
    const tot_paper_cell *cells;  // [row_count * column_count], row by row
} tot_paper_table;

// The table of that name, or NULL.
const tot_paper_table *tot_paper_find(const char *name);

// Table 0, 1, 2, or NULL behind the last.
const tot_paper_table *tot_paper_at(size_t index);

// The cell by the names of its row and column; NaN where there is none.
tot_paper_cell tot_paper_cell_of(const tot_paper_table *table, const char *row, const char *column);

#endif
