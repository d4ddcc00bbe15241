// What reading one array out of an .npz, and writing a whole one, need beyond the public functions.
#pragma once

#include <temporalot/file.h>

#include "file/npy.h"

// Opens the archive that the source holds. The source's file becomes the archive's; its memory
// must outlive it.
tot_status file_npz_open_source(tot_npz **npz, file_source *source);

// The array that is meant when none is named: `embeddings`, else the only one, else an error that
// lists the names.
tot_status file_npz_pick(const tot_npz *npz, const char **name);

// One array's bytes, to be read front to back; one entry at a time. The npz must outlive it. Errors
// of reading name the entry only.
tot_status file_npz_open_entry(tot_npz *npz, const char *name, file_source *source);

// What an array says of itself, so that its size is known to be fit before memory is taken for it.
tot_status file_npz_header(tot_npz *npz, const char *name, file_npy_header *header);

// After the array: that nothing follows it, and that its CRC is right.
tot_status file_npz_check_entry(file_source *source);
void file_npz_close_entry(file_source *source);

// added: what adding everything came to. Commits after TOT_OK; else the file is not written, and
// that is the result. The writer is gone either way.
tot_status file_npz_end(tot_npz_writer *writer, tot_status added);
