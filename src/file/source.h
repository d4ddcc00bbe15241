// Bytes to read front to back: out of an open file, out of memory, or out of an entry of an .npz.
#pragma once

#include <temporalot/base.h>

typedef struct file_source file_source;
struct file_source {
    const char *name;  // for the error text; not owned
    int64_t size;      // bytes in all, as promised when it was opened
    int64_t position;  // bytes read so far
    int file;          // descriptor, or -1
    void *context;     // the memory, or the entry
    // Reads exactly size bytes, which the promise covers.
    tot_status (*read)(file_source *source, void *bytes, size_t size);
};

// Opens a regular file for reading once from front to back. *absent (which may be NULL) says
// whether the failure was only that there is no file of this name. The name must outlive the
// source.
tot_status file_source_open(file_source *source, const char *path, bool *absent);

// Opens FILE, or of "FILE:NAME" the longest beginning that is a file: both may hold a ':'. *array
// is NAME, inside path, or NULL. *file is to be freed with base_free after the source, and may be
// NULL.
tot_status file_source_open_named(file_source *source, const char *path, char **file,
                                  const char **array);

// The memory must outlive the source.
void file_source_from_memory(file_source *source, const void *bytes, size_t size, const char *name);

// Closes the file, if there is one. A source made from memory needs no closing.
void file_source_close(file_source *source);

// Reads exactly size bytes or fails; nothing is read past the promised end. what names the thing
// in the error text: "header", "data".
tot_status file_source_read(file_source *source, void *bytes, size_t size, const char *what);

// A whole small file with a 0 behind it; *bytes is to be freed with base_free. TOT_E_FORMAT for one
// of more than `most` bytes; what names the thing in the error text.
tot_status file_source_read_file(char **bytes, size_t *size, const char *path, int64_t most,
                                 const char *what);

// Whether what comes first is a zip archive. Does not move the position, which must be 0.
tot_status file_source_is_zip(file_source *source, bool *is_zip);
