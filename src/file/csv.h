// A CSV file to which rows are appended and which can be truncated to a number of rows.
#pragma once

#include <temporalot/base.h>

typedef struct file_csv file_csv;

// Opens path for appending. With rows 0 the file is started over with a header of the column names
// (which must outlive the csv). Otherwise it must have the same columns, and everything after row
// `rows`, including incomplete rows, is truncated. TOT_E_FORMAT: different columns, or fewer rows.
tot_status file_csv_open(file_csv **csv, const char *path, const char *const *columns, size_t count,
                         int64_t rows);

// Appends a row; NaN becomes an empty cell, integers have no decimal point. Written, but not synced
// to disk, on return.
tot_status file_csv_add(file_csv *csv, const double *values);

// Reads all rows so far: [rows][columns], written; an empty cell is NaN. TOT_E_FORMAT: not numbers.
tot_status file_csv_read(const file_csv *csv, double *values);

// Reads the rows of a file that another process may be writing: *values is [*rows][count], to be
// freed with base_free. An unterminated last row is ignored. TOT_E_FORMAT: different columns, or
// not numbers.
tot_status file_csv_load(const char *path, const char *const *columns, size_t count,
                         double **values, int64_t *rows);

// The same for selected columns in any position; the first `needed` must exist, the others are NaN
// if missing. A file with an incomplete header has no rows.
tot_status file_csv_load_some(const char *path, const char *const *columns, size_t count,
                              size_t needed, double **values, int64_t *rows);

// The number of rows so far.
int64_t file_csv_rows(const file_csv *csv);

// Syncs to disk.
tot_status file_csv_sync(file_csv *csv);

// csv may be NULL.
void file_csv_close(file_csv *csv);
