// An append-only file that can be truncated: for logs.
#pragma once

#include <temporalot/base.h>

typedef struct file_appender {
    const char *path;  // for error messages; not owned
    int file;          // -1: not open
    int64_t size;
} file_appender;

// Creates the file if it does not exist; see file_open_own.
tot_status file_appender_open(file_appender *growing, const char *path);

// Truncates it to size. TOT_E_FORMAT if the file is shorter.
tot_status file_appender_truncate(file_appender *growing, int64_t size);

// Appends all bytes or none: after a failure the file has its previous length.
tot_status file_appender_add(file_appender *growing, const void *bytes, size_t size);

tot_status file_appender_read(const file_appender *growing, int64_t offset, void *bytes,
                              size_t size);

tot_status file_appender_sync(file_appender *growing);

void file_appender_close(file_appender *growing);
