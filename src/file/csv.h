// A table that grows by rows: what was written stays, and can be cut back to so many rows.
#ifndef TOT_FILE_CSV_H
#define TOT_FILE_CSV_H

#include <temporalot/base.h>

typedef struct tot_csv tot_csv;

// Opens path for adding; a file that is not there is begun with the names of the columns (these
// must outlive it). A file that is there must have them, and is cut back to `rows` rows: what comes
// behind, whole or not, is gone. TOT_E_FORMAT: other columns, or fewer rows than that.
tot_status tot_csv_open(tot_csv **csv, const char *path, const char *const *columns, size_t count,
                        int64_t rows);

// Adds a row; NaN is an empty cell, whole numbers have no point. It is in the file's cache of the
// system when this returns.
tot_status tot_csv_add(tot_csv *csv, const double *values);

// All rows there are: [rows][columns], written; an empty cell is NaN. TOT_E_FORMAT: not numbers.
tot_status tot_csv_read(const tot_csv *csv, double *values);

// Rows there are.
int64_t tot_csv_rows(const tot_csv *csv);

// To the disk, past the system's cache.
tot_status tot_csv_sync(tot_csv *csv);

// csv may be NULL.
void tot_csv_close(tot_csv *csv);

#endif
