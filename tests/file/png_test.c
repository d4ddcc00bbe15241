// PNG: files we write can be read by us and by libpng; damaged files are rejected.
#include "file/test_folder.h"

#include <png.h>
#include <zlib.h>

#include <temporalot/image.h>

#include "failing_memory.h"
#include "file/full_disk.h"

enum { WIDTH = 37, HEIGHT = 23, BYTES = WIDTH * HEIGHT * 3 };

static void fill(uint8_t *rgb, size_t bytes, uint64_t seed) {
    tot_random random;
    tot_random_init(&random, seed, "png");
    for (size_t k = 0; k < bytes; k++) {
        // partly smooth, so that all row filters are used
        rgb[k] = (uint8_t)(k % 5 < 3 ? k / 7 : tot_random_word(&random));
    }
}

static void check_shape(const tot_array *image, int width, int height) {
    assert_int_equal(image->type, TOT_U8);
    assert_int_equal(image->dimensions, 3);
    assert_int_equal(image->shape[0], height);
    assert_int_equal(image->shape[1], width);
    assert_int_equal(image->shape[2], 3);
}

// --- writing and reading -----------------------------------------------------------------------

TEST_EACH(NULL, empty_test_folder)

TEST(test_round_trip) {
    static const int sizes[][2] = {{1, 1}, {WIDTH, HEIGHT}, {224, 224}, {65500, 1}, {1, 9000}};
    tot_array image = {0};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const int width = sizes[k][0];
        const int height = sizes[k][1];
        const size_t bytes = (size_t)width * (size_t)height * 3;
        uint8_t *rgb = malloc(bytes);
        fill(rgb, bytes, k);
        assert_ok(tot_png_write(in_folder("a.png"), rgb, width, height));
        assert_ok(tot_png_read(&image, in_folder("a.png")));
        check_shape(&image, width, height);
        assert_memory_equal(image.data, rgb, bytes);
        free(rgb);
    }
    tot_array_free(&image);
    assert_int_equal(count_files(false), 1);
}

TEST(test_same_bytes) {
    uint8_t rgb[BYTES];
    size_t size[2];
    fill(rgb, BYTES, 1);
    assert_ok(tot_png_write(in_folder("a.png"), rgb, WIDTH, HEIGHT));
    assert_ok(tot_png_write(in_folder("b.png"), rgb, WIDTH, HEIGHT));
    uint8_t *a = read_bytes(in_folder("a.png"), &size[0]);
    uint8_t *b = read_bytes(in_folder("b.png"), &size[1]);
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(a, b, size[0]);
    free(a);
    free(b);
}

static void write_kind(png_uint_32 format, const void *pixels, const void *map, unsigned entries) {
    png_image image = {.version = PNG_IMAGE_VERSION, .width = 2, .height = 2, .format = format};
    image.colormap_entries = entries;
    assert_int_not_equal(png_image_write_to_file(&image, in_folder("kind.png"), 0, pixels, 0, map),
                         0);
}

// Greyscale, palettes, alpha and 16 bits are all converted to 8-bit RGB.
TEST(test_kinds) {
    static const uint8_t grey[4] = {0, 100, 200, 255};
    static const uint8_t rgba[4][4] = {
        {1, 2, 3, 255}, {4, 5, 6, 9}, {7, 8, 9, 0}, {250, 0, 0, 128}};
    static const uint8_t map[3][3] = {{9, 8, 7}, {60, 50, 40}, {200, 100, 0}};
    static const uint8_t indices[4] = {0, 1, 2, 1};
    static const uint16_t deep[4] = {0, 65535, 65535, 0};
    tot_array image = {0};
    const uint8_t *rgb;

    write_kind(PNG_FORMAT_GRAY, grey, NULL, 0);
    assert_ok(tot_png_read(&image, in_folder("kind.png")));
    check_shape(&image, 2, 2);
    rgb = image.data;
    for (int k = 0; k < 12; k++) {
        assert_int_equal(rgb[k], grey[k / 3]);
    }
    write_kind(PNG_FORMAT_RGBA, rgba, NULL, 0);
    assert_ok(tot_png_read(&image, in_folder("kind.png")));
    check_shape(&image, 2, 2);
    rgb = image.data;
    for (int k = 0; k < 12; k++) {
        assert_int_equal(rgb[k], rgba[k / 3][k % 3]);
    }
    write_kind(PNG_FORMAT_RGB_COLORMAP, indices, map, 3);
    assert_ok(tot_png_read(&image, in_folder("kind.png")));
    check_shape(&image, 2, 2);
    rgb = image.data;
    for (int k = 0; k < 12; k++) {
        assert_int_equal(rgb[k], map[indices[k / 3]][k % 3]);
    }
    write_kind(PNG_FORMAT_LINEAR_Y, deep, NULL, 0);
    assert_ok(tot_png_read(&image, in_folder("kind.png")));
    check_shape(&image, 2, 2);
    rgb = image.data;
    for (int k = 0; k < 12; k++) {
        assert_int_equal(rgb[k], deep[k / 3] / 257);
    }
    tot_array_free(&image);
}

// --- invalid input -----------------------------------------------------------------------------

TEST(test_bad_arguments) {
    uint8_t rgb[12] = {0};
    tot_array image = {0};
    assert_fails(tot_png_write(in_folder("a.png"), rgb, 0, 2), TOT_E_ARGUMENT, "0 x 2");
    assert_fails(tot_png_write(in_folder("a.png"), rgb, 2, -1), TOT_E_ARGUMENT, "2 x -1");
    assert_fails(tot_png_write(in_folder("a.png"), rgb, 65501, 1), TOT_E_ARGUMENT, "65500");
    assert_fails(tot_png_write(in_folder("no/a.png"), rgb, 2, 2), TOT_E_FILE, "no/a.png");
    assert_fails(tot_png_write(test_folder, rgb, 2, 2), TOT_E_FILE, "a folder");
    assert_fails(tot_png_read(&image, in_folder("none.png")), TOT_E_FILE, "none.png");
    assert_int_equal(tot_array_count(&image), 0);
    write_bytes(in_folder("text.png"), "this is a text and not a picture", 32);
    assert_fails(tot_png_read(&image, in_folder("text.png")), TOT_E_FORMAT, "text.png");
    write_bytes(in_folder("empty.png"), "", 0);
    assert_fails(tot_png_read(&image, in_folder("empty.png")), TOT_E_FORMAT, "cut short");
    tot_array_free(&image);
}

static uint8_t *sample(size_t *size) {
    uint8_t rgb[BYTES];
    fill(rgb, BYTES, 3);
    assert_ok(tot_png_write(in_folder("sample.png"), rgb, WIDTH, HEIGHT));
    return read_bytes(in_folder("sample.png"), size);
}

TEST(test_cut_short) {
    size_t size;
    uint8_t *bytes = sample(&size);
    tot_array image = {0};
    for (size_t k = 0; k < size; k++) {
        assert_fails(tot_png_parse(&image, bytes, k, "cut"), TOT_E_FORMAT, "cut: ");
        assert_int_equal(tot_array_count(&image), 0);
    }
    assert_ok(tot_png_parse(&image, bytes, size, "cut"));
    tot_array_free(&image);
    free(bytes);
}

// Any single wrong byte: rejected, or read as something (the length of IEND has no checksum).
TEST(test_flipped) {
    size_t size;
    uint8_t *bytes = sample(&size);
    tot_array image = {0};
    int refused = 0;
    for (size_t k = 0; k < size; k++) {
        bytes[k] ^= 0x55;
        const tot_status status = tot_png_parse(&image, bytes, size, "flipped");
        if (status != TOT_OK) {
            refused++;
            assert_int_equal(tot_array_count(&image), 0);
            assert_true(status == TOT_E_FORMAT || status == TOT_E_UNSUPPORTED);
        }
        bytes[k] ^= 0x55;
    }
    assert_true(refused > (int)size * 9 / 10);
    tot_array_free(&image);
    free(bytes);
}

static void put32(uint8_t *to, uint32_t value) {
    for (int k = 0; k < 4; k++) {
        to[k] = (uint8_t)(value >> (24 - 8 * k) & 0xff);
    }
}

// A small file that claims to be a huge picture does not cause a large allocation.
TEST(test_bomb) {
    size_t size;
    uint8_t *bytes = sample(&size);
    tot_array image = {0};
    static const uint32_t sides[][2] = {{65500, 4000}, {65500, 65500}, {70000, 1}, {1, 0x7fffffff}};
    for (size_t k = 0; k < sizeof sides / sizeof *sides; k++) {
        put32(bytes + 16, sides[k][0]);
        put32(bytes + 20, sides[k][1]);
        put32(bytes + 29, (uint32_t)crc32(0, bytes + 12, 17));
        const tot_status status = tot_png_parse(&image, bytes, size, "bomb");
        assert_true(status == TOT_E_FORMAT || status == TOT_E_UNSUPPORTED);
        assert_true(image.capacity < 1000000);
    }
    tot_array_free(&image);
    free(bytes);
}

static void note_largest(void *context, size_t bytes) {
    size_t *largest = context;
    *largest = bytes > *largest ? bytes : *largest;
}

// The same for a chunk that claims to have a gigabyte.
TEST(test_long_chunk) {
    size_t size;
    uint8_t *bytes = sample(&size);
    static const char *const kinds[] = {"iTXt", "zTXt", "iCCP", "sPLT", "hIST", "xyZz", "tRNS"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        failing_memory memory;
        tot_array image = {0};
        size_t largest = 0;
        // after the header
        put32(bytes + 33, 0x40000000);
        memcpy(bytes + 37, kinds[k], 4);
        failing_memory_start(&memory, 0);
        memory.before = note_largest;
        memory.before_context = &largest;
        assert_int_equal(tot_png_parse(&image, bytes, size, "long"), TOT_E_FORMAT);
        tot_array_free(&image);
        assert_int_equal(failing_memory_stop(&memory), 0);
        assert_true(largest > 0 && largest < 1 << 21);
    }
    free(bytes);
}

// --- failures ----------------------------------------------------------------------------------

TEST(test_full_disk) {
    const int side = 300;
    const size_t bytes = (size_t)(side * side * 3);
    uint8_t *rgb = malloc(bytes);
    tot_array image = {0};
    size_t size;
    fill(rgb, bytes, 5);
    assert_ok(tot_png_write(in_folder("a.png"), rgb, side, side));
    uint8_t *old = read_bytes(in_folder("a.png"), &size);
    memset(rgb, 7, bytes / 2);
    int rounds = 0;
    for (fill_disk_after(0);; fill_disk_after(++rounds)) {
        const tot_status status = tot_png_write(in_folder("a.png"), rgb, side, side);
        if (!disk_was_full()) {
            assert_int_equal(status, TOT_OK);
            break;
        }
        assert_int_equal(status, TOT_E_FILE);
        assert_non_null(strstr(tot_error(), "No space"));
        assert_int_equal(count_files(false), 1);
        size_t now;
        uint8_t *kept = read_bytes(in_folder("a.png"), &now);
        assert_int_equal(now, size);
        assert_memory_equal(kept, old, size);
        free(kept);
    }
    fill_disk_after(-1);
    assert_true(rounds > 0);
    assert_ok(tot_png_read(&image, in_folder("a.png")));
    assert_memory_equal(image.data, rgb, bytes);
    tot_array_free(&image);
    free(rgb);
    free(old);
}

TEST(test_memory) {
    uint8_t rgb[BYTES];
    failing_memory memory;
    fill(rgb, BYTES, 9);
    uint64_t k = 1;
    for (; failing_memory_next(&memory, k); k++) {
        failing_memory_check(&memory, tot_png_write(in_folder("m.png"), rgb, WIDTH, HEIGHT));
    }
    assert_true(k > 5);
    assert_int_equal(count_files(false), 1);
    for (k = 1; failing_memory_next(&memory, k); k++) {
        tot_array image = {0};
        const tot_status status = tot_png_read(&image, in_folder("m.png"));
        assert_true(status == TOT_OK || tot_array_count(&image) == 0);
        tot_array_free(&image);
        failing_memory_check(&memory, status);
    }
    assert_true(k > 5);
}

int main(void) {
    fill_disk_after(-1);
    return RUN_TESTS(make_test_folder, remove_test_folder);
}
