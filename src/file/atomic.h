// Internal functions for writing files, beyond the public ones.
#pragma once

#include <temporalot/file.h>

// Opens a file for reading and writing, creating it if missing. TOT_E_FILE if writing would affect
// anything but this name in its folder: a symbolic link, a file with several hard links, a folder,
// a device. Returns the descriptor, and in *size (may be NULL) the number of bytes.
tot_status file_open_own(const char *path, int *file, int64_t *size);

// Writes all bytes to an open file; false, with errno set, if that fails.
bool file_write_at(int file, uint64_t offset, const void *bytes, size_t size);

// Creates the folders before the last slash of a path.
tot_status file_make_folders(const char *path);

// Removes temporary files in this folder whose process is gone. Returns their number. Files that
// cannot be examined are kept.
size_t file_remove_leftovers(const char *folder);

// Bytes written so far.
uint64_t file_position(const tot_file *file);

// Overwrites bytes written earlier.
tot_status file_patch(tot_file *file, uint64_t offset, const void *bytes, size_t size);

// Commits a file; if writing it failed, discards it and returns that status.
tot_status file_end(tot_file *file, tot_status written);

// Writes a file that contains this string.
tot_status file_save_text(const char *path, const char *text);
