// A disk that is full from the k-th write on: tests.cmake wraps pwrite.
#pragma once

#include <errno.h>
#include <unistd.h>

ssize_t __real_pwrite(int file, const void *bytes, size_t size, off_t offset);
ssize_t __wrap_pwrite(int file, const void *bytes, size_t size, off_t offset);

static int writes;      // so far
static int full_after;  // number of successful writes; negative: all

ssize_t __wrap_pwrite(int file, const void *bytes, size_t size, off_t offset) {
    if (full_after >= 0 && writes++ >= full_after) {
        errno = ENOSPC;
        return -1;
    }
    return __real_pwrite(file, bytes, size, offset);
}

static inline void fill_disk_after(int count) {
    writes = 0;
    full_after = count;
}

static inline bool disk_was_full(void) {
    return full_after >= 0 && writes > full_after;
}
