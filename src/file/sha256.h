// Incremental SHA-256 (FIPS 180-4), by libavutil:
//
//     file_sha256 *sum = NULL;
//     char text[FILE_SHA256_TEXT];
//     BASE_TRY(file_sha256_start(&sum));
//     file_sha256_add(sum, bytes, size);
//     file_sha256_finish(sum, text);
//     base_free(sum);
#pragma once

#include "file/source.h"

enum { FILE_SHA256_TEXT = 65 };  // 64 hex digits, with the terminating NUL

typedef struct AVSHA file_sha256;

// *sum must be freed with base_free.
tot_status file_sha256_start(file_sha256 **sum);

// size may be 0; bytes may then be NULL.
void file_sha256_add(file_sha256 *sum, const void *bytes, size_t size);

// Reads a source from its position to its end, and adds what it reads.
tot_status file_sha256_add_source(file_sha256 *sum, file_source *source);

// Writes the hash in lower-case hex digits. Nothing can be added afterwards.
void file_sha256_finish(file_sha256 *sum, char text[FILE_SHA256_TEXT]);
