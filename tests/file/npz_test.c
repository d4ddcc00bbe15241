// Reading and writing .npz: round trips, names, and corrupted archives.
#include "file/test_folder.h"

#include <temporalot/file.h>

#include "failing_memory.h"

static float six_floats[6] = {1.0f, -2.0f, 3.0f, -4.0f, 5.0f, -6.0f};
static uint8_t three_bytes[3] = {7, 8, 9};

static tot_array floats(void) {
    return (tot_array){.type = TOT_F32, .dimensions = 2, .shape = {2, 3}, .data = six_floats};
}

static tot_array few_bytes(void) {
    return (tot_array){.type = TOT_U8, .dimensions = 1, .shape = {3}, .data = three_bytes};
}

// Writes two arrays under the given names; the second may be NULL.
static void write_two(const char *path, const char *first, const char *second, bool deflate) {
    tot_npz_writer *writer = NULL;
    tot_array array = floats();
    assert_ok(tot_npz_create(&writer, path, deflate));
    assert_ok(tot_npz_add(writer, first, &array));
    if (second != NULL) {
        array = few_bytes();
        assert_ok(tot_npz_add(writer, second, &array));
    }
    assert_ok(tot_npz_commit(writer));
}

static void expect_floats(const tot_array *array) {
    assert_int_equal(array->type, TOT_F32);
    assert_int_equal(array->dimensions, 2);
    assert_int_equal(array->shape[0], 2);
    assert_int_equal(array->shape[1], 3);
    assert_memory_equal(array->data, six_floats, sizeof six_floats);
}

// --- round trips -------------------------------------------------------------------------------

TEST_EACH(NULL, empty_test_folder)

TEST(writes_and_reads) {
    for (int deflate = 0; deflate <= 1; deflate++) {
        const char *path = in_folder("a.npz");
        tot_npz_writer *writer = NULL;
        tot_array array = floats();
        assert_ok(tot_npz_create(&writer, path, deflate != 0));
        assert_ok(tot_npz_add(writer, "x", &array));
        assert_ok(tot_npz_add_text(writer, "meta", "{\"task\": \"door-open\"}"));
        assert_ok(tot_npz_add_text(writer, "no text", ""));
        array = (tot_array){.type = TOT_I64, .dimensions = 2, .shape = {0, 4}};
        assert_ok(tot_npz_add(writer, "nothing", &array));
        assert_ok(tot_npz_commit(writer));
        assert_int_equal(count_files(false), 1);

        tot_npz *npz = NULL;
        assert_ok(tot_npz_open(&npz, path));
        assert_int_equal(tot_npz_count(npz), 4);
        assert_string_equal(tot_npz_name(npz, 0), "x");
        assert_string_equal(tot_npz_name(npz, 1), "meta");
        assert_string_equal(tot_npz_name(npz, 3), "nothing");
        assert_null(tot_npz_name(npz, 4));
        assert_null(tot_npz_name(npz, -1));
        assert_true(tot_npz_has(npz, "meta"));
        assert_false(tot_npz_has(npz, "meta.npy"));
        tot_array read = {0};
        assert_ok(tot_npz_read(npz, "x", &read));
        expect_floats(&read);
        assert_ok(tot_npz_read(npz, "meta", &read));
        assert_int_equal(read.type, TOT_U8);
        assert_int_equal(read.shape[0], 21);
        assert_memory_equal(read.data, "{\"task\": \"door-open\"}", 21);
        assert_ok(tot_npz_read(npz, "no text", &read));
        assert_int_equal(tot_array_count(&read), 0);
        assert_ok(tot_npz_read(npz, "nothing", &read));
        assert_int_equal(read.shape[1], 4);
        assert_fails(tot_npz_read(npz, "y", &read), TOT_E_ARGUMENT,
                     "no array is named 'y'; there are: x, meta, no text, nothing");
        assert_int_equal(tot_array_count(&read), 0);
        tot_array_free(&read);
        tot_npz_close(npz);
    }
}

TEST(reads_from_memory) {
    write_two(in_folder("a.npz"), "a", "embeddings", true);
    size_t size;
    uint8_t *bytes = read_bytes(in_folder("a.npz"), &size);
    tot_npz *npz = NULL;
    assert_ok(tot_npz_open_memory(&npz, bytes, size, "memory"));
    tot_array array = {0};
    assert_ok(tot_npz_read(npz, "a", &array));
    expect_floats(&array);
    tot_npz_close(npz);
    // the same rule as for a path
    assert_ok(tot_array_parse(&array, bytes, size, "memory"));
    assert_int_equal(array.type, TOT_U8);
    tot_array_free(&array);
    free(bytes);
}

TEST(equal_input_gives_equal_bytes) {
    for (int deflate = 0; deflate <= 1; deflate++) {
        write_two(in_folder("a.npz"), "a", "b", deflate != 0);
        write_two(in_folder("b.npz"), "a", "b", deflate != 0);
        size_t size[2];
        uint8_t *bytes[2] = {read_bytes(in_folder("a.npz"), &size[0]),
                             read_bytes(in_folder("b.npz"), &size[1])};
        assert_int_equal(size[0], size[1]);
        assert_memory_equal(bytes[0], bytes[1], size[0]);
        free(bytes[0]);
        free(bytes[1]);
    }
}

// Data larger than every buffer involved, with good and bad compression.
TEST(writes_large_arrays) {
    const int64_t count = 700001;
    uint8_t *data = malloc((size_t)count);
    assert_non_null(data);
    tot_random random;
    tot_random_init(&random, 1, "npz");
    for (int64_t k = 0; k < count; k++) {
        data[k] = k < count / 2 ? 0 : (uint8_t)tot_random_word(&random);
    }
    tot_array array = {.type = TOT_U8, .dimensions = 1, .shape = {count}, .data = data};
    for (int deflate = 0; deflate <= 1; deflate++) {
        tot_npz_writer *writer = NULL;
        assert_ok(tot_npz_create(&writer, in_folder("a.npz"), deflate != 0));
        assert_ok(tot_npz_add(writer, "first", &array));
        assert_ok(tot_npz_add(writer, "second", &array));
        assert_ok(tot_npz_commit(writer));
        tot_npz *npz = NULL;
        tot_array read = {0};
        assert_ok(tot_npz_open(&npz, in_folder("a.npz")));
        for (int64_t k = 0; k < 2; k++) {
            assert_ok(tot_npz_read(npz, tot_npz_name(npz, k), &read));
            assert_int_equal(tot_array_count(&read), count);
            assert_memory_equal(read.data, data, (size_t)count);
        }
        tot_array_free(&read);
        tot_npz_close(npz);
    }
    free(data);
}

// The numpy round-trip test does the same with Python on the other side.
TEST(writes_more_entries_than_16_bits) {
    enum { ENTRIES = 65537 };
    tot_npz_writer *writer = NULL;
    tot_array array = {.type = TOT_I32, .dimensions = 0};
    assert_ok(tot_npz_create(&writer, in_folder("many.npz"), false));
    char name[20];
    for (int32_t k = 0; k < ENTRIES; k++) {
        snprintf(name, sizeof name, "n%d", (int)k);
        array.data = &k;
        assert_ok(tot_npz_add(writer, name, &array));
    }
    assert_fails(tot_npz_add(writer, "n40000", &array), TOT_E_ARGUMENT, "is there already");
    assert_ok(tot_npz_commit(writer));
    tot_npz *npz = NULL;
    tot_array read = {0};
    assert_ok(tot_npz_open(&npz, in_folder("many.npz")));
    assert_int_equal(tot_npz_count(npz), ENTRIES);
    for (int32_t k = 0; k < ENTRIES; k += 4096) {
        snprintf(name, sizeof name, "n%d", (int)k);
        assert_ok(tot_npz_read(npz, name, &read));
        assert_int_equal(*(int32_t *)read.data, k);
    }
    tot_array_free(&read);
    tot_npz_close(npz);
}

// More than 4 GiB, which takes as much disk space: only if TEMPORALOT_TEST_LARGE is set.
TEST(writes_past_32_bits) {
    if (getenv("TEMPORALOT_TEST_LARGE") == NULL) {
        skip();
    }
    const int64_t count = (INT64_C(1) << 32) + 5;
    char *data = calloc((size_t)count, 1);
    assert_non_null(data);
    data[count - 1] = 'x';
    for (int deflate = 0; deflate <= 1; deflate++) {
        tot_npz_writer *writer = NULL;
        tot_array array = {.type = TOT_U8, .dimensions = 1, .shape = {count}, .data = data};
        assert_ok(tot_npz_create(&writer, in_folder("large.npz"), deflate != 0));
        assert_ok(tot_npz_add(writer, "large", &array));
        array = few_bytes();
        assert_ok(tot_npz_add(writer, "after", &array));
        assert_ok(tot_npz_commit(writer));
        tot_npz *npz = NULL;
        tot_array read = {0};
        assert_ok(tot_npz_open(&npz, in_folder("large.npz")));
        assert_ok(tot_npz_read(npz, "after", &read));
        assert_memory_equal(read.data, three_bytes, 3);
        assert_ok(tot_npz_read(npz, "large", &read));
        assert_int_equal(tot_array_count(&read), count);
        assert_int_equal(((char *)read.data)[count - 1], 'x');
        tot_array_free(&read);
        tot_npz_close(npz);
    }
    free(data);
}

// --- names -------------------------------------------------------------------------------------

TEST(finds_the_array_that_is_meant) {
    tot_array array = {0};
    char path[600];
    write_two(in_folder("one.npz"), "only", NULL, false);
    assert_ok(tot_array_load(&array, in_folder("one.npz")));
    expect_floats(&array);
    write_two(in_folder("two.npz"), "embeddings", "other", false);
    assert_ok(tot_array_load(&array, in_folder("two.npz")));
    expect_floats(&array);
    assert_ok(tot_array_load(&array, in_folder("two.npz:other")));
    assert_int_equal(array.type, TOT_U8);
    assert_fails(tot_array_load(&array, in_folder("two.npz:x")), TOT_E_ARGUMENT,
                 "no array is named 'x'; there are: embeddings, other");
    assert_fails(tot_array_load(&array, in_folder("two.npz:")), TOT_E_ARGUMENT, "named ''");
    write_two(in_folder("pair.npz"), "a", "b", false);
    assert_fails(tot_array_load(&array, in_folder("pair.npz")), TOT_E_ARGUMENT,
                 "holds 2 arrays; choose one with FILE.npz:NAME: a, b");
    // names and paths that contain a ':'; an existing file with the whole name takes precedence
    write_two(in_folder("odd:pair.npz"), "a:1", "b", false);
    assert_ok(tot_array_load(&array, in_folder("odd:pair.npz:a:1")));
    expect_floats(&array);
    write_two(in_folder("two.npz:other"), "z", NULL, false);
    assert_ok(tot_array_load(&array, in_folder("two.npz:other")));
    expect_floats(&array);
    // a .npy has no names
    array.dimensions = 1;
    array.shape[0] = 6;
    assert_ok(tot_array_save(&array, in_folder("a.npy")));
    assert_fails(tot_array_load(&array, in_folder("a.npy:x")), TOT_E_FORMAT, "is not an .npz");
    snprintf(path, sizeof path, "%s:x", test_folder);
    assert_fails(tot_array_load(&array, path), TOT_E_FILE, "no such file");
    tot_array_free(&array);
}

TEST(names_only_some_of_many) {
    tot_npz_writer *writer = NULL;
    tot_array array = few_bytes();
    assert_ok(tot_npz_create(&writer, in_folder("a.npz"), false));
    for (int k = 0; k < 300; k++) {
        char name[20];
        snprintf(name, sizeof name, "array%d", k);
        assert_ok(tot_npz_add(writer, name, &array));
    }
    assert_ok(tot_npz_commit(writer));
    tot_array read = {0};
    assert_fails(tot_array_load(&read, in_folder("a.npz")), TOT_E_ARGUMENT, "array0, array1, ");
    assert_non_null(strstr(tot_error(), " more"));
    tot_array_free(&read);
}

TEST(reads_an_empty_archive) {
    tot_npz_writer *writer = NULL;
    assert_ok(tot_npz_create(&writer, in_folder("a.npz"), false));
    assert_ok(tot_npz_commit(writer));
    tot_npz *npz = NULL;
    tot_array array = {0};
    assert_ok(tot_npz_open(&npz, in_folder("a.npz")));
    assert_int_equal(tot_npz_count(npz), 0);
    assert_fails(tot_npz_read(npz, "x", &array), TOT_E_ARGUMENT, "there are: none");
    tot_npz_close(npz);
    assert_fails(tot_array_load(&array, in_folder("a.npz")), TOT_E_FORMAT, "holds no array");
    tot_array_free(&array);
}

TEST(refuses_bad_names) {
    tot_npz_writer *writer = NULL;
    tot_array array = floats();
    char longest[202];
    memset(longest, 'x', sizeof longest);
    longest[201] = '\0';
    assert_ok(tot_npz_create(&writer, in_folder("a.npz"), false));
    assert_ok(tot_npz_add(writer, "a", &array));
    assert_fails(tot_npz_add(writer, "a", &array), TOT_E_ARGUMENT, "'a' is there already");
    assert_fails(tot_npz_add(writer, "", &array), TOT_E_ARGUMENT, "1 to 200");
    assert_fails(tot_npz_add(writer, longest, &array), TOT_E_ARGUMENT, "has 201");
    assert_fails(tot_npz_add(writer, "a/b", &array), TOT_E_ARGUMENT, "without '/'");
    assert_fails(tot_npz_add(writer, "a\nb", &array), TOT_E_ARGUMENT, "printable");
    assert_fails(tot_npz_add(writer, "\xc3\xa9", &array), TOT_E_ARGUMENT, "printable");
    array.shape[0] = -1;
    assert_fails(tot_npz_add(writer, "b", &array), TOT_E_ARGUMENT, "negative");
    // the archive is still intact
    array = floats();
    longest[200] = '\0';
    assert_ok(tot_npz_add(writer, longest, &array));
    assert_ok(tot_npz_commit(writer));
    tot_npz *npz = NULL;
    assert_ok(tot_npz_open(&npz, in_folder("a.npz")));
    assert_int_equal(tot_npz_count(npz), 2);
    assert_true(tot_npz_has(npz, longest));
    tot_npz_close(npz);
}

// --- corrupted archives ------------------------------------------------------------------------

// The first local header or directory record with this name.
static uint8_t *find_header(uint8_t *bytes, size_t size, const char *name, bool directory) {
    const char *magic = directory ? "PK\1\2" : "PK\3\4";
    size_t skip = directory ? 46 : 30;
    size_t length = strlen(name);
    for (size_t k = 0; k + skip + length <= size; k++) {
        if (memcmp(bytes + k, magic, 4) == 0 && memcmp(bytes + k + skip, name, length) == 0) {
            return bytes + k;
        }
    }
    fail_msg("no header of %s", name);
    abort();
}

typedef struct tampered {
    uint8_t *bytes;
    size_t size;
    uint8_t *local;      // of the first entry
    uint8_t *directory;  // of the first entry
} tampered;

static tampered open_tampered(bool deflate) {
    tampered file;
    write_two(in_folder("t.npz"), "aa", "ab", deflate);
    file.bytes = read_bytes(in_folder("t.npz"), &file.size);
    file.local = find_header(file.bytes, file.size, "aa.npy", false);
    file.directory = find_header(file.bytes, file.size, "aa.npy", true);
    return file;
}

// Reads the entry "aa" from the file and from memory; both must fail in the same way.
static void expect_failure(tampered *file, tot_status status, const char *words) {
    tot_array array = {0};
    write_bytes(in_folder("t.npz"), file->bytes, file->size);
    assert_fails(tot_array_load(&array, in_folder("t.npz:aa")), status, words);
    assert_int_equal(tot_array_count(&array), 0);
    tot_npz *npz = NULL;
    tot_status found = tot_npz_open_memory(&npz, file->bytes, file->size, "memory");
    if (found == TOT_OK) {
        found = tot_npz_read(npz, "aa", &array);
    }
    assert_fails(found, status, words);
    tot_npz_close(npz);
    tot_array_free(&array);
    free(file->bytes);
}

TEST(notices_damage) {
    for (int deflate = 0; deflate <= 1; deflate++) {
        tampered file = open_tampered(deflate != 0);
        file.directory[16] ^= 1;
        file.local[14] ^= 1;
        expect_failure(&file, TOT_E_FORMAT, "CRC is wrong");
    }
    tampered file = open_tampered(false);
    file.local[30 + 6 + 130] ^= 1;
    expect_failure(&file, TOT_E_FORMAT, "aa: damaged: its CRC is wrong");
}

TEST(refuses_encrypted_entries) {
    tampered file = open_tampered(false);
    file.directory[8] |= 1;
    file.local[6] |= 1;
    expect_failure(&file, TOT_E_UNSUPPORTED, "aa: is encrypted");
}

TEST(refuses_other_methods) {
    tampered file = open_tampered(false);
    file.directory[10] = 12;
    file.local[8] = 12;
    expect_failure(&file, TOT_E_UNSUPPORTED, "method 12");
}

TEST(refuses_equal_names) {
    tampered file = open_tampered(false);
    find_header(file.bytes, file.size, "ab.npy", true)[46 + 1] = 'a';
    find_header(file.bytes, file.size, "ab.npy", false)[30 + 1] = 'a';
    expect_failure(&file, TOT_E_FORMAT, "two arrays are named 'aa'");
}

TEST(leaves_out_other_entries) {
    tampered file = open_tampered(false);
    memcpy(find_header(file.bytes, file.size, "ab.npy", true) + 46, "ab.txt", 6);
    memcpy(find_header(file.bytes, file.size, "ab.npy", false) + 30, "ab.txt", 6);
    tot_array array = {0};
    assert_ok(tot_array_parse(&array, file.bytes, file.size, "memory"));
    expect_floats(&array);
    tot_array_free(&array);
    free(file.bytes);
}

static void set_size(uint8_t *at, uint32_t value) {
    for (int k = 0; k < 4; k++) {
        at[k] = (uint8_t)(value >> (8 * k));
    }
}

// A size claimed by an entry must not cause an allocation.
TEST(refuses_giant_claims) {
    static const uint32_t claims[] = {2000000, 0x7fffffff, 0xfffffffe};
    for (int deflate = 0; deflate <= 1; deflate++) {
        for (size_t k = 0; k < 3; k++) {
            tampered file = open_tampered(deflate != 0);
            set_size(file.directory + 24, claims[k]);
            set_size(file.local + 22, claims[k]);
            expect_failure(&file, TOT_E_FORMAT, "in an archive of");
        }
        tampered file = open_tampered(deflate != 0);
        set_size(file.directory + 20, 0x7fffffff);
        set_size(file.local + 18, 0x7fffffff);
        set_size(file.directory + 24, 0x7fffffff);
        set_size(file.local + 22, 0x7fffffff);
        expect_failure(&file, TOT_E_FORMAT, "in an archive of");
    }
}

// Plausible but false claims.
TEST(refuses_small_lies) {
    tampered file = open_tampered(true);
    set_size(file.directory + 24, 128 + 24 + 1);
    set_size(file.local + 22, 128 + 24 + 1);
    expect_failure(&file, TOT_E_FORMAT, "aa: ");
    file = open_tampered(true);
    set_size(file.directory + 24, 128 + 24 - 1);
    set_size(file.local + 22, 128 + 24 - 1);
    expect_failure(&file, TOT_E_FORMAT, "aa: cut short: its shape needs 24 bytes, 23 are there");
}

TEST(refuses_what_is_cut_short) {
    write_two(in_folder("t.npz"), "aa", "ab", true);
    size_t size;
    uint8_t *bytes = read_bytes(in_folder("t.npz"), &size);
    for (size_t part = 0; part < size; part++) {
        tot_npz *npz = NULL;
        uint8_t *exact = malloc(part > 0 ? part : 1);
        assert_non_null(exact);
        memcpy(exact, bytes, part);
        assert_fails(tot_npz_open_memory(&npz, exact, part, "memory"), TOT_E_FORMAT,
                     "memory: is not an .npz");
        assert_null(npz);
        free(exact);
    }
    free(bytes);
    write_bytes(in_folder("t.npz"), "\x93NUMPY", 6);
    tot_npz *npz = NULL;
    assert_fails(tot_npz_open(&npz, in_folder("t.npz")), TOT_E_FORMAT, "is not an .npz");
    assert_fails(tot_npz_open(&npz, in_folder("none.npz")), TOT_E_FILE, "No such file");
}

TEST(notices_a_file_that_shrinks) {
    // larger than libzip's read-ahead
    uint8_t *zeros = calloc(100000, 1);
    assert_non_null(zeros);
    tot_array array = {.type = TOT_U8, .dimensions = 1, .shape = {100000}, .data = zeros};
    tot_npz_writer *writer = NULL;
    assert_ok(tot_npz_create(&writer, in_folder("t.npz"), false));
    assert_ok(tot_npz_add(writer, "aa", &array));
    assert_ok(tot_npz_add(writer, "ab", &array));
    assert_ok(tot_npz_commit(writer));
    free(zeros);
    tot_npz *npz = NULL;
    assert_ok(tot_npz_open(&npz, in_folder("t.npz")));
    assert_int_equal(truncate(in_folder("t.npz"), 50000), 0);
    assert_fails(tot_npz_read(npz, "aa", &array), TOT_E_FORMAT, "aa: cut short");
    assert_fails(tot_npz_read(npz, "ab", &array), TOT_E_FORMAT, "ab: ");
    tot_array_free(&array);
    tot_npz_close(npz);
}

// Every byte changed in a few ways: an error or an array, nothing else.
TEST(survives_changed_bytes) {
    static const uint8_t changes[] = {0x01, 0x80, 0xff};
    for (int deflate = 0; deflate <= 1; deflate++) {
        tampered file = open_tampered(deflate != 0);
        tot_array array = {0};
        for (size_t place = 0; place < file.size; place++) {
            for (size_t k = 0; k < sizeof changes; k++) {
                file.bytes[place] ^= changes[k];
                tot_npz *npz = NULL;
                if (tot_npz_open_memory(&npz, file.bytes, file.size, "memory") == TOT_OK) {
                    for (int64_t n = 0; n < tot_npz_count(npz); n++) {
                        if (tot_npz_read(npz, tot_npz_name(npz, n), &array) == TOT_OK) {
                            assert_in_range(tot_array_count(&array), 0, 24);
                        }
                    }
                }
                tot_npz_close(npz);
                file.bytes[place] ^= changes[k];
            }
        }
        tot_array_free(&array);
        free(file.bytes);
    }
}

// --- memory ------------------------------------------------------------------------------------

static tot_status write_and_read(const char *path, bool deflate) {
    tot_npz_writer *writer = NULL;
    tot_array array = floats();
    tot_status status = tot_npz_create(&writer, path, deflate);
    for (int k = 0; k < 40 && status == TOT_OK; k++) {
        char name[20];
        snprintf(name, sizeof name, "n%d", k);
        status = tot_npz_add(writer, name, &array);
    }
    if (status != TOT_OK) {
        // committing nevertheless must not create a file without the array
        if (writer != NULL) {
            assert_fails(tot_npz_commit(writer), TOT_E_FILE, "could not be added");
            assert_int_equal(count_files(false), 0);
        }
        return status;
    }
    status = tot_npz_commit(writer);
    if (status == TOT_OK) {
        char named[600];
        snprintf(named, sizeof named, "%s:n7", path);
        tot_array read = {0};
        status = tot_array_load(&read, named);
        tot_array_free(&read);
    }
    return status;
}

TEST(survives_failing_allocations) {
    for (int deflate = 0; deflate <= 1; deflate++) {
        failing_memory memory;
        uint64_t k;
        for (k = 1; failing_memory_next(&memory, k); k++) {
            tot_status status = write_and_read(in_folder("a.npz"), deflate != 0);
            failing_memory_check(&memory, status);
            assert_in_range(count_files(true), 0, 1);
        }
        assert_true(k > 10);
    }
}

TEST_MAIN(make_test_folder, remove_test_folder)
