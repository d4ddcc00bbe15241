// Rewards of every method, with plan and cost, on synthetic trajectories.

#include "golden/golden.h"

#include <temporalot/reward.h>

enum { STEPS = 37, DEMO_STEPS = 41, WIDTH = 67, WIDE = 2050 };

// A random walk: neighbouring frames are similar, as in a video.
static float *make_walk(const char *name, int64_t steps, int64_t width) {
    tot_random random;
    float *walk = malloc((size_t)(steps * width) * sizeof *walk);
    assert_non_null(walk);
    tot_random_init(&random, 16, name);
    for (int64_t k = 0; k < steps * width; k++) {
        const float before = k < width ? 0 : walk[k - width];
        walk[k] = before + (float)(tot_random_uniform(&random) - 0.5) * (k < width ? 4.0f : 1.0f);
    }
    return walk;
}

static uint64_t add_array(uint64_t hash, const tot_array *array) {
    return golden_add(hash, array->data,
                      (size_t)tot_array_count(array) * tot_type_size(array->type));
}

static uint64_t add_inside(uint64_t hash, const tot_labeler *labeler, bool plan) {
    tot_array array = {0};
    if (plan) {
        assert_ok(tot_labeler_plan(labeler, &array));
        hash = add_array(hash, &array);
    }
    assert_ok(tot_labeler_cost(labeler, &array));
    hash = add_array(hash, &array);
    tot_array_free(&array);
    return hash;
}

static void check_method(const tot_method *method, const char *cost, int64_t width) {
    char name[96];
    float rewards[STEPS];
    tot_reward_config config;
    tot_label_info info;
    tot_demos *demos = NULL;
    tot_labeler *labeler = NULL;
    float *first = make_walk("first", DEMO_STEPS, width);
    float *second = make_walk("second", DEMO_STEPS + 5, width);
    float *episode = make_walk("episode", STEPS, width);
    assert_ok(tot_reward_config_for(&config, tot_method_name(method)));
    assert_ok(tot_reward_set(&config, "cost", cost));
    assert_ok(tot_demos_create(&demos));
    assert_ok(tot_demos_add(demos, tot_embeddings_f32(first, DEMO_STEPS, width), "first"));
    assert_ok(tot_demos_add(demos, tot_embeddings_f32(second, DEMO_STEPS + 5, width), "second"));
    assert_ok(tot_labeler_create(&labeler, demos, &config, NULL));
    assert_ok(
        tot_label(labeler, tot_embeddings_f32(episode, STEPS, width), "episode", rewards, &info));
    uint64_t hash = golden_add(GOLDEN_EMPTY, rewards, sizeof rewards);
    hash = golden_add(hash, tot_labeler_rewards(labeler), STEPS * sizeof(double));
    hash = golden_add(hash, &info.sum, sizeof info.sum);
    hash = golden_add(hash, &info.demo, sizeof info.demo);
    hash = add_inside(hash, labeler, tot_method_has_plan(method));
    snprintf(name, sizeof name, "reward-%s-%s-%d", tot_method_name(method), cost, (int)width);
    golden_check(name, hash);
    tot_labeler_free(labeler);
    tot_demos_free(demos);
    free(first);
    free(second);
    free(episode);
}

void golden_rewards(void **state) {
    (void)state;
    for (size_t k = 0; k < tot_method_count(); k++) {
        check_method(tot_method_at(k), "cosine", WIDTH);
        check_method(tot_method_at(k), "euclidean", WIDTH);
        check_method(tot_method_at(k), "cosine", WIDE);
    }
}
