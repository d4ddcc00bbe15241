// Philox 4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3").
// The key is the seed, the counter block is (stream, position), so any word of any stream can be
// computed directly, and the state of a stream is three integers.
#include "base/base.h"
#include "base/hash.h"

enum { ROUNDS = 10 };

static const uint32_t multiplier_0 = 0xD2511F53u;
static const uint32_t multiplier_1 = 0xCD9E8D57u;
static const uint32_t weyl_0 = 0x9E3779B9u;
static const uint32_t weyl_1 = 0xBB67AE85u;

static void philox(const tot_random *random, uint64_t block, uint32_t out[4]) {
    uint32_t counter[4] = {(uint32_t)block, (uint32_t)(block >> 32), (uint32_t)random->stream,
                           (uint32_t)(random->stream >> 32)};
    uint32_t key[2] = {(uint32_t)random->seed, (uint32_t)(random->seed >> 32)};
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t product_0 = (uint64_t)multiplier_0 * counter[0];
        uint64_t product_1 = (uint64_t)multiplier_1 * counter[2];
        uint32_t next[4] = {(uint32_t)(product_1 >> 32) ^ counter[1] ^ key[0], (uint32_t)product_1,
                            (uint32_t)(product_0 >> 32) ^ counter[3] ^ key[1], (uint32_t)product_0};
        for (int k = 0; k < 4; k++) {
            counter[k] = next[k];
        }
        key[0] += weyl_0;
        key[1] += weyl_1;
    }
    for (int k = 0; k < 4; k++) {
        out[k] = counter[k];
    }
}

// FNV-1a over the name followed by the eight bytes of the number; then a finaliser for diffusion.
static uint64_t stream_of(const char *name, uint64_t number) {
    uint64_t hash = base_hash(BASE_HASH_EMPTY, name, strlen(name));
    for (int k = 0; k < 8; k++) {
        hash = base_hash(hash, &(uint8_t){(uint8_t)(number >> (8 * k))}, 1);
    }
    hash ^= hash >> 33;
    hash *= 0xFF51AFD7ED558CCDu;
    hash ^= hash >> 33;
    return hash;
}

void tot_random_init(tot_random *random, uint64_t seed, const char *name) {
    BASE_NEED_OR(, random, name);
    tot_random_init_numbered(random, seed, name, UINT64_MAX);
}

void tot_random_init_numbered(tot_random *random, uint64_t seed, const char *name,
                              uint64_t number) {
    BASE_NEED_OR(, random, name);
    random->seed = seed;
    random->stream = stream_of(name, number);
    random->counter = 0;
}

uint32_t tot_random_word(tot_random *random) {
    BASE_NEED_OR(0, random);
    uint32_t words[4];
    philox(random, random->counter / 4, words);
    return words[random->counter++ % 4];
}

double tot_random_uniform(tot_random *random) {
    BASE_NEED_OR(0, random);
    uint64_t high = tot_random_word(random) >> 5;
    uint64_t low = tot_random_word(random) >> 6;
    return (double)(high << 26 | low) * 0x1p-53;
}

double tot_random_normal(tot_random *random) {
    BASE_NEED_OR(0, random);
    const double two_pi = 6.283185307179586476925;
    double radius = sqrt(-2.0 * log(1.0 - tot_random_uniform(random)));
    return radius * cos(two_pi * tot_random_uniform(random));
}

uint64_t tot_random_below(tot_random *random, uint64_t count) {
    BASE_NEED_OR(0, random);
    if (count == 0) {
        return 0;
    }
    // reject draws past the last multiple of count
    uint64_t limit = UINT64_MAX - (UINT64_MAX % count + 1) % count;
    for (;;) {
        uint64_t high = tot_random_word(random);
        uint64_t value = high << 32 | tot_random_word(random);
        if (value <= limit) {
            return value % count;
        }
    }
}
