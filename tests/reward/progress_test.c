// Progress is a position in the demonstration, not elapsed time.
#include "trajectories.h"

enum { STEPS = 100, WIDTH = 48, CASES = 20 };

// The progress of an episode against one demonstration. progress: [steps of the episode].
static void find_progress_of(const tot_reward_config *config, tot_pool *pool, tot_embeddings demo,
                             tot_embeddings episode, float *progress) {
    tot_demos *demos = demos_of(&demo, 1);
    tot_labeler *labeler = NULL;
    assert_ok(tot_labeler_create(&labeler, demos, config, pool));
    labelled l = label_with(labeler, episode);
    assert_ok(tot_labeler_progress(labeler, episode, "episode", progress));
    labelled_free(&l);
    tot_labeler_free(labeler);
    tot_demos_free(demos);
}

static void find_progress(const tot_reward_config *config, tot_pool *pool, const trajectory *demo,
                          const trajectory *episode, float *progress) {
    find_progress_of(config, pool, view_f32(demo), view_f32(episode), progress);
}

// An episode whose step i is the demonstration's frame at[i] plus noise.
static trajectory play(tot_random *random, const trajectory *demo, const double *at, int64_t steps,
                       double noise) {
    trajectory t = trajectory_make(steps, demo->width);
    for (int64_t i = 0; i < steps; i++) {
        for (int64_t k = 0; k < t.width; k++) {
            trajectory_set(
                &t, i, k,
                demo->f64[(int64_t)at[i] * t.width + k] + noise * tot_random_normal(random));
        }
    }
    return t;
}

typedef double (*path)(int64_t step, int64_t steps);

static double stands(int64_t step, int64_t steps) {
    (void)step;
    (void)steps;
    return 0;
}

static double stops_half_way(int64_t step, int64_t steps) {
    const double at = (double)step / (double)(steps - 1);
    return at < 0.5 ? at : 0.5;
}

static double goes_on(int64_t step, int64_t steps) {
    return (double)step / (double)(steps - 1);
}

// For every case: a random demonstration, and an episode of `steps` steps that follows it along
// `way`. The last step must be within `end` of its true position, all steps within `all`.
static void try_path(path way, int64_t steps, double noise, double end, double all) {
    for (uint64_t seed = 0; seed < some_of(CASES); seed++) {
        tot_random random;
        double at[4 * STEPS];
        float progress[4 * STEPS];
        tot_random_init(&random, seed, "progress");
        OWNED(trajectory) demo = make_walk(&random, STEPS, WIDTH, 0.3);
        for (int64_t i = 0; i < steps; i++) {
            at[i] = round(way(i, steps) * (STEPS - 1));
        }
        OWNED(trajectory) episode = play(&random, &demo, at, steps, noise);
        for (size_t m = 0; m < tot_method_count(); m++) {
            tot_reward_config config = config_for(tot_method_name(tot_method_at(m)));
            config.mask_width = 4 * STEPS;
            find_progress(&config, NULL, &demo, &episode, progress);
            for (int64_t i = 0; i < steps; i++) {
                const double off = fabs((double)progress[i] - at[i] / (STEPS - 1));
                if (off > (i == steps - 1 ? end : all) ||
                    (i > 0 && progress[i] < progress[i - 1])) {
                    fail_msg("seed %d, %s, step %d of %d: progress %g, at %g", (int)seed,
                             tot_method_name(config.method), (int)i, (int)steps,
                             (double)progress[i], at[i] / (STEPS - 1));
                }
            }
        }
    }
}

TEST(test_standing_still) {
    try_path(stands, STEPS, 0, 0.1, 0.1);
    try_path(stands, STEPS, 0.3, 0.1, 0.1);
    try_path(stands, 3 * STEPS, 0.3, 0.1, 0.1);
}

TEST(test_stopped_half_way) {
    try_path(stops_half_way, STEPS, 0, 0.05, 0.05);
    try_path(stops_half_way, STEPS, 0.3, 0.05, 0.1);
    try_path(stops_half_way, STEPS / 2, 0.3, 0.05, 0.1);
}

TEST(test_demonstration_itself) {
    try_path(goes_on, STEPS, 0, 0.05, 0.05);
}

TEST(test_other_speeds) {
    try_path(goes_on, STEPS / 3, 0.2, 0.05, 0.1);
    try_path(goes_on, 3 * STEPS + 7, 0.2, 0.05, 0.1);
}

// A difference from the demonstration common to all frames of an episode must not hold it back.
TEST(test_another_scene) {
    tot_random random;
    double at[STEPS / 2];
    float progress[STEPS / 2];
    tot_random_init(&random, 7, "scene");
    OWNED(trajectory) demo = make_walk(&random, STEPS, WIDTH, 0.3);
    for (int64_t i = 0; i < STEPS / 2; i++) {
        at[i] = (double)(2 * i + 1);
    }
    OWNED(trajectory) episode = play(&random, &demo, at, STEPS / 2, 0.05);
    for (int64_t k = 0; k < WIDTH; k += 3) {
        const double shift = 2 * tot_random_normal(&random);
        for (int64_t i = 0; i < STEPS / 2; i++) {
            trajectory_set(&episode, i, k, episode.f64[i * WIDTH + k] + shift);
        }
    }
    tot_reward_config config = config_for("ot");
    find_progress(&config, NULL, &demo, &episode, progress);
    for (int64_t i = 0; i < STEPS / 2; i++) {
        assert_true(fabs((double)progress[i] - at[i] / (STEPS - 1)) < 0.1);
    }
}

// A demonstration that returns home at its end: an episode that never left is at its start.
TEST(test_returning_home) {
    tot_random random;
    float progress[STEPS];
    double still[STEPS] = {0};
    int64_t order[STEPS];
    tot_random_init(&random, 8, "home");
    OWNED(trajectory) half = make_walk(&random, STEPS, WIDTH, 0.3);
    for (int64_t i = 0; i < STEPS; i++) {
        order[i] = i < STEPS / 2 ? i : STEPS - 1 - i;
    }
    OWNED(trajectory) demo = make_reordered(&half, order);
    OWNED(trajectory) episode = play(&random, &demo, still, STEPS, 0.2);
    tot_reward_config config = config_for("temporalot");
    find_progress(&config, NULL, &demo, &episode, progress);
    assert_true(progress[STEPS - 1] < 0.1f);
}

// Results do not depend on blocks, threads, reused memory, mask or plan.
TEST(test_same_numbers) {
    enum { LONG = 700 };
    tot_random random;
    static float alone[LONG], shared[LONG], masked[LONG];
    tot_random_init(&random, 9, "blocks");
    OWNED(trajectory) demo = make_walk(&random, 90, 9000, 0.3);
    double at[LONG];
    for (int64_t i = 0; i < LONG; i++) {
        at[i] = (double)(i * 89 / (LONG - 1));
    }
    OWNED(trajectory) episode = play(&random, &demo, at, LONG, 0.2);
    OWNED_PTR(tot_pool) pool = NULL;
    assert_ok(tot_pool_create(&pool, 3));
    tot_reward_config config = config_for("temporalot-no-mask");
    find_progress(&config, NULL, &demo, &episode, alone);
    find_progress(&config, pool, &demo, &episode, shared);
    assert_memory_equal(alone, shared, sizeof alone);
    config = config_for("temporalot");
    find_progress(&config, NULL, &demo, &episode, masked);
    assert_memory_equal(alone, masked, sizeof alone);
}

// Wide float32 frames are compared in float32: the progress equals that of float64. The widths end
// within the first and the second half of a packed row.
TEST(test_float32) {
    enum { LONG = 300 };
    static const int64_t widths[] = {4096, 4096 + 100, 4096 + 400, 20480};
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        tot_random random;
        static float single[LONG], twice[LONG];
        tot_random_init(&random, w, "float32");
        OWNED(trajectory) demo = make_walk(&random, 200, widths[w], 0.3);
        double at[LONG];
        for (int64_t i = 0; i < LONG; i++) {
            at[i] = (double)(i * 199 / (LONG - 1));
        }
        OWNED(trajectory) episode = play(&random, &demo, at, LONG, 0.2);
        const tot_reward_config config = config_for("temporalot");
        find_progress_of(&config, NULL, view_f32(&demo), view_f32(&episode), single);
        find_progress_of(&config, NULL, view_f64(&demo), view_f64(&episode), twice);
        assert_memory_equal(single, twice, sizeof single);
        assert_true(single[LONG / 2] > 0.4f && single[LONG / 2] < 0.6f);
    }
}

TEST(test_single_frames) {
    tot_random random;
    tot_random_init(&random, 10, "single");
    OWNED(trajectory) one = make_noise(&random, 1, WIDTH);
    OWNED(trajectory) walk = make_walk(&random, 12, WIDTH, 0.3);
    tot_reward_config config = config_for("temporalot-no-mask");
    float progress[12];
    find_progress(&config, NULL, &one, &one, progress);
    assert_true(progress[0] == 0);
    find_progress(&config, NULL, &one, &walk, progress);
    for (int k = 0; k < 12; k++) {
        assert_true(progress[k] == 0);
    }
    find_progress(&config, NULL, &walk, &one, progress);
    assert_true(progress[0] >= 0 && progress[0] <= 1);
}

TEST(test_not_the_last_episode) {
    tot_random random;
    tot_random_init(&random, 11, "order");
    OWNED(trajectory) demo = make_walk(&random, 20, WIDTH, 0.3);
    OWNED(trajectory) shorter = make_walk(&random, 19, WIDTH, 0.3);
    const tot_embeddings view = view_f32(&demo);
    OWNED_PTR(tot_demos) demos = demos_of(&view, 1);
    OWNED_PTR(tot_labeler) labeler = NULL;
    float progress[20];
    const tot_reward_config config = config_for("temporalot");
    assert_ok(tot_labeler_create(&labeler, demos, &config, NULL));
    assert_int_equal(tot_labeler_progress(labeler, view, "episode", progress), TOT_E_ARGUMENT);
    OWNED(labelled) l = label_with(labeler, view_f32(&shorter));
    assert_int_equal(tot_labeler_progress(labeler, view, "episode", progress), TOT_E_ARGUMENT);
    assert_non_null(strstr(tot_error(), "episode"));
}

// Centring applies to progress, too.
TEST(test_centred) {
    tot_random random;
    tot_random_init(&random, 12, "centred");
    OWNED(trajectory) demo = make_walk(&random, STEPS, WIDTH, 0.3);
    float progress[STEPS];
    for (int64_t i = 0; i < STEPS; i++) {
        for (int64_t k = 0; k < WIDTH; k++) {
            trajectory_set(&demo, i, k, demo.f64[i * WIDTH + k] + 1e3);
        }
    }
    tot_reward_config config = config_for("temporalot");
    config.center = TOT_CENTER_DEMOS;
    find_progress(&config, NULL, &demo, &demo, progress);
    for (int i = 0; i < STEPS; i++) {
        assert_true(fabs((double)progress[i] - i / (double)(STEPS - 1)) < 0.05);
    }
}

TEST_MAIN(NULL, NULL)
