// Reading run folders: where they are found, what is read, their state, and the reports on damaged
// ones.
#include "run_folders.h"

#include "failing_memory.h"

static const double climbs[] = {0, 0.25, 0.5, 0.75, 1};

static made_run plain(const char *folder, int seed) {
    return (made_run){.folder = folder,
                      .task = "door-open",
                      .method = "ot",
                      .seed = seed,
                      .settings = "steps=400,eval_every=100",
                      .success = climbs,
                      .count = 5,
                      .every = 100};
}

static void make_plain(const char *folder, int seed) {
    const made_run run = plain(folder, seed);
    make_run(&run);
}

// --- finding -----------------------------------------------------------------------------------

TEST_EACH(make_test_folder, remove_runs)

TEST(finds_runs_in_order_and_once) {
    make_plain("b/seed-10", 10);
    make_plain("b/seed-2", 2);
    make_plain("a/deep/er/run", 0);
    // folders inside a run, links and hidden folders are not searched
    make_plain("a/deep/er/run/videos/inner", 1);
    make_plain(".hidden/run", 1);
    assert_int_equal(symlink(in_folder("b"), in_folder("link")), 0);
    char slashed[TEST_PATH_SIZE * 2];
    snprintf(slashed, sizeof slashed, "%s///", in_folder("b"));
    const char *const folders[] = {in_folder("b/seed-2"), slashed, test_folder,
                                   in_folder("link/seed-10")};
    tot_runs *runs = NULL;
    assert_ok(tot_runs_find(&runs, folders, 4));
    assert_int_equal(tot_runs_count(runs), 3);
    static const char *const order[] = {"a/deep/er/run", "b/seed-2", "b/seed-10"};
    for (size_t k = 0; k < 3; k++) {
        assert_string_equal(tot_runs_at(runs, k)->folder, in_folder(order[k]));
        assert_int_equal(tot_runs_at(runs, k)->state, TOT_RUN_FINISHED);
    }
    assert_null(tot_runs_at(runs, 3));
    tot_runs_free(runs);
    tot_runs_free(NULL);
}

TEST(refuses_what_has_no_runs) {
    tot_runs *runs = NULL;
    write_file("file", "words");
    assert_ok(train_make_folder(in_folder("empty/below")));
    const char *const empty[] = {in_folder("empty")};
    const char *const absent[] = {in_folder("absent")};
    const char *const file[] = {in_folder("file")};
    const char *const unnamed[] = {""};
    const char *const null[] = {NULL};
    assert_fails(tot_runs_find(&runs, empty, 1), TOT_E_ARGUMENT, "config.yaml");
    assert_fails(tot_runs_find(&runs, absent, 1), TOT_E_FILE, "absent");
    assert_fails(tot_runs_find(&runs, file, 1), TOT_E_FILE, "not a folder");
    assert_fails(tot_runs_find(&runs, unnamed, 1), TOT_E_ARGUMENT, "empty");
    assert_fails(tot_runs_find(&runs, null, 1), TOT_E_ARGUMENT, "folder 0");
    assert_fails(tot_runs_find(&runs, empty, 0), TOT_E_ARGUMENT, "no folder");
    assert_fails(tot_runs_find(NULL, empty, 1), TOT_E_ARGUMENT, "place");
    assert_null(runs);
    assert_int_equal(tot_runs_count(NULL), 0);
}

// --- reading -----------------------------------------------------------------------------------

TEST(reads_what_was_written) {
    make_plain("run", 7);
    write_checkpoint(in_folder("run"), 200, "{\"version\": \"old\"}");
    write_checkpoint(in_folder("run"), 400,
                     "{\"version\": \"1.2.3\", \"build\": \"abc\", \"commit\": \"f00\", "
                     "\"cpu\": \"fast\", \"threads\": 3}");
    tot_runs *runs = find_runs();
    const tot_run_record *run = tot_runs_at(runs, 0);
    assert_int_equal(run->state, TOT_RUN_FINISHED);
    assert_string_equal(run->problem, "");
    assert_string_equal(run->config->task, "door-open");
    assert_int_equal(run->config->seed, 7);
    assert_int_equal(run->point_count, 5);
    for (size_t k = 0; k < 5; k++) {
        assert_int_equal(run->points[k].step, 100 * k);
        assert_true(run->points[k].success_rate == climbs[k]);
        assert_true(run->points[k].episode_return == 10 * climbs[k]);
    }
    assert_true(run->success_rate == 1 && run->step == 400 && run->steps == 400);
    assert_true(run->wall_seconds == 200);
    assert_string_equal(run->version, "1.2.3");
    assert_string_equal(run->build, "abc");
    assert_string_equal(run->commit, "f00");
    assert_string_equal(run->cpu, "fast");
    assert_int_equal(run->threads, 3);
    tot_runs_free(runs);
}

// An invalid checkpoint is ignored, and does not exclude the run.
TEST(does_without_a_checkpoint) {
    make_plain("odd", 0);
    assert_ok(train_make_folder(in_folder("odd/checkpoint")));
    write_file("odd/checkpoint/at-0000000400.npz", "not a zip");
    make_plain("words", 0);
    write_checkpoint(in_folder("words"), 400, "{not JSON");
    tot_runs *runs = find_runs();
    for (size_t k = 0; k < 2; k++) {
        assert_int_equal(tot_runs_at(runs, k)->state, TOT_RUN_FINISHED);
        assert_string_equal(tot_runs_at(runs, k)->version, "");
        assert_int_equal(tot_runs_at(runs, k)->threads, 0);
    }
    tot_runs_free(runs);
}

TEST(knows_the_states) {
    made_run run = plain("finished", 0);
    make_run(&run);
    run.folder = "stopped";
    run.count = 3;
    make_run(&run);
    run.folder = "going";
    make_run(&run);
    run.folder = "new";
    run.count = 0;
    make_run(&run);
    write_file("new/metrics.csv", "step,success_rate\n");
    run.folder = "newer";
    make_run(&run);
    // behaviour cloning is as long as its updates
    run = plain("clones", 0);
    run.method = "bc";
    run.settings = "steps=100000,clone_updates=400";
    make_run(&run);
    // all steps, and a last row without an evaluation
    make_plain("unjudged", 0);
    write_file("unjudged/metrics.csv", "step,success_rate\n300,0.5\n400,\n");
    int lock = -1;
    assert_ok(train_lock_folder(in_folder("going"), &lock));
    // the lock file of a dead process
    write_file("stopped/lock", "");

    tot_runs *runs = find_runs();
    static const struct {
        const char *folder, *state;
    } expected[] = {{"finished", "finished"}, {"/stopped", "stopped"}, {"going", "going"},
                    {"/new", "new"},          {"newer", "new"},        {"clones", "finished"},
                    {"unjudged", "stopped"}};
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        assert_string_equal(tot_run_state_text(run_of(runs, expected[k].folder)->state),
                            expected[k].state);
    }
    assert_true(isnan(run_of(runs, "/new")->success_rate));
    assert_true(isnan(run_of(runs, "/new")->wall_seconds));
    assert_int_equal(run_of(runs, "going")->step, 200);
    assert_int_equal(run_of(runs, "going")->steps, 400);
    tot_runs_free(runs);
    close(lock);
    // reading does not take the lock, and nobody holds it now
    runs = find_runs();
    assert_int_equal(run_of(runs, "going")->state, TOT_RUN_STOPPED);
    assert_ok(train_lock_folder(in_folder("going"), &lock));
    close(lock);
    tot_runs_free(runs);
    assert_string_equal(tot_run_state_text((tot_run_state)99), "unknown");
}

// A run read while it is writing: the incomplete row is ignored.
TEST(leaves_out_an_unfinished_row) {
    make_plain("run", 0);
    write_file("run/metrics.csv", "step,success_rate,wall_seconds\r\n0,0.5,1\r\n100,0.25,2\r\n20");
    make_plain("begun", 0);
    write_file("begun/metrics.csv", "step,succ");
    tot_runs *runs = find_runs();
    const tot_run_record *run = run_of(runs, "run");
    assert_int_equal(run->state, TOT_RUN_STOPPED);
    assert_int_equal(run->point_count, 2);
    assert_int_equal(run->step, 100);
    assert_true(run->success_rate == 0.25 && isnan(run->points[0].episode_return));
    assert_int_equal(run_of(runs, "begun")->state, TOT_RUN_NEW);
    tot_runs_free(runs);
}

// --- damage ------------------------------------------------------------------------------------

TEST(names_damage_and_goes_on) {
    static const struct {
        const char *folder, *metrics, *word;
    } cases[] = {
        {"columns", "step,other\n0,1\n", "success_rate"},
        {"no-step", "steps,success_rate\n0,1\n", "column step"},
        {"letters", "step,success_rate\n0,1\n100,good\n", "line 3: 'good'"},
        {"cells", "step,success_rate\n0,1,2\n", "line 2: 3 cells, not 2"},
        {"short", "step,success_rate\n0\n", "line 2: 1 cells, not 2"},
        {"blank", "step,success_rate\n0,1\n\n100,1\n", "line 3"},
        {"back", "step,success_rate\n0,1\n100,1\n100,1\n", "line 4: step 100 comes after step 100"},
        {"much", "step,success_rate\n0,1.5\n", "1.5 is not in 0 .. 1"},
        {"half", "step,success_rate\n0.5,1\n", "whole number"},
        {"below", "step,success_rate\n-1,1\n", "whole number"},
        {"infinite", "step,success_rate\n0,inf\n", "not in 0 .. 1"},
    };
    enum { COUNT = sizeof cases / sizeof *cases };
    for (size_t k = 0; k < COUNT; k++) {
        char name[64];
        make_plain(cases[k].folder, 0);
        snprintf(name, sizeof name, "%s/metrics.csv", cases[k].folder);
        write_file(name, cases[k].metrics);
    }
    make_plain("whole", 0);
    make_plain("key", 0);
    write_file("key/config.yaml", "task: door-open\nmethod: ot\nsteppes: 3\n");
    make_plain("yaml", 0);
    write_file("yaml/config.yaml", "task: [door-open\n");
    make_plain("none", 0);
    assert_int_equal(remove(in_folder("none/config.yaml")), 0);
    make_plain("task", 0);
    write_file("task/config.yaml", "method: ot\n");
    const made_run begun = {.folder = "lost", .task = "push", .method = "ot"};
    make_run(&begun);
    write_checkpoint(in_folder("lost"), 100, "{}");

    tot_runs *runs = find_runs();
    assert_int_equal(tot_runs_count(runs), COUNT + 6);
    for (size_t k = 0; k < COUNT; k++) {
        const tot_run_record *run = run_of(runs, cases[k].folder);
        assert_int_equal(run->state, TOT_RUN_DAMAGED);
        if (strstr(run->problem, cases[k].word) == NULL) {
            fail_msg("%s: %s", cases[k].folder, run->problem);
        }
        assert_non_null(strstr(run->problem, "metrics.csv"));
        assert_non_null(run->config);
    }
    static const char *const others[][2] = {{"/key", "line 3: 'steppes'"},
                                            {"/yaml", "config.yaml"},
                                            {"/none", "config.yaml"},
                                            {"/task", "no task"},
                                            {"/lost", "no metrics.csv"}};
    for (size_t k = 0; k < 5; k++) {
        const tot_run_record *run = run_of(runs, others[k][0]);
        assert_int_equal(run->state, TOT_RUN_DAMAGED);
        if (strstr(run->problem, others[k][1]) == NULL) {
            fail_msg("%s: %s", others[k][0], run->problem);
        }
        assert_true((run->config == NULL) == (k < 4));
    }
    assert_int_equal(run_of(runs, "whole")->state, TOT_RUN_FINISHED);
    tot_runs_free(runs);
}

TEST(survives_failing_memory) {
    make_plain("a/run", 0);
    make_plain("damaged", 0);
    write_file("damaged/metrics.csv", "step,success_rate\n0,bad\n");
    write_checkpoint(in_folder("a/run"), 400, "{\"version\": \"1\"}");
    const char *const folders[] = {test_folder};
    failing_memory memory;
    for (uint64_t k = 1; failing_memory_next(&memory, k); k++) {
        tot_runs *runs = NULL;
        const tot_status status = tot_runs_find(&runs, folders, 1);
        tot_runs_free(runs);
        failing_memory_check(&memory, status);
    }
}

TEST_MAIN(NULL, NULL)
