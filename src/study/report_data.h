// The data of a report, gathered from the runs: rows and columns of its table, and the runs behind
// every cell.
#pragma once

#include <temporalot/report.h>
#include <temporalot/statistics.h>

#include "study/paper.h"

// A row or a column of the table.
typedef struct study_report_entry {
    const char *label;   // "door-open"; "ot, discount 0.99"
    const char *task;    // for a row
    const char *method;  // of its runs; NULL: several
    const char *paper;   // its name in the paper; NULL: not in the paper
    size_t rank;         // sort key, before the label
} study_report_entry;

typedef struct study_report_summary {
    size_t first, run_count;  // its runs, in any state: from report->runs[first] on, by seed
    size_t finished;          // the runs that count
    const double *scores;     // [finished] final success rates, 0 .. 1
    double mean;              // NaN: none is finished
    double deviation;         // over the runs
    study_paper_cell paper;   // NaN: none
    bool best;                // of its row
    const char *rows_name;    // of its runs, for links to the table of runs
} study_report_summary;

typedef struct study_report_run {
    const tot_run_record *record;
    const char **values;  // [parameter_count] of its settings; NULL if they cannot be read
    size_t row, column;   // REPORT_NONE: its settings cannot be read
} study_report_run;

#define REPORT_NONE ((size_t)-1)

typedef struct study_report {
    tot_report_settings settings;
    const study_paper_table *paper;  // NULL: none
    study_report_run *runs;          // [run_count], row by row and column by column
    size_t run_count;
    const char **parameters;  // [parameter_count], names of settings
    size_t parameter_count;
    bool *varies;              // [parameter_count], whether it differs between runs
    bool *tells;               // [parameter_count], whether it distinguishes columns
    study_report_entry *rows;  // [row_count]
    size_t row_count;
    study_report_entry *columns;  // [column_count]
    size_t column_count;
    const char *row_kind;         // what a row is: "task", or "task and method"
    const char *column_kind;      // what a column is: "method", "setting", or the requested setting
    study_report_summary *cells;  // [row_count][column_count]
    void **memory;                // all allocated texts and arrays, owned
    size_t memory_count;
    size_t memory_capacity;
    tot_status status;  // of the first failed allocation
} study_report;

// Gathers all of the above. report is {0}, and must be freed even after a failure.
tot_status study_report_gather(study_report *report, const tot_runs *runs,
                               const tot_report_settings *settings);

// report_labels.c: fills tells, rows, columns, and the row and column of every run, from the values
// of all runs.
tot_status study_report_label(study_report *report);

void study_report_free(study_report *report);

// Allocates a zeroed array that lives as long as the report. Returns NULL on failure and sets
// report->status.
void *study_report_array(study_report *report, size_t count, size_t size);

// Allocates the array for a pointer, and returns from the function on failure:
// `REPORT_ARRAY(report, cells, count);`
#define REPORT_ARRAY(report, pointer, count)                                  \
    do {                                                                      \
        (pointer) = study_report_array((report), (count), sizeof *(pointer)); \
        BASE_HAVE(pointer);                                                   \
    } while (0)

// Formats a text that lives as long as the report. Returns "" on failure and sets report->status.
const char *study_report_text(study_report *report, const char *format, ...) TOT_PRINTF(2, 3);

// A number with a fixed number of decimals, independent of the locale; a dash for NaN.
const char *study_report_number(study_report *report, double value, int decimals);

// "87.5 ± 2.1" percent; only the mean if deviation is NaN.
const char *study_report_percent(study_report *report, double mean, double deviation);

const study_report_summary *study_report_cell(const study_report *report, size_t row,
                                              size_t column);

// The index of a setting; REPORT_NONE: there is none of that name.
size_t study_report_parameter(const study_report *report, const char *name);

// The value of a run's setting, or "" if it cannot be read.
const char *study_report_value(const study_report *report, size_t run, const char *name);
