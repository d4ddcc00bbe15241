// Cells with links, link targets, intervals, and commands.
#include "page_help.h"

#include "file/test_folder.h"

static const tot_column columns[] = {{"task", false}, {"success", true}};

// The page's text with one table of one row; valid until tot_page_free.
static const char *page_with(tot_page *page, const char *words, const tot_cell_extra *extra) {
    const char *const cells[] = {"push", words};
    const tot_cell_extra extras[] = {{0}, *extra};
    const tot_table table = {
        .columns = columns, .column_count = 2, .cells = cells, .row_count = 1, .extras = extras};
    assert_ok(tot_page_add_table(page, &table));
    return tot_page_text(page);
}

TEST(cells_have_notes_and_links) {
    static const struct {
        const char *words;
        tot_cell_extra extra;
        const char *html;
    } cases[] = {
        {"1", {0}, "<td class=\"number\">1</td>"},
        {"2", {.note = "a < b"}, "<td class=\"number\">2<small>a &lt; b</small></td>"},
        {"3", {.best = true}, "<td class=\"number\"><b>3</b></td>"},
        {"4", {.rows = "a b/\xc3\xa9_"}, "<a href=\"#rows-a_20b_2f_c3_a9_5f\">4</a>"},
        {"5",
         {.rows = "r", .best = true, .note = "n"},
         "<a href=\"#rows-r\"><b>5</b></a><small>n</small></td>"},
        {"6", {.path = "a/b c.html"}, "<a href=\"./a/b%20c.html\">6</a>"},
        // what looks like another scheme, host, query or fragment is a file name
        {"7", {.path = "javascript:alert(1)"}, "<a href=\"./javascript%3Aalert%281%29\">7</a>"},
        {"8", {.path = "//host/x"}, "<a href=\"file:////host/x\">8</a>"},
        {"9", {.path = "a?b#c\"<>"}, "<a href=\"./a%3Fb%23c%22%3C%3E\">9</a>"},
        {"10", {.path = "/root/x~_1"}, "<a href=\"file:///root/x~_1\">10</a>"},
        {"11", {.path = "../up"}, "<a href=\"./../up\">11</a>"},
        // an empty cell has nothing to click on
        {"", {.path = "x", .rows = "y"}, "<td class=\"number\"></td>"},
        {NULL, {.rows = "y"}, "<td class=\"number\"></td>"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        tot_page *page = new_page();
        const char *text = page_with(page, cases[k].words, &cases[k].extra);
        if (strstr(text, cases[k].html) == NULL) {
            fail_msg("case %zu: no %s in %s", k, cases[k].html, strstr(text, "<td>push"));
        }
        tot_page_free(page);
    }
}

TEST(rows_have_names) {
    const char *const cells[] = {"a", "1", "b", "2", "c", "3", "d", "4"};
    const char *const names[] = {"x", "y", "x", NULL};
    const tot_table table = {
        .columns = columns, .column_count = 2, .cells = cells, .row_count = 4, .row_names = names};
    tot_page *page = new_page();
    assert_ok(tot_page_add_table(page, &table));
    const char *text = tot_page_text(page);
    // an anchor refers to the first row of a name, and each exists once
    assert_int_equal(count_of(text, "<tr data-rows=\"rows-x\" id=\"rows-x\"><td>a</td>"), 1);
    assert_int_equal(count_of(text, "<tr data-rows=\"rows-y\" id=\"rows-y\"><td>b</td>"), 1);
    assert_int_equal(count_of(text, "<tr data-rows=\"rows-x\"><td>c</td>"), 1);
    assert_int_equal(count_of(text, "<tr><td>d</td>"), 1);
    tot_page_free(page);
}

TEST(commands_are_escaped) {
    tot_page *page = new_page();
    assert_ok(tot_page_add_code(page, "train --out <folder> && echo\n  done"));
    assert_int_equal(count_of(tot_page_text(page),
                              "<pre>train --out &lt;folder&gt; &amp;&amp; "
                              "echo\n  done</pre>"),
                     1);
    assert_refused(tot_page_add_code(page, NULL), "text is NULL");
    assert_refused(tot_page_add_code(NULL, ""), "page is NULL");
    tot_page_free(page);
}

// --- intervals ---------------------------------------------------------------------------------

static const tot_interval three[] = {
    {.name = "a & b", .value = 25, .low = 12.5, .high = 50, .text = "25 (12.5 to 50)"},
    {.name = "none", .value = NAN, .low = 0, .high = 1},
    {.name = "outside", .value = 120, .low = 90, .high = 130, .colour = 9}};

TEST(intervals_stand_at_their_places) {
    const double mark = 50;
    const tot_intervals intervals = {.title = "Means",
                                     .x_name = "percent",
                                     .items = three,
                                     .count = 3,
                                     .high = 100,
                                     .mark = &mark};
    tot_page *page = new_page();
    assert_ok(tot_page_add_intervals(page, &intervals));
    const char *text = tot_page_text(page);
    static const char *const pieces[] = {
        "<figcaption>Means</figcaption>",
        "<th scope=\"row\">a &amp; b</th>",
        "<line class=\"range\" y1=\"50%\" y2=\"50%\" x1=\"12.5%\" x2=\"50%\"/>",
        "<circle r=\"5\" cy=\"50%\" cx=\"25%\"/>",
        "<td class=\"number\">25 (12.5 to 50)</td>",
        // values outside are drawn at the edge, and shown as numbers
        "<line class=\"range\" y1=\"50%\" y2=\"50%\" x1=\"90%\" x2=\"100%\"/>",
        "<circle r=\"5\" cy=\"50%\" cx=\"100%\"/>",
        "<svg class=\"track s1 d1\"",
        "<p class=\"name x\">percent</p>",
    };
    for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++) {
        if (count_of(text, pieces[k]) != 1) {
            fail_msg("%zu times in the page: %s", count_of(text, pieces[k]), pieces[k]);
        }
    }
    assert_int_equal(count_of(text, "<line class=\"mark-line\" y1=\"0\" y2=\"100%\" x1=\"50%\""),
                     3);
    tot_page_free(page);
}

TEST(intervals_find_their_axis) {
    const tot_interval items[] = {{.name = "x", .value = -3, .low = -7, .high = 2}};
    const tot_intervals intervals = {.items = items, .count = 1};
    const tot_intervals empty = {.count = 0};
    tot_page *page = new_page();
    assert_ok(tot_page_add_intervals(page, &intervals));
    // from -8 to 2, in steps of 2
    assert_int_equal(count_of(tot_page_text(page), "x1=\"10%\" x2=\"100%\""), 1);
    assert_int_equal(count_of(tot_page_text(page),
                              ">\xe2\x88\x92"
                              "8</text>"),
                     1);
    assert_ok(tot_page_add_intervals(page, &empty));
    tot_page_free(page);
}

TEST(intervals_are_checked) {
    const tot_interval unnamed = {.value = 1};
    tot_page *page = new_page();
    tot_intervals bad = {.title = "T", .items = &unnamed, .count = 1};
    assert_refused(tot_page_add_intervals(page, &bad), "number 0 has no name");
    bad = (tot_intervals){.items = NULL, .count = 1};
    assert_refused(tot_page_add_intervals(page, &bad), "none given");
    bad = (tot_intervals){.items = three, .count = 3, .low = 2, .high = 1};
    assert_refused(tot_page_add_intervals(page, &bad), "no range");
    bad = (tot_intervals){.items = three, .count = 3, .low = 0, .high = NAN};
    assert_refused(tot_page_add_intervals(page, &bad), "no range");
    assert_refused(tot_page_add_intervals(page, NULL), "none given");
    assert_refused(tot_page_add_intervals(NULL, &bad), "no page");
    assert_null(strstr(strstr(tot_page_text(page), "<body>"), "intervals"));
    tot_page_free(page);
}

// A curve without points keeps its place in the legend.
TEST(empty_curves_are_said) {
    static const double y[] = {1, 2};
    const tot_series series[] = {{.name = "none"}, {.name = "some", .count = 2, .y = y}};
    const tot_curves curves = {.series = series, .series_count = 2};
    tot_page *page = new_page();
    assert_ok(tot_page_add_curves(page, &curves));
    const char *text = tot_page_text(page);
    assert_int_equal(count_of(text, "class=\"s0 d0 empty\" title=\"no values\""), 1);
    assert_int_equal(count_of(text, "class=\"s1 d0\">"), 1);
    tot_page_free(page);
}

TEST(survives_failing_memory) {
    const tot_intervals intervals = {.items = three, .count = 3};
    const tot_cell_extra extras[] = {{.note = "n"}, {.path = "p", .best = true}};
    const char *const cells[] = {"a", "b"};
    const char *const names[] = {"x"};
    const tot_table table = {.columns = columns,
                             .column_count = 2,
                             .cells = cells,
                             .row_count = 1,
                             .extras = extras,
                             .row_names = names};
    failing_memory memory;
    for (uint64_t k = 1; failing_memory_next(&memory, k); k++) {
        tot_page *page = NULL;
        tot_status status = tot_page_create(&page, "Test");
        for (int round = 0; status == TOT_OK && round < 40; round++) {
            status = tot_page_add_intervals(page, &intervals);
            status = status != TOT_OK ? status : tot_page_add_table(page, &table);
            status = status != TOT_OK ? status : tot_page_add_code(page, "command");
        }
        tot_page_free(page);
        failing_memory_check(&memory, status);
    }
}

TEST_MAIN(NULL, NULL)
