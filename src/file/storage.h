// Storages: arrays of one element type as in a weight file; tensors are views of them.
#pragma once

#include <temporalot/file.h>

enum { FILE_MACHINE_IS_BIG = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ };

// The supported element types.
typedef enum file_kind {
    FILE_KIND_F32,
    FILE_KIND_F64,
    FILE_KIND_F16,   // converted to float32
    FILE_KIND_BF16,  // likewise
    FILE_KIND_U8,
    FILE_KIND_BOOL,  // converted to uint8, 0 or 1
    FILE_KIND_I32,
    FILE_KIND_I64,
    FILE_KIND_COUNT
} file_kind;

typedef struct file_storage {
    file_kind kind;
    int64_t count;  // elements
    char *bytes;    // in native byte order; NULL: not read yet
    bool lent;      // a tensor points into it, so the tensors own its bytes
} file_storage;

// Element [i, j, ...] is at offset + i * stride[0] + j * stride[1] + ... in the storage.
typedef struct file_view {
    int64_t offset;
    int dimensions;
    int64_t shape[TOT_MAX_DIMENSIONS];
    int64_t stride[TOT_MAX_DIMENSIONS];
} file_view;

size_t file_kind_size(file_kind kind);    // bytes per element in the file
tot_type file_kind_type(file_kind kind);  // the type it is read as

// Swaps bytes if the file is not in native byte order.
void file_storage_order(file_storage *storage, bool file_is_big);

// Sets contiguous strides for the shape: last index fastest, or first index fastest.
void file_view_make_dense(file_view *view);
void file_view_make_fortran(file_view *view);

// Whether the elements are contiguous, last index fastest.
bool file_view_is_dense(const file_view *view);

// Number of elements of the view; checks that all are within a storage of storage_count elements.
// Error messages do not name the file.
tot_status file_view_measure(const file_view *view, int64_t storage_count, int64_t *count);

// Copies the view's elements contiguously to `to`, as their file_kind_type.
void file_view_lay_out(const file_view *view, const file_storage *storage, void *to);
