// The named tensors of a weight file while its reader fills them in.
#pragma once

#include <temporalot/tensors.h>

#include "file/source.h"
#include "file/storage.h"

typedef struct file_named_tensor {
    size_t name;  // where it begins in names
    tot_array array;
} file_named_tensor;

struct tot_tensors {
    char *source;                // path, for the error text
    int64_t size;                // bytes of the file: what bounds the memory taken
    int64_t stored;              // bytes of the storages that were made
    int64_t copied;              // bytes of the tensors that were laid out anew
    file_named_tensor *entries;  // in the file's order
    size_t count, capacity;
    size_t *sorted;  // numbers of the entries by name
    char *names;     // all of them, each ended by a zero byte
    size_t names_used, names_capacity;
    void **blocks;  // the memory that the arrays lie in
    size_t block_count, block_capacity;
};

// Takes memory for a storage's bytes, which the caller reads. All storages together must not take
// more than the file has. Texts of failures do not name the file here and below.
tot_status file_storage_make(tot_tensors *tensors, file_storage *storage);

// Frees the bytes, unless a tensor lies in them.
void file_storage_drop(file_storage *storage);

// Checks and adds one tensor. It lies in the storage itself when it can, and is laid out anew when
// it is a view of a part, strided or of a kind that is turned into another.
tot_status file_tensors_add(tot_tensors *tensors, const char *name, file_storage *storage,
                            const file_view *view);

// The readers. Each adds all tensors of the file that the source holds; texts of failures begin
// with its name. A zip takes over the source's file.
tot_status file_safetensors_read(tot_tensors *tensors, file_source *source);
tot_status file_pth_zip_read(tot_tensors *tensors, file_source *source);
tot_status file_pth_old_read(tot_tensors *tensors, file_source *source);
