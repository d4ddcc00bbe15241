// What reading one array out of an .npz needs beyond the public functions.
#ifndef TOT_FILE_NPZ_H
#define TOT_FILE_NPZ_H

#include <temporalot/file.h>

#include "file/source.h"

// Opens the archive that the source holds. The source's file becomes the archive's; its memory
// must outlive it.
tot_status tot_npz_open_source(tot_npz **npz, tot_source *source);

// The array that is meant when none is named: `embeddings`, else the only one, else an error that
// lists the names.
tot_status tot_npz_pick(const tot_npz *npz, const char **name);

#endif
