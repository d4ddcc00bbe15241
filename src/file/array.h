// Shared by the readers and writers of arrays.
#pragma once

#include <temporalot/file.h>

#include "file/source.h"

// Elements and bytes of a shape. Rejects a negative size, and a product (ignoring zeros, so that no
// partial product can overflow either) that does not fit the address space.
tot_status file_shape_measure(const int64_t *shape, int dimensions, size_t element, int64_t *count,
                              size_t *bytes, const char *name);

// The same for an array to be written, also checking all its other fields.
tot_status file_array_measure(const tot_array *array, size_t *bytes, const char *name);

// Sets the array to no elements, keeping its memory.
void file_array_clear(tot_array *array);

// A copy that owns its data, reusing the memory of out.
tot_status file_array_copy(tot_array *out, const tot_array *from);

// Reads a .npy or .npz from the source. name is the requested array, NULL for the default one.
tot_status file_array_read(tot_array *array, file_source *source, const char *name);

// Makes it an image of [height][width][3] bytes, whose data is already there.
void file_array_set_image(tot_array *array, int64_t width, int64_t height);

// Makes data hold at least `bytes` owned bytes; the content is lost. Unchanged on failure.
tot_status file_array_reserve(tot_array *array, size_t bytes);
