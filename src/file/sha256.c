// SHA-256, implemented from the standard (FIPS 180-4).
#include "file/sha256.h"

#include <string.h>

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate(uint32_t word, int bits) {
    return word >> bits | word << (32 - bits);
}

static uint32_t get32(const uint8_t *from) {
    return (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8 | from[3];
}

static void put32(uint8_t *to, uint32_t word) {
    for (int k = 0; k < 4; k++) {
        to[k] = (uint8_t)(word >> (24 - 8 * k));
    }
}

// The message schedule. The last 16 words are kept in a ring buffer.
static uint32_t next_word(uint32_t ring[16], int round) {
    const uint32_t before2 = ring[(round + 14) & 15], before15 = ring[(round + 1) & 15];
    const uint32_t small0 = rotate(before15, 7) ^ rotate(before15, 18) ^ before15 >> 3;
    const uint32_t small1 = rotate(before2, 17) ^ rotate(before2, 19) ^ before2 >> 10;
    ring[round & 15] += small0 + ring[(round + 9) & 15] + small1;
    return ring[round & 15];
}

// One round. Instead of rotating all eight words, the caller passes them shifted by one.
#define ROUND(a, b, c, d, e, f, g, h, word, k)                        \
    do {                                                              \
        (h) += (rotate((e), 6) ^ rotate((e), 11) ^ rotate((e), 25)) + \
               ((g) ^ ((e) & ((f) ^ (g)))) + constants[k] + (word);   \
        (d) += (h);                                                   \
        (h) += (rotate((a), 2) ^ rotate((a), 13) ^ rotate((a), 22)) + \
               (((a) & (b)) | ((c) & ((a) | (b))));                   \
    } while (0)

#define WORD(k) ((k) < 16 ? ring[(k)&15] : next_word(ring, (k)))

static void add_block(uint32_t state[8], const uint8_t *block) {
    uint32_t ring[16];
    for (int k = 0; k < 16; k++) {
        ring[k] = get32(block + 4 * (size_t)k);
    }
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
#pragma GCC unroll 8
    for (int k = 0; k < 64; k += 8) {
        ROUND(a, b, c, d, e, f, g, h, WORD(k), k);
        ROUND(h, a, b, c, d, e, f, g, WORD(k + 1), k + 1);
        ROUND(g, h, a, b, c, d, e, f, WORD(k + 2), k + 2);
        ROUND(f, g, h, a, b, c, d, e, WORD(k + 3), k + 3);
        ROUND(e, f, g, h, a, b, c, d, WORD(k + 4), k + 4);
        ROUND(d, e, f, g, h, a, b, c, WORD(k + 5), k + 5);
        ROUND(c, d, e, f, g, h, a, b, WORD(k + 6), k + 6);
        ROUND(b, c, d, e, f, g, h, a, WORD(k + 7), k + 7);
    }
    const uint32_t mixed[8] = {a, b, c, d, e, f, g, h};
    for (int k = 0; k < 8; k++) {
        state[k] += mixed[k];
    }
}

void file_sha256_start(file_sha256 *sum) {
    // the same of the square roots of the first 8 primes
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(sum->state, start, sizeof start);
    sum->length = 0;
}

void file_sha256_add(file_sha256 *sum, const void *bytes, size_t size) {
    const uint8_t *from = bytes;
    const size_t waiting = sum->length % FILE_SHA256_BLOCK;
    sum->length += size;
    if (waiting > 0) {
        // fill the partial block
        const size_t capacity = FILE_SHA256_BLOCK - waiting,
                     taken = size < capacity ? size : capacity;
        if (taken > 0) {
            memcpy(sum->block + waiting, from, taken);
        }
        if (taken < capacity) {
            return;
        }
        add_block(sum->state, sum->block);
        from += taken;
        size -= taken;
    }
    for (; size >= FILE_SHA256_BLOCK; size -= FILE_SHA256_BLOCK, from += FILE_SHA256_BLOCK) {
        add_block(sum->state, from);
    }
    if (size > 0) {
        memcpy(sum->block, from, size);
    }
}

void file_sha256_finish(file_sha256 *sum, uint8_t digest[FILE_SHA256_BYTES]) {
    // a one bit, zeros up to eight bytes before the end of a block, the length in bits
    static const uint8_t padding[FILE_SHA256_BLOCK] = {0x80};
    const uint64_t bits = sum->length * 8;
    const size_t waiting = sum->length % FILE_SHA256_BLOCK;
    file_sha256_add(sum, padding, (waiting < 56 ? 56 : 120) - waiting);
    uint8_t length[8];
    put32(length, (uint32_t)(bits >> 32));
    put32(length + 4, (uint32_t)bits);
    file_sha256_add(sum, length, sizeof length);
    for (size_t k = 0; k < 8; k++) {
        put32(digest + 4 * k, sum->state[k]);
    }
}

void file_sha256_text(const uint8_t digest[FILE_SHA256_BYTES], char text[FILE_SHA256_TEXT]) {
    static const char digits[] = "0123456789abcdef";
    for (size_t k = 0; k < FILE_SHA256_BYTES; k++) {
        text[2 * k] = digits[digest[k] >> 4];
        text[2 * k + 1] = digits[digest[k] & 15];
    }
    text[FILE_SHA256_TEXT - 1] = '\0';
}
