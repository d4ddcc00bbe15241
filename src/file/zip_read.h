// Reading zip archives with libzip, for .npz and .pth.
#pragma once

#include <zip.h>

#include "file/source.h"

// Fails with libzip's error for this entry or archive. name may be NULL if the caller adds it.
tot_status file_zip_fail(zip_error_t *error, const char *name, const char *doing);

// Opens the archive in the source; the archive takes over its file, and its memory must outlive the
// archive. doing is the error message: "is not an .npz that can be read".
tot_status file_zip_open(zip_t **archive, file_source *source, const char *name, const char *doing);

// Opens an entry for sequential reading. Entries must be stored, or deflated if that is allowed;
// sizes that an archive of archive_size bytes cannot hold are rejected before memory is allocated.
// has_crc (may be NULL): false if the CRC is 0, as written by programs that omit it.
tot_status file_zip_open_entry(file_source *source, zip_t *archive, zip_uint64_t index,
                               const char *name, int64_t archive_size, bool deflated,
                               bool *has_crc);

// Checks that the entry was read to its end and that nothing follows. libzip verifies the CRC
// there, which must not be triggered if the archive has none.
tot_status file_zip_check_end(file_source *source, bool has_crc);

void file_zip_close_entry(file_source *source);
