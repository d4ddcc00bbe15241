// episode.npz: round trips, and invalid files.
#include "run_folders.h"

#include <temporalot/file.h>

#include "failing_memory.h"
#include "episode_files.h"

static const char *path_of(void) {
    return in_folder("episode.npz");
}

static void write_made(void) {
    train_labelled_episode labelled = make_labelled(MADE_PICTURES, MADE_SIDE);
    assert_ok(train_episode_write(&labelled, path_of()));
    train_episode_free(&labelled);
}

// Equal up to float32 precision, with NaN in the same places.
static void assert_near(const double *seen, const double *wanted, size_t count) {
    for (size_t k = 0; k < count; k++) {
        if (isnan(wanted[k])) {
            assert_true(isnan(seen[k]));
        } else {
            assert_true(fabs(seen[k] - wanted[k]) <= 1e-6 * fabs(wanted[k]));
        }
    }
}

static void assert_same_pictures(const train_episode_pictures *a, const train_episode_pictures *b) {
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    assert_memory_equal(a->steps, b->steps, a->count * sizeof *a->steps);
    assert_memory_equal(a->rgb, b->rgb, a->count * (size_t)a->width * (size_t)a->height * 3);
}

TEST_EACH(make_test_folder, remove_runs)

TEST(what_is_written_is_read) {
    train_labelled_episode labelled = make_labelled(MADE_PICTURES, MADE_SIDE);
    train_labelled_episode seen = {0};
    const size_t count = MADE_STEPS * MADE_DEMO_STEPS;
    assert_ok(train_episode_write(&labelled, path_of()));
    assert_ok(train_episode_read(&seen, path_of()));
    assert_int_equal(seen.episode, 41);
    assert_true(seen.solved);
    assert_int_equal(seen.demo, 1);
    assert_int_equal(seen.demos, 2);
    assert_int_equal(seen.steps, MADE_STEPS);
    assert_int_equal(seen.demo_steps, MADE_DEMO_STEPS);
    assert_near(seen.rewards, labelled.rewards, MADE_STEPS);
    assert_near(seen.cost, labelled.cost, count);
    assert_near(seen.mask, labelled.mask, count);
    assert_near(seen.plan, labelled.plan, count);
    assert_same_pictures(&seen.frames, &labelled.frames);
    assert_same_pictures(&seen.demo_frames, &labelled.demo_frames);
    // an episode that was read is written as the same bytes
    size_t sizes[2];
    assert_ok(train_episode_write(&seen, in_folder("again.npz")));
    uint8_t *one = read_bytes(path_of(), &sizes[0]);
    uint8_t *two = read_bytes(in_folder("again.npz"), &sizes[1]);
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(one, two, sizes[0]);
    free(one);
    free(two);
    char text[256];
    train_episode_describe(&seen, text, sizeof text);
    assert_string_equal(text,
                        "Episode 41, solved at its end, return \xe2\x88\x92"
                        "47.500: nearest to demonstration 1 (of 2, from 0).");
    seen.rewards[3] = (double)NAN;
    train_episode_describe(&seen, text, sizeof text);
    assert_non_null(strstr(text, "return unknown"));
    train_episode_free(&labelled);
    train_episode_free(&seen);
}

TEST(what_is_not_there_is_none) {
    train_labelled_episode labelled = make_labelled(MADE_PICTURES, MADE_SIDE);
    train_labelled_episode seen = {0};
    base_free(labelled.plan);
    base_free(labelled.mask);
    base_free(labelled.frames.rgb);
    base_free(labelled.demo_frames.rgb);
    labelled.plan = labelled.mask = NULL;
    labelled.frames = labelled.demo_frames = (train_episode_pictures){0};
    assert_ok(train_episode_write(&labelled, path_of()));
    assert_ok(train_episode_read(&seen, path_of()));
    assert_non_null(seen.cost);
    assert_null(seen.plan);
    assert_null(seen.mask);
    assert_int_equal(seen.frames.count, 0);
    assert_null(train_episode_alignment(&seen).episode.frames);
    train_episode_free(&labelled);
    train_episode_free(&seen);
}

TEST(pictures_become_few_and_small) {
    enum { COUNT = 40, WIDTH = 100, HEIGHT = 50 };
    static uint8_t frames[COUNT][HEIGHT][WIDTH][3];
    for (size_t k = 0; k < COUNT; k++) {
        memset(frames[k], (int)(3 * k), sizeof frames[k]);
    }
    const tot_frame_row row = {
        .frames = frames[0][0][0], .count = COUNT, .width = WIDTH, .height = HEIGHT};
    train_episode_pictures taken = {0};
    assert_ok(train_episode_choose_pictures(&taken, &row));
    assert_int_equal(taken.count, TRAIN_EPISODE_PICTURES);
    assert_int_equal(taken.width, 64);
    assert_int_equal(taken.height, 32);
    assert_int_equal(taken.steps[0], 0);
    assert_int_equal(taken.steps[TRAIN_EPISODE_PICTURES - 1], COUNT - 1);
    for (size_t k = 0; k < taken.count; k++) {
        // all of a picture has the colour of its step
        assert_true(k == 0 || taken.steps[k] > taken.steps[k - 1]);
        for (size_t at = 0; at < 64 * 32 * 3; at += 97) {
            assert_int_equal(taken.rgb[k * 64 * 32 * 3 + at], 3 * taken.steps[k]);
        }
    }
    base_free(taken.rgb);
}

// --- invalid files -----------------------------------------------------------------------------

// Reads the file; on failure the error must name it.
static tot_status try_reading(void) {
    train_labelled_episode labelled = {0};
    const tot_status status = train_episode_read(&labelled, path_of());
    if (status != TOT_OK) {
        assert_non_null(strstr(tot_error(), "episode.npz"));
    }
    train_episode_free(&labelled);
    return status;
}

TEST(damaged_files_are_refused) {
    size_t size;
    write_made();
    uint8_t *bytes = read_bytes(path_of(), &size);
    for (size_t cut = 0; cut < size; cut += 1 + size / 60) {
        write_bytes(path_of(), bytes, cut);
        assert_int_not_equal(try_reading(), TOT_OK);
    }
    // a wrong byte is detected by a checksum, or is in an unused position
    size_t refused = 0;
    for (size_t at = 0; at < size; at += 29) {
        bytes[at] ^= 0x5a;
        write_bytes(path_of(), bytes, size);
        refused += try_reading() != TOT_OK ? 1 : 0;
        bytes[at] ^= 0x5a;
    }
    assert_true(refused > size / 29 / 2);
    free(bytes);
    write_file("episode.npz", "this is no archive");
    assert_int_not_equal(try_reading(), TOT_OK);
    assert_int_equal(remove(path_of()), 0);
    assert_int_not_equal(try_reading(), TOT_OK);
    assert_ok(train_make_folder(path_of()));
    assert_int_not_equal(try_reading(), TOT_OK);
}

// Replaces one array of the file by another (NULL: omitted).
static void exchange(const char *name, const tot_array *other) {
    tot_npz *npz = NULL;
    tot_npz_writer *writer = NULL;
    tot_array array = {0};
    write_made();
    assert_ok(tot_npz_open(&npz, path_of()));
    assert_ok(tot_npz_create(&writer, in_folder("other.npz"), true));
    for (int64_t k = 0; k < tot_npz_count(npz); k++) {
        const bool exchanged = strcmp(tot_npz_name(npz, k), name) == 0;
        if (!exchanged) {
            assert_ok(tot_npz_read(npz, tot_npz_name(npz, k), &array));
            assert_ok(tot_npz_add(writer, tot_npz_name(npz, k), &array));
        } else if (other != NULL) {
            assert_ok(tot_npz_add(writer, name, other));
        }
    }
    tot_array_free(&array);
    tot_npz_close(npz);
    assert_ok(tot_npz_commit(writer));
    assert_int_equal(rename(in_folder("other.npz"), path_of()), 0);
}

static void assert_exchange_refused(const char *name, const tot_array *other, const char *said) {
    exchange(name, other);
    const tot_status status = try_reading();
    if (status != TOT_E_FORMAT || strstr(tot_error(), said) == NULL) {
        print_error("%s: %d '%s'\n", name, (int)status, tot_error());
    }
    assert_int_equal(status, TOT_E_FORMAT);
    assert_non_null(strstr(tot_error(), said));
}

TEST(counts_out_of_range_are_refused) {
    static const struct {
        const char *name;
        int64_t value;
    } bad[] = {{"episode", -1},    {"success", 2},    {"demo", 2},
               {"demo", -1},       {"demos", 0},      {"demos", INT64_MAX},
               {"demo_steps", 29}, {"demo_steps", 0}, {"demo_steps", INT64_MAX}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        int64_t value = bad[k].value;
        const tot_array array = {.type = TOT_I64, .data = &value};
        // a different demonstration length is detected from the matrices
        assert_exchange_refused(bad[k].name, &array, bad[k].value == 29 ? "cost" : bad[k].name);
    }
}

TEST(strange_arrays_are_refused) {
    static double numbers[64 * 64 * 20 * 3];
    static uint8_t bytes[17 * 64 * 65 * 3];
    int64_t steps[MADE_PICTURES] = {0, 1, 2, 2, 3};
    const tot_array doubles = {
        .type = TOT_F64, .dimensions = 2, .shape = {MADE_STEPS, MADE_DEMO_STEPS}, .data = numbers};
    const tot_array narrow = {.type = TOT_F32,
                              .dimensions = 2,
                              .shape = {MADE_STEPS, MADE_DEMO_STEPS - 1},
                              .data = numbers};
    const tot_array flat = {
        .type = TOT_F32, .dimensions = 1, .shape = {MADE_STEPS}, .data = numbers};
    const tot_array many = {.type = TOT_U8, .dimensions = 4, .shape = {17, 4, 4, 3}, .data = bytes};
    const tot_array wide = {
        .type = TOT_U8, .dimensions = 4, .shape = {1, 64, 65, 3}, .data = bytes};
    const tot_array none = {
        .type = TOT_U8, .dimensions = 4, .shape = {0, 64, 64, 3}, .data = bytes};
    const tot_array again = {
        .type = TOT_I64, .dimensions = 1, .shape = {MADE_PICTURES}, .data = steps};
    const tot_array empty = {.type = TOT_F32, .dimensions = 1, .shape = {0}, .data = numbers};
    const tot_array longest = {
        .type = TOT_F32, .dimensions = 1, .shape = {TRAIN_EPISODE_STEPS + 1}, .data = numbers};
    assert_exchange_refused("cost", &doubles, "'cost'");
    assert_exchange_refused("cost", &narrow, "'cost'");
    assert_exchange_refused("plan", &flat, "'plan'");
    assert_exchange_refused("mask", &doubles, "'mask'");
    assert_exchange_refused("frames", &many, "'frames'");
    assert_exchange_refused("frames", &wide, "'frames'");
    assert_exchange_refused("demo_frames", &none, "'demo_frames'");
    assert_exchange_refused("frame_steps", &again, "shows step 2");
    steps[3] = 5;
    steps[4] = MADE_STEPS;
    assert_exchange_refused("frame_steps", &again, "shows step 20 of 20");
    steps[0] = -1;
    assert_exchange_refused("demo_frame_steps", &again, "shows step -1");
    assert_exchange_refused("rewards", &empty, "'rewards'");
    assert_exchange_refused("rewards", &longest, "'rewards'");
    assert_exchange_refused("rewards", NULL, "has no 'rewards'");
    assert_exchange_refused("frame_steps", NULL, "has no 'frame_steps'");
    assert_exchange_refused("success", NULL, "has no 'success'");
}

static void note_largest(void *context, size_t bytes) {
    size_t *largest = context;
    *largest = bytes > *largest ? bytes : *largest;
}

// A file that unpacks to far more than an episode needs is rejected before memory is allocated.
TEST(large_promises_cost_nothing) {
    float *many = calloc(4096 * 2048, sizeof *many);
    assert_non_null(many);
    const tot_array cost = {.type = TOT_F32, .dimensions = 2, .shape = {4096, 2048}, .data = many};
    exchange("cost", &cost);
    size_t largest = 0;
    failing_memory memory;
    failing_memory_start(&memory, 0);
    memory.before = note_largest;
    memory.before_context = &largest;
    const tot_status status = try_reading();
    assert_int_equal(failing_memory_stop(&memory), 0);
    assert_int_equal(status, TOT_E_FORMAT);
    assert_in_range(largest, 1, 1 << 16);
    free(many);
    // matrices too large for a page are rejected, too
    int64_t steps = 2049;
    const tot_array demo_steps = {.type = TOT_I64, .data = &steps};
    assert_exchange_refused("demo_steps", &demo_steps, "too large");
}

TEST(any_allocation_may_fail) {
    train_labelled_episode labelled = make_labelled(1, 4);
    failing_memory memory;
    for (uint64_t k = 1; failing_memory_next(&memory, k); k++) {
        train_labelled_episode seen = {0};
        tot_status status = train_episode_write(&labelled, path_of());
        status = status != TOT_OK ? status : train_episode_read(&seen, path_of());
        train_episode_free(&seen);
        failing_memory_check(&memory, status);
    }
    const tot_frame_row row = {
        .frames = labelled.frames.rgb, .count = 1, .width = labelled.frames.width, .height = 4};
    for (uint64_t k = 1; failing_memory_next(&memory, k); k++) {
        train_episode_pictures taken = {0};
        const tot_status status = train_episode_choose_pictures(&taken, &row);
        base_free(taken.rgb);
        failing_memory_check(&memory, status);
    }
    train_episode_free(&labelled);
}

TEST_MAIN(NULL, NULL)
