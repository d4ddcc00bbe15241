// Random streams: reproducible, in range, correctly distributed, independent.
#include <math.h>

#include <temporalot/base.h>

#include "test.h"

enum { DRAWS = 200000, BINS = 64 };

TEST(test_same_seed_same_words) {
    tot_random first;
    tot_random second;
    tot_random_init(&first, 12345, "replay");
    tot_random_init(&second, 12345, "replay");
    for (int k = 0; k < 1000; k++) {
        assert_int_equal(tot_random_word(&first), tot_random_word(&second));
    }
}

TEST(test_copying_the_struct_is_saving_the_stream) {
    tot_random random;
    tot_random_init(&random, 3, "update");
    for (int drawn = 0; drawn < 9; drawn++) {
        tot_random saved = random;
        double next = tot_random_normal(&random);
        double after = tot_random_uniform(&random);
        random = saved;
        assert_true(next == tot_random_normal(&random));
        assert_true(after == tot_random_uniform(&random));
        // an odd number of words between rounds, so that every offset in a block occurs
        tot_random_word(&random);
    }
}

TEST(test_counter_counts_words) {
    tot_random random;
    tot_random_init(&random, 3, "update");
    assert_int_equal(random.counter, 0);
    tot_random_word(&random);
    assert_int_equal(random.counter, 1);
    tot_random_uniform(&random);
    assert_int_equal(random.counter, 3);
    tot_random_normal(&random);
    assert_int_equal(random.counter, 7);
}

// chi-squared of counts over BINS equal bins: mean BINS-1, standard deviation sqrt(2 (BINS-1))
static void assert_flat(const int counts[BINS], double draws, const char *what) {
    double expected = draws / BINS;
    double chi = 0;
    for (int k = 0; k < BINS; k++) {
        chi += (counts[k] - expected) * (counts[k] - expected) / expected;
    }
    double distance = (chi - (BINS - 1)) / sqrt(2.0 * (BINS - 1));
    if (fabs(distance) > 5) {
        fail_msg("%s: chi-squared %g is %g deviations off", what, chi, distance);
    }
}

TEST(test_uniform) {
    for (uint64_t seed = 0; seed < 5; seed++) {
        tot_random random;
        tot_random_init(&random, seed, "uniform");
        int counts[BINS] = {0};
        double sum = 0;
        double product = 0;
        double last = 0.5;
        for (int k = 0; k < DRAWS; k++) {
            double x = tot_random_uniform(&random);
            assert_true(x >= 0 && x < 1);
            counts[(int)(x * BINS)]++;
            sum += x;
            product += (x - 0.5) * (last - 0.5);
            last = x;
        }
        assert_flat(counts, DRAWS, "uniform");
        // standard deviations: of the mean sqrt(1/12/n), of the lag-1 product sqrt(1/144/n)
        assert_true(fabs(sum / DRAWS - 0.5) < 5 * sqrt(1.0 / 12 / DRAWS));
        assert_true(fabs(product / DRAWS) < 5 * sqrt(1.0 / 144 / DRAWS));
    }
}

// All 53 bits are used: the lowest ones are 1 as often as 0.
TEST(test_uniform_has_53_bits) {
    tot_random random;
    tot_random_init(&random, 8, "bits");
    int ones[53] = {0};
    const int draws = 20000;
    for (int k = 0; k < draws; k++) {
        double scaled = tot_random_uniform(&random) * 0x1p53;
        assert_true(scaled == floor(scaled));
        uint64_t bits = (uint64_t)scaled;
        for (int b = 0; b < 53; b++) {
            ones[b] += (int)(bits >> b & 1);
        }
    }
    for (int b = 0; b < 53; b++) {
        if (fabs(ones[b] - draws / 2.0) > 5 * sqrt(draws / 4.0)) {
            fail_msg("bit %d is set %d times of %d", b, ones[b], draws);
        }
    }
}

TEST(test_normal) {
    for (uint64_t seed = 0; seed < 5; seed++) {
        tot_random random;
        tot_random_init(&random, seed, "normal");
        int counts[BINS] = {0};
        double moments[4] = {0};
        for (int k = 0; k < DRAWS; k++) {
            double x = tot_random_normal(&random);
            assert_true(isfinite(x));
            // the distribution function maps it to a uniform variable
            int bin = (int)(0.5 * erfc(-x / sqrt(2.0)) * BINS);
            counts[bin < BINS ? bin : BINS - 1]++;
            double power = 1;
            for (int m = 0; m < 4; m++) {
                power *= x;
                moments[m] += power / DRAWS;
            }
        }
        assert_flat(counts, DRAWS, "normal");
        // variances of x, x^2, x^3, x^4 are 1, 2, 15, 96
        const double expected[4] = {0, 1, 0, 3};
        const double variance[4] = {1, 2, 15, 96};
        for (int m = 0; m < 4; m++) {
            if (fabs(moments[m] - expected[m]) > 5 * sqrt(variance[m] / DRAWS)) {
                fail_msg("seed %d: moment %d is %g", (int)seed, m + 1, moments[m]);
            }
        }
    }
}

TEST(test_below) {
    tot_random random;
    tot_random_init(&random, 1, "below");
    for (int k = 0; k < 100; k++) {
        assert_int_equal(tot_random_below(&random, 1), 0);
    }
    int counts[BINS] = {0};
    for (int k = 0; k < DRAWS; k++) {
        uint64_t value = tot_random_below(&random, BINS);
        assert_true(value < BINS);
        counts[value]++;
    }
    assert_flat(counts, DRAWS, "below");
    // three quarters of 2^64: a remainder without rejection would hit the first third twice as
    // often
    const uint64_t count = UINT64_C(3) << 62;
    int low = 0;
    for (int k = 0; k < DRAWS; k++) {
        uint64_t value = tot_random_below(&random, count);
        assert_true(value < count);
        low += value < count / 3;
    }
    assert_true(fabs(low - DRAWS / 3.0) < 5 * sqrt(DRAWS * 2.0 / 9));
    for (int k = 0; k < 100; k++) {
        assert_true(tot_random_below(&random, UINT64_MAX) < UINT64_MAX);
    }
}

// Neighbouring streams (different name, number or seed) agree in no more bits than by chance.
static void assert_unrelated(tot_random first, tot_random second, const char *what) {
    int agreeing = 0;
    int same_words = 0;
    const int words = 20000;
    for (int k = 0; k < words; k++) {
        uint32_t difference = tot_random_word(&first) ^ tot_random_word(&second);
        same_words += difference == 0;
        agreeing += 32 - __builtin_popcount(difference);
    }
    if (same_words > 2 || fabs(agreeing - 16.0 * words) > 5 * sqrt(8.0 * words)) {
        fail_msg("%s: %d equal words, %d equal bits of %d", what, same_words, agreeing, 32 * words);
    }
}

TEST(test_streams_are_unrelated) {
    const char *const names[] = {"environment", "exploration", "replay", "update",
                                 "evaluation",  "evaluatioo",  "",       "evaluation "};
    const int count = (int)(sizeof names / sizeof names[0]);
    for (int a = 0; a < count; a++) {
        tot_random first;
        tot_random second;
        for (int b = 0; b < a; b++) {
            tot_random_init(&first, 7, names[a]);
            tot_random_init(&second, 7, names[b]);
            assert_unrelated(first, second, "names");
        }
        tot_random_init(&first, 7, names[a]);
        tot_random_init(&second, 8, names[a]);
        assert_unrelated(first, second, "seeds");
        tot_random_init(&second, 7 + (UINT64_C(1) << 32), names[a]);
        assert_unrelated(first, second, "seeds past 32 bits");
        for (uint64_t number = 0; number < 3; number++) {
            tot_random_init_numbered(&second, 7, names[a], number);
            assert_unrelated(first, second, "plain and numbered");
            tot_random_init_numbered(&first, 7, names[a], number + 1);
            assert_unrelated(first, second, "numbers");
            tot_random_init(&first, 7, names[a]);
        }
    }
}

// 100,000 numbered streams give 100,000 different values.
static int compare_words(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

TEST(test_numbered_streams_do_not_collide) {
    enum { STREAMS = 100000 };
    static uint64_t seen[STREAMS];
    for (uint64_t number = 0; number < STREAMS; number++) {
        tot_random random;
        tot_random_init_numbered(&random, 0, "world", number);
        seen[number] = random.stream;
    }
    qsort(seen, STREAMS, sizeof seen[0], compare_words);
    for (int k = 1; k < STREAMS; k++) {
        assert_true(seen[k] != seen[k - 1]);
    }
}

TEST_MAIN(NULL, NULL)
