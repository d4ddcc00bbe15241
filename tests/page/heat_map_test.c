// Heat maps: the values stored in a page, the outline of the band, the colours, and SVG pictures.
#include <zlib.h>

#include "page/colour.h"
#include "page_help.h"

#include "file/test_folder.h"

static char *page_of(const tot_heat_map *map) {
    tot_page *page = new_page();
    assert_ok(tot_page_add_heat_map(page, map));
    char *text = strdup(strstr(tot_page_text(page), "<body>"));
    tot_page_free(page);
    return text;
}

static uint8_t *inflated(const uint8_t *bytes, size_t size, size_t wanted) {
    uint8_t *out = malloc(wanted + 1);
    assert_non_null(out);
    uLongf length = wanted + 1;
    assert_int_equal(uncompress(out, &length, bytes, size), Z_OK);
    assert_int_equal(length, wanted);
    return out;
}

// The values that the page's script would show: NaN outside. To be freed with free().
static double *shown_values(const char *text, size_t rows, size_t columns) {
    char *packed = between(text, "data-values=\"", "\"", 0);
    double low = number_between(text, "data-low=\"", "\"");
    double high = number_between(text, "data-high=\"", "\"");
    size_t size;
    size_t count = rows * columns;
    uint8_t *bytes = base64_bytes(packed, &size);
    uint8_t *codes = inflated(bytes, size, 2 * count);
    double *values = malloc(count * sizeof *values);
    assert_non_null(values);
    uint16_t *whole = calloc(count, sizeof *whole);
    assert_non_null(whole);
    for (size_t k = 0; k < count; k++) {
        unsigned code = codes[k] + 256u * codes[count + k];
        code += k % columns > 0 ? whole[k - 1] : 0;
        code += k >= columns ? whole[k - columns] : 0;
        code -= k >= columns && k % columns > 0 ? whole[k - columns - 1] : 0;
        whole[k] = (uint16_t)code;
        values[k] = whole[k] == 65535 ? (double)NAN : low + whole[k] * (high - low) / 65534;
    }
    free(whole);
    free(codes);
    free(bytes);
    free(packed);
    return values;
}

static void check_values(const double *values, size_t rows, size_t columns, uint64_t seed) {
    const tot_heat_map map = {.rows = rows, .columns = columns, .values = values};
    char *text = page_of(&map);
    double *shown = shown_values(text, rows, columns);
    double low = number_between(text, "data-low=\"", "\"");
    double high = number_between(text, "data-high=\"", "\"");
    for (size_t k = 0; k < rows * columns; k++) {
        bool outside = !(fabs(values[k]) <= 1e300);
        bool good = outside ? isnan(shown[k])
                            : fabs(shown[k] - values[k]) <= (high - low) / 131067 + 1e-300;
        if (!good) {
            fail_msg("seed %llu, %zu x %zu: cell %zu shows %g, not %g", (unsigned long long)seed,
                     rows, columns, k, shown[k], values[k]);
        }
    }
    free(shown);
    free(text);
}

TEST_EACH(NULL, empty_test_folder)

TEST(values_survive) {
    for (uint64_t seed = 0; seed < 60; seed++) {
        tot_random random;
        tot_random_init(&random, seed, "heat map");
        size_t rows = 1 + tot_random_below(&random, 40);
        size_t columns = 1 + tot_random_below(&random, 40);
        double scale = pow(10, 80 * tot_random_uniform(&random) - 40);
        double hole = tot_random_uniform(&random);
        double *values = malloc(rows * columns * sizeof *values);
        assert_non_null(values);
        for (size_t k = 0; k < rows * columns; k++) {
            bool outside = tot_random_uniform(&random) < hole;
            values[k] = outside ? (k % 3 == 0 ? INFINITY : (double)NAN)
                                : scale * tot_random_normal(&random);
        }
        check_values(values, rows, columns, seed);
        free(values);
    }
    const double all_outside[] = {NAN, NAN, -INFINITY, 1e301};
    const double constant[] = {3, 3, 3, 3};
    const double huge[] = {-1e300, 1e300, 0, 1};
    check_values(all_outside, 2, 2, 0);
    check_values(constant, 1, 4, 0);
    check_values(huge, 4, 1, 0);
}

// Twice the area inside the closed lines of a path made of M, v, h, H and Z.
static double path_area(const char *path) {
    double area = 0;
    double x = 0, y = 0, start_x = 0, start_y = 0;
    while (*path != '\0') {
        char command = *path++;
        char *next = (char *)path;
        double to_x = x;
        double to_y = y;
        if (command == 'M') {
            start_x = to_x = x = strtod(path, &next);
            start_y = to_y = y = strtod(next, &next);
        } else if (command == 'v') {
            to_y += strtod(path, &next);
        } else if (command == 'h') {
            to_x += strtod(path, &next);
        } else if (command == 'H') {
            to_x = strtod(path, &next);
        } else {
            assert_int_equal(command, 'Z');
            to_x = start_x;
            to_y = start_y;
        }
        area += x * to_y - to_x * y;
        x = to_x;
        y = to_y;
        path = next;
    }
    return area;
}

// The outline contains as many cells as the band, for any band.
TEST(outline_holds_the_band) {
    for (uint64_t seed = 0; seed < 300; seed++) {
        tot_random random;
        tot_random_init(&random, seed, "band");
        enum { ROWS = 12, COLUMNS = 9 };
        double values[ROWS * COLUMNS];
        int first[ROWS];
        int end[ROWS];
        int cells = 0;
        for (int row = 0; row < ROWS; row++) {
            int a = (int)tot_random_below(&random, COLUMNS + 1);
            int b = (int)tot_random_below(&random, COLUMNS + 1);
            int low = a < b ? a : b;
            int high = a < b ? b : a;
            for (int column = 0; column < COLUMNS; column++) {
                bool inside = column >= low && column < high;
                values[row * COLUMNS + column] = inside ? 1 : (double)NAN;
                cells += inside;
            }
        }
        tot_heat_map_band(values, ROWS, COLUMNS, first, end);
        for (int row = 0; row < ROWS; row++) {
            for (int column = 0; column < COLUMNS; column++) {
                bool inside = column >= first[row] && column < end[row];
                assert_int_equal(inside, !isnan(values[row * COLUMNS + column]));
            }
        }
        const tot_heat_map map = {.rows = ROWS,
                                  .columns = COLUMNS,
                                  .values = values,
                                  .band_first = first,
                                  .band_end = end};
        char *text = page_of(&map);
        char *path = between(text, "<path class=\"outline over\" d=\"", "\"", 0);
        if (fabs(path_area(path)) != 2.0 * cells) {
            fail_msg("seed %llu: %d cells, %s", (unsigned long long)seed, cells, path);
        }
        free(path);
        free(text);
    }
}

TEST(paths_run_through_centres) {
    const double values[9] = {0};
    const double rows[] = {0, 1, NAN, 2};
    const double columns[] = {0, 0.25, 1, 2};
    const tot_heat_map map = {.rows = 3,
                              .columns = 3,
                              .values = values,
                              .path_rows = rows,
                              .path_columns = columns,
                              .path_count = 4};
    char *text = page_of(&map);
    char *path = between(text, "<path class=\"path over\" d=\"", "\"", 0);
    assert_string_equal(path, "M0.5 0.5L0.75 1.5M2.5 2.5h0");
    free(path);
    free(text);
}

TEST(large_maps_stay_small) {
    enum { SIDE = 500, BAND = 10 };
    double *values = malloc(sizeof *values * SIDE * SIDE);
    assert_non_null(values);
    size_t sizes[2];
    for (int banded = 0; banded < 2; banded++) {
        for (int k = 0; k < SIDE * SIDE; k++) {
            bool outside = banded && abs(k / SIDE - k % SIDE) > BAND;
            values[k] = outside ? (double)NAN : sin(k / SIDE * 0.02) * cos(k % SIDE * 0.03);
        }
        const tot_heat_map map = {.rows = SIDE, .columns = SIDE, .values = values};
        char *text = page_of(&map);
        sizes[banded] = strlen(text);
        free(text);
    }
    print_message("500 x 500: %zu bytes, with a band of 10: %zu\n", sizes[0], sizes[1]);
    assert_true(sizes[0] < 200000);
    assert_true(sizes[1] < 30000);
    free(values);
}

TEST(refuses_bad_maps) {
    tot_page *page = new_page();
    const double values[4] = {0};
    const int first[] = {0, 0};
    const int past[] = {1, 3};
    const int before[] = {1, -1};
    const tot_heat_map good = {.title = "T", .rows = 2, .columns = 2, .values = values};
    tot_heat_map map = good;
    map.rows = 0;
    assert_refused(tot_page_add_heat_map(page, &map), "0 x 2");
    map.rows = TOT_HEAT_MAP_LIMIT + 1;
    assert_refused(tot_page_add_heat_map(page, &map), "2049 x 2");
    map = good;
    map.values = NULL;
    assert_refused(tot_page_add_heat_map(page, &map), "no values");
    map = good;
    map.low = 2;
    map.high = 1;
    assert_refused(tot_page_add_heat_map(page, &map), "no range");
    map.high = NAN;
    assert_refused(tot_page_add_heat_map(page, &map), "no range");
    map = good;
    map.band_first = first;
    assert_refused(tot_page_add_heat_map(page, &map), "one edge");
    map.band_end = past;
    assert_refused(tot_page_add_heat_map(page, &map), "row 1");
    map.band_end = before;
    assert_refused(tot_page_add_heat_map(page, &map), "row 1");
    map = good;
    map.path_count = 2;
    assert_refused(tot_page_add_heat_map(page, &map), "path of 2");
    tot_page_free(page);
}

// --- colours -----------------------------------------------------------------------------------

static double linear(unsigned char part) {
    double value = part / 255.0;
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

// CIELAB lightness: a different measure than the one used to construct the map.
static double lightness(const unsigned char rgb[3]) {
    double y = 0.2126 * linear(rgb[0]) + 0.7152 * linear(rgb[1]) + 0.0722 * linear(rgb[2]);
    return y > 0.008856 ? 116 * cbrt(y) - 16 : 903.3 * y;
}

TEST(colours_grow_lighter_evenly) {
    unsigned char colours[PAGE_COLOUR_COUNT][3];
    page_colour_map(colours);
    assert_true(lightness(colours[0]) < 15);
    assert_true(lightness(colours[PAGE_COLOUR_COUNT - 1]) > 90);
    for (int k = 8; k < PAGE_COLOUR_COUNT; k++) {
        // eight steps at a time, so that rounding to bytes does not matter
        double step = lightness(colours[k]) - lightness(colours[k - 8]);
        if (step < 1.4 || step > 4) {
            fail_msg("colour %d is %g lighter than colour %d", k, step, k - 8);
        }
    }
}

// --- SVG ---------------------------------------------------------------------------------------

static tot_status make_picture(tot_svg **svg, const char *path) {
    static const double values[] = {0, 1, NAN, 0.5};
    static const double y[] = {1, 2, NAN, 3};
    const tot_heat_map map = {.title = "Cost <1>",
                              .row_name = "r",
                              .column_name = "c",
                              .rows = 2,
                              .columns = 2,
                              .values = values};
    const tot_series series[] = {{"a & b", 4, NULL, y, NULL, NULL}, {NULL, 4, NULL, y, y, y}};
    const tot_curves curves = {.title = "Curves", .series = series, .series_count = 2};
    tot_status status = tot_svg_create(svg, "A \"picture\"", 2);
    status = status != TOT_OK ? status : tot_svg_add_heat_map(*svg, &map);
    status = status != TOT_OK ? status : tot_svg_add_curves(*svg, &curves);
    status = status != TOT_OK ? status : tot_svg_add_curves(*svg, &curves);
    return status != TOT_OK || path == NULL ? status : tot_svg_write(*svg, path);
}

// The embedded picture has the right colours, with every cell as a block of pixels.
static void check_png(const char *text) {
    char *packed = between(text, "base64,", "\"", 0);
    size_t size;
    uint8_t *png = base64_bytes(packed, &size);
    assert_memory_equal(png, "\x89PNG\r\n\x1a\n", 8);
    size_t at = 8;
    const uint8_t *palette = NULL;
    uint8_t *pixels = NULL;
    while (at < size) {
        size_t length = (size_t)png[at] << 24 | (size_t)png[at + 1] << 16 |
                        (size_t)png[at + 2] << 8 | png[at + 3];
        const uint8_t *end = png + at + 8 + length;
        uLong sum = (uLong)end[0] << 24 | (uLong)end[1] << 16 | (uLong)end[2] << 8 | end[3];
        assert_int_equal(crc32(0, png + at + 4, (uInt)length + 4), sum);
        if (memcmp(png + at + 4, "PLTE", 4) == 0) {
            palette = png + at + 8;
        } else if (memcmp(png + at + 4, "IDAT", 4) == 0) {
            pixels = inflated(png + at + 8, length, 600 * 601);
        }
        at += 12 + length;
    }
    assert_int_equal(at, size);
    assert_non_null(palette);
    assert_non_null(pixels);
    unsigned char colours[PAGE_COLOUR_COUNT][3];
    page_colour_map(colours);
    // the centre of each of the four cells: 0, 1, outside, 0.5
    const uint8_t *upper = pixels + 150 * 601 + 1;
    const uint8_t *lower = pixels + 450 * 601 + 1;
    assert_int_equal(upper[150], 1);
    assert_int_equal(upper[299], 1);
    assert_int_equal(upper[300], 255);
    assert_int_equal(lower[150], 0);
    assert_int_equal(lower[450], 128);
    assert_memory_equal(palette + 3 * 255, colours[255], 3);
    free(pixels);
    free(png);
    free(packed);
}

TEST(pictures_stand_alone) {
    tot_svg *svg = NULL;
    assert_ok(make_picture(&svg, in_folder("picture.svg")));
    const char *text = tot_svg_text(svg);
    // two columns and two rows of panels
    assert_ptr_equal(strstr(text,
                            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"840\" "
                            "height=\"800\""),
                     text);
    assert_non_null(strstr(text, "<title>A &quot;picture&quot;</title>"));
    assert_non_null(strstr(text, ">Cost &lt;1&gt;</text>"));
    assert_int_equal(count_of(text, ">a &amp; b</text>"), 2);
    assert_int_equal(count_of(text, "<svg"), count_of(text, "</svg>"));
    assert_int_equal(count_of(text, "data-"), 0);
    check_png(text);
    size_t size;
    uint8_t *bytes = read_bytes(in_folder("picture.svg"), &size);
    assert_string_equal((const char *)bytes, text);
    tot_svg *again = NULL;
    assert_ok(make_picture(&again, NULL));
    assert_string_equal(tot_svg_text(again), (const char *)bytes);
    free(bytes);
    tot_svg_free(again);
    tot_svg_free(svg);
    tot_svg_free(NULL);
}

TEST(refuses_bad_pictures) {
    tot_svg *svg = NULL;
    assert_refused(tot_svg_create(NULL, "x", 1), "place");
    assert_refused(tot_svg_create(&svg, NULL, 1), "title");
    assert_refused(tot_svg_create(&svg, "x", 0), "0 columns");
    assert_refused(tot_svg_create(&svg, "x", 17), "17 columns");
    assert_null(svg);
    assert_ok(tot_svg_create(&svg, "x", 3));
    char *before = strdup(tot_svg_text(svg));
    const tot_heat_map map = {0};
    assert_refused(tot_svg_add_heat_map(svg, &map), "0 x 0");
    assert_refused(tot_svg_add_curves(svg, NULL), "curves");
    assert_refused(tot_svg_add_curves(NULL, &(tot_curves){0}), "picture");
    assert_refused(tot_svg_write(svg, NULL), "path");
    assert_string_equal(tot_svg_text(svg), before);
    free(before);
    tot_svg_free(svg);
}

TEST(any_allocation_may_fail) {
    failing_memory memory;
    for (uint64_t k = 1; failing_memory_next(&memory, k); k++) {
        tot_svg *svg = NULL;
        tot_status status = make_picture(&svg, in_folder("failing.svg"));
        tot_svg_free(svg);
        failing_memory_check(&memory, status);
        assert_int_equal(count_files(true), status == TOT_OK ? 1 : 0);
    }
}

TEST_MAIN(make_test_folder, remove_test_folder)
