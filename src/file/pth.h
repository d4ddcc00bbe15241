// What both forms of a .pth share: a pickle whose dictionaries are walked, and storages beside it.
#ifndef TOT_FILE_PTH_H
#define TOT_FILE_PTH_H

#include "file/pickle.h"
#include "file/tensors.h"

typedef struct tot_pth tot_pth;
struct tot_pth {
    tot_tensors *tensors;  // filled in
    const char *name;      // of the file, for the error text
    const tot_pickle *pickle;
    bool is_big;    // the byte order of the storages
    void *context;  // of the form
    // Reads the bytes of storage `index` of the pickle. Texts of failures do not name the file.
    tot_status (*read)(tot_pth *pth, size_t index, void *bytes, size_t size);
};

// Adds all tensors in the pickle's dictionaries and lists, and reads the storages they need, each
// once.
tot_status tot_pth_collect(tot_pth *pth);

#endif
