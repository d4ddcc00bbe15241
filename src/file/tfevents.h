// TensorBoard event files: TFRecord frames (length, its masked CRC-32C, bytes, their masked
// CRC-32C) around Event protocol buffers, written by hand.
#pragma once

#include <temporalot/base.h>

typedef struct file_tfevents file_tfevents;

// Opens path for appending and truncates it to `bytes`; 0 starts a new file with the version event.
// wall: seconds since 1970, for that event. TOT_E_FORMAT: the file is shorter.
tot_status file_tfevents_open(file_tfevents **events, const char *path, int64_t bytes, double wall);

// Adds one event: values with their tags; NaN values are omitted.
tot_status file_tfevents_add(file_tfevents *events, int64_t step, double wall,
                             const char *const *tags, const double *values, size_t count);

// Current size in bytes.
int64_t file_tfevents_bytes(const file_tfevents *events);

tot_status file_tfevents_sync(file_tfevents *events);

// events may be NULL.
void file_tfevents_close(file_tfevents *events);

// CRC-32C (Castagnoli).
uint32_t file_crc32c(const void *bytes, size_t size);
