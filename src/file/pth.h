// Shared by both formats of a .pth: a pickle whose dictionaries are traversed, and its storages.
#pragma once

#include "file/pickle.h"
#include "file/tensors.h"

typedef struct file_pth file_pth;
struct file_pth {
    tot_tensors *tensors;  // filled in
    const char *name;      // of the file, for error messages
    const file_pickle *pickle;
    bool is_big;    // the storages are big-endian
    void *context;  // of the format
    // Reads the bytes of storage `index` of the pickle. Error messages do not name the file.
    tot_status (*read)(file_pth *pth, size_t index, void *bytes, size_t size);
};

// Adds all tensors in the pickle's dictionaries and lists, and reads the storages they need, each
// once.
tot_status file_pth_collect(file_pth *pth);
