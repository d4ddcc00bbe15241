// Grids and their cells, conflicts with another sweep's folder, the runs of tables, misaligned
// demonstrations.
#include <time.h>

#include "asserts.h"
#include "failing_memory.h"
#include "folder.h"

#include <temporalot/sweep.h>

#include "study/paper.h"
#include "study/reproduce.h"

static tot_sweep *parsed(const char *text) {
    tot_sweep *sweep = NULL;
    assert_ok(tot_sweep_parse(&sweep, text, "grid.yaml"));
    return sweep;
}

// --- grids -------------------------------------------------------------------------------------

TEST(test_cells) {
    tot_sweep *sweep = parsed(
        "task: [door-open, push]\nmethod: [ot, temporalot]\nseed: [0, 1, 2]\nsteps: 1000\n"
        "discount: [0.9, 0.99]\n");
    assert_int_equal(tot_sweep_count(sweep), 24);
    const tot_cell *first = tot_sweep_at(sweep, 0);
    assert_string_equal(first->folder, "door-open/ot,discount=0.9/seed-0");
    assert_string_equal(first->label, "door-open ot discount=0.9 seed 0");
    assert_int_equal(first->steps, 1000);
    assert_int_equal(first->state, TOT_CELL_WAITING);
    const tot_cell *last = tot_sweep_at(sweep, 23);
    assert_string_equal(last->folder, "push/temporalot,discount=0.99/seed-2");
    assert_string_equal(last->config->task, "push");
    assert_int_equal(last->config->seed, 2);
    assert_int_equal(last->config->reward.context, 3);
    assert_true(last->config->agent.discount == 0.99);
    // the preset is quick if none is named
    static tot_train_config quick;
    tot_train_defaults(&quick);
    assert_int_not_equal(last->config->agent.hidden, quick.agent.hidden);
    assert_ok(tot_train_preset(&quick, "quick"));
    assert_int_equal(last->config->agent.hidden, quick.agent.hidden);
    // all cells are distinct
    for (size_t k = 0; k < 24; k++) {
        for (size_t i = 0; i < k; i++) {
            assert_string_not_equal(tot_sweep_at(sweep, k)->folder, tot_sweep_at(sweep, i)->folder);
        }
    }
    tot_sweep_free(sweep);
}

TEST(test_single_values) {
    tot_sweep *sweep = parsed("task: push\npreset: paper\nmethod: bc\ndemo: a/b.npz,c.npz\n");
    assert_int_equal(tot_sweep_count(sweep), 1);
    const tot_cell *one = tot_sweep_at(sweep, 0);
    assert_string_equal(one->folder, "push/bc/seed-0");
    assert_int_equal(one->config->agent.hidden, 1024);
    assert_string_equal(one->config->demo, "a/b.npz,c.npz");
    // for behaviour cloning, the updates count
    assert_int_equal(one->steps, one->config->clone_updates);
    tot_sweep_free(sweep);
    sweep = parsed("task: push\nweights: [x/one.pth, y/two.pth]\nmask: [none, 'band:5']\n");
    assert_string_equal(tot_sweep_at(sweep, 1)->folder,
                        "push/temporalot,weights=one.pth,mask=band:5/seed-0");
    tot_sweep_free(sweep);
}

TEST(test_bad_grids) {
    static const struct {
        const char *text;
        tot_status status;
        const char *words[3];
    } cases[] = {
        {"task: push\nstesp: 3\n", TOT_E_ARGUMENT, {"grid.yaml: line 2", "stesp", "steps"}},
        {"task: push\nseed: [0, x]\n", TOT_E_ARGUMENT, {"line 2", "seed", "'x'"}},
        {"task: [push, puhs]\n", TOT_E_ARGUMENT, {"line 1", "puhs", "did you mean"}},
        {"task: push\nmethod: [ot, temporal]\n", TOT_E_ARGUMENT, {"line 2", "temporal", ""}},
        {"task: []\n", TOT_E_ARGUMENT, {"line 1", "task", "empty"}},
        {"", TOT_E_ARGUMENT, {"grid.yaml", "empty grid", ""}},
        {"# nothing\n", TOT_E_ARGUMENT, {"grid.yaml", "empty grid", ""}},
        {"seed: [0, 1]\n", TOT_E_ARGUMENT, {"grid.yaml", "no task", "task: ["}},
        {"task: push\nseed: [1, 1]\n", TOT_E_ARGUMENT, {"line 2", "seed", "twice"}},
        {"task: push\ncost_on: state\ncost-on: image\n", TOT_E_ARGUMENT, {"line 3", "line 2", ""}},
        {"task: push\npreset: [quick, paper]\n", TOT_E_ARGUMENT, {"line 2", "preset", "list"}},
        {"task: push\npreset: quik\n", TOT_E_ARGUMENT, {"line 2", "quik", "quick"}},
        {"task: push\nconfig: /no/such.yaml\n", TOT_E_FILE, {"line 2", "/no/such.yaml", ""}},
        {"task: push\ndemo: ['a,b', c]\n", TOT_E_ARGUMENT, {"line 2", "demo", "comma"}},
        {"task: push\ncapacity: [3]\n", TOT_E_ARGUMENT, {"push", "capacity", "3"}},
        {"task: push\nhidden: [16, 16.0]\n", TOT_E_ARGUMENT, {"line 2", "hidden", ""}},
        {"task: push\ndiscount: [0.9, 0.90]\n", TOT_E_ARGUMENT, {"two of its runs", "0.9", ""}},
        {"task: push\nseed: {a: 1}\n", TOT_E_FORMAT, {"line 2", "", ""}},
        {"task: [push\n", TOT_E_FORMAT, {"grid.yaml", "", ""}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        tot_sweep *sweep = NULL;
        for (size_t i = 0; i < 3; i++) {
            assert_fails(tot_sweep_parse(&sweep, cases[k].text, "grid.yaml"), cases[k].status,
                         cases[k].words[i]);
        }
        assert_null(sweep);
    }
}

TEST(test_too_many) {
    char seeds[1024] = "0", text[4096];
    for (int k = 1; k < 102; k++) {
        snprintf(seeds + strlen(seeds), sizeof seeds - strlen(seeds), ", %d", k);
    }
    snprintf(text, sizeof text, "task: push\nseed: [%s]\ndemo_seed: [%s]\n", seeds, seeds);
    tot_sweep *sweep = NULL;
    assert_fails(tot_sweep_parse(&sweep, text, "grid.yaml"), TOT_E_ARGUMENT,
                 "more than 10000 runs");
}

// --- folders -----------------------------------------------------------------------------------

static void open_as(const char *text, const char *name, tot_status expected, const char *words) {
    char path[128];
    tot_sweep *sweep = parsed(text);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (expected == TOT_OK) {
        assert_ok(tot_sweep_open(sweep, path));
    } else {
        assert_fails(tot_sweep_open(sweep, path), expected, words);
    }
    tot_sweep_free(sweep);
}

TEST(test_folder_of_another) {
    open_as("task: push\nsteps: 1000\ndiscount: [0.9]\n", "a", TOT_OK, "");
    open_as("task: push\nsteps: 1000\ndiscount: [0.9]\n", "a", TOT_OK, "");
    // more values of settings that are part of the folder names do not make another sweep
    open_as("task: [push, door-open]\nseed: [0, 7]\nsteps: 1000\ndiscount: [0.9, 0.8]\n", "a",
            TOT_OK, "");
    open_as("task: push\nsteps: 2000\ndiscount: [0.9]\n", "a", TOT_E_ARGUMENT,
            "steps is 1000 there, but 2000 in grid.yaml");
    open_as("task: push\nsteps: 1000\n", "a", TOT_E_ARGUMENT,
            "discount is 0.9,0.8 (a list) there, but not set");
    open_as("task: push\nsteps: 1000\ndiscount: [0.9]\npreset: paper\n", "a", TOT_E_ARGUMENT,
            "preset is not set there, but paper");
    open_as("task: push\nsteps: [1000]\ndiscount: [0.9]\n", "a", TOT_E_ARGUMENT, "(a list)");
}

TEST(test_run_of_another) {
    char command[512];
    snprintf(command, sizeof command,
             "mkdir -p %s/b/push/temporalot/seed-0 && printf 'task: push\\nsteps: 77\\n' "
             ">%s/b/push/temporalot/seed-0/config.yaml",
             folder, folder);
    assert_int_equal(system(command), 0);
    open_as("task: push\npreset: paper\n", "b", TOT_E_ARGUMENT, "started with steps 77");
}

TEST(test_not_opened) {
    tot_sweep *sweep = parsed("task: push\n");
    assert_int_equal(tot_sweep_run(sweep, NULL), TOT_E_ARGUMENT);
    char path[128];
    snprintf(path, sizeof path, "%s/c", folder);
    assert_ok(tot_sweep_open(sweep, path));
    const tot_sweep_options options = {.program = "/no/such/program"};
    assert_int_equal(tot_sweep_run(sweep, &options), TOT_E_MISSING);
    tot_sweep_free(sweep);
}

// A program that is not temporalot: every run fails, and is reported separately.
TEST(test_failing_program) {
    char path[128];
    tot_sweep *sweep = parsed("task: push\nseed: [0, 1, 2]\n");
    snprintf(path, sizeof path, "%s/d", folder);
    assert_ok(tot_sweep_open(sweep, path));
    const tot_sweep_options options = {.program = "/bin/false", .jobs = 2};
    assert_ok(tot_sweep_run(sweep, &options));
    for (size_t k = 0; k < 3; k++) {
        assert_int_equal(tot_sweep_at(sweep, k)->state, TOT_CELL_FAILED);
        assert_non_null(strstr(tot_sweep_at(sweep, k)->problem, "exited with code 1"));
    }
    tot_sweep_free(sweep);
}

// --- memory ------------------------------------------------------------------------------------

static tot_status parse_and_peek(void) {
    char path[128];
    tot_sweep *sweep = NULL;
    snprintf(path, sizeof path, "%s/b", folder);
    tot_status status = tot_sweep_parse(
        &sweep, "task: push\npreset: paper\nsteps: 77\nseed: [0, 1]\nlog_every: [5, 6]\n", "grid");
    status = status != TOT_OK ? status : tot_sweep_peek(sweep, path);
    tot_sweep_free(sweep);
    return status;
}

static tot_status list_runs(void) {
    static const char *const sets[] = {"steps=10", "demo=a\"b"};
    const study_entry *studies[2] = {NULL, NULL};
    tot_sweep *sweep = NULL;
    const study_reproduce_settings settings = {.preset = "quick",
                                               .seeds = 2,
                                               .tasks = "push",
                                               .methods = "temporalot,orca",
                                               .weights_folder = "/none",
                                               .set = sets,
                                               .set_count = 1,
                                               .folder = folder};
    assert_ok(study_find(&studies[0], "beyond"));
    assert_ok(study_find(&studies[1], "encoders"));
    const tot_status status = study_reproduce_runs(&sweep, studies, 2, &settings);
    tot_sweep_free(sweep);
    return status;
}

TEST(test_no_memory) {
    assert_survives_no_memory(parse_and_peek());
    assert_survives_no_memory(list_runs());
}

// --- tables ------------------------------------------------------------------------------------

static size_t runs_of(const char *name, const study_reproduce_settings *settings,
                      tot_sweep **sweep) {
    const study_entry *study = NULL;
    assert_ok(study_find(&study, name));
    assert_ok(study_reproduce_runs(sweep, &study, 1, settings));
    return tot_sweep_count(*sweep);
}

TEST(test_tables) {
    const study_reproduce_settings settings = {
        .preset = "quick", .seeds = 5, .weights_folder = "/none", .folder = "out"};
    static const struct {
        const char *name;
        size_t runs;
    } known[] = {{"table1", 315},  {"curves", 315},  {"components", 30}, {"parameters", 50},
                 {"pixels", 30},   {"encoders", 20}, {"mask", 30},       {"speed", 60},
                 {"pretrain", 15}, {"rewards", 0},   {"bad-cases", 0},   {"beyond", 160},
                 {"parts", 100}};  // `quick` lacks six of the parts already
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        tot_sweep *sweep = NULL;
        assert_int_equal(runs_of(known[k].name, &settings, &sweep), known[k].runs);
        tot_sweep_free(sweep);
    }
    assert_int_equal(study_count(), sizeof known / sizeof *known);
    const study_entry *none = NULL;
    assert_fails(study_find(&none, "tabel1"), TOT_E_ARGUMENT, "did you mean 'table1'");
}

// Every row and column of the paper's tables is a run of the study of the same name.
TEST(test_paper_is_covered) {
    const study_reproduce_settings settings = {
        .preset = "paper", .seeds = 1, .weights_folder = "/none", .folder = "out"};
    tot_sweep *sweep = NULL;
    const study_paper_table *table = study_paper_find("table1");
    runs_of("table1", &settings, &sweep);
    for (size_t row = 0; row < table->row_count; row++) {
        for (size_t column = 0; column < table->column_count; column++) {
            bool found = false;
            for (size_t k = 0; k < tot_sweep_count(sweep); k++) {
                const tot_train_config *config = tot_sweep_at(sweep, k)->config;
                char name[64];
                snprintf(name, sizeof name, "%.32s%g", config->method, config->agent.discount);
                found = found || (strcmp(config->task, table->rows[row]) == 0 &&
                                  (strcmp(config->method, table->columns[column]) == 0 ||
                                   strcmp(name, table->columns[column]) == 0));
            }
            assert_true(found);
        }
    }
    tot_sweep_free(sweep);
}

TEST(test_shared_runs) {
    const study_reproduce_settings settings = {.preset = "quick",
                                               .seeds = 1,
                                               .tasks = "door-open",
                                               .weights_folder = "/none",
                                               .folder = "out"};
    const study_entry *all[64];
    tot_sweep *sweep = NULL;
    for (size_t k = 0; k < study_count(); k++) {
        all[k] = study_at(k);
    }
    assert_ok(study_reproduce_runs(&sweep, all, study_count(), &settings));
    int plain = 0;
    int left_out = 0;
    for (size_t k = 0; k < tot_sweep_count(sweep); k++) {
        const tot_cell *cell = tot_sweep_at(sweep, k);
        plain += strcmp(cell->folder, "door-open/temporalot/seed-0") == 0;
        left_out += cell->state == TOT_CELL_LEFT_OUT;
        if (cell->state == TOT_CELL_LEFT_OUT) {
            assert_non_null(strstr(cell->problem, "no weights for resnet"));
        }
    }
    assert_int_equal(plain, 1);
    assert_int_equal(left_out, 3);
    assert_int_equal(tot_sweep_count(sweep), 51);
    tot_sweep_free(sweep);
}

TEST(test_bad_choices) {
    static const char *const sets[] = {"steps", "stesp=3", "task=push", "steps=0"};
    static const char *const words[] = {"NAME=VALUE", "steps", "tasks", "steps"};
    const study_entry *study = NULL;
    tot_sweep *sweep = NULL;
    assert_ok(study_find(&study, "table1"));
    study_reproduce_settings settings = {
        .preset = "quick", .seeds = 1, .weights_folder = "/none", .folder = "out"};
    for (size_t k = 0; k < 4; k++) {
        settings.set = &sets[k];
        settings.set_count = 1;
        assert_fails(study_reproduce_runs(&sweep, &study, 1, &settings), TOT_E_ARGUMENT, words[k]);
        assert_null(sweep);
    }
    settings.set_count = 0;
    settings.methods = "ot0.99,adss";
    assert_fails(study_reproduce_runs(&sweep, &study, 1, &settings), TOT_E_ARGUMENT,
                 "did you mean 'ads'");
    settings.methods = "ot0.99,ads";
    assert_ok(study_reproduce_runs(&sweep, &study, 1, &settings));
    assert_int_equal(tot_sweep_count(sweep), 18);
    tot_sweep_free(sweep);
    settings.methods = NULL;
    settings.preset = "papre";
    assert_int_equal(study_reproduce_runs(&sweep, &study, 1, &settings), TOT_E_ARGUMENT);
    settings.preset = "quick";
    settings.tasks = "push,nowhere";
    assert_fails(study_reproduce_runs(&sweep, &study, 1, &settings), TOT_E_ARGUMENT, "nowhere");
}

// --- misaligned demonstrations -----------------------------------------------------------------

enum { STEPS = 63, SUCCESS = 40 };

// Observation k contains k, so that every copy identifies its source.
static void make_demo(tot_trajectory *demo, double *observations, float *actions,
                      uint8_t *success) {
    *demo = (tot_trajectory){.steps = STEPS,
                             .observations = observations,
                             .actions = actions,
                             .success = success,
                             .draw_length = 1};
    for (int k = 0; k <= STEPS; k++) {
        observations[k * TOT_OBSERVATION] = k;
        if (k < STEPS) {
            actions[k * TOT_ACTION] = (float)k;
            success[k] = k >= SUCCESS;
        }
    }
}

TEST(test_misalign) {
    static double observations[(STEPS + 1) * TOT_OBSERVATION];
    static float actions[STEPS * TOT_ACTION];
    static uint8_t success[STEPS];
    tot_trajectory demo;
    make_demo(&demo, observations, actions, success);
    const uint64_t seed = (uint64_t)time(NULL);
    print_message("seed %llu\n", (unsigned long long)seed);
    // success lasts for 6 steps, a tenth of the steps: 46 steps are left
    const int length = SUCCESS + STEPS / 10;
    int faster = 0;
    int slower = 0;
    for (uint64_t round = 0; round < 200; round++) {
        tot_random random;
        tot_trajectory out = {0};
        tot_random_init(&random, seed + round, "test");
        assert_ok(study_trajectory_misalign(&out, &demo, &random));
        assert_in_range(out.steps, length / 10, length * 6);
        faster += out.steps < length;
        slower += out.steps > length;
        double last = 0;
        for (int64_t k = 0; k <= out.steps; k++) {
            const double from = out.observations[k * TOT_OBSERVATION];
            // in order, never more than ten steps at once, and up to the end of the cut
            assert_true(from >= last && from - last <= 10);
            last = from;
            if (k < out.steps) {
                assert_true((double)out.actions[k * TOT_ACTION] == from);
            }
            if (k > 0) {
                assert_int_equal(out.success[k - 1], from >= 1 && success[(int)from - 1]);
            }
        }
        assert_true(out.observations[0] == 0 && last == length);
        assert_true(tot_trajectory_succeeded(&out));
        tot_trajectory_free(&out);
    }
    assert_true(faster > 20 && slower > 20);
    failing_memory memory;
    for (uint64_t k = 1; failing_memory_next(&memory, k); k++) {
        tot_random random;
        tot_trajectory out = {0};
        tot_random_init(&random, 0, "test");
        const tot_status status = study_trajectory_misalign(&out, &demo, &random);
        tot_trajectory_free(&out);
        failing_memory_check(&memory, status);
    }
    demo.steps = 4;
    tot_random random;
    tot_trajectory out = {0};
    tot_random_init(&random, 0, "test");
    assert_int_equal(study_trajectory_misalign(&out, &demo, &random), TOT_E_ARGUMENT);
}

TEST_MAIN(make_folder, remove_folder)
