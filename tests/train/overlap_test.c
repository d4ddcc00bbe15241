// World steps run in parallel with updates if there are threads: this must not change what is
// learnt.

#include "asserts.h"
#include "folder.h"

#include <temporalot/train.h>

enum { LINE = 1024 };

static void set(tot_train_config *config, const char *name, const char *text) {
    assert_ok(tot_train_set(config, name, text));
}

static void run(const tot_train_config *config, int threads) {
    char path[96];
    snprintf(path, sizeof path, "%s/%s-%d", folder, config->method, threads);
    const tot_train_options options = {.folder = path, .threads = threads};
    tot_train_result result;
    assert_ok(tot_train(config, &options, &result));
    assert_int_equal(result.step, config->steps);
}

static FILE *open_metrics(const tot_train_config *config, int threads) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s-%d/metrics.csv", folder, config->method, threads);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    return file;
}

// A row without its last two columns, which depend on time; false at the end of the file.
static bool read_row(FILE *file, char *line) {
    if (fgets(line, LINE, file) == NULL) {
        return false;
    }
    for (int k = 0; k < 2; k++) {
        char *comma = strrchr(line, ',');
        assert_non_null(comma);
        *comma = '\0';
    }
    return true;
}

static void compare(const char *method, const char *cost_on) {
    static const char *const settings[][2] = {
        {"task", "window-open"}, {"encoder", "mobilenetv2"},
        {"size", "32"},          {"stride", "16"},
        {"horizon", "12"},       {"steps", "60"},
        {"hidden", "16"},        {"batch", "16"},
        {"eval_every", "30"},    {"eval_episodes", "2"},
        {"warmup", "13"},        {"update_after", "14"},
        {"update_every", "1"},   {"log_every", "5"},
        {"video", "0"},
    };
    tot_train_config config;
    tot_train_defaults(&config);
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
        set(&config, settings[k][0], settings[k][1]);
    }
    set(&config, "method", method);
    set(&config, "cost_on", cost_on);
    run(&config, 1);
    run(&config, 2);
    FILE *alone = open_metrics(&config, 1);
    FILE *beside = open_metrics(&config, 2);
    char one[LINE];
    char two[LINE];
    int rows = 0;
    while (read_row(alone, one)) {
        assert_true(read_row(beside, two));
        assert_string_equal(one, two);
        rows++;
    }
    assert_false(read_row(beside, two));
    assert_true(rows > 10);
    fclose(alone);
    fclose(beside);
}

TEST(test_same_numbers) {
    if (tot_mujoco_check(NULL, NULL) != TOT_OK || tot_scenes_check(NULL) != TOT_OK) {
        print_message("%s\n", tot_error());
        skip();
    }
    compare("temporalot", "image");
    compare("ads", "state");
    compare("gaifo", "state");
}

TEST_MAIN(make_folder, remove_folder)
