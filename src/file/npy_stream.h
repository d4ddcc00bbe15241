// A .npy of rows that is written as they come: how many there are is known only at the end.
#pragma once

#include <temporalot/file.h>

typedef struct file_npy_stream file_npy_stream;

// Starts a .npy of rows x width numbers beside `path` under a temporary name.
tot_status file_npy_stream_create(file_npy_stream **stream, const char *path, tot_type type,
                                  int64_t width);

// rows: [count][width]. After a failure only file_npy_stream_discard is left, and the commit fails.
tot_status file_npy_stream_add(file_npy_stream *stream, const void *rows, int64_t count);

int64_t file_npy_stream_rows(const file_npy_stream *stream);

// Fills in the number of rows, syncs and renames over `path`: the same bytes as tot_array_save
// writes. The stream is gone either way; on failure `path` is as it was.
tot_status file_npy_stream_commit(file_npy_stream *stream);

// Gives up: removes the temporary file. stream may be NULL.
void file_npy_stream_discard(file_npy_stream *stream);
