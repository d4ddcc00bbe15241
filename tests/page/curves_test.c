// Curves: gaps, bands, decimation, axes.
#include "page/axis.h"
#include "page_help.h"

// The page's text with these curves, to be freed with free().
static char *page_of(const tot_curves *curves) {
    tot_page *page = new_page();
    assert_int_equal(tot_page_add_curves(page, curves), TOT_OK);
    char *text = strdup(strstr(tot_page_text(page), "<body>"));
    tot_page_free(page);
    return text;
}

static char *page_of_series(const tot_series *series) {
    const tot_curves curves = {.series = series, .series_count = 1};
    return page_of(&curves);
}

static void expect_path(const char *text, const char *class, const char *wanted) {
    char before[64];
    snprintf(before, sizeof before, "<path class=\"%s\" d=\"", class);
    char *path = between(text, before, "\"", 0);
    assert_string_equal(path, wanted);
    free(path);
}

TEST(draws_points_where_they_are) {
    const double y[] = {0, 10, 5};
    const tot_series series = {"a", 3, NULL, y, NULL, NULL};
    char *text = page_of_series(&series);
    // the area is 1000 wide and 400 high, with y upward
    expect_path(text, "line", "M0 400L500 0L1000 200");
    assert_non_null(strstr(text, "data-x=\"0,1,2\" data-y=\"0,10,5\""));
    free(text);
}

TEST(values_that_are_none_leave_gaps) {
    const double x[] = {0, 1, 2, 3, 4, 5, NAN, 7, 8, 9, 10};
    const double y[] = {0, 10, NAN, 5, INFINITY, 2.5, 4, 7.5, 10, -INFINITY, 1e301};
    const tot_series series = {"a", 11, x, y, NULL, NULL};
    char *text = page_of_series(&series);
    // 3 and 5 are isolated; the rest ends at x = 8
    expect_path(text, "line", "M0 400L125 0M875 100L1000 0");
    expect_path(text, "line alone", "M375 200h0M625 300h0");
    assert_non_null(strstr(text, "data-y=\"0,10,,5,,2.5,4,7.5,10,,\""));
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    free(text);
}

TEST(bands_have_gaps_too) {
    const double y[] = {5, 5, 5, 5};
    const double low[] = {0, 2, NAN, 4};
    const double high[] = {10, 8, 6, 6};
    const tot_series series = {"a", 4, NULL, y, low, high};
    char *text = page_of_series(&series);
    expect_path(text, "band", "M0 0L333.3 80L333.3 320L0 400ZM1000 160L1000 240Z");
    assert_non_null(strstr(text, "data-low=\"0,2,,4\" data-high=\"10,8,6,6\""));
    free(text);
}

TEST(marked_curves_have_dots) {
    const double y[] = {0, 1, NAN, 0.5};
    const tot_series all[] = {{"marked", 4, NULL, y, NULL, NULL},
                              {"plain", 4, NULL, y, NULL, NULL}};
    const tot_curves curves = {.series = all, .series_count = 2, .marked = 1};
    char *text = page_of(&curves);
    // a dot for each of the three points, and one for the isolated point of each curve
    assert_int_equal(count_of(text, "h0"), 3 + 2);
    free(text);
}

TEST(nothing_to_draw_is_said) {
    const double none[] = {NAN, INFINITY};
    const tot_series all[] = {{"none", 2, NULL, none, NULL, NULL},
                              {"empty", 0, NULL, NULL, NULL, NULL}};
    const tot_curves curves = {.series = all, .series_count = 2};
    char *text = page_of(&curves);
    assert_non_null(strstr(text, "no values"));
    assert_int_equal(count_of(text, "<g class=\"series"), 2);
    assert_int_equal(count_of(text, "<path"), 0);
    free(text);
}

TEST(only_what_lies_outside_is_cut) {
    const double y[] = {0, 0.5, 1};
    const tot_series series = {"a", 3, NULL, y, NULL, NULL};
    tot_curves curves = {.series = &series, .series_count = 1, .y_low = 0, .y_high = 1};
    char *whole = page_of(&curves);
    assert_int_equal(count_of(whole, "overflow=\"hidden\""), 0);
    curves.y_high = 0.9;
    char *cut = page_of(&curves);
    assert_int_equal(count_of(cut, "overflow=\"hidden\""), 1);
    free(whole);
    free(cut);
}

TEST(long_curves_are_thinned) {
    enum { LONG = 1000000 };
    double *y = malloc(LONG * sizeof *y);
    assert_non_null(y);
    for (int k = 0; k < LONG; k++) {
        y[k] = 0.5 * sin(k * 1e-4);
    }
    y[123456] = 40;
    y[654321] = -40;
    y[777777] = NAN;
    const tot_series series = {"a", LONG, NULL, y, NULL, NULL};
    char *text = page_of_series(&series);
    assert_true(strlen(text) < 120000);
    char *values = between(text, "data-x=\"", "\"", 0);
    // the extremes, the gap and both ends are kept
    assert_non_null(strstr(values, ",123456,"));
    assert_non_null(strstr(values, ",654321,"));
    assert_non_null(strstr(values, ",777777,"));
    assert_memory_equal(values, "0,", 2);
    assert_string_equal(strrchr(values, ','), ",999999");
    assert_true(count_of(values, ",") < 2000);
    // in order
    double before = -1;
    for (char *at = values; *at != '\0';) {
        double x = strtod(at, &at);
        assert_true(x > before);
        before = x;
        at += *at == ',' ? 1 : 0;
    }
    free(values);
    free(text);
    free(y);
}

TEST(refuses_bad_curves) {
    tot_page *page = new_page();
    const double y[] = {1, 2};
    tot_series series = {"a", 2, NULL, NULL, NULL, NULL};
    tot_curves curves = {.title = "T", .series = &series, .series_count = 1};
    assert_refused(tot_page_add_curves(page, &curves), "series 0 has no y");
    series.y = y;
    series.low = y;
    assert_refused(tot_page_add_curves(page, &curves), "one edge");
    series.low = NULL;
    const double ranges[][2] = {{1, 1}, {2, 1}, {NAN, 1}, {0, INFINITY}, {-1e301, 0}, {0, NAN}};
    for (size_t k = 0; k < sizeof ranges / sizeof ranges[0]; k++) {
        curves.y_low = ranges[k][0];
        curves.y_high = ranges[k][1];
        assert_refused(tot_page_add_curves(page, &curves), "no range");
    }
    curves = (tot_curves){.series_count = 3};
    assert_refused(tot_page_add_curves(page, &curves), "3 series");
    assert_refused(tot_page_add_curves(NULL, &curves), "page");
    tot_page_free(page);
}

TEST(labels_are_round) {
    static const struct {
        double low, high;
        bool whole;
        const char *wanted;
    } cases[] = {
        {0, 1, false, "0.0 0.2 0.4 0.6 0.8 1.0"},
        {0, 62, true, "0 20 40 60"},
        {0, 2, true, "0 1 2"},
        {0, 0, true, "0"},
        {0, 500000, true, "0 100k 200k 300k 400k 500k"},
        {0, 2e6, true, "0 0.5M 1M 1.5M 2M"},
        {-0.005, 0, false,
         "\xe2\x88\x92"
         "0.005 \xe2\x88\x92"
         "0.004 \xe2\x88\x92"
         "0.003 \xe2\x88\x92"
         "0.002 \xe2\x88\x92"
         "0.001 0.000"},
        {0, 3e-9, false,
         "0 1e\xe2\x88\x92"
         "9 2e\xe2\x88\x92"
         "9 3e\xe2\x88\x92"
         "9"},
        {0, 3e12, false, "0 1e12 2e12 3e12"},
        {7, 7, false, "6.5 7.0 7.5"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        page_axis axis;
        char all[256] = "";
        page_axis_fit(&axis, cases[k].low, cases[k].high, 5, cases[k].whole);
        for (int tick = 0; tick < axis.count; tick++) {
            strcat(all, tick > 0 ? " " : "");
            strcat(all, page_axis_label(&axis, tick).text);
        }
        assert_string_equal(all, cases[k].wanted);
    }
}

// Any range gets a handful of ticks inside it, with distinct labels.
TEST(axes_fit_any_range) {
    tot_random random;
    tot_random_init(&random, 2, "page axes");
    for (int draw = 0; draw < 20000; draw++) {
        double centre =
            (tot_random_uniform(&random) - 0.5) * pow(10, 600 * tot_random_uniform(&random) - 301);
        double span = pow(10, 600 * tot_random_uniform(&random) - 301);
        double low = fmax(centre - span, -1e300);
        double high = fmin(centre + span, 1e300);
        page_axis axis;
        page_axis_fit(&axis, low, high, 5, false);
        page_axis_round_out(&axis);
        bool good = axis.low <= low && axis.high >= high && axis.low < axis.high &&
                    axis.count >= 2 && axis.count <= 9;
        for (int tick = 0; good && tick < axis.count; tick++) {
            double place = page_axis_place(&axis, page_axis_tick(&axis, tick));
            good =
                place >= -1e-6 && place <= 1 + 1e-6 && page_axis_label(&axis, tick).text[0] != '\0';
        }
        if (!good) {
            fail_msg("seed 2, draw %d: %a to %a gave %a to %a, %d ticks", draw, low, high, axis.low,
                     axis.high, axis.count);
        }
    }
}

TEST_MAIN(NULL, NULL)
