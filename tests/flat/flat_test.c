// The flat API: invalid input, and the same results as the struct-based API.
#include <temporalot/flat.h>
#include <temporalot/reward.h>
#include <temporalot/world.h>

#include "asserts.h"

#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STEPS = 12, WIDTH = 5 };

static void fill(double *numbers, size_t count, uint64_t seed) {
    tot_random random;
    tot_random_init(&random, seed, "test");
    for (size_t k = 0; k < count; k++) {
        numbers[k] = tot_random_normal(&random);
    }
}

static tot_flat_labeler *labeler_of(const double *demo, const char *settings, int threads) {
    tot_flat_labeler *labeler = NULL;
    assert_ok(tot_flat_labeler_create(&labeler, "temporalot", settings, threads));
    assert_ok(tot_flat_labeler_add(labeler, demo, sizeof(double), STEPS, WIDTH, "demo"));
    return labeler;
}

static tot_status label_one(tot_flat_labeler *labeler, const void *episode, float *rewards) {
    const void *episodes[] = {episode};
    const int bytes[] = {sizeof(double)};
    const int64_t steps[] = {STEPS};
    float *out[] = {rewards};
    return tot_flat_label(labeler, 1, episodes, bytes, steps, WIDTH, out, NULL, NULL, NULL, NULL,
                          NULL);
}

TEST(test_labels_are_those_of_the_structs) {
    double demo[STEPS * WIDTH], episode[STEPS * WIDTH];
    float rewards[STEPS], expected[STEPS];
    fill(demo, STEPS * WIDTH, 1);
    fill(episode, STEPS * WIDTH, 2);
    tot_reward_config config;
    tot_demos *demos = NULL;
    tot_labeler *plain = NULL;
    assert_ok(tot_reward_config_for(&config, "temporalot"));
    assert_ok(tot_reward_set(&config, "context", "2"));
    assert_ok(tot_demos_create(&demos));
    assert_ok(tot_demos_add(demos, tot_embeddings_f64(demo, STEPS, WIDTH), "demo"));
    assert_ok(tot_labeler_create(&plain, demos, &config, NULL));
    assert_ok(tot_label(plain, tot_embeddings_f64(episode, STEPS, WIDTH), "e", expected, NULL));
    tot_flat_labeler *labeler = labeler_of(demo, "context=2\n", 1);
    assert_ok(label_one(labeler, episode, rewards));
    assert_memory_equal(rewards, expected, sizeof rewards);
    assert_int_equal(tot_flat_labeler_demos(labeler), 1);
    assert_int_equal(tot_flat_labeler_longest(labeler), STEPS);
    // no demonstration can be added once an episode was labelled
    assert_fails(tot_flat_labeler_add(labeler, demo, sizeof(double), STEPS, WIDTH, "late"),
                 TOT_E_ARGUMENT, "once an episode");
    tot_flat_labeler_free(labeler);
    tot_labeler_free(plain);
    tot_demos_free(demos);
}

TEST(test_labeler_refuses) {
    double demo[STEPS * WIDTH];
    float rewards[STEPS];
    tot_flat_labeler *labeler = NULL;
    fill(demo, STEPS * WIDTH, 1);
    assert_fails(tot_flat_labeler_create(NULL, "ot", NULL, 1), TOT_E_ARGUMENT, "NULL");
    assert_fails(tot_flat_labeler_create(&labeler, NULL, NULL, 1), TOT_E_ARGUMENT, "NULL");
    assert_fails(tot_flat_labeler_create(&labeler, "ott", NULL, 1), TOT_E_ARGUMENT, "ott");
    assert_fails(tot_flat_labeler_create(&labeler, "ot", "contxt=3\n", 1), TOT_E_ARGUMENT,
                 "context");
    assert_fails(tot_flat_labeler_create(&labeler, "ot", "context\n", 1), TOT_E_ARGUMENT,
                 "name=value");
    assert_fails(tot_flat_labeler_create(&labeler, "ot", NULL, -1), TOT_E_ARGUMENT, "threads");
    assert_null(labeler);
    labeler = labeler_of(demo, NULL, 1);
    assert_fails(tot_flat_labeler_add(labeler, demo, 2, STEPS, WIDTH, "d"), TOT_E_ARGUMENT,
                 "2 bytes");
    assert_fails(tot_flat_labeler_add(labeler, demo, 8, 0, WIDTH, "d"), TOT_E_SHAPE, "d: 0 steps");
    assert_fails(tot_flat_labeler_add(labeler, NULL, 8, 3, WIDTH, "d"), TOT_E_SHAPE, "d");
    assert_fails(label_one(NULL, demo, rewards), TOT_E_ARGUMENT, "NULL");
    assert_fails(label_one(labeler, NULL, rewards), TOT_E_SHAPE, "episode");
    assert_int_equal(tot_flat_labeler_steps(labeler, 7), 0);
    assert_int_equal(tot_flat_labeler_width(NULL), 0);
    tot_flat_labeler_free(labeler);
    tot_flat_labeler_free(NULL);
}

TEST(test_every_status_has_a_name) {
    for (int k = 0; k < TOT_STATUS_COUNT; k++) {
        assert_non_null(tot_flat_status_name(k));
    }
    assert_null(tot_flat_status_name(TOT_STATUS_COUNT));
    assert_null(tot_flat_status_name(-1));
}

TEST(test_environments_refuse) {
    tot_flat_envs *envs = NULL;
    const float still[TOT_ACTION] = {0};
    const float wrong[TOT_ACTION] = {0, NAN};
    double numbers[TOT_OBSERVATION];
    assert_fails(tot_flat_envs_create(&envs, "door-opn", 1, NULL, 1), TOT_E_ARGUMENT, "door-open");
    assert_fails(tot_flat_envs_create(&envs, "door-open", 0, NULL, 1), TOT_E_ARGUMENT, "0");
    assert_fails(tot_flat_envs_create(&envs, "door-open", 1, "goal=no\n", 1), TOT_E_ARGUMENT,
                 "observable");
    assert_fails(tot_flat_envs_create(&envs, "door-open", 1, "gaol=no\n", 1), TOT_E_ARGUMENT,
                 "goal");
    assert_ok(tot_flat_envs_create(&envs, "door-open", 1, "autoreset=disabled\nhorizon=2\n", 1));
    assert_fails(tot_flat_envs_bind(envs, "stat", numbers, sizeof numbers), TOT_E_ARGUMENT,
                 "state");
    assert_fails(tot_flat_envs_bind(envs, "state", numbers, 8), TOT_E_SHAPE, "8 bytes");
    assert_fails(tot_flat_envs_step(envs, still, sizeof(float)), TOT_E_ARGUMENT, "reset");
    assert_ok(tot_flat_envs_bind(envs, "state", numbers, sizeof numbers));
    assert_ok(tot_flat_envs_reset(envs, NULL, NULL, NULL, 0));
    assert_fails(tot_flat_envs_step(envs, wrong, sizeof(float)), TOT_E_VALUE, "number 1");
    assert_fails(tot_flat_envs_step(envs, still, 2), TOT_E_ARGUMENT, "2 bytes");
    assert_fails(tot_flat_envs_save(envs, 1, numbers, 8), TOT_E_ARGUMENT, "0 .. 0");
    assert_fails(tot_flat_envs_restore(envs, 0, numbers, 8), TOT_E_FORMAT, "8 bytes");
    assert_ok(tot_flat_envs_step(envs, still, sizeof(float)));
    assert_ok(tot_flat_envs_step(envs, still, sizeof(float)));
    assert_fails(tot_flat_envs_step(envs, still, sizeof(float)), TOT_E_ARGUMENT, "over");
    tot_flat_envs_free(envs);
    tot_flat_envs_free(NULL);
}

// A child process does not inherit the parent's threads: they are started again.
TEST(test_after_a_fork) {
    enum { COUNT = 4 };
    tot_flat_envs *envs = NULL;
    const float still[COUNT * TOT_ACTION] = {0};
    assert_ok(tot_flat_envs_create(&envs, "door-open", COUNT, NULL, 2));
    assert_ok(tot_flat_envs_reset(envs, NULL, NULL, NULL, 0));
    assert_ok(tot_flat_envs_step(envs, still, sizeof(float)));
    const pid_t child = fork();
    if (child == 0) {
        _exit(tot_flat_envs_step(envs, still, sizeof(float)) == TOT_OK ? 0 : 1);
    }
    int code = 1;
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_int_equal(code, 0);
    assert_ok(tot_flat_envs_step(envs, still, sizeof(float)));
    tot_flat_envs_free(envs);
}

TEST(test_pages) {
    tot_page *page = NULL;
    const char *columns[] = {"episode", "reward"};
    const uint8_t numeric[] = {0, 1};
    const char *cells[] = {"good <one>", "-0.5", "bad", NULL};
    const char *names[] = {"kept", "dropped"};
    const char *leads[] = {"dropped", NULL};
    static const uint8_t rgb[2 * 4 * 4 * 3] = {255};
    const uint8_t *frames[] = {rgb};
    const int64_t sizes[] = {2, 4, 4, 10};
    const size_t shown[] = {0, 9};
    const size_t *steps[] = {shown};
    const double *values[] = {NULL};
    const int *matches[] = {NULL};
    assert_ok(tot_page_create(&page, "Flat"));
    assert_ok(tot_flat_page_table(page, NULL, 2, columns, numeric, 2, cells, names, leads));
    assert_ok(tot_flat_page_table(page, "empty", 2, columns, numeric, 0, NULL, NULL, NULL));
    assert_ok(
        tot_flat_page_strip(page, "strip", 1, names, frames, sizes, steps, values, NULL, matches));
    assert_non_null(strstr(tot_page_text(page), "good &lt;one&gt;"));
    assert_fails(tot_flat_page_table(NULL, NULL, 2, columns, numeric, 0, NULL, NULL, NULL),
                 TOT_E_ARGUMENT, "NULL");
    assert_fails(
        tot_flat_page_strip(page, "strip", 0, names, frames, sizes, steps, values, NULL, matches),
        TOT_E_ARGUMENT, "NULL");
    tot_page_free(page);
}

TEST_MAIN(NULL, NULL)
