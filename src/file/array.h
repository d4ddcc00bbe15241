// What the readers and writers of arrays share.
#pragma once

#include <temporalot/file.h>

#include "file/source.h"

// Elements and bytes of a shape. Refuses a negative size, and a product (leaving out zeros, so
// that no part of it can overflow either) which does not fit the address space.
tot_status file_shape_measure(const int64_t *shape, int dimensions, size_t element, int64_t *count,
                              size_t *bytes, const char *name);

// The same for an array that is to be written, with all its other fields checked too.
tot_status file_array_measure(const tot_array *array, size_t *bytes, const char *name);

// Makes the array one without elements that keeps its memory.
void file_array_clear(tot_array *array);

// A copy that owns its data, in what memory out has.
tot_status file_array_copy(tot_array *out, const tot_array *from);

// Reads what the source holds, .npy or .npz. name is the array asked for, NULL when none was.
tot_status file_array_read(tot_array *array, file_source *source, const char *name);

// Makes data hold at least `bytes` owned bytes; what was inside is lost. On failure it stays.
tot_status file_array_reserve(tot_array *array, size_t bytes);
