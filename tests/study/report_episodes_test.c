// The episodes of a report: which ones are shown, what is said about the others, and the size
// limit.
#include "report_pages.h"

#include "failing_memory.h"
#include "episode_files.h"
#include "page/page_help.h"

enum { COUNT = 3, EVERY = 100 };

static void add_run(const char *task, const char *method, int seed) {
    static const double success[COUNT] = {0, 0.25, 0.5};
    char folder[128];
    snprintf(folder, sizeof folder, "%s/%s/seed-%d", task, method, seed);
    const made_run run = {.folder = folder,
                          .task = task,
                          .method = method,
                          .seed = seed,
                          .settings = "steps=200,eval_every=100,clone_updates=200",
                          .success = success,
                          .count = COUNT,
                          .every = EVERY};
    make_run(&run);
}

// Adds a run with a saved episode, identified by its number.
static void add_labelled(const char *task, const char *method, int seed, int64_t episode,
                         int side) {
    char name[160];
    train_labelled_episode labelled =
        make_labelled(side > 0 ? TRAIN_EPISODE_PICTURES : 2, side > 0 ? side : MADE_SIDE);
    labelled.episode = episode;
    labelled.solved = episode % 2 == 1;
    add_run(task, method, seed);
    snprintf(name, sizeof name, "%s/%s/seed-%d/episode.npz", task, method, seed);
    assert_ok(train_episode_write(&labelled, in_folder(name)));
    train_episode_free(&labelled);
}

static char *write_report(const char *name) {
    tot_report_settings settings;
    size_t size = 0;
    tot_report_defaults(&settings);
    settings.resamples = 10;
    assert_ok(try_report(&settings, name));
    return (char *)read_bytes(in_folder(name), &size);
}

static int warnings;
static void count_warnings(void *context, tot_log_level level, const char *text) {
    (void)context;
    warnings += level == TOT_LOG_WARNING && strstr(text, "episode.npz") != NULL ? 1 : 0;
}

TEST_EACH(make_test_folder, remove_runs)

TEST(shows_the_lowest_seed_of_a_cell) {
    add_labelled("push", "ot", 10, 310, 0);
    add_labelled("push", "ot", 2, 302, 0);
    add_run("push", "ot", 0);  // has none
    add_labelled("door-open", "temporalot", 0, 201, 0);
    write_file("push/ot/seed-2/report.html", "x");
    char *page = write_report("report.html");
    assert_int_equal(count_of(page, "<div class=\"choice\""), 2);
    assert_has(page, "<div class=\"choices\" data-name=\"method\" data-group=\"task\">");
    assert_has(page,
               "<div class=\"choice\" data-name=\"ot\" data-group=\"push\">\n"
               "<h3>push, ot, seed 2</h3>");
    assert_has(page,
               "<p>Episode 302, not solved at its end, return \xe2\x88\x92"
               "47.500: nearest to demonstration 1 (of 2, from 0). The run is finished, with "
               "50.0 % success at the evaluation at step 200.</p>");
    assert_has(page, "<h3>door-open, temporalot, seed 0</h3>");
    assert_has(page, "<p>Episode 201, solved at its end");
    assert_null(strstr(page, "Episode 310"));
    // its folder, and its own report if there is one
    assert_has(page, "<a href=\"./push/ot/seed-2/\">");
    assert_has(page, "</a>, <a href=\"./push/ot/seed-2/report.html\">its own report</a></p>");
    assert_has(page, "door-open/temporalot/seed-0</a></p>");
    // for each: two rows of pictures, the reward, and the three matrices
    assert_int_equal(count_of(page, "<div class=\"alignment\">"), 2);
    assert_int_equal(count_of(page, "<figure class=\"strip\""), 2);
    assert_int_equal(count_of(page, "<div class=\"frames\""), 4);
    assert_int_equal(count_of(page, "data-value-name=\"reward\""), 2);
    assert_int_equal(count_of(page, "<figcaption>Cost</figcaption>"), 2);
    assert_int_equal(count_of(page, "<figcaption>Mask</figcaption>"), 2);
    assert_int_equal(count_of(page, "<figcaption>Transport plan</figcaption>"), 2);
    assert_int_equal(count_of(page, "<div"), count_of(page, "</div>"));
    assert_null(strstr(page, "have kept"));
    char *again = write_report("again.html");
    assert_string_equal(page, again);
    free(page);
    free(again);
}

TEST(names_what_is_damaged) {
    add_labelled("push", "ot", 0, 300, 0);
    add_labelled("push", "ot", 1, 301, 0);
    add_labelled("push", "temporalot", 0, 302, 0);
    write_file("push/ot/seed-0/episode.npz", "<b>not</b> an archive");
    write_file("push/temporalot/seed-0/episode.npz", "");
    warnings = 0;
    tot_log_set(count_warnings, NULL);
    char *page = write_report("report.html");
    tot_log_set(NULL, NULL);
    assert_int_equal(warnings, 2);
    assert_has(page, "Episode 301,");
    assert_int_equal(count_of(page, "<div class=\"choice\""), 1);
    assert_has(page, "Could not be read and are skipped:\n");
    assert_has(page, "push/ot/seed-0/episode.npz: ");
    assert_has(page, "push/temporalot/seed-0/episode.npz: ");
    assert_has(page, "For 1 cell of the table no run has stored an episode");
    free(page);
}

TEST(says_who_has_none) {
    add_run("push", "ot", 0);
    add_run("push", "bc", 0);
    add_run("push", "taskreward", 0);
    add_run("push", "taskreward", 1);
    char *page = write_report("report.html");
    assert_has(page,
               "<h2>Episodes</h2>\n<p>Methods that do not match episodes with demonstrations are "
               "not shown here: taskreward, bc.");
    assert_has(page, "For 1 cell of the table no run has stored an episode");
    assert_int_equal(count_of(page, "<div class=\"choices\""), 0);
    free(page);
}

// Incompressible noise pictures: fewer episodes, and a page that is small enough.
TEST(stays_small) {
    static const char *const tasks[] = {"basketball", "button-press-topdown", "door-lock",
                                        "door-open",  "hand-insert",          "lever-pull",
                                        "push",       "stick-push",           "window-open"};
    static const char *const methods[] = {"ot",   "ads",     "dtw",         "temporalot",
                                          "orca", "segment", "temporalot-p"};
    for (size_t k = 0; k < 63; k++) {
        add_labelled(tasks[k / 7], methods[k % 7], 0, (int64_t)k, TRAIN_EPISODE_SIDE);
    }
    char *page = write_report("report.html");
    const size_t shown = count_of(page, "<div class=\"choice\"");
    char said[128];
    snprintf(said, sizeof said, "limit the size of the page, the episodes of %zu cells are",
             63 - shown);
    print_message("%zu of 63 episodes of noise in %zu bytes\n", shown, strlen(page));
    assert_true(strlen(page) < 8u << 20);
    assert_in_range(shown, 20, 62);
    assert_has(page, said);
    assert_int_equal(count_of(page, "<div"), count_of(page, "</div>"));
    free(page);
}

TEST(any_allocation_may_fail) {
    add_labelled("push", "ot", 0, 1, 0);
    add_run("push", "bc", 0);
    add_labelled("push", "temporalot", 0, 1, 0);
    write_file("push/temporalot/seed-0/episode.npz", "damaged");
    tot_report_settings settings;
    tot_report_defaults(&settings);
    settings.resamples = 1;
    failing_memory memory;
    for (uint64_t at = 1; failing_memory_next(&memory, at); at += 1 + at / 200) {
        failing_memory_check(&memory, try_report(&settings, "r.html"));
    }
}

TEST_MAIN(NULL, NULL)
