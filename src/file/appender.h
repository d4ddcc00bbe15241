// A file that is only added to, and can be cut back: what logs are written with.
#ifndef FILE_APPENDER_H
#define FILE_APPENDER_H

#include <temporalot/base.h>

typedef struct file_appender {
    const char *path;  // for the error text; not owned
    int file;          // -1: not open
    int64_t size;
} file_appender;

// Makes the file where it is not there; see file_open_own.
tot_status file_appender_open(file_appender *growing, const char *path);

// TOT_E_FORMAT when the file is shorter.
tot_status file_appender_truncate(file_appender *growing, int64_t size);

// All of it or nothing: after a failure the file is as long as it was.
tot_status file_appender_add(file_appender *growing, const void *bytes, size_t size);

tot_status file_appender_read(const file_appender *growing, int64_t offset, void *bytes,
                              size_t size);

tot_status file_appender_sync(file_appender *growing);

void file_appender_close(file_appender *growing);

#endif
