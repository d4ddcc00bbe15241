// The .npy format: a header in the form of a Python literal, and the elements.
#pragma once

#include <temporalot/file.h>

#include "file/source.h"

// Content of a header.
typedef struct file_npy_header {
    tot_type type;  // as stored
    bool is_bool;   // stored as TOT_U8
    bool is_big;    // big-endian
    bool fortran;   // first index fastest
    int dimensions;
    int64_t shape[TOT_MAX_DIMENSIONS];
    int64_t count;  // elements
    size_t bytes;   // of the elements in the file
} file_npy_header;

// Parses the Python literal of a header. name is used in error messages.
tot_status file_npy_parse_header(file_npy_header *header, const char *text, size_t size,
                                 const char *name);

enum { FILE_NPY_HEADER_MAX = 512 };

// Writes magic, version, length and literal for a measured array; returns the number of bytes.
size_t file_npy_format_header(char out[FILE_NPY_HEADER_MAX], const tot_array *array);

// Reads everything before the elements from the source's position, and checks that the source can
// hold the number of elements in the header.
tot_status file_npy_read_header(file_source *source, file_npy_header *header);

// Reads header and elements from the source's position; trailing bytes are left unread. On failure
// the array has no elements and keeps its memory.
tot_status file_npy_read(file_source *source, tot_array *array);
