// A table that grows by rows: what was written stays, and can be cut back to so many rows.
#ifndef FILE_CSV_H
#define FILE_CSV_H

#include <temporalot/base.h>

typedef struct file_csv file_csv;

// Opens path for adding; a file that is not there is begun with the names of the columns (these
// must outlive it). A file that is there must have them, and is cut back to `rows` rows: what comes
// behind, whole or not, is gone. TOT_E_FORMAT: other columns, or fewer rows than that.
tot_status file_csv_open(file_csv **csv, const char *path, const char *const *columns, size_t count,
                         int64_t rows);

// Adds a row; NaN is an empty cell, whole numbers have no point. It is in the file's cache of the
// system when this returns.
tot_status file_csv_add(file_csv *csv, const double *values);

// All rows there are: [rows][columns], written; an empty cell is NaN. TOT_E_FORMAT: not numbers.
tot_status file_csv_read(const file_csv *csv, double *values);

// Rows there are.
int64_t file_csv_rows(const file_csv *csv);

// To the disk, past the system's cache.
tot_status file_csv_sync(file_csv *csv);

// csv may be NULL.
void file_csv_close(file_csv *csv);

#endif
