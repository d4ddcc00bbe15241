// Whole pages: their contents, reproducibility, and invalid input.
#include "page_help.h"

#include "file/test_folder.h"

// Fills a page with one of everything. Returns the first error.
static tot_status fill_page(tot_page *page) {
    static const tot_column columns[] = {{"task <1>", false}, {"success", true}};
    static const char *const cells[] = {"door-open", "87.5", "push & pull", NULL};
    static const char *const names[] = {"context", "mask"};
    static const char *const values[] = {"3", "band <10>"};
    static const double y[] = {1, 3, NAN, 2, 5};
    static const double low[] = {0, 2, NAN, 1, 4};
    static const double high[] = {2, 4, NAN, 3, 6};
    static const double cost[] = {0, 0.5, NAN, 1, 0.25, 0.75};
    static const int first[] = {0, 0};
    static const int end[] = {2, 3};
    static const double path[] = {0, 1};
    const tot_table table = {
        .title = "Results", .columns = columns, .column_count = 2, .cells = cells, .row_count = 2};
    const tot_series series[] = {{"mean", 5, NULL, y, low, high}, {NULL, 5, y, y, NULL, NULL}};
    const tot_curves curves = {
        .title = "Curves", .x_name = "step", .series = series, .series_count = 2};
    const tot_heat_map map = {.title = "Cost",
                              .row_name = "episode step",
                              .rows = 2,
                              .columns = 3,
                              .values = cost,
                              .band_first = first,
                              .band_end = end,
                              .path_rows = path,
                              .path_columns = path,
                              .path_count = 2};
    static const uint8_t frames[3][2 * 1 * 3] = {{255, 0, 0, 0, 255, 0}, {9}, {1, 2, 3, 4, 5, 6}};
    static const int match[] = {0, -1, 2};
    const tot_frame_row rows[] = {{"demo & more", frames[0], 3, 2, 1, NULL, 0, NULL, NULL, NULL},
                                  {"episode", frames[0], 3, 2, 1, NULL, 0, y, "reward", match}};
    const tot_frame_strip strip = {"Frames", rows, 2, 0};
    tot_status status = tot_page_add_heading(page, 1, "Section <1>");
    status = status != TOT_OK ? status : tot_page_add_heading(page, 2, "Part");
    status = status != TOT_OK ? status : tot_page_add_paragraph(page, "Words & <more> words.");
    status = status != TOT_OK ? status : tot_page_add_table(page, &table);
    status = status != TOT_OK ? status : tot_page_add_settings(page, "Settings", names, values, 2);
    status = status != TOT_OK ? status : tot_page_begin_row(page);
    status = status != TOT_OK ? status : tot_page_add_curves(page, &curves);
    status = status != TOT_OK ? status : tot_page_add_heat_map(page, &map);
    status = status != TOT_OK ? status : tot_page_add_frames(page, &strip);
    return status != TOT_OK ? status : tot_page_end_row(page);
}

TEST_EACH(NULL, empty_test_folder)

TEST(holds_what_was_added) {
    tot_page *page = NULL;
    assert_ok(tot_page_create(&page, "A <title> & more"));
    assert_ok(fill_page(page));
    const char *text = tot_page_text(page);
    assert_ptr_equal(strstr(text, "<!DOCTYPE html>"), text);
    static const char *const pieces[] = {
        "<title>A &lt;title&gt; &amp; more</title>",
        "<h1>A &lt;title&gt; &amp; more</h1>",
        "<h2>Section &lt;1&gt;</h2>",
        "<h3>Part</h3>",
        "<p>Words &amp; &lt;more&gt; words.</p>",
        "<caption>Results</caption>",
        "<th scope=\"col\"><button type=\"button\">task &lt;1&gt;</button></th>",
        "<th scope=\"col\" class=\"number\"><button type=\"button\">success</button></th>",
        "<tr><td>push &amp; pull</td><td class=\"number\"></td></tr>",
        "<dt>mask</dt><dd>band &lt;10&gt;</dd>",
        "<figure class=\"curves\">",
        "<figure class=\"heat\">",
        "<figure class=\"strip\" style=\"--picture:72px;--columns:3\">",
        "<figcaption>Frames</figcaption>",
        "data-name=\"demo &amp; more\"",
        "<img alt=\"demo &amp; more: 3 of 3 steps, from 0 to 2\" width=\"6\" height=\"1\"",
        "data-value-name=\"reward\" data-values=\"1,3,\" data-match=\"0,,2\"",
    };
    for (size_t k = 0; k < sizeof pieces / sizeof pieces[0]; k++) {
        if (count_of(text, pieces[k]) != 1) {
            fail_msg("%zu times in the page: %s", count_of(text, pieces[k]), pieces[k]);
        }
    }
    assert_int_equal(count_of(text, "<div class=\"row\">"), 1);
    assert_non_null(strstr(text, "</main>\n</body>\n</html>\n"));
    tot_page_free(page);
}

// All elements are closed, in a page and in its rows, and a page refers to no other file.
TEST(is_well_formed_and_alone) {
    tot_page *page = new_page();
    assert_ok(fill_page(page));
    const char *body = strstr(tot_page_text(page), "<body>");
    static const char *const elements[] = {"main", "div", "figure", "table", "thead", "tbody",
                                           "tr",   "td",  "th",     "svg",   "g",     "button",
                                           "span", "p",   "text",   "output"};
    for (size_t k = 0; k < sizeof elements / sizeof elements[0]; k++) {
        char start[16];
        char start_with[16];
        char end[16];
        snprintf(start, sizeof start, "<%s>", elements[k]);
        snprintf(start_with, sizeof start_with, "<%s ", elements[k]);
        snprintf(end, sizeof end, "</%s>", elements[k]);
        size_t begun = count_of(body, start) + count_of(body, start_with);
        if (begun == 0 || begun != count_of(body, end)) {
            fail_msg("%zu of %s and %zu of %s", begun, start, count_of(body, end), end);
        }
    }
    const char *text = tot_page_text(page);
    assert_int_equal(count_of(text, " src=\"data:image/png;base64,"), 2);
    assert_int_equal(count_of(text, " src="), 2);
    assert_int_equal(count_of(text, "@import"), 0);
    assert_int_equal(count_of(text, "url("), 0);
    // the SVG namespace is the only address, and it is never requested
    assert_int_equal(count_of(text, "http://"), count_of(text, "http://www.w3.org/2000/svg"));
    assert_int_equal(count_of(text, "https://"), 0);
    tot_page_free(page);
}

TEST(same_calls_same_bytes) {
    tot_page *pages[2];
    for (int k = 0; k < 2; k++) {
        pages[k] = new_page();
        assert_ok(fill_page(pages[k]));
        assert_ok(fill_page(pages[k]));
    }
    assert_string_equal(tot_page_text(pages[0]), tot_page_text(pages[1]));
    tot_page_free(pages[0]);
    tot_page_free(pages[1]);
}

TEST(text_can_be_had_at_any_time) {
    tot_page *page = new_page();
    assert_non_null(strstr(tot_page_text(page), "</html>"));
    assert_ok(tot_page_begin_row(page));
    assert_non_null(strstr(tot_page_text(page), "</div>\n</main>\n</body>\n</html>"));
    assert_ok(tot_page_add_paragraph(page, "more"));
    assert_ok(tot_page_end_row(page));
    const char *text = tot_page_text(page);
    assert_int_equal(count_of(text, "</html>"), 1);
    assert_non_null(strstr(text, "<div class=\"row\">\n<p>more</p>\n</div>\n</main>"));
    tot_page_free(page);
    tot_page_free(NULL);
    assert_string_equal(tot_page_text(NULL), "");
}

TEST(refuses_bad_arguments) {
    tot_page *page = new_page();
    char *before = strdup(tot_page_text(page));
    const tot_column columns[] = {{"a", false}, {NULL, true}};
    const char *const cells[] = {"x", "y"};
    const tot_table good = {.columns = columns, .column_count = 1, .cells = cells, .row_count = 2};
    tot_table table = good;
    assert_refused(tot_page_create(NULL, "x"), "place");
    assert_refused(tot_page_create(&(tot_page *){NULL}, NULL), "title");
    assert_refused(tot_page_add_heading(page, 0, "x"), "level 0");
    assert_refused(tot_page_add_heading(page, 3, "x"), "level 3");
    assert_refused(tot_page_add_heading(page, 1, NULL), "text");
    assert_refused(tot_page_add_paragraph(NULL, "x"), "page");
    assert_refused(tot_page_add_table(NULL, &good), "page");
    assert_refused(tot_page_add_table(page, NULL), "table");
    table.column_count = 0;
    assert_refused(tot_page_add_table(page, &table), "no columns");
    table.column_count = 2;
    assert_refused(tot_page_add_table(page, &table), "column 1");
    table = good;
    table.cells = NULL;
    assert_refused(tot_page_add_table(page, &table), "2 rows");
    table = good;
    table.row_count = SIZE_MAX;
    table.column_count = 1;
    table.cells = NULL;
    assert_refused(tot_page_add_table(page, &table), "rows");
    assert_refused(tot_page_add_settings(page, "x", NULL, cells, 1), "names");
    assert_refused(tot_page_add_settings(page, "x", cells, NULL, 1), "values");
    assert_refused(tot_page_add_settings(page, NULL, cells, cells, 1), "title");
    assert_refused(tot_page_add_curves(page, NULL), "curves");
    assert_refused(tot_page_add_heat_map(page, NULL), "heat map");
    assert_refused(tot_page_add_frames(page, NULL), "frame strip");
    assert_refused(tot_page_add_frames(NULL, &(tot_frame_strip){0}), "page");
    assert_refused(tot_page_end_row(page), "none is begun");
    assert_refused(tot_page_begin_row(NULL), "page");
    assert_refused(tot_page_write(page, NULL), "path");
    assert_string_equal(tot_page_text(page), before);
    assert_ok(tot_page_begin_row(page));
    assert_refused(tot_page_begin_row(page), "already");
    free(before);
    tot_page_free(page);
}

TEST(empty_things_are_fine) {
    tot_page *page = new_page();
    const tot_column column = {"only", true};
    const tot_table table = {.columns = &column, .column_count = 1};
    const tot_curves curves = {0};
    assert_ok(tot_page_add_heading(page, 1, ""));
    assert_ok(tot_page_add_paragraph(page, ""));
    assert_ok(tot_page_add_table(page, &table));
    assert_ok(tot_page_add_curves(page, &curves));
    assert_ok(tot_page_add_settings(page, "", NULL, NULL, 0));
    assert_ok(tot_page_begin_row(page));
    assert_ok(tot_page_end_row(page));
    assert_int_equal(count_of(tot_page_text(page), "no values"), 1);
    tot_page_free(page);
}

TEST(writes_whole_files) {
    tot_page *page = new_page();
    assert_ok(fill_page(page));
    assert_ok(tot_page_write(page, in_folder("page.html")));
    size_t size;
    uint8_t *bytes = read_bytes(in_folder("page.html"), &size);
    assert_string_equal((const char *)bytes, tot_page_text(page));
    assert_int_equal(count_files(false), 1);
    free(bytes);
    assert_fails(tot_page_write(page, in_folder("no/such/folder.html")), TOT_E_FILE, "folder.html");
    tot_page_free(page);
}

static tot_status make_and_write(void) {
    tot_page *page = NULL;
    tot_status status = tot_page_create(&page, "Test");
    status = status != TOT_OK ? status : fill_page(page);
    status = status != TOT_OK ? status : tot_page_write(page, in_folder("failing.html"));
    tot_page_free(page);
    return status;
}

TEST(any_allocation_may_fail) {
    failing_memory memory;
    uint64_t k = 1;
    for (; failing_memory_next(&memory, k); k++) {
        tot_status status = make_and_write();
        failing_memory_check(&memory, status);
        // the file is complete or absent
        assert_int_equal(count_files(true), status == TOT_OK ? 1 : 0);
    }
    print_message("%llu allocations made to fail\n", (unsigned long long)k - 2);
    assert_true(k > 8);
}

// An addition that fails for lack of memory leaves the page unchanged and usable.
TEST(failed_additions_leave_no_trace) {
    enum { SIDE = 200 };
    static double values[SIDE * SIDE];
    for (int k = 0; k < SIDE * SIDE; k++) {
        values[k] = sin(k * 0.37 * k);
    }
    const tot_heat_map map = {.rows = SIDE, .columns = SIDE, .values = values};
    failing_memory memory;
    for (uint64_t k = 1; failing_memory_next(&memory, k); k++) {
        tot_page *page = NULL;
        tot_status status = tot_page_create(&page, "Test");
        if (status == TOT_OK) {
            char *before = strdup(tot_page_text(page));
            status = tot_page_add_heat_map(page, &map);
            if (status != TOT_OK) {
                assert_string_equal(tot_page_text(page), before);
                assert_int_equal(tot_page_add_heat_map(page, &map), TOT_OK);
            }
            assert_true(strlen(tot_page_text(page)) > strlen(before) + SIDE * SIDE);
            free(before);
        }
        tot_page_free(page);
        failing_memory_check(&memory, status);
    }
}

TEST_MAIN(make_test_folder, remove_test_folder)
