// Reading zip archives with libzip: what .npz and .pth share.
#pragma once

#include <zip.h>

#include "file/source.h"

// What libzip says, of this entry or archive. name may be NULL where the caller names it.
tot_status file_zip_fail(zip_error_t *error, const char *name, const char *doing);

// Opens the archive that the source holds; its file becomes the archive's, its memory must outlive
// it. doing is the error text: "is not an .npz that can be read".
tot_status file_zip_open(zip_t **archive, file_source *source, const char *name, const char *doing);

// An entry's bytes, to be read front to back. Entries are stored, or deflated where that is
// allowed; sizes that an archive of archive_size bytes cannot hold are refused before memory is
// taken for them. has_crc (may be NULL): 0 is written by those that leave it out.
tot_status file_zip_open_entry(file_source *source, zip_t *archive, zip_uint64_t index,
                               const char *name, int64_t archive_size, bool deflated,
                               bool *has_crc);

// That the entry was read to its end, and nothing follows; libzip compares the CRC there, which
// must be left alone where the archive has none.
tot_status file_zip_check_end(file_source *source, bool has_crc);

void file_zip_close_entry(file_source *source);
