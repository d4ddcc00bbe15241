// Frame strips: which pictures are kept and in which form, their annotations, and invalid input.
#include <temporalot/image.h>

#include "page/strip.h"
#include "page_help.h"

enum { MANY = 100 };

// The page's text with this strip, to be freed with free().
static char *page_of(const tot_frame_strip *strip) {
    tot_page *page = new_page();
    assert_int_equal(tot_page_add_frames(page, strip), TOT_OK);
    char *text = strdup(strstr(tot_page_text(page), "<body>"));
    tot_page_free(page);
    return text;
}

static char *page_of_row(const tot_frame_row *row) {
    const tot_frame_strip strip = {.rows = row, .row_count = 1};
    return page_of(&strip);
}

// The picture of a row, decoded; to be freed with tot_array_free.
static tot_array sheet_of(const char *text, int row) {
    char *base64 = between(text, "src=\"data:image/png;base64,", "\"", row);
    size_t size;
    uint8_t *bytes = base64_bytes(base64, &size);
    tot_array sheet = {0};
    assert_int_equal(tot_png_parse(&sheet, bytes, size, "sheet"), TOT_OK);
    free(bytes);
    free(base64);
    return sheet;
}

static uint32_t next_word(uint32_t *word) {
    *word = *word * 1664525 + 1013904223;
    return *word >> 8;
}

// --- pictures ----------------------------------------------------------------------------------

TEST(keeps_few_colours_as_they_are) {
    // two pictures of 5 x 3 pixels with 30 colours together
    uint8_t frames[2][3][5][3];
    uint32_t word = 5;
    for (size_t k = 0; k < sizeof frames; k++) {
        ((uint8_t *)frames)[k] = (uint8_t)next_word(&word);
    }
    const tot_frame_row row = {.frames = frames[0][0][0], .count = 2, .width = 5, .height = 3};
    char *text = page_of_row(&row);
    tot_array sheet = sheet_of(text, 0);
    assert_int_equal(sheet.shape[0], 3);
    assert_int_equal(sheet.shape[1], 10);
    const uint8_t *pixels = sheet.data;
    for (size_t y = 0; y < 3; y++) {
        for (size_t k = 0; k < 2; k++) {
            assert_memory_equal(pixels + (y * 10 + k * 5) * 3, frames[k][y], 15);
        }
    }
    tot_array_free(&sheet);
    free(text);
}

TEST(many_colours_become_near_ones) {
    enum { SIDE = 100 };
    static uint8_t frame[SIDE][SIDE][3];
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            // a smooth gradient of 10,000 colours
            frame[y][x][0] = (uint8_t)(2 * x);
            frame[y][x][1] = (uint8_t)(2 * y);
            frame[y][x][2] = (uint8_t)(x + y);
        }
    }
    const tot_frame_row row = {
        .frames = frame[0][0], .count = 1, .width = SIDE, .height = SIDE, .values = NULL};
    char *text = page_of_row(&row);
    tot_array sheet = sheet_of(text, 0);
    double sum = 0;
    for (size_t k = 0; k < sizeof frame; k++) {
        int difference = ((const uint8_t *)sheet.data)[k] - ((const uint8_t *)frame)[k];
        assert_in_range(difference + 40, 0, 80);
        sum += difference * difference;
    }
    // 256 boxes of 200 x 200: each is about 12.5 wide, a mean square error of 13 per side
    assert_true(sum / sizeof frame < 20);
    tot_array_free(&sheet);
    free(text);
}

TEST(large_pictures_are_averaged) {
    // 336 x 224 becomes 112 x 75 (74.67): every pixel is the mean of a box, and the overall mean is
    // kept
    enum { WIDTH = 336, HEIGHT = 224 };
    static uint8_t frame[HEIGHT][WIDTH][3];
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            memset(frame[y][x], x % 3 == 0 ? 30 : x % 3 == 1 ? 90 : 180, 3);
        }
    }
    const tot_frame_row row = {
        .frames = frame[0][0], .count = 1, .width = WIDTH, .height = HEIGHT, .values = NULL};
    char *text = page_of_row(&row);
    tot_array sheet = sheet_of(text, 0);
    assert_int_equal(sheet.shape[0], 75);
    assert_int_equal(sheet.shape[1], 112);
    for (size_t k = 0; k < 75 * 112 * 3; k++) {
        assert_int_equal(((const uint8_t *)sheet.data)[k], 100);
    }
    tot_array_free(&sheet);
    free(text);
}

TEST(fractions_of_pixels_count) {
    // 168 pixels become 112: three become two, and the middle one is split
    static uint8_t frame[168][168][3];
    for (int y = 0; y < 168; y++) {
        for (int x = 0; x < 168; x++) {
            memset(frame[y][x], x % 3 == 0 ? 0 : x % 3 == 1 ? 30 : 90, 3);
        }
    }
    const tot_frame_row row = {.frames = frame[0][0], .count = 1, .width = 168, .height = 168};
    char *text = page_of_row(&row);
    tot_array sheet = sheet_of(text, 0);
    assert_int_equal(sheet.shape[1], 112);
    const uint8_t *pixels = sheet.data;
    assert_int_equal(pixels[0], 10);  // (0 + 30 / 2) / 1.5
    assert_int_equal(pixels[3], 70);  // (30 / 2 + 90) / 1.5
    tot_array_free(&sheet);
    free(text);
}

TEST(an_even_choice_of_many) {
    static uint8_t frames[MANY][3];
    for (int k = 0; k < MANY; k++) {
        memset(frames[k], 2 * k, 3);
    }
    const tot_frame_row row = {.frames = frames[0], .count = MANY, .width = 1, .height = 1};
    page_strip_choice choice;
    page_strip_choose(&choice, &row);
    assert_int_equal(choice.count, TOT_STRIP_PICTURES);
    assert_int_equal(choice.step_count, MANY);
    assert_int_equal(choice.steps[0], 0);
    assert_int_equal(choice.steps[TOT_STRIP_PICTURES - 1], MANY - 1);
    for (size_t k = 1; k < choice.count; k++) {
        // 99 steps in 23 parts
        assert_in_range(choice.steps[k] - choice.steps[k - 1], 4, 5);
    }
    char *text = page_of_row(&row);
    tot_array sheet = sheet_of(text, 0);
    for (size_t k = 0; k < choice.count; k++) {
        assert_int_equal(((const uint8_t *)sheet.data)[3 * k], 2 * choice.steps[k]);
        char label[32];
        snprintf(label, sizeof label, "dy=\"16\">%zu</text>", choice.steps[k]);
        assert_int_equal(count_of(text, label), 1);
    }
    tot_array_free(&sheet);
    free(text);
}

TEST(pictures_may_show_some_steps_only) {
    static const uint8_t frames[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    static const size_t steps[] = {2, 10, 30};
    static const double values[40] = {0};
    tot_frame_row row = {.frames = frames[0],
                         .count = 3,
                         .width = 1,
                         .height = 1,
                         .steps = steps,
                         .step_count = 36,
                         .values = values};
    page_strip_choice choice;
    page_strip_choose(&choice, &row);
    assert_true(page_strip_place(&choice, 0) == 0);
    assert_true(page_strip_place(&choice, 2) == 0);
    assert_true(page_strip_place(&choice, 6) == 0.5);
    assert_true(page_strip_place(&choice, 25) == 1.75);
    assert_true(page_strip_place(&choice, 35) == 2);
    char *text = page_of_row(&row);
    assert_non_null(strstr(text, "data-count=\"36\" data-steps=\"2,10,30\""));
    // the curve ends within half a picture of the first and last one, and is aligned with them
    assert_true(number_between(text, "data-x-low=\"", "\"") == 2);
    assert_true(number_between(text, "data-x-high=\"", "\"") == 30);
    free(text);
    // farther away, it would leave the page
    row.step_count = 40;
    text = page_of_row(&row);
    assert_true(number_between(text, "data-x-low=\"", "\"") == 0);
    assert_true(number_between(text, "data-x-high=\"", "\"") == 39);
    free(text);
}

// --- annotations -------------------------------------------------------------------------------

TEST(links_go_to_what_is_matched) {
    static const uint8_t frames[4][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {1, 1, 1}};
    static const size_t steps[] = {0, 4, 8};
    static const int match[] = {5, -1, 8};
    const tot_frame_row rows[] = {
        {.frames = frames[0], .count = 3, .width = 1, .height = 1, .steps = steps},
        {.frames = frames[0], .count = 3, .width = 1, .height = 1, .match = match}};
    const tot_frame_strip strip = {.rows = rows, .row_count = 2};
    char *text = page_of(&strip);
    char *links = between(text, "<svg class=\"links\"", "</svg>", 0);
    assert_non_null(strstr(links, "viewBox=\"0 0 3 1\""));
    assert_non_null(strstr(links, "d=\"M0.5 1L1.75 0M2.5 1L2.5 0\""));
    free(links);
    free(text);
}

TEST(curves_share_their_range) {
    static const uint8_t frames[2][3] = {{1, 2, 3}, {4, 5, 6}};
    static const double low[] = {-4, -2};
    static const double high[] = {0, 6};
    const tot_frame_row rows[] = {
        {.frames = frames[0], .count = 2, .width = 1, .height = 1, .values = low},
        {.frames = frames[0], .count = 2, .width = 1, .height = 1, .values = high}};
    const tot_frame_strip strip = {.rows = rows, .row_count = 2};
    char *text = page_of(&strip);
    assert_int_equal(count_of(text, "data-y-low=\"-5\" data-y-high=\"10\""), 2);
    // the area is 1000 wide and 100 high
    assert_int_equal(count_of(text, "d=\"M0 93.3L1000 80\""), 1);
    free(text);
}

TEST(values_that_are_none_are_said) {
    static const uint8_t frames[2][3] = {{1, 2, 3}, {4, 5, 6}};
    static const double none[] = {NAN, INFINITY};
    const tot_frame_row row = {
        .frames = frames[0], .count = 2, .width = 1, .height = 1, .values = none};
    char *text = page_of_row(&row);
    assert_int_equal(count_of(text, "no values"), 1);
    assert_int_equal(count_of(text, "data-values=\",\""), 1);
    assert_null(strstr(text, "nan"));
    free(text);
}

// --- invalid input -----------------------------------------------------------------------------

TEST(refuses_what_is_no_strip) {
    static const uint8_t frames[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    static const size_t falling[] = {1, 5, 5};
    static const size_t rising[] = {1, 5, 7};
    static const int far[] = {0, 1, 3};
    static const int low[] = {0, -2, 1};
    const tot_frame_row good = {.frames = frames[0], .count = 3, .width = 1, .height = 1};
    tot_frame_row rows[2] = {good, good};
    tot_frame_strip strip = {"T", rows, 2, 0};
    tot_page *page = new_page();
    char *before = strdup(tot_page_text(page));
    strip.row_count = 0;
    assert_refused(tot_page_add_frames(page, &strip), "no rows");
    strip = (tot_frame_strip){"T", rows, 2, 15};
    assert_refused(tot_page_add_frames(page, &strip), "15 wide");
    strip.width = 513;
    assert_refused(tot_page_add_frames(page, &strip), "513 wide");
    strip.width = 0;
    rows[1].frames = NULL;
    assert_refused(tot_page_add_frames(page, &strip), "\"T\": row 1 has no pictures");
    rows[1] = good;
    rows[1].count = 0;
    assert_refused(tot_page_add_frames(page, &strip), "row 1 has no pictures");
    rows[1] = good;
    rows[1].height = 0;
    assert_refused(tot_page_add_frames(page, &strip), "1 x 0");
    rows[1].height = 16385;
    assert_refused(tot_page_add_frames(page, &strip), "1 x 16385");
    rows[1] = good;
    rows[1].steps = falling;
    assert_refused(tot_page_add_frames(page, &strip), "picture 2 shows step 5");
    rows[1].steps = rising;
    rows[1].step_count = 7;
    assert_refused(tot_page_add_frames(page, &strip), "step 7 of 7");
    rows[1] = good;
    rows[1].match = far;
    assert_refused(tot_page_add_frames(page, &strip), "step 2 matches step 3 of 3");
    rows[1].match = low;
    assert_refused(tot_page_add_frames(page, &strip), "step 1 matches step -2");
    rows[1] = good;
    rows[0].match = low;
    assert_refused(tot_page_add_frames(page, &strip), "row 0");
    assert_string_equal(tot_page_text(page), before);
    free(before);
    tot_page_free(page);
}

TEST(any_allocation_may_fail) {
    static uint8_t frames[8][50 * 40 * 3];
    uint32_t word = 3;
    for (size_t k = 0; k < sizeof frames; k++) {
        ((uint8_t *)frames)[k] = (uint8_t)next_word(&word);
    }
    const tot_frame_row row = {.frames = frames[0], .count = 8, .width = 50, .height = 40};
    const tot_frame_strip strip = {.rows = &row, .row_count = 1};
    failing_memory memory;
    for (uint64_t k = 1; failing_memory_next(&memory, k); k++) {
        tot_page *page = NULL;
        tot_status status = tot_page_create(&page, "Test");
        if (status == TOT_OK) {
            char *before = strdup(tot_page_text(page));
            status = tot_page_add_frames(page, &strip);
            if (status != TOT_OK) {
                assert_string_equal(tot_page_text(page), before);
            }
            free(before);
        }
        tot_page_free(page);
        failing_memory_check(&memory, status);
    }
}

// Noise with one colour more than fits, and with many more: every pixel gets a colour.
TEST(any_number_of_colours) {
    for (size_t count = 1; count < 3000; count = count * 3 / 2 + 1) {
        uint8_t *rgb = malloc(3 * count);
        uint8_t *indices = malloc(count);
        uint8_t colours[PAGE_PALETTE_SIZE][3];
        for (size_t k = 0; k < count; k++) {
            rgb[3 * k] = (uint8_t)(k % 256);
            rgb[3 * k + 1] = (uint8_t)(k / 256);
            rgb[3 * k + 2] = 7;
        }
        memset(indices, 0xee, count);
        assert_int_equal(page_palette_make(rgb, count, colours, indices), TOT_OK);
        for (size_t k = 0; k < count; k++) {
            if (count <= PAGE_PALETTE_SIZE) {
                assert_memory_equal(colours[indices[k]], rgb + 3 * k, 3);
            } else {
                assert_in_range(colours[indices[k]][0] - rgb[3 * k] + 16, 0, 32);
                assert_int_equal(colours[indices[k]][2], 7);
            }
        }
        free(rgb);
        free(indices);
    }
}

TEST_MAIN(NULL, NULL)
