// NumPy's global generator: the values of np.random.seed and np.random.random_sample.
#include "rolling.h"

#include "world/mersenne.h"

typedef struct known {
    uint32_t seed;
    double first, second, thousandth;  // of np.random.random_sample
} known;

TEST(test_uniform) {
    static const known seeds[] = {
        {0, 0x1.18fe1565f12a8p-1, 0x1.6e2d4cf608733p-1, 0x1.5ab23e79781c2p-1},
        {1, 0x1.ab07d0ffa3c06p-2, 0x1.70ce5f3baf051p-1, 0x1.8c8848c20f7e2p-1},
        {42, 0x1.7f8771e5f51ecp-2, 0x1.e6c4068bbd654p-1, 0x1.c8b5bcc2b9faep-2},
        {4294967295u, 0x1.8fe69a3924820p-4, 0x1.d323d824032b1p-1, 0x1.1cfe321a42891p-1},
    };
    for (size_t k = 0; k < sizeof seeds / sizeof seeds[0]; k++) {
        world_mersenne generator;
        world_mersenne_seed(&generator, seeds[k].seed);
        assert_true(world_mersenne_uniform(&generator) == seeds[k].first);
        assert_true(world_mersenne_uniform(&generator) == seeds[k].second);
        double last = 0;
        for (int n = 2; n < 1000; n++) {
            last = world_mersenne_uniform(&generator);
        }
        assert_true(last == seeds[k].thousandth);
    }
}

TEST(test_words) {
    world_mersenne generator;
    world_mersenne_seed(&generator, 0);
    static const uint32_t words[] = {2357136044u, 2546248239u, 3071714933u};
    for (size_t k = 0; k < 3; k++) {
        assert_true(world_mersenne_word(&generator) == words[k]);
    }
}

TEST_MAIN(NULL, NULL)
