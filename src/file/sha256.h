// Incremental SHA-256 (FIPS 180-4):
//
//     file_sha256 sum;
//     uint8_t digest[FILE_SHA256_BYTES];
//     file_sha256_start(&sum);
//     file_sha256_add(&sum, bytes, size);
//     file_sha256_finish(&sum, digest);
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
    FILE_SHA256_BYTES = 32,
    FILE_SHA256_BLOCK = 64,
    FILE_SHA256_TEXT = 2 * FILE_SHA256_BYTES + 1,  // as hex digits, with the terminating NUL
};

typedef struct file_sha256 {
    uint32_t state[8];
    uint64_t length;                   // bytes so far
    uint8_t block[FILE_SHA256_BLOCK];  // the length % 64 bytes of the partial block
} file_sha256;

void file_sha256_start(file_sha256 *sum);

// size may be 0; bytes may then be NULL.
void file_sha256_add(file_sha256 *sum, const void *bytes, size_t size);

// The sum must be restarted afterwards.
void file_sha256_finish(file_sha256 *sum, uint8_t digest[FILE_SHA256_BYTES]);

// The digest in 64 lower-case hex digits.
void file_sha256_text(const uint8_t digest[FILE_SHA256_BYTES], char text[FILE_SHA256_TEXT]);
