// The .npy format: a header, which is a Python literal, and the elements.
#ifndef TOT_FILE_NPY_H
#define TOT_FILE_NPY_H

#include <temporalot/file.h>

#include "file/source.h"

// What a header says.
typedef struct tot_npy_header {
    tot_type type;  // as stored
    bool is_bool;   // stored as TOT_U8
    bool swapped;   // in the other byte order than this machine's
    bool fortran;   // first index fastest
    int dimensions;
    int64_t shape[TOT_MAX_DIMENSIONS];
    int64_t count;  // elements
    size_t bytes;   // that the elements take in the file
} tot_npy_header;

// Parses the Python literal of a header. name is for the error text.
tot_status tot_npy_parse_header(tot_npy_header *header, const char *text, size_t size,
                                const char *name);

enum { TOT_NPY_HEADER_MAX = 512 };

// Writes magic, version, length and literal for an array that was measured; returns the bytes.
size_t tot_npy_format_header(char out[TOT_NPY_HEADER_MAX], const tot_array *array);

// Reads what stands before the elements, from the source's position on, and checks that it can hold
// as many as the header says.
tot_status tot_npy_read_header(tot_source *source, tot_npy_header *header);

// Reads header and elements from the source's position on; trailing bytes are left. On failure the
// array has no elements and keeps its memory.
tot_status tot_npy_read(tot_source *source, tot_array *array);

#endif
