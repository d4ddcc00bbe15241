// Invalid input: which status it gives, and what the error text names.
#include "trajectories.h"

// Checks the status, and that the text contains every word of a list ("a|b|c").
static void assert_failed(tot_status got, tot_status expected, const char *words) {
    if (got != expected) {
        fail_msg("status is \"%s\" (%s), expected \"%s\"", tot_status_text(got),
                 got == TOT_OK ? "" : tot_error(), tot_status_text(expected));
    }
    char list[200];
    snprintf(list, sizeof list, "%s", words);
    char *rest = NULL;
    for (char *word = strtok_r(list, "|", &rest); word != NULL; word = strtok_r(NULL, "|", &rest)) {
        if (strstr(tot_error(), word) == NULL) {
            fail_msg("\"%s\" does not name \"%s\"", tot_error(), word);
        }
    }
}

TEST(test_config_ranges) {
    tot_reward_config config;
    tot_reward_defaults(&config);
    assert_ok(tot_reward_config_check(&config));
#define REFUSE(field, value)                                                                    \
    do {                                                                                        \
        tot_reward_config changed = config;                                                     \
        changed.field = value;                                                                  \
        assert_failed(tot_reward_config_check(&changed), TOT_E_ARGUMENT, #field);               \
        trajectory demo = trajectory_make(2, 2);                                                \
        tot_demos *demos = NULL;                                                                \
        assert_ok(tot_demos_create(&demos));                                                    \
        tot_labeler *labeler = NULL;                                                            \
        assert_failed(tot_labeler_create(&labeler, demos, &changed, NULL), TOT_E_ARGUMENT, ""); \
        assert_null(labeler);                                                                   \
        tot_demos_free(demos);                                                                  \
        trajectory_free(&demo);                                                                 \
    } while (0)
    REFUSE(epsilon, 0);
    REFUSE(epsilon, -0.01);
    REFUSE(epsilon, NAN);
    REFUSE(epsilon, INFINITY);
    REFUSE(context, 0);
    REFUSE(context, -1);
    REFUSE(mask_width, -1);
    REFUSE(mask_width, INT64_MIN);
    REFUSE(iterations, 0);
    REFUSE(tolerance, -1);
    REFUSE(tolerance, NAN);
    REFUSE(scale, NAN);
    REFUSE(scale, INFINITY);
    REFUSE(best, 0);
    REFUSE(tau, 0);
    REFUSE(smoothing, -1);
    REFUSE(threshold, 1.5);
    REFUSE(squash_alpha, -1);
    REFUSE(squash_beta, NAN);
    REFUSE(mask, 4);
    REFUSE(mask, -1);
    REFUSE(cost, 99);
    REFUSE(zero_frame, 2);
    REFUSE(match, 2);
#undef REFUSE
}

TEST(test_method_table) {
    const struct {
        const char *name;
        int64_t context;
        int mask;
    } known[] = {
        {"temporalot", 3, TOT_MASK_BAND},
        {"temporalot-no-mask", 3, TOT_MASK_NONE},
        {"temporalot-no-context", 1, TOT_MASK_BAND},
        {"dynamic", 3, TOT_MASK_DYNAMIC},
        {"ot", 1, TOT_MASK_NONE},
        {"orca", 1, TOT_MASK_NONE},
        {"dtw", 1, TOT_MASK_NONE},
        {"soft-dtw", 1, TOT_MASK_NONE},
        {"min-distance", 1, TOT_MASK_NONE},
        {"segment", 1, TOT_MASK_NONE},
        {"threshold", 1, TOT_MASK_NONE},
    };
    const size_t count = sizeof known / sizeof known[0];
    assert_true(tot_method_count() >= count);
    for (size_t k = 0; k < count; k++) {
        tot_reward_config config = config_for(known[k].name);
        assert_string_equal(tot_method_name(config.method), known[k].name);
        assert_true(strlen(tot_method_help(config.method)) > 0);
        assert_null(strchr(tot_method_help(config.method), '\n'));
        assert_int_equal(config.context, known[k].context);
        assert_int_equal(config.mask, known[k].mask);
        assert_int_equal(config.mask_width, 10);
        assert_true(config.epsilon == 0.01 && config.tau == 1 && config.smoothing == 5);
        assert_true(config.threshold == 0.9 && config.iterations == 100 && config.scale == 1);
        assert_ok(tot_reward_config_check(&config));
    }
    for (size_t k = 0; k < tot_method_count(); k++) {
        assert_ok(
            tot_reward_config_for(&(tot_reward_config){0}, tot_method_name(tot_method_at(k))));
    }
    tot_reward_config config;
    tot_reward_defaults(&config);
    assert_string_equal(tot_method_name(config.method), "temporalot");
    assert_failed(tot_reward_config_for(&config, "temporalto"), TOT_E_ARGUMENT,
                  "temporalto|temporalot");
    assert_failed(tot_reward_config_for(&config, "xylophone"), TOT_E_ARGUMENT, "xylophone");
    assert_failed(tot_reward_config_for(&config, ""), TOT_E_ARGUMENT, "");
}

typedef struct bench {
    trajectory demo;
    trajectory episode;
    tot_demos *demos;
    tot_labeler *labeler;
    float rewards[64];
} bench;

static bench make_bench(const tot_reward_config *config, int64_t steps, int64_t demo_steps,
                        int64_t width) {
    tot_random random;
    tot_random_init(&random, 1, "bench");
    bench b = {.demo = make_noise(&random, demo_steps, width),
               .episode = make_noise(&random, steps, width)};
    tot_embeddings view = view_f32(&b.demo);
    b.demos = demos_of(&view, 1);
    assert_ok(tot_labeler_create(&b.labeler, b.demos, config, NULL));
    return b;
}

static void bench_free(bench *b) {
    tot_labeler_free(b->labeler);
    tot_demos_free(b->demos);
    trajectory_free(&b->demo);
    trajectory_free(&b->episode);
}

TEST(test_not_finite) {
    const double bad[] = {NAN, INFINITY, -INFINITY};
    const int64_t width = 37;
    tot_reward_config config;
    tot_reward_defaults(&config);
    OWNED(bench) b = make_bench(&config, 9, 9, width);
    // demonstrations used by a labeler cannot be extended: use others
    tot_embeddings good = view_f32(&b.demo);
    OWNED_PTR(tot_demos) demos = demos_of(&good, 1);
    for (int k = 0; k < 3; k++) {
        // first, last and inner positions, in both precisions
        const int64_t places[] = {0, width - 1, 4 * width + 16, 8 * width, 9 * width - 1};
        for (int p = 0; p < 5; p++) {
            int64_t step = places[p] / width;
            int64_t column = places[p] % width;
            double kept = b.episode.f64[places[p]];
            trajectory_set(&b.episode, step, column, bad[k]);
            char words[80];
            snprintf(words, sizeof words, "run.npy|%d|%d", (int)step, (int)column);
            assert_failed(tot_label(b.labeler, view_f32(&b.episode), "run.npy", b.rewards, NULL),
                          TOT_E_VALUE, words);
            assert_failed(tot_label(b.labeler, view_f64(&b.episode), "run.npy", b.rewards, NULL),
                          TOT_E_VALUE, words);
            assert_failed(tot_demos_add(demos, view_f32(&b.episode), "run.npy"), TOT_E_VALUE,
                          words);
            assert_failed(tot_demos_add(demos, view_f64(&b.episode), "run.npy"), TOT_E_VALUE,
                          words);
            assert_int_equal(tot_demos_count(demos), 1);
            trajectory_set(&b.episode, step, column, kept);
        }
    }
    // labeler and demonstrations still accept valid input
    assert_ok(tot_label(b.labeler, view_f32(&b.episode), "run.npy", b.rewards, NULL));
    assert_ok(tot_demos_add(demos, view_f64(&b.episode), "run.npy"));
    assert_int_equal(tot_demos_count(demos), 2);
    assert_int_equal(tot_demos_steps(demos, 1), 9);
}

// A labeler holds a reference to its demonstrations: they may be freed first, and do not change.
TEST(test_held_demonstrations) {
    float expected[9];
    tot_reward_config config;
    tot_reward_defaults(&config);
    OWNED(bench) b = make_bench(&config, 9, 9, 5);
    assert_ok(tot_label(b.labeler, view_f32(&b.episode), "run.npy", b.rewards, NULL));
    for (int k = 0; k < 9; k++) {
        expected[k] = b.rewards[k];
    }
    assert_failed(tot_demos_add(b.demos, view_f32(&b.demo), "more.npy"), TOT_E_ARGUMENT,
                  "more.npy|labeler");
    assert_int_equal(tot_demos_count(b.demos), 1);
    tot_demos_free(b.demos);
    b.demos = NULL;
    assert_ok(tot_label(b.labeler, view_f32(&b.episode), "run.npy", b.rewards, NULL));
    for (int k = 0; k < 9; k++) {
        assert_true(b.rewards[k] == expected[k]);
    }
}

TEST(test_scale_not_finite) {
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int k = 0; k < 3; k++) {
        tot_reward_config config;
        tot_labeler *labeler = NULL;
        tot_reward_defaults(&config);
        OWNED(bench) b = make_bench(&config, 9, 9, 5);
        config.scale = bad[k];
        assert_failed(tot_labeler_create(&labeler, b.demos, &config, NULL), TOT_E_ARGUMENT,
                      "scale");
        assert_null(labeler);
    }
}

TEST(test_zero_frames) {
    tot_reward_config config;
    tot_reward_defaults(&config);
    OWNED(bench) b = make_bench(&config, 9, 9, 5);
    for (int64_t k = 0; k < 5; k++) {
        trajectory_set(&b.episode, 6, k, k % 2 == 0 ? 0.0 : -0.0);
    }
    assert_failed(tot_label(b.labeler, view_f32(&b.episode), "run.npy", b.rewards, NULL),
                  TOT_E_VALUE, "run.npy|6|zero");
    tot_embeddings view = view_f32(&b.episode);
    tot_demos *zero = NULL;
    assert_ok(tot_demos_create(&zero));
    // whether a zero frame is rejected when added or when first used is unspecified
    tot_labeler *labeler = NULL;
    tot_status status = tot_demos_add(zero, view, "demo.npy");
    if (status == TOT_OK) {
        status = tot_labeler_create(&labeler, zero, &config, NULL);
    }
    if (status == TOT_OK) {
        status = tot_label(labeler, view_f32(&b.demo), "run.npy", b.rewards, NULL);
    }
    assert_failed(status, TOT_E_VALUE, "demo.npy|6|zero");
    tot_labeler_free(labeler);
    tot_demos_free(zero);
    // as far: cost 1, so with one frame each the reward is exactly -1
    config.zero_frame = TOT_ZERO_FAR;
    tot_embeddings nothing = tot_embeddings_f32((float[5]){0}, 1, 5);
    tot_embeddings something = tot_embeddings_f32(b.demo.f32, 1, 5);
    const tot_embeddings pairs[3][2] = {
        {nothing, something}, {something, nothing}, {nothing, nothing}};
    for (int k = 0; k < 3; k++) {
        OWNED(labelled) l = label_fresh(&config, NULL, &pairs[k][0], 1, pairs[k][1]);
        assert_true(fabs(l.precise[0] + 1) < 1e-12);
    }
    // the Euclidean cost accepts zero frames
    config.zero_frame = TOT_ZERO_REFUSE;
    config.cost = TOT_COST_EUCLIDEAN;
    OWNED(labelled) l = label_fresh(&config, NULL, &view, 1, view);
}

TEST(test_shapes) {
    tot_reward_config config;
    tot_reward_defaults(&config);
    OWNED(bench) b = make_bench(&config, 9, 9, 5);
    OWNED(trajectory) other = trajectory_make(9, 6);
    other.f32[0] = 1;
    assert_failed(tot_label(b.labeler, view_f32(&other), "run.npy", b.rewards, NULL), TOT_E_SHAPE,
                  "run.npy|5|6");
    tot_embeddings good = view_f32(&b.demo);
    tot_demos *demos = demos_of(&good, 1);
    assert_failed(tot_demos_add(demos, view_f32(&other), "demo.npy"), TOT_E_SHAPE, "demo.npy|5|6");
    tot_embeddings empty = view_f32(&b.episode);
    empty.steps = 0;
    assert_failed(tot_label(b.labeler, empty, "run.npy", b.rewards, NULL), TOT_E_SHAPE, "run.npy");
    assert_failed(tot_demos_add(demos, empty, "demo.npy"), TOT_E_SHAPE, "demo.npy");
    assert_int_equal(tot_demos_count(demos), 1);
    tot_demos_free(demos);
    empty = view_f32(&b.episode);
    empty.width = 0;
    assert_int_not_equal(tot_label(b.labeler, empty, "run.npy", b.rewards, NULL), TOT_OK);
    OWNED_PTR(tot_demos) fresh = NULL;
    assert_ok(tot_demos_create(&fresh));
    assert_int_equal(tot_demos_width(fresh), 0);
    assert_int_equal(tot_demos_count(fresh), 0);
    assert_int_not_equal(tot_demos_add(fresh, empty, "demo.npy"), TOT_OK);
    // a labeler without demonstrations is rejected when created or when used
    OWNED_PTR(tot_labeler) labeler = NULL;
    tot_status status = tot_labeler_create(&labeler, fresh, &config, NULL);
    if (status == TOT_OK) {
        status = tot_label(labeler, view_f32(&b.episode), "run.npy", b.rewards, NULL);
    }
    assert_int_not_equal(status, TOT_OK);
}

TEST(test_views_of_arrays) {
    float numbers[24] = {0};
    tot_array array = {.type = TOT_F32, .dimensions = 3, .shape = {2, 3, 4}, .data = numbers};
    tot_embeddings view;
    assert_ok(tot_embeddings_of(&view, &array, "a.npy"));
    assert_int_equal(view.steps, 2);
    assert_int_equal(view.width, 12);
    assert_ptr_equal(view.data, numbers);
    array.dimensions = 1;
    assert_failed(tot_embeddings_of(&view, &array, "a.npy"), TOT_E_SHAPE, "a.npy");
    array.dimensions = 0;
    assert_failed(tot_embeddings_of(&view, &array, "a.npy"), TOT_E_SHAPE, "a.npy");
    array.dimensions = 3;
    const tot_type wrong[] = {TOT_U8, TOT_I32, TOT_I64};
    for (int k = 0; k < 3; k++) {
        array.type = wrong[k];
        tot_status status = tot_embeddings_of(&view, &array, "a.npy");
        assert_int_not_equal(status, TOT_OK);
        assert_non_null(strstr(tot_error(), "a.npy"));
        assert_non_null(strstr(tot_error(), tot_type_text(wrong[k])));
    }
}

TEST(test_bands_that_cannot_carry) {
    const struct {
        int64_t steps;
        int64_t demo_steps;
        int64_t width;
        bool carries;
    } cases[] = {
        {1, 1, 0, true},
        {5, 5, 0, true},
        {1, 2, 0, false},
        {2, 1, 0, false},
        {2, 4, 0, false},
        {2, 4, 1, true},
        {1, 11, 10, true},
        {1, 12, 10, false},
        {12, 1, 1, true},
        {60, 63, 0, false},
        {60, 63, 1, true},
        {60, 63, 2, true},
        {63, 60, 1, true},
        {2, 63, 10, false},
        {2, 63, 31, true},
        {3, 2, 0, false},
        // no row and no column is empty, but no plan with these marginals exists
        {3, 5, 1, false},
        {5, 7, 1, false},
        {4, 7, 1, false},
        {3, 5, 2, true},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        tot_reward_config config = config_for("temporalot");
        config.mask_width = cases[k].width;
        OWNED(bench) b = make_bench(&config, cases[k].steps, cases[k].demo_steps, 5);
        tot_status status = tot_label(b.labeler, view_f32(&b.episode), "run.npy", b.rewards, NULL);
        if (status != (cases[k].carries ? TOT_OK : TOT_E_INFEASIBLE)) {
            fail_msg("%d against %d steps, band %d: %s (%s)", (int)cases[k].steps,
                     (int)cases[k].demo_steps, (int)cases[k].width, tot_status_text(status),
                     tot_error());
        }
        if (status != TOT_OK) {
            assert_failed(status, TOT_E_INFEASIBLE, "run.npy");
            assert_true(strstr(tot_error(), "row") != NULL ||
                        strstr(tot_error(), "column") != NULL);
        }
    }
}

TEST(test_causal_and_dynamic_are_never_refused) {
    const int64_t lengths[] = {1, 2, 3, 20, 60};
    for (int a = 0; a < 5; a++) {
        for (int c = 0; c < 5; c++) {
            for (int mask = TOT_MASK_CAUSAL; mask <= TOT_MASK_DYNAMIC; mask++) {
                tot_reward_config config = config_for("temporalot");
                config.mask = mask;
                config.mask_width = 0;
                OWNED(bench) b = make_bench(&config, lengths[a], lengths[c], 5);
                OWNED(labelled) l = label_with(b.labeler, view_f32(&b.episode));
                for (int64_t i = 0; i < l.steps; i++) {
                    assert_true(isfinite(l.precise[i]));
                }
                assert_true(l.info.mass_outside >= 0 && l.info.mass_outside <= 1 + 1e-9);
                assert_true(l.info.converged == (l.info.marginal_error < config.tolerance &&
                                                 l.info.mass_outside <= config.tolerance));
                if (mask == TOT_MASK_CAUSAL && lengths[c] > lengths[a]) {
                    // the last columns have no row: their mass must be outside the mask
                    double uncovered = (double)(lengths[c] - lengths[a]) / (double)lengths[c];
                    assert_true(l.info.mass_outside >= uncovered - 1e-3);
                }
            }
        }
    }
}

TEST(test_before_the_first_episode) {
    tot_reward_config config = config_for("temporalot");
    bench b = make_bench(&config, 9, 9, 5);
    OWNED(tot_array) out = {0};
    assert_null(tot_labeler_rewards(b.labeler));
    assert_failed(tot_labeler_plan(b.labeler, &out), TOT_E_ARGUMENT, "");
    assert_failed(tot_labeler_cost(b.labeler, &out), TOT_E_ARGUMENT, "");
    bench_free(&b);
    config = config_for("dtw");
    b = make_bench(&config, 9, 9, 5);
    assert_ok(tot_label(b.labeler, view_f32(&b.episode), "run.npy", b.rewards, NULL));
    assert_failed(tot_labeler_plan(b.labeler, &out), TOT_E_ARGUMENT, "");
    assert_ok(tot_labeler_cost(b.labeler, &out));
    bench_free(&b);
}

TEST(test_scale_auto) {
    assert_true(tot_scale_auto(-2.5) == 4);
    assert_true(tot_scale_auto(2.5) == 4);
    assert_true(tot_scale_auto(0) == 1);
    tot_reward_config config = config_for("temporalot");
    OWNED(bench) b = make_bench(&config, 20, 20, 5);
    OWNED(labelled) first = label_with(b.labeler, view_f32(&b.episode));
    tot_labeler_set_scale(b.labeler, tot_scale_auto(first.info.sum));
    OWNED(labelled) second = label_with(b.labeler, view_f32(&b.episode));
    assert_true(fabs(second.info.sum + 10) < 1e-9);
    for (int64_t i = 0; i < 20; i++) {
        double expected = first.precise[i] * 10 / fabs(first.info.sum);
        assert_true(fabs(second.precise[i] - expected) < 1e-12);
    }
}

TEST_MAIN(NULL, NULL)
