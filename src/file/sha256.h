// SHA-256 (FIPS 180-4), in pieces:
//
//     tot_sha256 sum;
//     uint8_t digest[TOT_SHA256_BYTES];
//     tot_sha256_start(&sum);
//     tot_sha256_add(&sum, bytes, size);
//     tot_sha256_finish(&sum, digest);
#ifndef TOT_FILE_SHA256_H
#define TOT_FILE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum {
    TOT_SHA256_BYTES = 32,
    TOT_SHA256_BLOCK = 64,
    TOT_SHA256_TEXT = 2 * TOT_SHA256_BYTES + 1,  // as hex digits, with the closing zero
};

typedef struct tot_sha256 {
    uint32_t state[8];
    uint64_t length;                  // bytes so far
    uint8_t block[TOT_SHA256_BLOCK];  // the length % 64 that fill no block yet
} tot_sha256;

void tot_sha256_start(tot_sha256 *sum);

// size may be 0, and bytes then NULL.
void tot_sha256_add(tot_sha256 *sum, const void *bytes, size_t size);

// The sum must be started anew afterwards.
void tot_sha256_finish(tot_sha256 *sum, uint8_t digest[TOT_SHA256_BYTES]);

// The digest in 64 lower-case hex digits.
void tot_sha256_text(const uint8_t digest[TOT_SHA256_BYTES], char text[TOT_SHA256_TEXT]);

#endif
