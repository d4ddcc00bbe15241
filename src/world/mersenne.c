#include "world/mersenne.h"

enum { WORDS = WORLD_MERSENNE_WORDS, MIDDLE = 397 };

void world_mersenne_seed(world_mersenne *generator, uint32_t seed) {
    for (int k = 0; k < WORDS; k++) {
        generator->word[k] = seed;
        seed = 1812433253u * (seed ^ (seed >> 30)) + (uint32_t)k + 1;
    }
    generator->next = WORDS;
}

static uint32_t twist(uint32_t high, uint32_t low) {
    const uint32_t mixed = (high & 0x80000000u) | (low & 0x7fffffffu);
    return (mixed >> 1) ^ ((mixed & 1) != 0 ? 0x9908b0dfu : 0);
}

static void refill(world_mersenne *generator) {
    uint32_t *word = generator->word;
    for (int k = 0; k < WORDS; k++) {
        word[k] = word[(k + MIDDLE) % WORDS] ^ twist(word[k], word[(k + 1) % WORDS]);
    }
    generator->next = 0;
}

uint32_t world_mersenne_word(world_mersenne *generator) {
    if (generator->next == WORDS) {
        refill(generator);
    }
    uint32_t word = generator->word[generator->next++];
    word ^= word >> 11;
    word ^= (word << 7) & 0x9d2c5680u;
    word ^= (word << 15) & 0xefc60000u;
    return word ^ (word >> 18);
}

double world_mersenne_uniform(world_mersenne *generator) {
    const double high = world_mersenne_word(generator) >> 5;
    const double low = world_mersenne_word(generator) >> 6;
    return (high * 67108864.0 + low) / 9007199254740992.0;
}
