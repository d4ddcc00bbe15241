// 64-bit FNV-1a: a fast hash for telling things apart, not cryptographic.
#pragma once

#include <stddef.h>
#include <stdint.h>

#define BASE_HASH_EMPTY 14695981039346656037u

// Continues a hash with these bytes.
static inline uint64_t base_hash(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *from = bytes;
    for (size_t k = 0; k < size; k++) {
        hash = (hash ^ from[k]) * 1099511628211u;
    }
    return hash;
}
