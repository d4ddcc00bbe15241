// Reports: the table and its sources, curves and statistics compared with values computed here,
// missing data, and output files for other programs.
#include "report_pages.h"

#include <temporalot/statistics.h>

#include "failing_memory.h"
#include "page/page_help.h"

enum { EVERY = 100, COUNT = 5 };

static const char short_run[] = "steps=400,eval_every=100,clone_updates=400";

static void add_run(const char *task, const char *method, int seed, const char *more,
                    const double success[COUNT]) {
    char folder[256];
    char settings[256];
    snprintf(folder, sizeof folder, "%s/%s,%s/seed-%d", task, method, more, seed);
    snprintf(settings, sizeof settings, "%s,%s", short_run, more);
    const made_run run = {.folder = folder,
                          .task = task,
                          .method = method,
                          .seed = seed,
                          .settings = settings,
                          .success = success,
                          .count = COUNT,
                          .every = EVERY};
    make_run(&run);
}

// Two tasks; ot with two discounts, and temporalot; two seeds.
static const double reached[2][3][2] = {{{0.2, 0.4}, {0.5, 0.5}, {0.9, 0.8}},
                                        {{0.1, 0.0}, {0.3, 0.6}, {0.3, 0.6}}};

static void make_grid(void) {
    static const char *const tasks[] = {"door-open", "push"};
    static const char *const methods[][2] = {
        {"ot", "discount=0.9"}, {"ot", "discount=0.99"}, {"temporalot", ""}};
    for (size_t task = 0; task < 2; task++) {
        for (size_t method = 0; method < 3; method++) {
            for (int seed = 0; seed < 2; seed++) {
                double success[COUNT];
                for (int k = 0; k < COUNT; k++) {
                    success[k] = reached[task][method][seed] * k / (COUNT - 1);
                }
                add_run(tasks[task], methods[method][0], seed, methods[method][1], success);
            }
        }
    }
}

// Few resamples: many reports are written here.
enum { RESAMPLES = 200 };

// Writes the report of all runs in the folder and reads it; to be freed with free(). settings may
// be NULL.
static char *write_report(const tot_report_settings *settings, const char *name) {
    tot_report_settings quick;
    size_t size = 0;
    tot_report_defaults(&quick);
    assert_int_equal(quick.resamples, 50000);
    quick = settings != NULL ? *settings : quick;
    quick.resamples = RESAMPLES;
    assert_ok(try_report(&quick, name));
    return (char *)read_bytes(in_folder(name), &size);
}

// --- the table ---------------------------------------------------------------------------------

TEST_EACH(make_test_folder, remove_runs)

// Runs that each lack another part are named after that part; those that lack none after the
// method.
TEST(names_what_is_taken_away) {
    static const char *const taken[] = {"", "context=1", "context=5", "mask=none", "epsilon=0.1"};
    for (size_t k = 0; k < sizeof taken / sizeof *taken; k++) {
        add_run("push", "temporalot", 0, taken[k], (const double[COUNT]){0});
    }
    char *page = write_report(NULL, "report.html");
    assert_has(page, ">temporalot<");
    assert_has(page, ">context 1<");
    assert_has(page, ">context 5<");
    assert_has(page, ">mask none<");
    assert_has(page, ">epsilon 0.1<");
    assert_null(strstr(page, "context 3, "));
    free(page);
}

TEST(shows_means_and_the_best) {
    make_grid();
    tot_report_settings settings;
    tot_report_defaults(&settings);
    settings.title = "Ours <and> theirs";
    settings.paper = "table1";
    char *page = write_report(&settings, "report.html");
    assert_has(page, "<h1>Ours &lt;and&gt; theirs</h1>");
    assert_has(page, "12 runs of 2 tasks and 2 methods, seeds 0 to 1: 12 finished.");
    // the method with the settings that distinguish its runs, and nothing if they do not differ
    assert_has(page, ">ot, discount 0.9<");
    assert_has(page, ">ot, discount 0.99<");
    assert_has(page, ">temporalot<");
    assert_null(strstr(page, "temporalot, discount"));
    // the mean of 20 and 40 is 30, with a deviation of 10
    assert_has(page,
               "<td>door-open</td><td class=\"number\"><a href=\"#rows-0-0\">30.0 \xc2\xb1 "
               "10.0</a><small>paper 30.2 \xc2\xb1 34.5</small></td>");
    assert_has(page, "<a href=\"#rows-0-1\">50.0 \xc2\xb1 0.0</a><small>paper 46.2");
    assert_has(page, "<a href=\"#rows-0-2\"><b>85.0 \xc2\xb1 5.0</b></a><small>paper 78.4");
    // two are best
    assert_has(page, "<a href=\"#rows-1-0\">5.0 \xc2\xb1 5.0</a>");
    assert_has(page, "<a href=\"#rows-1-1\"><b>45.0 \xc2\xb1 15.0</b></a><small>paper 14.2");
    assert_has(page, "<a href=\"#rows-1-2\"><b>45.0 \xc2\xb1 15.0</b></a><small>paper 8.4");
    // the runs behind the numbers, with links relative to the report
    assert_int_equal(count_of(page, "data-rows=\"rows-0-2\""), 2);
    assert_int_equal(count_of(page, "id=\"rows-0-2\""), 1);
    assert_has(page, "<a href=\"./door-open/temporalot%2C/seed-1/\">");
    assert_has(page, "door-open/temporalot,/seed-1</a>");
    // what else the paper contains
    assert_has(page, "<td>stick-push</td><td>a task of the paper&#39;s table: no run</td>");
    assert_has(page, "<td>method bc</td>");
    free(page);
}

TEST(links_to_what_is_there) {
    static const double success[COUNT] = {0, 0, 0, 0, 1};
    add_run("push", "ot", 0, "", success);
    add_run("push", "ot", 1, "", success);
    write_file("push/ot,/seed-0/report.html", "x");
    assert_ok(train_make_folder(in_folder("push/ot,/seed-0/videos")));
    write_file("push/ot,/seed-0/videos/step-000000100.mp4", "x");
    write_file("push/ot,/seed-0/videos/step-000000400.mp4", "x");
    write_file("push/ot,/seed-0/videos/notes.txt", "x");
    assert_ok(train_make_folder(in_folder("pages")));
    char *page = write_report(NULL, "pages/report.html");
    assert_has(page, "<a href=\"./../push/ot%2C/seed-0/report.html\">report</a>");
    assert_has(page, "<a href=\"./../push/ot%2C/seed-0/videos/step-000000400.mp4\">video</a>");
    assert_int_equal(count_of(page, ">report</a>"), 1);
    assert_int_equal(count_of(page, ">video</a>"), 1);
    free(page);
}

// The columns are the settings that differ between runs of one task and method.
TEST(finds_the_columns) {
    static const double success[COUNT] = {0, 0.1, 0.2, 0.3, 0.4};
    for (int speed = 1; speed <= 3; speed++) {
        char more[64];
        // settings that vary with the seed, or only affect output, do not distinguish runs
        for (int seed = 0; seed < 2; seed++) {
            snprintf(more, sizeof more, "demo_speed=%d,demo_seed=%d,video=%d", speed, seed, seed);
            add_run("basketball", "temporalot", seed, more, success);
        }
    }
    tot_report_settings settings;
    tot_report_defaults(&settings);
    settings.paper = "speed";
    char *page = write_report(&settings, "report.html");
    assert_has(page,
               ">demo_speed 1</button></th><th scope=\"col\" class=\"number\"><button "
               "type=\"button\">demo_speed 2</button>");
    assert_has(page, "<a href=\"#rows-0-2\">40.0 \xc2\xb1 0.0</a><small>paper 77.2");
    assert_has(page, "<tr><td>demo_speed</td><td>1 (2), 2 (2), 3 (2)</td></tr>");
    assert_has(page, "<tr><td>speed 4</td><td>a column of the paper&#39;s table: no run</td>");
    free(page);

    // as requested, with the methods in the rows
    add_run("basketball", "ot", 0, "demo_speed=2", success);
    settings.columns = "demo_speed";
    settings.paper = NULL;
    page = write_report(&settings, "asked.html");
    assert_has(page, "<td>basketball, ot</td><td class=\"number\">\xe2\x80\x93</td>");
    assert_has(page, "<td>basketball, temporalot</td>");
    assert_has(page, "<tr><td>basketball, ot, demo_speed 1</td><td>no run</td><td></td></tr>");
    free(page);
}

// --- missing data ------------------------------------------------------------------------------

TEST(names_what_is_missing) {
    static const double success[COUNT] = {0, 0.25, 0.5, 0.75, 1};
    add_run("push", "ot", 0, "", success);
    add_run("push", "ot", 1, "", success);
    add_run("push", "ot", 2, "", success);
    add_run("push", "bc", 0, "", success);
    add_run("door-open", "ot", 0, "", success);
    // seed 1 is damaged, seed 2 was stopped, bc of door-open was never started
    write_file("push/ot,/seed-1/metrics.csv", "step,success_rate\n0,<none>\n");
    write_file("push/ot,/seed-2/metrics.csv", "step,success_rate\n0,0.1\n200,0.5\n");
    assert_ok(train_make_folder(in_folder("lost")));
    write_file("lost/metrics.csv", "step,success_rate\n0,0\n");
    // the same run twice
    const made_run again = {.folder = "push/again",
                            .task = "push",
                            .method = "ot",
                            .seed = 0,
                            .settings = short_run,
                            .success = success,
                            .count = COUNT,
                            .every = EVERY};
    make_run(&again);
    char *page = write_report(NULL, "report.html");
    assert_has(page,
               "7 runs of 2 tasks and 2 methods, seeds 0 to 2: 4 finished, 1 stopped, "
               "2 damaged.");
    assert_has(page, "<small>2 of 4 runs finished</small>");
    assert_has(page, "<td>push, ot, seed 1</td><td>damaged: ");
    assert_has(page, "&#39;&lt;none&gt;&#39; is not a number</td>");
    assert_has(page, "<td>push, ot, seed 2</td><td>stopped at step 200 of 400, success 50.0%</td>");
    assert_has(page, "<td>unknown</td><td>damaged: ");
    assert_has(page, "<td>door-open, bc</td><td>no run</td>");
    assert_has(page, "<td>door-open, ot</td><td>no run of seed 1, 2</td>");
    assert_has(page, "<td>push, ot, seed 0</td><td>counted twice: also ");
    // and over all tasks only what all of them have
    assert_has(page,
               "Over the 1 row of the table for which every column has finished runs; left out: "
               "door-open.");
    free(page);
}

TEST(says_when_nothing_is_finished) {
    const made_run run = {.folder = "run", .task = "push", .method = "ot"};
    make_run(&run);
    char *page = write_report(NULL, "report.html");
    assert_has(page, "1 run of 1 task and 1 method, seeds 0: 1 new.");
    assert_has(page, "No task has finished runs in every column yet");
    assert_has(page, "not started: no evaluation yet");
    free(page);
    // nothing can be read at all
    write_file("run/config.yaml", "task: nowhere\n");
    page = write_report(NULL, "report.html");
    assert_has(page, "1 run of 0 tasks and 0 methods, seeds : 1 damaged.");
    free(page);
    static const char *const others[] = {"r.csv", "r.tex", "r.svg"};
    for (size_t k = 0; k < 3; k++) {
        free(write_report(NULL, others[k]));
    }
}

// --- curves and statistics ---------------------------------------------------------------------

// Reads the values of a series' attribute in the figure with this title.
static void read_numbers(const char *page, const char *title, size_t series, const char *name,
                         double *values, size_t count) {
    char mark[128];
    snprintf(mark, sizeof mark, "<figcaption>%s</figcaption>", title);
    const char *at = strstr(page, mark);
    assert_non_null(at);
    for (size_t k = 0; k <= series; k++) {
        at = strstr(at + 1, "<g class=\"series ");
        assert_non_null(at);
    }
    snprintf(mark, sizeof mark, " data-%s=\"", name);
    at = strstr(at, mark);
    assert_non_null(at);
    at += strlen(mark);
    for (size_t k = 0; k < count; k++) {
        char *end = NULL;
        values[k] = strtod(at, &end);
        assert_true(*end == (k + 1 < count ? ',' : '"'));
        at = end + 1;
    }
}

TEST(draws_what_metrics_have) {
    static const char *const tasks[] = {"door-open", "push"};
    make_grid();
    char *page = write_report(NULL, "report.html");
    for (size_t task = 0; task < 2; task++) {
        for (size_t method = 0; method < 3; method++) {
            double x[COUNT], y[COUNT], low[COUNT], high[COUNT];
            const double *end = reached[task][method];
            read_numbers(page, tasks[task], method, "x", x, COUNT);
            read_numbers(page, tasks[task], method, "y", y, COUNT);
            read_numbers(page, tasks[task], method, "low", low, COUNT);
            read_numbers(page, tasks[task], method, "high", high, COUNT);
            for (size_t k = 0; k < COUNT; k++) {
                const double part = 100 * (double)k / (COUNT - 1);
                const double mean = part * (end[0] + end[1]) / 2;
                const double away = part * fabs(end[0] - end[1]) / 2;
                assert_true(x[k] == (double)(k * EVERY));
                assert_true(fabs(y[k] - mean) < 1e-3);
                assert_true(fabs(low[k] - fmax(mean - away, 0)) < 1e-3);
                assert_true(fabs(high[k] - fmin(mean + away, 100)) < 1e-3);
            }
        }
    }
    free(page);
}

TEST(shows_the_statistics) {
    make_grid();
    char *page = write_report(NULL, "report.html");
    const size_t counts[] = {2, 2};
    tot_scores scores[3];
    const double *runs[3][2];
    for (size_t k = 0; k < 3; k++) {
        runs[k][0] = reached[0][k];
        runs[k][1] = reached[1][k];
        scores[k] = (tot_scores){.task_count = 2, .run_counts = counts, .runs = runs[k]};
    }
    tot_bootstrap bootstrap;
    tot_bootstrap_defaults(&bootstrap);
    bootstrap.resamples = RESAMPLES;
    tot_aggregate all;
    tot_estimate better;
    char words[128];
    assert_ok(tot_scores_aggregate(&all, &scores[2], 1, &bootstrap));
    const tot_estimate *middle = &all.interquartile_mean;
    snprintf(words, sizeof words,
             "<td>temporalot</td><td class=\"number\">%.1f<small>%.1f to %.1f</small></td>",
             100 * middle->value, 100 * middle->low, 100 * middle->high);
    assert_has(page, words);
    assert_ok(tot_scores_improvement(&better, &scores[0], &scores[2], &bootstrap));
    snprintf(words, sizeof words, "%.2f<small>%.2f to %.2f</small>", better.value, better.low,
             better.high);
    assert_has(page, words);
    // the reverse comparison is the complement
    snprintf(words, sizeof words, "<b>%.2f</b><small>%.2f to %.2f</small>", 1 - better.value,
             1 - better.high, 1 - better.low);
    assert_has(page, words);
    double profile[41];
    tot_estimate share;
    const double threshold = 0.5;
    read_numbers(page, "Performance profiles", 2, "y", profile, 41);
    assert_ok(tot_scores_profile(&share, &scores[2], &threshold, 1, &bootstrap));
    assert_true(fabs(profile[20] - 100 * share.value) < 1e-3);
    free(page);
}

TEST(admits_that_one_run_says_little) {
    static const double success[COUNT] = {0, 0.25, 0.5, 0.75, 1};
    add_run("push", "ot", 0, "", success);
    add_run("push", "temporalot", 0, "", success);
    char *page = write_report(NULL, "report.html");
    assert_has(page, "With one run per cell there is nothing to resample");
    assert_has(page, ">100.0</a></td>");
    assert_int_equal(count_of(page, " data-low="), 0);
    free(page);
}

// A cell with a single run would seem too certain: resampling never changes it.
TEST(gives_no_interval_to_single_runs) {
    make_grid();
    static const double success[COUNT] = {0, 0.25, 0.5, 0.75, 0.875};
    add_run("door-open", "bc", 0, "", success);
    add_run("door-open", "bc", 1, "", success);
    add_run("push", "bc", 0, "", success);
    char *page = write_report(NULL, "report.html");
    assert_has(page, "A column with a single run in one of its cells has no interval");
    assert_has(page,
               "<td>bc</td><td class=\"number\">87.5</td><td class=\"number\">87.5</td>"
               "<td class=\"number\">87.5</td><td class=\"number\">12.5</td>"
               "<td class=\"number\">3</td>");
    assert_int_equal(count_of(page, "87.5 to 87.5"), 0);
    // nor in comparisons with the others
    const char *row = strstr(strstr(page, "is better than a run of"), "<td>bc</td>");
    const char *range = strstr(row, "<small>");
    assert_true(range == NULL || range > strstr(row, "</tr>"));
    assert_has(page, "with 200 resamples of the runs");
    free(page);
}

// --- the paper's table by environment steps ----------------------------------------------------

TEST(follows_the_table_by_steps) {
    static const double success[COUNT] = {0.125, 0.25, 0.5, 0.75, 1};
    static const char settings[] = "steps=40000,eval_every=10000,clone_updates=40000";
    static const char *const methods[] = {"bc", "temporalot", "temporalot-p"};
    for (size_t k = 0; k < 3; k++) {
        const made_run run = {.folder = methods[k],
                              .task = "door-open",
                              .method = methods[k],
                              .settings = settings,
                              .success = success,
                              .count = COUNT,
                              .every = 10000};
        make_run(&run);
    }
    tot_report_settings request;
    tot_report_defaults(&request);
    request.paper = "pretrain";
    char *page = write_report(&request, "report.html");
    // an agent step is two environment steps
    assert_has(page,
               "<tr><td>bc</td><td class=\"number\">100.0<small>paper 10.8</small></td>"
               "<td class=\"number\">\xe2\x80\x93</td>");
    assert_has(page,
               "<tr><td>temporalot-p</td><td class=\"number\">12.5<small>paper 10.8</small>"
               "</td><td class=\"number\">25.0<small>paper 6.8</small></td>");
    free(page);
}

// --- output files ------------------------------------------------------------------------------

TEST(writes_a_row_a_run) {
    static const double success[COUNT] = {0, 0.25, 0.5, 0.75, 0.875};
    add_run("push", "ot", 1, "discount=0.9", success);
    add_run("push", "ot", 0, "discount=0.99", success);
    write_checkpoint(in_folder("push/ot,discount=0.9/seed-1"), 400,
                     "{\"version\":\"1.0\",\"build\":\"b\",\"commit\":\"c\"}");
    write_file("push/ot,discount=0.99/seed-0/metrics.csv", "step,success_rate\n0,no\n");
    char *text = write_report(NULL, "runs.csv");
    char wanted[2048];
    snprintf(wanted, sizeof wanted,
             "task,method,seed,success_rate,steps,wall_seconds,commit,version,build,state,discount,"
             "folder\n"
             "push,ot,1,0.875,400,200,c,1.0,b,finished,0.9,\"%s/push/ot,discount=0.9/seed-1\"\n"
             "push,ot,0,,0,,,,,damaged,0.99,\"%s/push/ot,discount=0.99/seed-0\"\n",
             test_folder, test_folder);
    assert_string_equal(text, wanted);
    free(text);
}

TEST(writes_a_table_for_latex) {
    static const double success[COUNT] = {0, 0.25, 0.5, 0.75, 0.875};
    make_grid();
    add_run("push", "ot", 0, "discount=0.9,demo_speed=2", success);
    tot_report_settings settings;
    tot_report_defaults(&settings);
    settings.title = "50 % & more_";
    settings.paper = "table1";
    char *text = write_report(&settings, "table.tex");
    assert_has(text, "\\caption{50 \\% \\& more\\_: success in percent");
    assert_has(text, "ot, demo\\_speed 2, discount 0.9");
    assert_has(text, "$\\mathbf{85.0}$ {\\scriptsize $\\pm$ 5.0} {\\scriptsize [78.4]}");
    assert_has(text, " & -- ");
    assert_has(text, "$\\mathbf{87.5}$ {\\scriptsize [");
    assert_int_equal(count_of(text, "\\\\\n"), 3);
    free(text);
}

TEST(draws_a_picture) {
    make_grid();
    char *text = write_report(NULL, "curves.svg");
    assert_ptr_equal(strstr(text, "<svg"), text);
    assert_int_equal(count_of(text, "<path class=\"band\""), 2 * 3);
    assert_has(text, ">door-open</text>");
    free(text);
}

// --- whole reports -----------------------------------------------------------------------------

TEST(same_runs_same_bytes) {
    static const char *const endings[] = {"html", "csv", "tex", "svg"};
    make_grid();
    tot_report_settings settings;
    tot_report_defaults(&settings);
    for (size_t k = 0; k < 4; k++) {
        char *texts[2];
        for (int round = 0; round < 2; round++) {
            char name[32];
            snprintf(name, sizeof name, "%d.%s", round, endings[k]);
            assert_ok(tot_pool_create(&settings.pool, 1 + 2 * round));
            texts[round] = write_report(&settings, name);
            tot_pool_free(settings.pool);
        }
        assert_string_equal(texts[0], texts[1]);
        free(texts[0]);
        free(texts[1]);
    }
}

TEST(refuses_what_it_cannot_write) {
    make_grid();
    tot_runs *runs = find_runs();
    tot_report_settings settings;
    tot_report_defaults(&settings);
    assert_fails(tot_report_write(runs, &settings, in_folder("r.pdf")), TOT_E_ARGUMENT, ".html");
    assert_fails(tot_report_write(runs, &settings, "noending"), TOT_E_ARGUMENT, ".html");
    assert_fails(tot_report_write(runs, &settings, NULL), TOT_E_ARGUMENT, "path");
    assert_fails(tot_report_write(NULL, &settings, "r.html"), TOT_E_ARGUMENT, "runs");
    assert_fails(tot_report_write(runs, &settings, in_folder("no/r.html")), TOT_E_FILE, "no/r");
    settings.paper = "table9";
    assert_fails(tot_report_write(runs, &settings, in_folder("r.csv")), TOT_E_ARGUMENT, "table9");
    settings.paper = NULL;
    settings.columns = "demo_speeds";
    assert_fails(tot_report_write(runs, &settings, in_folder("r.csv")), TOT_E_ARGUMENT,
                 "did you mean 'demo_speed'");
    tot_runs_free(runs);
}

// Nine tasks and seven columns, like the paper's table; and folder names that are not valid HTML.
TEST(stays_small) {
    static const char *const tasks[] = {"basketball", "button-press-topdown", "door-lock",
                                        "door-open",  "hand-insert",          "lever-pull",
                                        "push",       "stick-push",           "window-open"};
    static const char *const methods[] = {"taskreward", "bc",  "gaifo",     "ot",
                                          "ads",        "dtw", "temporalot"};
    double success[101];
    for (int k = 0; k <= 100; k++) {
        success[k] = (k % 7) / 10.0;
    }
    for (size_t k = 0; k < 63; k++) {
        char folder[128];
        snprintf(folder, sizeof folder, "<b>%zu</b>", k);
        const made_run run = {.folder = folder,
                              .task = tasks[k / 7],
                              .method = methods[k % 7],
                              .settings = "steps=500000,clone_updates=500000",
                              .success = success,
                              .count = 101,
                              .every = 5000};
        make_run(&run);
    }
    char *page = write_report(NULL, "report.html");
    assert_true(strlen(page) < 8u << 20);
    assert_has(page, "63 runs of 9 tasks and 7 methods, seeds 0: 63 finished.");
    assert_null(strstr(page, "<b>62"));
    assert_int_equal(count_of(page, "<figure class=\"curves\">"), 9 + 1);
    free(page);
}

TEST(survives_failing_memory) {
    static const double success[COUNT] = {0, 0.25, 0.5, 0.75, 1};
    add_run("push", "ot", 0, "", success);
    add_run("push", "ot", 1, "discount=0.5", success);
    write_file("push/ot,/seed-0/metrics.csv", "step,success_rate\n0,no\n");
    tot_report_settings settings;
    tot_report_defaults(&settings);
    settings.paper = "table1";
    settings.resamples = 10;
    static const char *const names[] = {"r.html", "r.csv", "r.tex", "r.svg"};
    for (size_t k = 0; k < 4; k++) {
        // most of the page's allocations are similar: test them with growing strides
        failing_memory memory;
        for (uint64_t at = 1; failing_memory_next(&memory, at); at += k == 0 ? 1 + at / 24 : 1) {
            failing_memory_check(&memory, try_report(&settings, names[k]));
        }
    }
}

TEST_MAIN(NULL, NULL)
