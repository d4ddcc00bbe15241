// Sequential reading of bytes from an open file, from memory, or from an entry of an .npz.
#pragma once

#include <endian.h>

#include <temporalot/base.h>

typedef struct file_source file_source;
struct file_source {
    const char *name;  // for error messages; not owned
    int64_t size;      // total bytes, as determined on opening
    int64_t position;  // bytes read so far
    int file;          // descriptor, or -1
    void *context;     // the memory, or the entry
    // Reads exactly size bytes, within the total.
    tot_status (*read)(file_source *source, void *bytes, size_t size);
};

// Opens a regular file for sequential reading. *absent (may be NULL) is set if the only problem is
// that the file does not exist. The name must outlive the source.
tot_status file_source_open(file_source *source, const char *path, bool *absent);

// Opens FILE, or in "FILE:NAME" the longest prefix that is a file, as both may contain ':'. *array
// is NAME, inside path, or NULL. *file (may be NULL) must be freed with base_free after the source.
tot_status file_source_open_named(file_source *source, const char *path, char **file,
                                  const char **array);

// The memory must outlive the source.
void file_source_from_memory(file_source *source, const void *bytes, size_t size, const char *name);

// Closes the file, if any. A source from memory need not be closed.
void file_source_close(file_source *source);

// Reads exactly size bytes or fails; never reads past the total size. what is named in the error
// message: "header", "data".
tot_status file_source_read(file_source *source, void *bytes, size_t size, const char *what);

// Warns of bytes after the last one read: "x.npy: 3 bytes after the array are ignored".
void file_source_warn_of_rest(const file_source *source, const char *what);

// Reads a small file, NUL-terminated; *bytes must be freed with base_free. TOT_E_FORMAT if it has
// more than `most` bytes; what is named in the error message.
tot_status file_source_read_file(char **bytes, size_t *size, const char *path, int64_t most,
                                 const char *what);

// Whether the source begins with a zip archive. The position must be 0, and does not change.
tot_status file_source_is_zip(file_source *source, bool *is_zip);
