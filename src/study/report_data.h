// What a report shows, found from the runs: the rows and columns of its table, and the runs behind
// every cell.
#pragma once

#include <temporalot/report.h>
#include <temporalot/statistics.h>

#include "study/paper.h"

// A row or a column of the table.
typedef struct study_report_entry {
    const char *label;   // "door-open"; "ot, discount 0.99"
    const char *task;    // of a row
    const char *method;  // of its runs; NULL: they have several
    const char *paper;   // what the paper calls it; NULL: it has no such
    size_t rank;         // what orders them, before their labels
} study_report_entry;

typedef struct study_report_summary {
    size_t run_count;        // all of them, whatever their state
    size_t finished;         // these make the numbers
    const double *scores;    // [finished] final success rates, 0 .. 1
    double mean;             // NaN: none is finished
    double deviation;        // over the runs
    study_paper_cell paper;  // NaN: none
    bool best;               // of its row
    const char *rows_name;   // of its runs in the table of runs
} study_report_summary;

typedef struct study_report_run {
    const tot_run_record *record;
    size_t row, column;  // REPORT_NONE: its settings cannot be read
} study_report_run;

#define REPORT_NONE ((size_t)-1)

typedef struct study_report {
    tot_report_settings settings;
    const study_paper_table *paper;  // NULL: none
    study_report_run *runs;          // [run_count], row by row and column by column
    size_t run_count;
    const char **parameters;  // [parameter_count], names of settings
    size_t parameter_count;
    const char **values;       // [run_count][parameter_count]; NULL where a run's cannot be read
    bool *varies;              // [parameter_count], not all runs have the same
    bool *tells;               // [parameter_count], columns are told apart by it
    study_report_entry *rows;  // [row_count]
    size_t row_count;
    study_report_entry *columns;  // [column_count]
    size_t column_count;
    const char *row_kind;         // what a row is: "task", or "task and method"
    const char *column_kind;      // what a column is: "method", "setting", or the setting asked for
    study_report_summary *cells;  // [row_count][column_count]
    void **memory;                // all texts and arrays that were made, owned
    size_t memory_count;
    size_t memory_capacity;
    tot_status status;  // the first failure of making one
} study_report;

// Finds all of the above. report is {0}, and to be freed also after a failure.
tot_status study_report_gather(study_report *report, const tot_runs *runs,
                               const tot_report_settings *settings);

void study_report_free(study_report *report);

// An array that lives as long as the report, cleared. After a failure NULL, and report->status says
// so.
void *study_report_array(study_report *report, size_t count, size_t size);

// The array that a pointer is to point at; passes a failure on: `REPORT_ARRAY(report, cells,
// count);`
#define REPORT_ARRAY(report, pointer, count)                                  \
    do {                                                                      \
        (pointer) = study_report_array((report), (count), sizeof *(pointer)); \
        BASE_HAVE(pointer);                                                   \
    } while (0)

// A text that lives as long as the report. After a failure "", and report->status says so.
const char *study_report_text(study_report *report, const char *format, ...) TOT_PRINTF(2, 3);

// A number with so many decimals, in any locale; a dash for NaN.
const char *study_report_number(study_report *report, double value, int decimals);

// "87.5 ± 2.1" percent; only the mean where deviation is NaN.
const char *study_report_percent(study_report *report, double mean, double deviation);

const study_report_summary *study_report_cell(const study_report *report, size_t row,
                                              size_t column);

// The value of a run's setting, or "" where it cannot be read.
const char *study_report_value(const study_report *report, size_t run, const char *name);
