// Pictures from arrays and folders, one after another; everything else is rejected.
#include "file/reading.h"

#include "failing_memory.h"
#include "file/frames.h"
#include "file/made_npy.h"
#include "file/npy_stream.h"

enum { WIDTH = 37, HEIGHT = 23, FRAMES = 12, BYTES = WIDTH * HEIGHT * 3 };

static uint8_t pictures[FRAMES * BYTES];

static tot_array painted(void) {
    for (int k = 0; k < FRAMES; k++) {
        paint(pictures + k * BYTES, WIDTH, HEIGHT, k);
    }
    return (tot_array){
        .type = TOT_U8, .dimensions = 4, .shape = {FRAMES, HEIGHT, WIDTH, 3}, .data = pictures};
}

static void check_all(const char *path) {
    const reading found = read_frames(path);
    if (found.status != TOT_OK) {
        print_error("%s\n", tot_error());
    }
    assert_int_equal(found.status, TOT_OK);
    assert_int_equal(found.count, FRAMES);
    assert_int_equal(found.promised, FRAMES);
    assert_int_equal(found.width, WIDTH);
    assert_int_equal(found.height, HEIGHT);
    assert_true(found.worst == 0);
}

// --- arrays ------------------------------------------------------------------------------------

TEST_EACH(NULL, empty_test_folder)

TEST(test_npy) {
    const tot_array array = painted();
    assert_ok(tot_array_save(&array, in_folder("a.npy")));
    check_all(in_folder("a.npy"));
    // the format is detected from the bytes
    assert_int_equal(rename(in_folder("a.npy"), in_folder("a.mp4")), 0);
    check_all(in_folder("a.mp4"));
}

static void write_npz(const char *path, bool deflate, const char *const *names, size_t count) {
    const tot_array array = painted();
    tot_npz_writer *writer = NULL;
    assert_ok(tot_npz_create(&writer, path, deflate));
    for (size_t k = 0; k < count; k++) {
        assert_ok(tot_npz_add(writer, names[k], &array));
    }
    assert_ok(tot_npz_add_text(writer, "meta", "{}"));
    assert_ok(tot_npz_commit(writer));
}

TEST(test_npz) {
    static const char *const one[] = {"frames"};
    static const char *const two[] = {"frames_0", "frames_1"};
    write_npz(in_folder("stored.npz"), false, one, 1);
    check_all(in_folder("stored.npz"));
    check_all(in_folder("stored.npz:frames"));
    write_npz(in_folder("deflated.npz"), true, one, 1);
    check_all(in_folder("deflated.npz"));
    write_npz(in_folder("two.npz"), true, two, 2);
    check_all(in_folder("two.npz:frames_1"));
    assert_refused(in_folder("two.npz"), TOT_E_ARGUMENT, "frames_0, frames_1");
    assert_refused(in_folder("two.npz:frames_2"), TOT_E_ARGUMENT, "frames_0, frames_1");
    assert_refused(in_folder("two.npz:meta"), TOT_E_SHAPE, "steps x height x width x 3");
    assert_refused(in_folder("none.npz:frames"), TOT_E_FILE, "no such file");
}

TEST(test_damaged_npz) {
    static const char *const one[] = {"frames"};
    size_t size = 0;
    write_npz(in_folder("a.npz"), true, one, 1);
    uint8_t *bytes = read_bytes(in_folder("a.npz"), &size);
    bytes[size / 2] ^= 0x55;
    write_bytes(in_folder("a.npz"), bytes, size);
    assert_refused(in_folder("a.npz"), TOT_E_FORMAT, "frames");
    write_bytes(in_folder("cut.npz"), bytes, size / 2);
    assert_refused(in_folder("cut.npz"), TOT_E_FORMAT, "npz");
    free(bytes);
}

static void refuse_npy(const char *literal, size_t size, tot_status status, const char *words) {
    static const uint8_t data[2048];
    const made_file file = make_npy(literal, data, size);
    write_bytes(in_folder("x.npy"), file.bytes, file.size);
    assert_refused(in_folder("x.npy"), status, words);
}

TEST(test_hostile_npy) {
    static const struct {
        const char *descr, *order, *shape;
        size_t size;
        tot_status status;
        const char *words;
    } cases[] = {
        {"<f4", "False", "(2, 2, 2, 3)", 96, TOT_E_UNSUPPORTED, "float32"},
        {"|b1", "False", "(2, 2, 2, 3)", 24, TOT_E_UNSUPPORTED, "bool"},
        {"|O", "False", "(2, 2, 2, 3)", 24, TOT_E_UNSUPPORTED, "never unpickled"},
        {"|u1", "False", "(2, 2, 3)", 12, TOT_E_SHAPE, "2 x 2 x 3"},
        {"|u1", "False", "(2, 2, 2, 4)", 32, TOT_E_SHAPE, "2 x 2 x 2 x 4"},
        {"|u1", "False", "(2, 3, 5, 5)", 150, TOT_E_SHAPE, "transpose"},
        {"|u1", "False", "()", 1, TOT_E_SHAPE, "a single number"},
        {"|u1", "False", "(0, 2, 2, 3)", 0, TOT_E_FORMAT, "no picture"},
        {"|u1", "False", "(2, 0, 2, 3)", 0, TOT_E_UNSUPPORTED, "2 x 0"},
        {"|u1", "False", "(1, 1, 65501, 3)", 0, TOT_E_FORMAT, "cut short"},
        {"|u1", "False", "(100, 2, 2, 3)", 1199, TOT_E_FORMAT, "cut short"},
        {"|u1", "False", "(9223372036854775807, 2, 2, 3)", 24, TOT_E_FORMAT, "counted"},
        {"|u1", "True", "(2, 2, 2, 3)", 24, TOT_E_UNSUPPORTED, "ascontiguousarray"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char literal[200];
        snprintf(literal, sizeof literal, "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }",
                 cases[k].descr, cases[k].order, cases[k].shape);
        refuse_npy(literal, cases[k].size, cases[k].status, cases[k].words);
    }
    write_bytes(in_folder("text.npy"), "these are no pictures", 21);
    assert_refused(in_folder("text.npy"), TOT_E_FORMAT, "not a .npy");
    write_bytes(in_folder("text.npz"), "these are no pictures", 21);
    assert_refused(in_folder("text.npz"), TOT_E_FORMAT, "not an .npz");
    assert_refused(in_folder("none.npy"), TOT_E_FILE, "No such file");
    assert_refused("/dev/null", TOT_E_FILE, "device");
}

// A file that another process truncates between two pictures.
TEST(test_npy_shrinks) {
    const tot_array array = painted();
    static uint8_t rgb[BYTES];
    tot_frames *frames = NULL;
    bool end = false;
    assert_ok(tot_array_save(&array, in_folder("a.npy")));
    assert_ok(tot_frames_open(&frames, in_folder("a.npy")));
    assert_ok(tot_frames_read(frames, rgb, &end));
    assert_int_equal(truncate(in_folder("a.npy"), 128 + BYTES + 10), 0);
    assert_fails(tot_frames_read(frames, rgb, &end), TOT_E_FILE, "shrank");
    tot_frames_close(frames);
    tot_frames_close(NULL);
}

static void count_warnings(void *context, tot_log_level level, const char *text) {
    (void)text;
    *(int *)context += level == TOT_LOG_WARNING ? 1 : 0;
}

TEST(test_bytes_behind_a_npy) {
    const tot_array array = painted();
    int warnings = 0;
    assert_ok(tot_array_save(&array, in_folder("a.npy")));
    FILE *file = fopen(in_folder("a.npy"), "ab");
    assert_non_null(file);
    fputs("more", file);
    fclose(file);
    tot_log_set(count_warnings, &warnings);
    check_all(in_folder("a.npy"));
    tot_log_set(NULL, NULL);
    assert_int_equal(warnings, 1);
}

// --- folders -----------------------------------------------------------------------------------

static const char *make_folder(void) {
    const char *path = in_folder("png");
    mkdir(path, 0777);
    return path;
}

static void empty_folder(void) {
    DIR *folder = opendir(in_folder("png"));
    assert_non_null(folder);
    for (struct dirent *item; (item = readdir(folder)) != NULL;) {
        unlinkat(dirfd(folder), item->d_name, 0);
    }
    closedir(folder);
    assert_int_equal(rmdir(in_folder("png")), 0);
}

static void write_picture(const char *name, int width, int height, int frame) {
    static uint8_t rgb[BYTES * 2];
    char path[2 * TEST_PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", in_folder("png"), name);
    paint(rgb, width, height, frame);
    assert_ok(tot_png_write(path, rgb, width, height));
}

TEST(test_folder_of_png) {
    // numbers are ordered by value, whatever surrounds them; then letters
    static const char *const names[FRAMES] = {"1.png",
                                              "2.png",
                                              "10.png",
                                              "010b.png",
                                              "a1_2.png",
                                              "a1_10.PNG",
                                              "a2_1.png",
                                              "b00009.png",
                                              "b0010.png",
                                              "b99999999999999999999998.png",
                                              "b99999999999999999999999.png",
                                              "c.png"};
    make_folder();
    for (int k = FRAMES - 1; k >= 0; k--) {
        write_picture(names[k], WIDTH, HEIGHT, k);
    }
    write_bytes(in_folder("png/notes.txt"), "other files are left alone", 26);
    write_bytes(in_folder("png/.hidden.png"), "hidden ones too", 15);
    check_all(in_folder("png"));
    empty_folder();
}

TEST(test_single_png) {
    make_folder();
    write_picture("one", WIDTH, HEIGHT, 0);
    const reading found = read_frames(in_folder("png/one"));
    assert_int_equal(found.status, TOT_OK);
    assert_int_equal(found.promised, 1);
    assert_int_equal(found.count, 1);
    assert_true(found.worst == 0);
    empty_folder();
}

TEST(test_bad_folders) {
    make_folder();
    assert_refused(in_folder("png"), TOT_E_FORMAT, "no PNG or JPEG");
    write_picture("1.png", WIDTH, HEIGHT, 0);
    write_picture("2.png", WIDTH, HEIGHT, 1);
    write_picture("3.png", HEIGHT, WIDTH, 2);
    assert_refused(in_folder("png"), TOT_E_SHAPE, "picture 2 (3.png) has 23 x 37 pixels");
    write_bytes(in_folder("png/3.png"), "not a picture", 13);
    assert_refused(in_folder("png"), TOT_E_FORMAT, "3.png");
    write_bytes(in_folder("png/0.png"), "", 0);
    assert_refused(in_folder("png"), TOT_E_FORMAT, "0.png");
    empty_folder();
}

// --- pictures or embeddings --------------------------------------------------------------------

// Whether the file contains pictures rather than embeddings, opened once.
static bool are_pictures(const char *path) {
    tot_frames *frames = NULL;
    tot_array array = {0};
    assert_ok(file_frames_or_array(&frames, &array, path));
    const bool are = frames != NULL;
    assert_int_equal(are, array.data == NULL);
    tot_frames_close(frames);
    tot_array_free(&array);
    return are;
}

static void assert_neither(const char *path, tot_status status, const char *word) {
    tot_frames *frames = NULL;
    tot_array array = {0};
    assert_fails(file_frames_or_array(&frames, &array, path), status, word);
    assert_null(frames);
    tot_array_free(&array);
}

TEST(test_either) {
    static const char *const one[] = {"frames"};
    static const char *const both[] = {"frames", "embeddings"};
    tot_array array = painted();
    assert_ok(tot_array_save(&array, in_folder("a.npy")));
    assert_true(are_pictures(in_folder("a.npy")));
    array.dimensions = 3;
    assert_ok(tot_array_save(&array, in_folder("b.npy")));
    assert_false(are_pictures(in_folder("b.npy")));
    array = (tot_array){.type = TOT_F32, .dimensions = 4, .shape = {1, 2, 2, 3}, .data = pictures};
    assert_ok(tot_array_save(&array, in_folder("c.npy")));
    assert_false(are_pictures(in_folder("c.npy")));
    write_npz(in_folder("one.npz"), false, one, 1);
    write_npz(in_folder("both.npz"), false, both, 2);
    assert_true(are_pictures(in_folder("one.npz")));
    assert_false(are_pictures(in_folder("both.npz")));
    assert_true(are_pictures(in_folder("both.npz:frames")));
    assert_false(are_pictures(in_folder("one.npz:meta")));
    write_bytes(in_folder("text"), "text", 4);
    assert_neither(in_folder("text"), TOT_E_FORMAT, "nor a video");
    write_bytes(in_folder("text.npy"), "text", 4);
    assert_neither(in_folder("text.npy"), TOT_E_FORMAT, "text.npy");
    assert_neither(test_folder, TOT_E_FORMAT, "no PNG or JPEG");
    assert_neither(in_folder("none"), TOT_E_FILE, "none");
    assert_neither(in_folder("none.npz:frames"), TOT_E_FILE, "none.npz:frames");
    assert_neither(in_folder("b.npy:frames"), TOT_E_FORMAT, "b.npy");
}

// --- memory and sizes --------------------------------------------------------------------------

TEST(test_array_in_memory) {
    static uint8_t rgb[BYTES];
    static uint8_t small[2 * 2 * 3];
    static uint8_t expected[2 * 2 * 3];
    tot_array array = painted();
    tot_frames *frames = NULL;
    bool end = false;
    assert_ok(tot_frames_open_array(&frames, &array, "painted"));
    assert_int_equal(tot_frames_count(frames), array.shape[0]);
    assert_ok(tot_frames_read(frames, rgb, &end));
    assert_memory_equal(rgb, array.data, BYTES);
    assert_ok(tot_frames_resize(frames, 2, 2));
    assert_int_equal(tot_frames_width(frames), 2);
    assert_ok(tot_frames_read(frames, small, &end));
    tot_resize((const uint8_t *)array.data + BYTES, WIDTH, HEIGHT, expected, 2, 2);
    assert_memory_equal(small, expected, sizeof small);
    for (int64_t k = 2; k < array.shape[0]; k++) {
        assert_ok(tot_frames_read(frames, small, &end));
        assert_false(end);
    }
    assert_ok(tot_frames_read(frames, small, &end));
    assert_true(end);
    tot_frames_close(frames);
    array.type = TOT_F32;
    assert_fails(tot_frames_open_array(&frames, &array, "numbers"), TOT_E_UNSUPPORTED, "numbers");
    assert_null(frames);
}

// --- memory ------------------------------------------------------------------------------------

static tot_status open_and_read(const char *path) {
    static uint8_t rgb[BYTES];
    tot_frames *frames = NULL;
    bool end = false;
    tot_status status = tot_frames_open(&frames, path);
    while (status == TOT_OK && !end) {
        status = tot_frames_read(frames, rgb, &end);
    }
    tot_frames_close(frames);
    return status;
}

static tot_status open_either(const char *path) {
    tot_frames *frames = NULL;
    tot_array array = {0};
    const tot_status status = file_frames_or_array(&frames, &array, path);
    tot_frames_close(frames);
    tot_array_free(&array);
    return status;
}

TEST(test_failing_memory) {
    static const char *const names[] = {"frames"};
    const tot_array array = painted();
    assert_ok(tot_array_save(&array, in_folder("a.npy")));
    write_npz(in_folder("a.npz"), true, names, 1);
    make_folder();
    write_picture("1.png", WIDTH, HEIGHT, 0);
    write_picture("2.png", WIDTH, HEIGHT, 1);
    static const char *const kinds[] = {"a.npy", "a.npz", "a.npz:frames", "png", "png/1.png"};
    for (size_t j = 0; j < sizeof kinds / sizeof *kinds; j++) {
        assert_survives_no_memory(open_and_read(in_folder(kinds[j])));
    }
    assert_survives_no_memory(open_either(in_folder("a.npz:frames")));
    empty_folder();
}

// --- a .npy written row by row -----------------------------------------------------------------

TEST(test_npy_stream) {
    static float rows[10][7];
    size_t size[2];
    for (int k = 0; k < 70; k++) {
        rows[k / 7][k % 7] = (float)k * 0.5f;
    }
    const tot_array array = {.type = TOT_F32, .dimensions = 2, .shape = {10, 7}, .data = rows};
    file_npy_stream *stream = NULL;
    assert_ok(tot_array_save(&array, in_folder("whole.npy")));
    assert_ok(file_npy_stream_create(&stream, in_folder("rows.npy"), TOT_F32, 7));
    assert_ok(file_npy_stream_add(stream, rows, 3));
    assert_ok(file_npy_stream_add(stream, rows[3], 0));
    assert_ok(file_npy_stream_add(stream, rows[3], 7));
    assert_int_equal(file_npy_stream_rows(stream), 10);
    assert_int_not_equal(access(in_folder("rows.npy"), F_OK), 0);
    assert_ok(file_npy_stream_commit(stream));
    uint8_t *whole = read_bytes(in_folder("whole.npy"), &size[0]);
    uint8_t *streamed = read_bytes(in_folder("rows.npy"), &size[1]);
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(whole, streamed, size[0]);
    free(whole);
    free(streamed);
    assert_ok(file_npy_stream_create(&stream, in_folder("rows.npy"), TOT_F32, 7));
    assert_ok(file_npy_stream_add(stream, rows, 3));
    file_npy_stream_discard(stream);
    file_npy_stream_discard(NULL);
    assert_int_equal(count_files(false), 2);
    assert_fails(file_npy_stream_create(&stream, in_folder("no/rows.npy"), TOT_F32, 7), TOT_E_FILE,
                 "no/rows.npy");
    assert_null(stream);
}

static tot_status stream_some(const char *path) {
    static const float rows[2][3];
    file_npy_stream *stream = NULL;
    tot_status status = file_npy_stream_create(&stream, path, TOT_F32, 3);
    if (status == TOT_OK) {
        status = file_npy_stream_add(stream, rows, 2);
    }
    if (status != TOT_OK) {
        file_npy_stream_discard(stream);
        return status;
    }
    return file_npy_stream_commit(stream);
}

TEST(test_npy_stream_failing_memory) {
    assert_survives_no_memory(stream_some(in_folder("rows.npy")));
    assert_int_equal(count_files(false), 1);
}

TEST_MAIN(make_test_folder, remove_test_folder)
