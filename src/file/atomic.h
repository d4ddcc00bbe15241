// What others need of files that are written, beyond the public functions.
#pragma once

#include <sys/stat.h>

#include <temporalot/file.h>

// TOT_E_FILE where writing would change something else than this name in its folder: a link, a file
// of several names, a folder, a device. found: of lstat, or of a descriptor.
tot_status file_check_own(const char *path, const struct stat *found);

// Opens a file for reading and writing, made where it is not there; none but its own, see above.
// Returns the descriptor in *file.
tot_status file_open_own(const char *path, int *file);

// Makes the folders that stand before the last slash of a path.
tot_status file_make_folders(const char *path);

// Removes temporary files in this folder whose process is gone. Returns how many. What cannot be
// looked at is left.
size_t file_remove_leftovers(const char *folder);

// Bytes written so far.
uint64_t file_position(const tot_file *file);

// Writes over bytes that were written before.
tot_status file_patch(tot_file *file, uint64_t offset, const void *bytes, size_t size);

// Commits a file that was written whole; where writing it failed, discards it and passes that on.
tot_status file_end(tot_file *file, tot_status written);

// A whole file of a text.
tot_status file_save_text(const char *path, const char *text);
