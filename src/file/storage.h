// Storages: runs of numbers of one kind as a weight file holds them, and tensors as views of them.
#ifndef TOT_FILE_STORAGE_H
#define TOT_FILE_STORAGE_H

#include <temporalot/file.h>

// The kinds of numbers that are read.
typedef enum tot_kind {
    TOT_KIND_F32,
    TOT_KIND_F64,
    TOT_KIND_F16,   // become float32
    TOT_KIND_BF16,  // likewise
    TOT_KIND_U8,
    TOT_KIND_BOOL,  // become uint8, 0 or 1
    TOT_KIND_I32,
    TOT_KIND_I64,
    TOT_KIND_COUNT
} tot_kind;

typedef struct tot_storage {
    tot_kind kind;
    int64_t count;  // elements
    char *bytes;    // as in the file, in the machine's byte order; NULL when not read yet
    bool lent;      // a tensor lies in it: the tensors own its bytes
} tot_storage;

// Element [i, j, ...] stands at offset + i * stride[0] + j * stride[1] + ... of the storage.
typedef struct tot_view {
    int64_t offset;
    int dimensions;
    int64_t shape[TOT_MAX_DIMENSIONS];
    int64_t stride[TOT_MAX_DIMENSIONS];
} tot_view;

size_t tot_kind_size(tot_kind kind);    // bytes an element takes in the file
tot_type tot_kind_type(tot_kind kind);  // what it is read as

// Turns the elements round when the file's byte order is not this machine's.
void tot_storage_order(tot_storage *storage, bool file_is_big);

// Strides of a dense view of its shape.
void tot_view_make_dense(tot_view *view);

// Whether the elements stand one after the other, last index fastest.
bool tot_view_is_dense(const tot_view *view);

// Elements of the view, after a check that they all lie within a storage of so many. Text of the
// failure does not name the file.
tot_status tot_view_measure(const tot_view *view, int64_t storage_count, int64_t *count);

// Writes the view's elements one after the other into `to`, as their tot_kind_type.
void tot_view_lay_out(const tot_view *view, const tot_storage *storage, void *to);

#endif
