// Internal functions for reading single arrays from an .npz and for writing one, beyond the public
// ones.
#pragma once

#include <temporalot/file.h>

#include "file/npy.h"

// Opens the archive in the source. The archive takes over the source's file; memory of the source
// must outlive it.
tot_status file_npz_open_source(tot_npz **npz, file_source *source);

// The default array: `embeddings`, else the only one, else an error that lists the names.
tot_status file_npz_pick(const tot_npz *npz, const char **name);

// Opens one array for sequential reading, to be ended with file_zip_check_end and
// file_zip_close_entry; only one entry at a time. The npz must outlive it. Read errors name only
// the entry.
tot_status file_npz_open_entry(tot_npz *npz, const char *name, file_source *source);

// Reads the header of an array, to check its size before allocating memory.
tot_status file_npz_header(tot_npz *npz, const char *name, file_npy_header *header);

// added: the combined status of all tot_npz_add calls. Commits if it is TOT_OK; otherwise discards
// the file and returns it. Frees the writer in any case.
tot_status file_npz_end(tot_npz_writer *writer, tot_status added);
