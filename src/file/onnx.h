// ONNX files, skimmed before a library reads them: whether the file is whole, what other files its
// weights lie in, and its hash.
#pragma once

#include "file/sha256.h"
#include "file/source.h"

// {0} is an empty one.
typedef struct file_onnx {
    char *external;         // names of the files with external weights, each with its final 0
    size_t external_bytes;  // of all names together
    size_t external_capacity;
    size_t external_count;
} file_onnx;

// Reads the source to its end; sum (started) is given all of its bytes. TOT_E_FORMAT: cut short or
// no ONNX model, or the name of an external file leads out of the model's folder;
// TOT_E_UNSUPPORTED: longer than 2 GB, which is more than such a file can hold.
tot_status file_onnx_skim(file_onnx *onnx, file_source *source, file_sha256 *sum);

// The same for the file at path; sum is then given the files with its external weights, in order.
// TOT_E_FILE names the one that is not there.
tot_status file_onnx_hash(file_onnx *onnx, const char *path, file_sha256 *sum);

// onnx may be {0}.
void file_onnx_free(file_onnx *onnx);
