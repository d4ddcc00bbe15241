// The .npy format: a header, which is a Python literal, and the elements.
#pragma once

#include <temporalot/file.h>

#include "file/source.h"

// What a header says.
typedef struct file_npy_header {
    tot_type type;  // as stored
    bool is_bool;   // stored as TOT_U8
    bool swapped;   // in the other byte order than this machine's
    bool fortran;   // first index fastest
    int dimensions;
    int64_t shape[TOT_MAX_DIMENSIONS];
    int64_t count;  // elements
    size_t bytes;   // that the elements take in the file
} file_npy_header;

// Parses the Python literal of a header. name is for the error text.
tot_status file_npy_parse_header(file_npy_header *header, const char *text, size_t size,
                                 const char *name);

enum { FILE_NPY_HEADER_MAX = 512 };

// Writes magic, version, length and literal for an array that was measured; returns the bytes.
size_t file_npy_format_header(char out[FILE_NPY_HEADER_MAX], const tot_array *array);

// Reads what stands before the elements, from the source's position on, and checks that it can hold
// as many as the header says.
tot_status file_npy_read_header(file_source *source, file_npy_header *header);

// Reads header and elements from the source's position on; trailing bytes are left. On failure the
// array has no elements and keeps its memory.
tot_status file_npy_read(file_source *source, tot_array *array);
