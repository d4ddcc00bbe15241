// The named tensors of a weight file, while its reader fills them in.
#pragma once

#include <temporalot/tensors.h>

#include "file/source.h"
#include "file/storage.h"

typedef struct file_named_tensor {
    char *name;
    tot_array array;
} file_named_tensor;

struct tot_tensors {
    char *source;                // path, for error messages
    int64_t size;                // bytes of the file: bounds the memory allocated
    int64_t stored;              // bytes of the storages created
    int64_t copied;              // bytes of the tensors copied
    file_named_tensor *entries;  // in the file's order
    size_t count, capacity;
    const file_named_tensor **sorted;  // the entries, sorted by name
    void **blocks;                     // the memory that the arrays point into
    size_t block_count, block_capacity;
};

// Allocates memory for a storage's bytes, which the caller reads. All storages together must not
// exceed the file size. Error messages do not name the file, here and below.
tot_status file_storage_make(tot_tensors *tensors, file_storage *storage);

// Frees the bytes, unless a tensor points into them.
void file_storage_drop(file_storage *storage);

// Checks and adds a tensor. It points into the storage if possible, and is copied if it is a view
// of a part, strided or of a type that is converted.
tot_status file_tensors_add(tot_tensors *tensors, const char *name, file_storage *storage,
                            const file_view *view);

// The readers. Each adds all tensors of the file in the source; error messages begin with its name.
// The zip reader takes over the source's file.
tot_status file_safetensors_read(tot_tensors *tensors, file_source *source);
tot_status file_pth_zip_read(tot_tensors *tensors, file_source *source);
tot_status file_pth_old_read(tot_tensors *tensors, file_source *source);
