// A .npy of rows that is written as they come: how many there are is known only at the end.
#ifndef TOT_FILE_NPY_STREAM_H
#define TOT_FILE_NPY_STREAM_H

#include <temporalot/file.h>

typedef struct tot_npy_stream tot_npy_stream;

// Starts a .npy of rows x width numbers beside `path` under a temporary name.
tot_status tot_npy_stream_create(tot_npy_stream **stream, const char *path, tot_type type,
                                 int64_t width);

// rows: [count][width]. After a failure only tot_npy_stream_discard is left, and the commit fails.
tot_status tot_npy_stream_add(tot_npy_stream *stream, const void *rows, int64_t count);

int64_t tot_npy_stream_rows(const tot_npy_stream *stream);

// Fills in the number of rows, syncs and renames over `path`: the same bytes as tot_array_save
// writes. The stream is gone either way; on failure `path` is as it was.
tot_status tot_npy_stream_commit(tot_npy_stream *stream);

// Gives up: removes the temporary file. stream may be NULL.
void tot_npy_stream_discard(tot_npy_stream *stream);

#endif
