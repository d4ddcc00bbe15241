// A report: its data, gathered from the runs (rows and columns of its table, and the runs behind
// every cell), and its parts.
#pragma once

#include <temporalot/page.h>
#include <temporalot/report.h>
#include <temporalot/statistics.h>

#include "study/paper.h"
#include "train/settings.h"

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
    const base_setting *parameters;  // [parameter_count], the table of settings
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

// --- tables ------------------------------------------------------------------------------------

// A table on the page, to be filled in.
typedef struct study_report_table {
    size_t width, rows;
    tot_column *columns;     // [width]
    const char **cells;      // [rows][width]
    tot_cell_extra *extras;  // [rows][width]
    const char **names;      // [rows] names of rows, for links
} study_report_table;

// Allocates an empty table that lives as long as the report. columns: copied; may be NULL.
tot_status study_report_table_make(study_report *report, study_report_table *table, size_t width,
                                   size_t rows, const tot_column *columns);

// Adds the table to a page, or fails with report->status. title may be NULL.
tot_status study_report_table_add(const study_report *report, const study_report_table *table,
                                  const char *title, tot_page *page);

// --- parts -------------------------------------------------------------------------------------

// report.c: the distinct values of a field over the runs, at most six; "" does not count.
const char *study_report_say_values(study_report *report,
                                    const char *(*field)(study_report *report, size_t run),
                                    const char *separator);

// report_missing.c: runs and cells that are not in the numbers, and why; nothing if all are.
tot_status study_report_add_missing(study_report *report, tot_page *page);

// report_curves.c: success over steps, one figure per row, on a page or in an SVG; and the paper's
// table by environment steps (pretrain).
tot_status study_report_add_curves(study_report *report, tot_page *page, tot_svg *svg);
tot_status study_report_add_steps(study_report *report, tot_page *page);

// report_overall.c: interquartile mean, profiles, probability of improvement.
tot_status study_report_add_overall(study_report *report, tot_page *page);

// report_episodes.c: the last labelled episodes, one run per cell.
tot_status study_report_add_episodes(study_report *report, tot_page *page, const char *path);

// report_runs.c: one row per run, with links relative to the file at path; and the settings.
tot_status study_report_add_runs(study_report *report, tot_page *page, const char *path);
tot_status study_report_add_settings(study_report *report, tot_page *page);

// The relative path from the file at path, which need not exist yet, to a folder:
// "../runs/seed-0/". NULL if one of them is not found.
const char *study_report_way(study_report *report, const char *path, const char *folder);

// The preset of a run and its differences from it: "quick, but steps 400".
const char *study_report_preset(study_report *report, size_t run);

// report_export.c: one row per run as CSV; the table for LaTeX.
tot_status study_report_write_csv(study_report *report, const char *path);
tot_status study_report_write_latex(study_report *report, const char *path);
