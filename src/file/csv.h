// A CSV file to which rows are appended, and which can be truncated to a number of rows.
#pragma once

#include <temporalot/base.h>

typedef struct file_csv file_csv;

// Opens path for appending. A new file gets a header with the names of the columns (these must
// outlive the csv). An existing one must have the same columns, and is truncated to `rows` rows,
// half-written ones included. TOT_E_FORMAT: other columns, or fewer rows than that.
tot_status file_csv_open(file_csv **csv, const char *path, const char *const *columns, size_t count,
                         int64_t rows);

// Appends a row; NaN becomes an empty cell, whole numbers have no decimal point. Written, but not
// synced, when this returns.
tot_status file_csv_add(file_csv *csv, const double *values);

// All rows so far: [rows][columns], written; an empty cell is NaN. TOT_E_FORMAT: not numbers.
tot_status file_csv_read(const file_csv *csv, double *values);

// The rows of a file that another process may be writing: *values is [*rows][count], to be freed
// with base_free. A last row without its end is left out. TOT_E_FORMAT: other columns, or not
// numbers.
tot_status file_csv_load(const char *path, const char *const *columns, size_t count,
                         double **values, int64_t *rows);

// The same of some columns, wherever they stand; the first `needed` must be there, the others are
// NaN where they are not. A file whose first line is not whole yet has no rows.
tot_status file_csv_load_some(const char *path, const char *const *columns, size_t count,
                              size_t needed, double **values, int64_t *rows);

// The number of rows so far.
int64_t file_csv_rows(const file_csv *csv);

// Syncs to disk.
tot_status file_csv_sync(file_csv *csv);

// csv may be NULL.
void file_csv_close(file_csv *csv);
