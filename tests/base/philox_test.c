// The published known answers of Philox 4x32-10. Two of their counters are beyond a stream's word
// counter, so the block function is tested directly: its file is compiled into this test.
#include "base/random.c"

#include "test.h"

typedef struct known_answer {
    uint32_t counter[4];
    uint32_t key[2];
    uint32_t words[4];
} known_answer;

// Random123, file kat_vectors, the lines of philox4x32 with 10 rounds
static const known_answer published[] = {
    {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
     {0xffffffff, 0xffffffff},
     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
     {0xa4093822, 0x299f31d0},
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
};

static uint64_t join(uint32_t low, uint32_t high) {
    return (uint64_t)high << 32 | low;
}

TEST(test_published_answers) {
    for (size_t k = 0; k < sizeof published / sizeof published[0]; k++) {
        const known_answer *known = &published[k];
        tot_random random = {.seed = join(known->key[0], known->key[1]),
                             .stream = join(known->counter[2], known->counter[3])};
        uint32_t words[4];
        philox(&random, join(known->counter[0], known->counter[1]), words);
        for (int w = 0; w < 4; w++) {
            assert_int_equal(words[w], known->words[w]);
        }
    }
}

// The words of a stream are those of its blocks in order, also beyond 32 bits of the block number.
TEST(test_words_are_the_blocks_in_order) {
    tot_random random = {.seed = 0, .stream = 0, .counter = 0};
    for (int w = 0; w < 4; w++) {
        assert_int_equal(tot_random_word(&random), published[0].words[w]);
    }
    assert_int_equal(random.counter, 4);

    const uint64_t first_block = 0xfffffffeu;
    random = (tot_random){.seed = 5, .stream = 6, .counter = first_block * 4};
    for (uint64_t block = first_block; block < first_block + 4; block++) {
        uint32_t expected[4];
        philox(&random, block, expected);
        for (int w = 0; w < 4; w++) {
            assert_int_equal(tot_random_word(&random), expected[w]);
        }
    }
}

TEST_MAIN(NULL, NULL)
