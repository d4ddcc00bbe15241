// Whitening: known variances are scaled as expected, orthogonal directions are unchanged, and few
// or identical frames do no harm.
#include "train/whitening.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asserts.h"
#include "failing_memory.h"

enum { COUNT = 400, WIDTH = 150, AXES = 5 };

static const double deviations[AXES] = {10, 3, 1, 0.3, 0.1};
static const double floor_share = 0.003;

// Axis k lies in elements 3k and 3k + 1, so that no axis is a single element.
static void add_axis(float *x, int axis, double amount) {
    x[3 * axis] += (float)(0.6 * amount);
    x[3 * axis + 1] += (float)(0.8 * amount);
}

static double along(const float *x, int axis) {
    return 0.6 * (double)x[3 * axis] + 0.8 * (double)x[3 * axis + 1];
}

// Frames around 5 that vary only along the axes. Rows come in fours, with all pairs of signs for
// otherwise identical axes, so that the axes are exactly uncorrelated.
static float *make_frames(void) {
    float *frames = malloc(sizeof *frames * COUNT * WIDTH);
    assert_non_null(frames);
    for (int n = 0; n < COUNT; n++) {
        for (int k = 0; k < WIDTH; k++) {
            frames[n * WIDTH + k] = 5;
        }
        for (int axis = 0; axis < AXES; axis++) {
            // columns of a Hadamard matrix: orthogonal, and half of each is -1
            const int sign = (n >> axis) & 1 ? 1 : -1;
            add_axis(frames + n * WIDTH, axis, sign * deviations[axis]);
        }
    }
    return frames;
}

TEST(test_known_variances) {
    float *frames = make_frames();
    train_whitening whitening;
    // 384 = 12 x 32 rows: every pair of axes is uncorrelated
    assert_int_equal(train_whitening_fit(&whitening, frames, 384, WIDTH, floor_share), TOT_OK);
    assert_int_equal(whitening.rank, AXES);
    for (int axis = 0; axis < AXES; axis++) {
        float x[WIDTH];
        for (int k = 0; k < WIDTH; k++) {
            x[k] = 5;
        }
        add_axis(x, axis, 1);
        train_whitening_apply(&whitening, x, 1, WIDTH);
        for (int k = 0; k < WIDTH; k++) {
            x[k] -= 5;
        }
        const double variance = deviations[axis] * deviations[axis];
        const double expected = sqrt(0.3 / (variance + 0.3));  // 0.003 of the largest, 100
        assert_true(fabs(along(x, axis) - expected) < 1e-5);
        for (int other = 0; other < AXES; other++) {
            assert_true(other == axis || fabs(along(x, other)) < 1e-5);
        }
    }
    train_whitening_free(&whitening);
    free(frames);
}

// Directions that random motion never changes are unchanged, also with a stride between frames.
TEST(test_rest_stays) {
    float *frames = make_frames();
    train_whitening whitening;
    assert_int_equal(train_whitening_fit(&whitening, frames, 384, WIDTH, floor_share), TOT_OK);
    enum { APART = WIDTH + 7 };
    float two[2 * APART];
    for (int k = 0; k < 2 * APART; k++) {
        two[k] = 5;
    }
    two[WIDTH - 1] = 9;
    two[APART + 2] = -3;
    add_axis(two + APART, 0, 2);
    float before[2 * APART];
    memcpy(before, two, sizeof two);
    train_whitening_apply(&whitening, two, 2, APART);
    assert_true(fabs((double)two[WIDTH - 1] - 9) < 1e-5);
    assert_true(fabs((double)two[APART + 2] + 3) < 1e-5);
    assert_true(fabs(along(two + APART, 0) - 7 - 2 * sqrt(0.3 / 100.3)) < 1e-4);
    assert_memory_equal(two + WIDTH, before + WIDTH, 7 * sizeof *two);
    train_whitening_free(&whitening);
    free(frames);
}

// More directions than the rank: the largest are kept, orthonormal, for any rotation.
TEST(test_largest_are_kept) {
    float *frames = malloc(sizeof *frames * COUNT * WIDTH);
    assert_non_null(frames);
    tot_random random;
    tot_random_init(&random, 3, "test");
    for (int n = 0; n < COUNT; n++) {
        for (int k = 0; k < WIDTH; k++) {
            frames[n * WIDTH + k] = (float)(tot_random_normal(&random) * pow(0.9, k));
        }
    }
    train_whitening whitening;
    assert_int_equal(train_whitening_fit(&whitening, frames, COUNT, WIDTH, floor_share), TOT_OK);
    assert_int_equal(whitening.rank, TRAIN_WHITENING_RANK);
    for (int a = 0; a < whitening.rank; a++) {
        for (int b = 0; b <= a; b++) {
            double product = 0;
            for (int k = 0; k < WIDTH; k++) {
                product += (double)whitening.directions[a * WIDTH + k] *
                           (double)whitening.directions[b * WIDTH + k];
            }
            assert_true(fabs(product - (a == b ? 1 : 0)) < 1e-5);
        }
    }
    // variances along the directions before and after
    for (int a = 0; a < whitening.rank; a++) {
        double before = 0, after = 0;
        for (int n = 0; n < COUNT; n++) {
            float x[WIDTH];
            memcpy(x, frames + n * WIDTH, sizeof x);
            double one = 0, two = 0;
            for (int pass = 0; pass < 2; pass++) {
                double *sum = pass == 0 ? &one : &two;
                for (int k = 0; k < WIDTH; k++) {
                    *sum += (double)(x[k] - whitening.mean[k]) *
                            (double)whitening.directions[a * WIDTH + k];
                }
                train_whitening_apply(&whitening, x, 1, WIDTH);
            }
            before += one * one;
            after += two * two;
        }
        assert_true(fabs(sqrt(after / before) - (double)whitening.gains[a]) < 1e-4);
    }
    train_whitening_free(&whitening);
    free(frames);
}

TEST(test_nothing_moves) {
    float frames[3 * 4] = {1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4};
    float x[4] = {7, -1, 0, 2};
    const float same[4] = {7, -1, 0, 2};
    train_whitening whitening;
    assert_int_equal(train_whitening_fit(&whitening, frames, 3, 4, floor_share), TOT_OK);
    assert_int_equal(whitening.rank, 0);
    train_whitening_apply(&whitening, x, 1, 4);
    assert_memory_equal(x, same, sizeof x);
    train_whitening_free(&whitening);
    train_whitening_free(&whitening);
}

TEST(test_no_memory) {
    float *frames = make_frames();
    failing_memory memory;
    for (uint64_t k = 1; failing_memory_next(&memory, k); k++) {
        train_whitening whitening;
        const tot_status status = train_whitening_fit(&whitening, frames, 32, WIDTH, floor_share);
        train_whitening_free(&whitening);
        failing_memory_check(&memory, status);
    }
    free(frames);
}

TEST_MAIN(NULL, NULL)
