// The Mersenne Twister MT19937 as in NumPy's global generator (np.random.seed, np.random.uniform),
// with which Meta-world draws the goals of its benchmarks.
#pragma once

#include <stdint.h>

enum { WORLD_MERSENNE_WORDS = 624 };

typedef struct world_mersenne {
    uint32_t word[WORLD_MERSENNE_WORDS];
    int next;  // index of the next word; WORLD_MERSENNE_WORDS: none left
} world_mersenne;

// np.random.seed(seed)
void world_mersenne_seed(world_mersenne *generator, uint32_t seed);

uint32_t world_mersenne_word(world_mersenne *generator);

// np.random.random_sample(): 53 bits in [0, 1).
double world_mersenne_uniform(world_mersenne *generator);
