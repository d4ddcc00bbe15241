// What the .npz writer needs of a tot_file beyond the public functions.
#ifndef FILE_ATOMIC_H
#define FILE_ATOMIC_H

#include <temporalot/file.h>

// Bytes written so far.
uint64_t file_position(const tot_file *file);

// Writes over bytes that were written before.
tot_status file_patch(tot_file *file, uint64_t offset, const void *bytes, size_t size);

#endif
