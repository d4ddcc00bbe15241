// Alignment of episodes and demonstrations, the boxes around them, and links.
#include "page/alignment.h"

#include "page/parts.h"
#include "page_help.h"

enum { ROWS = 3, COLUMNS = 4 };

static const double nan_value = (double)NAN;

TEST(finds_matches) {
    const double plan[ROWS][COLUMNS] = {{0, 0.1, 0.3, 0.2}, {0, 0, 0, 0}, {0.5, 0.5, 0, 0}};
    const double cost[ROWS][COLUMNS] = {{NAN, 2, 1, 3}, {NAN, NAN, NAN, NAN}, {-1, 0, -1, 5}};
    int match[ROWS];
    page_alignment alignment = {.steps = ROWS, .demonstration_steps = COLUMNS, .cost = cost[0]};
    // the cheapest inside the mask
    page_alignment_match(&alignment, match);
    assert_int_equal(match[0], 2);
    assert_int_equal(match[1], -1);
    assert_int_equal(match[2], 0);
    // with a plan, the column with the most mass; none if there is no mass
    alignment.plan = plan[0];
    page_alignment_match(&alignment, match);
    assert_int_equal(match[0], 2);
    assert_int_equal(match[1], -1);
    assert_int_equal(match[2], 0);
    alignment.cost = alignment.plan = NULL;
    page_alignment_match(&alignment, match);
    assert_int_equal(match[0], -1);
}

static tot_status add_all(tot_page *page, bool pictures) {
    static uint8_t frames[COLUMNS][2][2][3];
    const double rewards[ROWS] = {-1, nan_value, -3};
    const double cost[ROWS][COLUMNS] = {{0, 1, NAN, NAN}, {NAN, 1, 2, NAN}, {NAN, NAN, 2, 3}};
    const double mask[ROWS][COLUMNS] = {{1, 1, 0, 0}, {0, 1, 1, 0}, {0, 0, 1, 1}};
    const double plan[ROWS][COLUMNS] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 0, 1}};
    page_alignment alignment = {.title = "Both",
                                .steps = ROWS,
                                .demonstration_steps = COLUMNS,
                                .rewards = rewards,
                                .cost = cost[0],
                                .mask = mask[0],
                                .plan = plan[0]};
    if (pictures) {
        alignment.demonstration =
            (tot_frame_row){.frames = frames[0][0][0], .count = COLUMNS, .width = 2, .height = 2};
        alignment.episode =
            (tot_frame_row){.frames = frames[0][0][0], .count = ROWS, .width = 2, .height = 2};
    }
    return page_add_alignment(page, &alignment);
}

TEST(shows_pictures_rewards_and_matrices) {
    tot_page *page = new_page();
    assert_int_equal(add_all(page, true), TOT_OK);
    const char *text = strstr(tot_page_text(page), "<body>");
    assert_int_equal(count_of(text, "<div class=\"alignment\">"), 1);
    assert_int_equal(count_of(text, "<figcaption>Both</figcaption>"), 1);
    assert_non_null(strstr(text, "data-name=\"demonstration\" data-count=\"4\""));
    assert_non_null(strstr(text, "data-name=\"episode\" data-count=\"3\""));
    assert_non_null(strstr(text, "data-values=\"-1,,-3\""));
    assert_non_null(strstr(text, "data-match=\"0,1,3\""));
    assert_int_equal(count_of(text, "<figure class=\"heat\">"), 3);
    // the outline of the mask on each, drawn twice
    assert_int_equal(count_of(text, "d=\"M0 0v1h1v1h1v1H4"), 6);
    assert_int_equal(count_of(text, "<div"), count_of(text, "</div>"));
    tot_page_free(page);
}

TEST(shows_a_curve_without_pictures) {
    tot_page *page = new_page();
    assert_int_equal(add_all(page, false), TOT_OK);
    const char *text = strstr(tot_page_text(page), "<body>");
    assert_int_equal(count_of(text, "<figure class=\"strip\""), 0);
    assert_int_equal(count_of(text, "<figcaption>Rewards of the episode</figcaption>"), 1);
    assert_int_equal(count_of(text, "<figure class=\"heat\">"), 3);
    // an empty alignment adds nothing
    const size_t before = strlen(tot_page_text(page));
    const page_alignment none = {.steps = 1, .demonstration_steps = 1};
    assert_int_equal(page_alignment_add_strip(page, &none), TOT_OK);
    assert_int_equal(page_alignment_add_matrices(page, &none), TOT_OK);
    // neither does one that is too large for a heat map
    const double cost = 0;
    const page_alignment large = {
        .steps = TOT_HEAT_MAP_LIMIT + 1, .demonstration_steps = 1, .cost = &cost};
    assert_int_equal(page_alignment_add_matrices(page, &large), TOT_OK);
    assert_int_equal(strlen(tot_page_text(page)), before);
    tot_page_free(page);
}

TEST(boxes_are_closed_whenever_the_page_is_read) {
    tot_page *page = new_page();
    assert_int_equal(page_begin_box(page, PAGE_BOX_CHOICES, "a \"name\"", "<group>"), TOT_OK);
    const page_place place = page_here(page);
    assert_int_equal(page_begin_box(page, PAGE_BOX_CHOICE, "x", "y"), TOT_OK);
    assert_int_equal(page_begin_box(page, PAGE_BOX_ALIGNMENT, NULL, NULL), TOT_OK);
    assert_int_equal(tot_page_begin_row(page), TOT_OK);
    const char *text = strstr(tot_page_text(page), "<body>");
    assert_non_null(strstr(text,
                           "class=\"choices\" data-name=\"a &quot;name&quot;\" "
                           "data-group=\"&lt;group&gt;\""));
    assert_int_equal(count_of(text, "<div"), 4);
    assert_int_equal(count_of(text, "</div>"), 4);
    assert_refused(page_begin_box(page, PAGE_BOX_ALIGNMENT, NULL, NULL), "a row");
    assert_refused(page_end_box(page), "a row");
    // back to where only the first was open
    page_back(page, place);
    text = strstr(tot_page_text(page), "<body>");
    assert_int_equal(count_of(text, "<div"), 1);
    assert_int_equal(count_of(text, "</div>"), 1);
    assert_int_equal(tot_page_begin_row(page), TOT_OK);
    assert_int_equal(tot_page_end_row(page), TOT_OK);
    assert_int_equal(page_end_box(page), TOT_OK);
    assert_refused(page_end_box(page), "none");
    for (int k = 0; k < PAGE_BOX_DEPTH; k++) {
        assert_int_equal(page_begin_box(page, PAGE_BOX_ALIGNMENT, NULL, NULL), TOT_OK);
    }
    assert_refused(page_begin_box(page, PAGE_BOX_ALIGNMENT, NULL, NULL), "many");
    assert_int_equal(tot_page_begin_row(page), TOT_OK);
    text = strstr(tot_page_text(page), "<body>");
    assert_int_equal(count_of(text, "<div"), count_of(text, "</div>"));
    assert_non_null(strstr(text, "</html>"));
    tot_page_free(page);
}

TEST(links_stay_paths) {
    const page_link links[] = {{"a <run>", "../runs/a b/"}, {"report", "javascript:alert(1)"}};
    tot_page *page = new_page();
    assert_int_equal(page_add_links(page, links, 2), TOT_OK);
    assert_non_null(strstr(tot_page_text(page),
                           "<p><a href=\"./../runs/a%20b/\">a &lt;run&gt;</a>, "
                           "<a href=\"./javascript%3Aalert%281%29\">report</a></p>"));
    tot_page_free(page);
}

TEST(any_allocation_may_fail) {
    failing_memory memory;
    for (uint64_t k = 1; failing_memory_next(&memory, k); k++) {
        tot_page *page = NULL;
        tot_status status = tot_page_create(&page, "Test");
        status = status != TOT_OK ? status : add_all(page, true);
        status = status != TOT_OK ? status : add_all(page, false);
        // a page with a failed addition is still readable
        assert_true(page == NULL || strstr(tot_page_text(page), "</html>") != NULL);
        tot_page_free(page);
        failing_memory_check(&memory, status);
    }
}

TEST_MAIN(NULL, NULL)
