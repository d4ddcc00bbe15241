// The Mersenne Twister MT19937 as NumPy's global generator (np.random.seed, np.random.uniform) runs
// it: Meta-world draws the goals of its benchmarks with it.
#pragma once

#include <stdint.h>

enum { WORLD_MERSENNE_WORDS = 624 };

typedef struct world_mersenne {
    uint32_t word[WORLD_MERSENNE_WORDS];
    int next;  // the word that is given out next; WORLD_MERSENNE_WORDS: none is left
} world_mersenne;

// np.random.seed(seed)
void world_mersenne_seed(world_mersenne *generator, uint32_t seed);

uint32_t world_mersenne_word(world_mersenne *generator);

// np.random.random_sample(): 53 bits in [0, 1).
double world_mersenne_uniform(world_mersenne *generator);
