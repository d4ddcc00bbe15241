// Resizing compared with the formula in double precision.
#include "asserts.h"

#include <math.h>

#include <temporalot/image.h>

enum { CHANNELS = 3 };

// The two source pixels of an output pixel, and the weight of the second.
static double place(int index, int count, int from_count, int *first, int *second) {
    double at = (index + 0.5) * from_count / count - 0.5;
    at = fmin(fmax(at, 0), from_count - 1);
    *first = (int)floor(at);
    *second = *first + 1 < from_count ? *first + 1 : *first;
    return at - *first;
}

static double expected(const uint8_t *from, int from_width, int from_height, int width, int height,
                       int x, int y, int channel) {
    int x0, x1, y0, y1;
    const double across = place(x, width, from_width, &x0, &x1);
    const double down = place(y, height, from_height, &y0, &y1);
    const double top = from[(y0 * from_width + x0) * CHANNELS + channel] * (1 - across) +
                       from[(y0 * from_width + x1) * CHANNELS + channel] * across;
    const double bottom = from[(y1 * from_width + x0) * CHANNELS + channel] * (1 - across) +
                          from[(y1 * from_width + x1) * CHANNELS + channel] * across;
    return top * (1 - down) + bottom * down;
}

static uint8_t *make_random(int width, int height, uint64_t seed) {
    // exact size, so that a sanitizer detects reads past the end
    uint8_t *rgb = malloc((size_t)width * (size_t)height * CHANNELS);
    tot_random random;
    assert_non_null(rgb);
    tot_random_init(&random, seed, "resize");
    for (int k = 0; k < width * height * CHANNELS; k++) {
        rgb[k] = (uint8_t)tot_random_word(&random);
    }
    return rgb;
}

static void check(int from_width, int from_height, int width, int height) {
    uint8_t *from = make_random(from_width, from_height, (uint64_t)(from_width * 1000 + width));
    uint8_t *to = malloc((size_t)width * (size_t)height * CHANNELS);
    assert_non_null(to);
    tot_resize(from, from_width, from_height, to, width, height);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            for (int c = 0; c < CHANNELS; c++) {
                const double exact =
                    expected(from, from_width, from_height, width, height, x, y, c);
                const double off = fabs(to[(y * width + x) * CHANNELS + c] - exact);
                if (off > 0.5 + 1e-3) {
                    print_error("%d x %d to %d x %d: pixel %d, %d, %d is off by %g\n", from_width,
                                from_height, width, height, x, y, c, off);
                }
                assert_true(off <= 0.5 + 1e-3);
            }
        }
    }
    free(from);
    free(to);
}

TEST(test_formula) {
    static const int sizes[] = {1, 2, 3, 17, 84, 127, 128, 129, 224, 300};
    const int count = (int)(sizeof sizes / sizeof *sizes);
    for (int k = 0; k < count; k++) {
        for (int j = 0; j < count; j++) {
            check(sizes[k], sizes[(k + 3) % count], sizes[j], sizes[(j + 5) % count]);
        }
    }
    check(640, 480, 224, 224);
    check(640, 480, 84, 84);
}

// The same size changes nothing; half the size is the mean of four, with halves rounded up.
TEST(test_exact) {
    uint8_t *from = make_random(40, 30, 1);
    uint8_t to[40 * 30 * CHANNELS];
    tot_resize(from, 40, 30, to, 40, 30);
    assert_memory_equal(from, to, sizeof to);
    tot_resize(from, 40, 30, to, 20, 15);
    for (int k = 0; k < 20 * 15 * CHANNELS; k++) {
        const int channel = k % CHANNELS;
        const int x = k / CHANNELS % 20;
        const int y = k / CHANNELS / 20;
        const uint8_t *corner = from + (2 * y * 40 + 2 * x) * CHANNELS + channel;
        const int sum =
            corner[0] + corner[CHANNELS] + corner[40 * CHANNELS] + corner[41 * CHANNELS];
        assert_int_equal(to[k], (sum + 2) / 4);
    }
    free(from);
}

TEST_MAIN(NULL, NULL)
