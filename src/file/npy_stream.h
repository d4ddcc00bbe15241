// A .npy written row by row: the number of rows is only known at the end.
#pragma once

#include <temporalot/file.h>

typedef struct file_npy_stream file_npy_stream;

// Starts a .npy of rows x width elements under a temporary name in the folder of `path`.
tot_status file_npy_stream_create(file_npy_stream **stream, const char *path, tot_type type,
                                  int64_t width);

// rows: [count][width]. After a failure only file_npy_stream_discard may follow, and the commit
// fails.
tot_status file_npy_stream_add(file_npy_stream *stream, const void *rows, int64_t count);

int64_t file_npy_stream_rows(const file_npy_stream *stream);

// Fills in the number of rows, syncs to disk and renames to `path`: the same bytes as
// tot_array_save. Frees the stream in any case; on failure `path` is unchanged.
tot_status file_npy_stream_commit(file_npy_stream *stream);

// Cancels: removes the temporary file. stream may be NULL.
void file_npy_stream_discard(file_npy_stream *stream);
