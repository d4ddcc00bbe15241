// A file that is only added to, and can be cut back: what logs are written with.
#ifndef TOT_FILE_GROWING_H
#define TOT_FILE_GROWING_H

#include <temporalot/base.h>

typedef struct tot_growing {
    const char *path;  // for the error text; not owned
    int file;          // -1: not open
    int64_t size;
} tot_growing;

// Makes the file where it is not there.
tot_status tot_growing_open(tot_growing *growing, const char *path);

// TOT_E_FORMAT when the file is shorter.
tot_status tot_growing_cut(tot_growing *growing, int64_t size);

// All of it or nothing: after a failure the file is as long as it was.
tot_status tot_growing_add(tot_growing *growing, const void *bytes, size_t size);

tot_status tot_growing_read(const tot_growing *growing, int64_t offset, void *bytes, size_t size);

tot_status tot_growing_sync(tot_growing *growing);

void tot_growing_close(tot_growing *growing);

#endif
