// Scans ONNX files before a library reads them: whether the file is complete, which other files
// contain its weights, and its hash.
#pragma once

#include "file/sha256.h"
#include "file/source.h"

// {0} is empty.
typedef struct file_onnx {
    char *external;         // names of the files with external weights, each NUL-terminated
    size_t external_bytes;  // total length of the names
    size_t external_capacity;
    size_t external_count;
} file_onnx;

// Reads the source to its end and adds all its bytes to sum (already started). TOT_E_FORMAT:
// truncated or not an ONNX model, or an external file name leads outside the model's folder;
// TOT_E_UNSUPPORTED: larger than 2 GB, the limit of the format.
tot_status file_onnx_skim(file_onnx *onnx, file_source *source, file_sha256 *sum);

// The same for the file at path; the files with its external weights are then added to sum, in
// order. TOT_E_FILE: one of them is missing; the message names it.
tot_status file_onnx_hash(file_onnx *onnx, const char *path, file_sha256 *sum);

// onnx may be {0}.
void file_onnx_free(file_onnx *onnx);
