// The region in which recordings change: a square that moves is found whatever the size of the
// pictures, noise is not, and pictures read with the region are those of the same crop.
#include <math.h>

#include <temporalot/image.h>

#include "failing_memory.h"
#include "file/test_folder.h"

enum { WIDTH = 200, HEIGHT = 160, FRAMES = 9, MOST = 2 * WIDTH * 2 * HEIGHT * 3 * FRAMES };

static uint8_t pictures[MOST];

// Noise of up to +-noise around grey; a bright square of `side` pixels goes from (x, y) to the
// right, `step` pixels per frame.
static void save_square(const char *name, int width, int height, int x, int y, int side, int step,
                        int noise) {
    tot_random random;
    tot_random_init(&random, 3, name);
    for (int64_t k = 0; k < (int64_t)FRAMES * width * height * 3; k++) {
        pictures[k] = (uint8_t)(120 + (2 * tot_random_uniform(&random) - 1) * noise);
    }
    for (int frame = 0; frame < FRAMES; frame++) {
        for (int row = y; row < y + side; row++) {
            memset(pictures + (((int64_t)frame * height + row) * width + x + frame * step) * 3, 230,
                   (size_t)side * 3);
        }
    }
    const tot_array array = {
        .type = TOT_U8, .dimensions = 4, .shape = {FRAMES, height, width, 3}, .data = pictures};
    assert_ok(tot_array_save(&array, in_folder(name)));
}

// Whether the region contains the square's path with some room, and not much more.
static void check_region(const double region[4], double left, double top, double right,
                         double bottom) {
    const double share = fmax(right - left, bottom - top);
    assert_true(region[0] <= left && region[1] <= top && region[2] >= right && region[3] >= bottom);
    assert_true(fabs((region[2] - region[0]) - (region[3] - region[1])) < 1e-9);
    assert_true(region[2] - region[0] < share + 0.16);
    assert_true(region[0] >= 0 && region[1] >= 0 && region[2] <= 1 && region[3] <= 1);
}

TEST_EACH(NULL, empty_test_folder)

TEST(test_square) {
    double region[4];
    double same[4];
    // 80, 60 to 124, 80
    save_square("a.npy", WIDTH, HEIGHT, 80, 60, 20, 3, 0);
    const char *const paths[] = {in_folder("a.npy"), in_folder("b.npy")};
    assert_ok(tot_frames_moving(region, paths, 1, NULL));
    check_region(region, 0.4, 0.375, 0.62, 0.5);
    // noise, another size, another place: the union
    save_square("b.npy", 2 * WIDTH, 2 * HEIGHT, 300, 40, 40, 0, 20);
    assert_fails(tot_frames_moving(same, paths + 1, 1, NULL), TOT_E_VALUE, "nothing moves");
    save_square("b.npy", 2 * WIDTH, 2 * HEIGHT, 300, 40, 40, 4, 20);
    assert_ok(tot_frames_moving(region, paths, 2, NULL));
    check_region(region, 0.4, 0.125, 0.93, 0.5);
    // a part of the frames
    const tot_excerpt first = {.every = FRAMES};
    assert_fails(tot_frames_moving(same, paths, 2, &first), TOT_E_VALUE, "nothing moves");
}

TEST(test_at_the_edge_and_small) {
    double region[4];
    save_square("a.npy", WIDTH, HEIGHT, 0, 0, 10, 1, 0);
    const char *const paths[] = {in_folder("a.npy"), in_folder("b.npy")};
    assert_ok(tot_frames_moving(region, paths, 1, NULL));
    assert_true(region[0] == 0 && region[1] == 0 && region[2] < 0.2);
    // fewer pixels than cells
    save_square("b.npy", 32, 24, 10, 10, 4, 1, 0);
    assert_ok(tot_frames_moving(region, paths + 1, 1, NULL));
    check_region(region, 0.32, 0.42, 0.68, 0.58);
    // beside larger ones, in either order
    save_square("a.npy", 8 * 32, 8 * 24, 16, 40, 40, 0, 0);
    const char *const other_order[] = {paths[1], paths[0]};
    assert_ok(tot_frames_moving(region, paths, 2, NULL));
    check_region(region, 0.32, 0.42, 0.68, 0.58);
    assert_ok(tot_frames_moving(region, other_order, 2, NULL));
    check_region(region, 0.32, 0.42, 0.68, 0.58);
}

TEST(test_reading) {
    static uint8_t by_region[WIDTH * HEIGHT * 3], by_crop[WIDTH * HEIGHT * 3];
    tot_frames *frames = NULL;
    bool end = false;
    const tot_excerpt excerpts[] = {{.region = {0.1, 0.25, 0.6, 0.75}},
                                    {.crop = {20, 40, 100, 80}}};
    uint8_t *const out[] = {by_region, by_crop};
    save_square("a.npy", WIDTH, HEIGHT, 80, 60, 20, 3, 50);
    for (int k = 0; k < 2; k++) {
        assert_false(tot_excerpt_is_all(&excerpts[k]));
        assert_ok(tot_frames_open(&frames, in_folder("a.npy")));
        assert_ok(tot_frames_pick(frames, &excerpts[k]));
        assert_int_equal(tot_frames_width(frames), 100);
        assert_int_equal(tot_frames_height(frames), 80);
        assert_ok(tot_frames_read(frames, out[k], &end));
        tot_frames_close(frames);
    }
    assert_memory_equal(by_region, by_crop, 100 * 80 * 3);
    // the last pixel
    const tot_excerpt least = {.region = {0.999, 0.999, 1, 1}};
    assert_ok(tot_frames_open(&frames, in_folder("a.npy")));
    assert_ok(tot_frames_pick(frames, &least));
    assert_int_equal(tot_frames_width(frames), 1);
    assert_ok(tot_frames_read(frames, by_region, &end));
    tot_frames_close(frames);
}

TEST(test_refused) {
    double region[4];
    tot_frames *frames = NULL;
    const tot_excerpt bad[] = {
        {.region = {0.5, 0, 0.4, 1}}, {.region = {-0.1, 0, 0.4, 1}},
        {.region = {0, 0, 1.1, 1}},   {.region = {0, NAN, 1, 1}},
        {.region = {0.2, 0.2, 0, 1}}, {.region = {0, 0, 0.5, 0.5}, .crop = {0, 0, 4, 4}}};
    save_square("a.npy", WIDTH, HEIGHT, 80, 60, 20, 3, 0);
    save_square("tall.npy", HEIGHT, WIDTH, 80, 60, 20, 3, 0);
    const char *const paths[] = {in_folder("a.npy"), in_folder("tall.npy"), in_folder("none.npy")};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_ok(tot_frames_open(&frames, paths[0]));
        assert_fails(tot_frames_pick(frames, &bad[k]), TOT_E_ARGUMENT, "region");
        tot_frames_close(frames);
    }
    assert_fails(tot_frames_moving(region, paths, 2, NULL), TOT_E_SHAPE, "tall.npy");
    assert_fails(tot_frames_moving(region, paths + 2, 1, NULL), TOT_E_FILE, "none.npy");
    assert_fails(tot_frames_moving(region, paths, 0, NULL), TOT_E_ARGUMENT, "no pictures");
    const tot_excerpt parts[] = {{.crop = {70, 50, 100, 80}}, {.region = {0.3, 0.3, 0.9, 0.9}}};
    for (int k = 0; k < 2; k++) {
        assert_fails(tot_frames_moving(region, paths, 1, &parts[k]), TOT_E_ARGUMENT, "crop");
    }
}

TEST(test_failing_memory) {
    double region[4];
    failing_memory memory;
    save_square("a.npy", WIDTH, HEIGHT, 80, 60, 20, 3, 0);
    const char *const paths[] = {in_folder("a.npy")};
    for (uint64_t k = 1; failing_memory_next(&memory, k); k++) {
        failing_memory_check(&memory, tot_frames_moving(region, paths, 1, NULL));
    }
}

TEST_MAIN(make_test_folder, remove_test_folder)
