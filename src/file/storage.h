// Storages: runs of numbers of one kind as a weight file holds them, and tensors as views of them.
#pragma once

#include <temporalot/file.h>

// The kinds of numbers that are read.
typedef enum file_kind {
    FILE_KIND_F32,
    FILE_KIND_F64,
    FILE_KIND_F16,   // become float32
    FILE_KIND_BF16,  // likewise
    FILE_KIND_U8,
    FILE_KIND_BOOL,  // become uint8, 0 or 1
    FILE_KIND_I32,
    FILE_KIND_I64,
    FILE_KIND_COUNT
} file_kind;

typedef struct file_storage {
    file_kind kind;
    int64_t count;  // elements
    char *bytes;    // as in the file, in the machine's byte order; NULL when not read yet
    bool lent;      // a tensor lies in it: the tensors own its bytes
} file_storage;

// Element [i, j, ...] stands at offset + i * stride[0] + j * stride[1] + ... of the storage.
typedef struct file_view {
    int64_t offset;
    int dimensions;
    int64_t shape[TOT_MAX_DIMENSIONS];
    int64_t stride[TOT_MAX_DIMENSIONS];
} file_view;

size_t file_kind_size(file_kind kind);    // bytes an element takes in the file
tot_type file_kind_type(file_kind kind);  // what it is read as

// Turns the elements round when the file's byte order is not this machine's.
void file_storage_order(file_storage *storage, bool file_is_big);

// Strides of a dense view of its shape.
void file_view_make_dense(file_view *view);

// Whether the elements stand one after the other, last index fastest.
bool file_view_is_dense(const file_view *view);

// Elements of the view, after a check that they all lie within a storage of so many. Text of the
// failure does not name the file.
tot_status file_view_measure(const file_view *view, int64_t storage_count, int64_t *count);

// Writes the view's elements one after the other into `to`, as their file_kind_type.
void file_view_lay_out(const file_view *view, const file_storage *storage, void *to);
