// Properties that must hold for every episode, tested on many random ones. A failure prints its
// seed.
#include "trajectories.h"

static const char *const transport_methods[] = {"temporalot", "temporalot-no-mask",
                                                "temporalot-no-context", "dynamic", "ot"};

enum { TRANSPORT_METHODS = 5, CASES = 150 };

static int64_t between(tot_random *random, int64_t low, int64_t high) {
    return low + (int64_t)tot_random_below(random, (uint64_t)(high - low + 1));
}

static void shuffle(tot_random *random, int64_t *order, int64_t count) {
    for (int64_t k = 0; k < count; k++) {
        order[k] = k;
    }
    for (int64_t k = count - 1; k > 0; k--) {
        int64_t other = between(random, 0, k);
        int64_t kept = order[k];
        order[k] = order[other];
        order[other] = kept;
    }
}

static double sum_against(const char *method, const trajectory *demo, const trajectory *episode) {
    tot_reward_config config = config_for(method);
    tot_embeddings view = view_f32(demo);
    labelled l = label_fresh(&config, NULL, &view, 1, view_f32(episode));
    double sum = l.info.sum;
    labelled_free(&l);
    return sum;
}

TEST(test_experts_score_above_strangers) {
    for (uint64_t seed = 0; seed < some_of(40); seed++) {
        tot_random random;
        tot_random_init(&random, seed, "experts");
        int64_t steps = between(&random, 24, 70);
        int64_t width = between(&random, 24, 80);
        OWNED(trajectory) expert = make_walk(&random, steps, width, 0.3);
        OWNED(trajectory) other_expert = make_near(&random, &expert, 0.05);
        OWNED(trajectory) stranger = make_walk(&random, steps, width, 0.3);
        OWNED(trajectory) noise = make_noise(&random, steps, width);
        for (size_t m = 0; m < tot_method_count(); m++) {
            const char *method = tot_method_name(tot_method_at(m));
            double itself = sum_against(method, &other_expert, &other_expert);
            double another = sum_against(method, &other_expert, &expert);
            double unrelated = sum_against(method, &other_expert, &stranger);
            double drunk = sum_against(method, &other_expert, &noise);
            double worst = fmin(itself, another);
            if (!(worst > unrelated && worst > drunk)) {
                fail_msg("seed %d, %s: itself %g, another expert %g, unrelated %g, noise %g",
                         (int)seed, method, itself, another, unrelated, drunk);
            }
        }
    }
}

TEST(test_reversing_an_episode) {
    for (uint64_t seed = 0; seed < some_of(CASES); seed++) {
        tot_random random;
        tot_random_init(&random, seed, "reversed");
        int64_t steps = between(&random, 24, 60);
        OWNED(trajectory) demo = make_walk(&random, steps, between(&random, 4, 40), 0.3);
        OWNED(trajectory) episode = make_near(&random, &demo, 0.3);
        int64_t order[60];
        for (int64_t k = 0; k < steps; k++) {
            order[k] = steps - 1 - k;
        }
        OWNED(trajectory) reversed = make_reordered(&episode, order);
        tot_embeddings view = view_f32(&demo);
        tot_reward_config config = config_for("ot");
        labelled forth = label_fresh(&config, NULL, &view, 1, view_f32(&episode));
        labelled back = label_fresh(&config, NULL, &view, 1, view_f32(&reversed));
        if (fabs(forth.info.sum - back.info.sum) > 1e-6 * fabs(forth.info.sum)) {
            fail_msg("seed %d: OT sums %.17g and %.17g", (int)seed, forth.info.sum, back.info.sum);
        }
        for (int64_t i = 0; i < steps; i++) {
            double off = fabs(forth.precise[i] - back.precise[steps - 1 - i]);
            if (off > 1e-6 * largest_reward(&forth)) {
                fail_msg("seed %d: OT reward of step %d is off by %g", (int)seed, (int)i, off);
            }
        }
        labelled_free(&forth);
        labelled_free(&back);
        // the expert's own trajectory scores lower backwards
        double ahead = sum_against("temporalot", &demo, &episode);
        double behind = sum_against("temporalot", &demo, &reversed);
        if (!(behind < ahead - 0.01 * fabs(ahead))) {
            fail_msg("seed %d: TemporalOT %g forwards, %g backwards", (int)seed, ahead, behind);
        }
    }
}

TEST(test_permuting_a_demonstration) {
    for (uint64_t seed = 0; seed < some_of(CASES); seed++) {
        tot_random random;
        tot_random_init(&random, seed, "permuted");
        OWNED(trajectory)
        demo = make_walk(&random, between(&random, 1, 60), between(&random, 2, 40), 0.3);
        OWNED(trajectory) episode = make_walk(&random, between(&random, 1, 60), demo.width, 0.3);
        int64_t order[60];
        shuffle(&random, order, demo.steps);
        OWNED(trajectory) permuted = make_reordered(&demo, order);
        tot_embeddings straight_view = view_f32(&demo);
        tot_embeddings permuted_view = view_f32(&permuted);
        tot_reward_config config = config_for("ot");
        config.cost = seed % 2 == 0 ? TOT_COST_COSINE : TOT_COST_EUCLIDEAN;
        OWNED(labelled)
        straight = label_fresh(&config, NULL, &straight_view, 1, view_f32(&episode));
        OWNED(labelled) mixed = label_fresh(&config, NULL, &permuted_view, 1, view_f32(&episode));
        double off = difference(&straight, &mixed);
        if (!(off <= 1e-6)) {
            fail_msg("seed %d: rewards are off by %g of the largest", (int)seed, off);
        }
    }
}

// Each frame scaled by its own factor. Powers of two do not change the mantissa.
TEST(test_scaling_embeddings) {
    for (uint64_t seed = 0; seed < some_of(CASES); seed++) {
        tot_random random;
        tot_random_init(&random, seed, "scaled");
        const char *method = transport_methods[seed % TRANSPORT_METHODS];
        int64_t steps = between(&random, 1, 60);
        OWNED(trajectory) demo = make_walk(&random, steps, between(&random, 2, 40), 0.3);
        OWNED(trajectory) episode = make_walk(&random, steps, demo.width, 0.3);
        OWNED(trajectory) larger = make_near(&random, &episode, 0);
        for (int64_t i = 0; i < steps; i++) {
            double factor = ldexp(1, (int)between(&random, -95, 100));
            for (int64_t k = 0; k < larger.width; k++) {
                trajectory_set(&larger, i, k, episode.f64[i * larger.width + k] * factor);
            }
        }
        tot_embeddings view = view_f32(&demo);
        tot_reward_config config = config_for(method);
        OWNED(labelled) plain = label_fresh(&config, NULL, &view, 1, view_f32(&episode));
        OWNED(labelled) scaled = label_fresh(&config, NULL, &view, 1, view_f32(&larger));
        double off = difference(&plain, &scaled);
        if (!(off <= 1e-6)) {
            fail_msg("seed %d, %s: rewards are off by %g of the largest", (int)seed, method, off);
        }
    }
}

static void compare_arrays(const tot_array *a, const tot_array *b, const char *what) {
    assert_int_equal(a->dimensions, 2);
    assert_int_equal(tot_array_count(a), tot_array_count(b));
    size_t bytes = (size_t)tot_array_count(a) * tot_type_size(a->type);
    if (memcmp(a->data, b->data, bytes) != 0) {
        fail_msg("%s differs", what);
    }
}

typedef struct sizes {
    int64_t steps;
    int64_t demo_steps;
    int64_t width;
} sizes;

TEST(test_threads_change_no_byte) {
    const sizes tried[] = {{63, 63, 39},    {2, 3, 5},      {1, 1, 1},       {88, 80, 2048},
                           {9, 12, 100352}, {300, 310, 64}, {257, 255, 1000}};
    const size_t count = sizeof tried / sizeof tried[0];
    // the thread sanitizer runs all cases
    for (size_t c = 0; c < (TEST_TSAN ? count : some_of(count)); c++) {
        tot_random random;
        tot_random_init_numbered(&random, 0, "threads", c);
        trajectory demos[2] = {make_walk(&random, tried[c].demo_steps, tried[c].width, 0.1),
                               make_walk(&random, tried[c].demo_steps, tried[c].width, 0.1)};
        OWNED(trajectory) episode = make_walk(&random, tried[c].steps, tried[c].width, 0.1);
        tot_embeddings views[2] = {view_f32(&demos[0]), view_f32(&demos[1])};
        for (size_t m = 0; m < tot_method_count(); m++) {
            tot_reward_config config = config_for(tot_method_name(tot_method_at(m)));
            OWNED(labelled) alone = label_fresh(&config, NULL, views, 2, view_f32(&episode));
            for (int threads = 1; threads <= 3; threads++) {
                OWNED_PTR(tot_pool) pool = NULL;
                assert_ok(tot_pool_create(&pool, threads));
                OWNED(labelled) shared = label_fresh(&config, pool, views, 2, view_f32(&episode));
                if (!same_bytes(&alone, &shared)) {
                    fail_msg("case %d, %s: %d threads differ from the caller's alone", (int)c,
                             tot_method_name(tot_method_at(m)), threads);
                }
            }
        }
        trajectory_free(&demos[0]);
        trajectory_free(&demos[1]);
    }
}

// A labeler whose buffers grew and shrank gives the same results as a new one, including plan and
// cost.
TEST(test_reuse_changes_no_byte) {
    const int64_t lengths[] = {30, 1, 90, 2, 31, 60, 3, 91, 30};
    for (size_t m = 0; m < tot_method_count(); m++) {
        tot_random random;
        tot_random_init_numbered(&random, 0, "reuse", m);
        const tot_method *method = tot_method_at(m);
        tot_reward_config config = config_for(tot_method_name(method));
        config.mask_width = 200;  // so that all pairs of lengths are feasible
        trajectory demos[2] = {make_walk(&random, 30, 17, 0.2), make_walk(&random, 45, 17, 0.2)};
        tot_embeddings views[2] = {view_f32(&demos[0]), view_f64(&demos[1])};
        OWNED_PTR(tot_demos) made = demos_of(views, 2);
        OWNED_PTR(tot_labeler) old = NULL;
        assert_ok(tot_labeler_create(&old, made, &config, NULL));
        OWNED(tot_array) old_plan = {0};
        for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
            OWNED(trajectory) episode = make_walk(&random, lengths[k], 17, 0.2);
            tot_embeddings view = k % 2 == 0 ? view_f32(&episode) : view_f64(&episode);
            OWNED_PTR(tot_labeler) new = NULL;
            assert_ok(tot_labeler_create(&new, made, &config, NULL));
            OWNED(labelled) from_old = label_with(old, view);
            OWNED(labelled) from_new = label_with(new, view);
            if (!same_bytes(&from_old, &from_new)) {
                fail_msg("%s: episode %d of %d steps differs in a used labeler",
                         tot_method_name(method), (int)k, (int)lengths[k]);
            }
            OWNED(tot_array) new_plan = {0};
            assert_ok(tot_labeler_cost(old, &old_plan));
            assert_ok(tot_labeler_cost(new, &new_plan));
            compare_arrays(&old_plan, &new_plan, "the cost");
            tot_status told = tot_labeler_plan(old, &old_plan);
            assert_int_equal(tot_labeler_plan(new, &new_plan), told);
            if (told == TOT_OK) {
                compare_arrays(&old_plan, &new_plan, "the plan");
            }
        }
        trajectory_free(&demos[0]);
        trajectory_free(&demos[1]);
    }
}

// The result depends neither on the vector code nor on the precision of the input.
TEST(test_cpu_levels_agree) {
    const char *const levels[] = {"portable", "avx2", "avx512"};
    const int64_t widths[] = {1, 2, 7, 16, 39, 1000, 2051};
    for (uint64_t seed = 0; seed < some_of(56); seed++) {
        tot_random random;
        tot_random_init(&random, seed, "levels");
        int64_t steps = between(&random, 1, 70);
        int64_t width = widths[seed % 7];
        double stride = pow(10, -1.0 - (double)(seed % 4));
        OWNED(trajectory) demo = make_walk(&random, between(&random, 1, 70), width, stride);
        OWNED(trajectory) episode = make_walk(&random, steps, width, stride);
        const char *method = transport_methods[(seed / 7) % TRANSPORT_METHODS];
        tot_reward_config config = config_for(method);
        config.mask_width = 100;
        // with a width of 1 only the sign matters to the cosine: everything is a tie
        config.cost = width == 1 ? TOT_COST_EUCLIDEAN : TOT_COST_COSINE;
        tot_embeddings view = view_f32(&demo);
        setenv("TEMPORALOT_CPU", levels[0], 1);
        OWNED(labelled) portable = label_fresh(&config, NULL, &view, 1, view_f32(&episode));
        for (int k = 0; k < 6; k++) {
            setenv("TEMPORALOT_CPU", levels[k / 2], 1);
            tot_embeddings wide = k % 2 == 0 ? view_f32(&episode) : view_f64(&episode);
            OWNED(labelled) other = label_fresh(&config, NULL, &view, 1, wide);
            double off = difference(&portable, &other);
            if (!(off <= 1e-6)) {
                fail_msg("seed %d, %s, %s, %s: off by %g of the largest reward", (int)seed, method,
                         levels[k / 2], k % 2 == 0 ? "float32" : "float64", off);
            }
        }
    }
    unsetenv("TEMPORALOT_CPU");
}

TEST(test_wide_band_is_no_mask) {
    for (uint64_t seed = 0; seed < some_of(CASES); seed++) {
        tot_random random;
        tot_random_init(&random, seed, "wide");
        OWNED(trajectory)
        demo = make_walk(&random, between(&random, 1, 40), between(&random, 2, 20), 0.3);
        OWNED(trajectory) episode = make_walk(&random, between(&random, 1, 40), demo.width, 0.3);
        tot_embeddings view = view_f32(&demo);
        tot_reward_config config = config_for("temporalot");
        config.context = seed % 3 == 0 ? INT64_MAX : between(&random, 1, 100);
        config.mask_width = seed % 2 == 0 ? INT64_MAX : 1000;
        OWNED(labelled) band = label_fresh(&config, NULL, &view, 1, view_f32(&episode));
        config.mask = TOT_MASK_NONE;
        OWNED(labelled) none = label_fresh(&config, NULL, &view, 1, view_f32(&episode));
        double off = difference(&none, &band);
        if (!(off <= 1e-6)) {
            fail_msg("seed %d: a band over everything is off by %g", (int)seed, off);
        }
    }
}

// Rows of the plan sum to 1/N exactly (u is updated last), and the rewards match the plan.
TEST(test_plan_and_rewards_belong_together) {
    for (uint64_t seed = 0; seed < some_of(CASES); seed++) {
        tot_random random;
        tot_random_init(&random, seed, "plan");
        int64_t steps = between(&random, 1, 40);
        OWNED(trajectory)
        demo = make_walk(&random, between(&random, 1, 40), between(&random, 2, 20), 0.3);
        OWNED(trajectory) episode = make_walk(&random, steps, demo.width, 0.3);
        const char *method = transport_methods[seed % TRANSPORT_METHODS];
        tot_reward_config config = config_for(method);
        config.mask_width = 50;
        config.scale = 3;
        tot_embeddings view = view_f32(&demo);
        OWNED_PTR(tot_demos) demos = demos_of(&view, 1);
        OWNED_PTR(tot_labeler) labeler = NULL;
        assert_ok(tot_labeler_create(&labeler, demos, &config, NULL));
        assert_null(tot_labeler_rewards(labeler));
        OWNED(labelled) l = label_with(labeler, view_f32(&episode));
        OWNED(tot_array) plan = {0};
        OWNED(tot_array) cost = {0};
        assert_ok(tot_labeler_plan(labeler, &plan));
        assert_ok(tot_labeler_cost(labeler, &cost));
        assert_int_equal(plan.type, TOT_F64);
        assert_int_equal(plan.shape[0], steps);
        assert_int_equal(plan.shape[1], demo.steps);
        double total = 0;
        for (int64_t i = 0; i < steps; i++) {
            double mass = 0;
            double reward = 0;
            for (int64_t j = 0; j < demo.steps; j++) {
                double share = ((double *)plan.data)[i * demo.steps + j];
                double price = ((double *)cost.data)[i * demo.steps + j];
                mass += share;
                reward -= share > 0 ? 3 * share * price : 0;
            }
            if (fabs(mass - 1.0 / (double)steps) > 1e-9 ||
                fabs(reward - l.precise[i]) > 1e-6 * largest_reward(&l) + 1e-15) {
                fail_msg("seed %d, %s: row %d carries %.12g, reward %.12g is told as %.12g",
                         (int)seed, method, (int)i, mass, reward, l.precise[i]);
            }
            assert_true(l.rewards[i] == (float)l.precise[i]);
            total += l.precise[i];
        }
        assert_true(fabs(total - l.info.sum) <= 1e-9 * fabs(total) + 1e-15);
        assert_true(l.info.converged == (l.info.marginal_error < config.tolerance &&
                                         l.info.mass_outside <= config.tolerance));
    }
}

// Costs from zero to beyond the range of exp, epsilons over their whole range: never NaN, and the
// rows keep their mass.
TEST(test_extremes_stay_finite) {
    const double sizes_of[] = {0, 1e-30, 1e-3, 1, 1e6, 1e15, 1e30};
    const double epsilons[] = {1e-6, 1e-3, 1, 1e6};
    for (uint64_t seed = 0; seed < some_of(7 * 4 * 4); seed++) {
        tot_random random;
        tot_random_init(&random, seed, "extremes");
        OWNED(trajectory) demo = make_noise(&random, between(&random, 1, 25), 3);
        OWNED(trajectory) episode = make_noise(&random, between(&random, 1, 25), 3);
        for (int64_t k = 0; k < demo.steps * 3; k++) {
            trajectory_set(&demo, 0, k, demo.f64[k] * sizes_of[seed % 7]);
        }
        for (int64_t k = 0; k < episode.steps * 3; k++) {
            trajectory_set(&episode, 0, k, episode.f64[k] * sizes_of[seed % 7]);
        }
        tot_reward_config config = config_for("temporalot");
        config.cost = TOT_COST_EUCLIDEAN;
        config.epsilon = epsilons[seed / 7 % 4];
        config.mask = (int)(seed / 28);
        config.mask_width = 30;
        tot_embeddings view = view_f32(&demo);
        OWNED_PTR(tot_demos) demos = demos_of(&view, 1);
        OWNED_PTR(tot_labeler) labeler = NULL;
        assert_ok(tot_labeler_create(&labeler, demos, &config, NULL));
        OWNED(labelled) l = label_with(labeler, view_f32(&episode));
        OWNED(tot_array) plan = {0};
        assert_ok(tot_labeler_plan(labeler, &plan));
        for (int64_t i = 0; i < l.steps; i++) {
            double mass = 0;
            for (int64_t j = 0; j < demo.steps; j++) {
                mass += ((double *)plan.data)[i * demo.steps + j];
            }
            if (!isfinite(l.precise[i]) || fabs(mass - 1.0 / (double)l.steps) > 1e-6) {
                fail_msg("seed %d: row %d carries %g, reward %g", (int)seed, (int)i, mass,
                         l.precise[i]);
            }
        }
        assert_true(isfinite(l.info.marginal_error) && isfinite(l.info.mass_outside));
    }
}

// Subtracting the mean manually or in the labeler gives the same result. A common offset of all
// frames, however large, changes nothing.
TEST(test_centred_frames) {
    for (uint64_t seed = 0; seed < some_of(CASES); seed++) {
        tot_random random;
        tot_random_init(&random, seed, "centred");
        trajectory demos[2], episode;
        const int64_t width = between(&random, 2, 300);
        demos[0] = make_walk(&random, between(&random, 20, 40), width, 0.3);
        demos[1] = make_walk(&random, between(&random, 20, 40), width, 0.3);
        episode = make_near(&random, &demos[0], 0.3);
        trajectory *all[] = {&demos[0], &demos[1], &episode};
        double *mean = calloc((size_t)width, sizeof *mean);
        const double frames = (double)(demos[0].steps + demos[1].steps);
        for (int which = 0; which < 3; which++) {
            for (int64_t k = 0; k < all[which]->steps * width; k++) {
                all[which]->f64[k] += 3 * sin((double)(k % width));
                mean[k % width] += which < 2 ? all[which]->f64[k] / frames : 0;
            }
        }
        tot_reward_config config = config_for("temporalot");
        config.cost = seed % 2 == 0 ? TOT_COST_COSINE : TOT_COST_EUCLIDEAN;
        config.center = TOT_CENTER_DEMOS;
        tot_embeddings views[2] = {view_f64(&demos[0]), view_f64(&demos[1])};
        labelled ours = label_fresh(&config, NULL, views, 2, view_f64(&episode));
        for (int which = 0; which < 3; which++) {
            for (int64_t k = 0; k < all[which]->steps * width; k++) {
                all[which]->f64[k] -= mean[k % width];
            }
        }
        config.center = TOT_CENTER_OFF;
        labelled by_hand = label_fresh(&config, NULL, views, 2, view_f64(&episode));
        if (!(difference(&ours, &by_hand) <= 1e-9 * largest_reward(&by_hand))) {
            fail_msg("seed %d: off by %g", (int)seed, difference(&ours, &by_hand));
        }
        labelled_free(&ours);
        labelled_free(&by_hand);
        for (int which = 0; which < 3; which++) {
            trajectory_free(all[which]);
        }
        free(mean);
    }
}

// Scales each half of every frame to the root of its weight.
static void weigh_halves(trajectory *frames, int64_t half, double first) {
    for (int64_t part = 0; part < 2 * frames->steps; part++) {
        double *numbers = frames->f64 + part * half;
        double square = 0;
        for (int64_t k = 0; k < half; k++) {
            square += numbers[k] * numbers[k];
        }
        const double factor = sqrt((part % 2 == 0 ? first : 1 - first) / square);
        for (int64_t k = 0; k < half; k++) {
            numbers[k] *= factor;
        }
    }
}

// Two views per frame: the same as one view whose halves were weighted manually, for cosine and
// chord. The Euclidean cost is rejected, because it does not normalise lengths.
TEST(test_two_views) {
    for (uint64_t seed = 0; seed < some_of(CASES); seed++) {
        tot_random random;
        tot_random_init(&random, seed, "views");
        const int64_t half = between(&random, 2, 150);
        OWNED(trajectory) demo = make_walk(&random, between(&random, 20, 40), 2 * half, 0.3);
        OWNED(trajectory) episode = make_near(&random, &demo, 0.3);
        tot_reward_config config = config_for("temporalot");
        config.cost = seed % 2 == 0 ? TOT_COST_COSINE : TOT_COST_CHORD;
        config.views = 2;
        config.first_view = seed % 3 == 0 ? 0 : 0.7;
        const tot_embeddings view = view_f64(&demo);
        OWNED(labelled) ours = label_fresh(&config, NULL, &view, 1, view_f64(&episode));
        tot_reward_config refused = config;
        refused.cost = TOT_COST_EUCLIDEAN;
        tot_demos *demos = demos_of(&view, 1);
        tot_labeler *labeler = NULL;
        assert_int_equal(tot_labeler_create(&labeler, demos, &refused, NULL), TOT_E_ARGUMENT);
        assert_non_null(strstr(tot_error(), "views"));
        tot_demos_free(demos);
        const double first = config.first_view == 0 ? 0.5 : config.first_view;
        weigh_halves(&demo, half, first);
        weigh_halves(&episode, half, first);
        config.views = 1;
        config.first_view = 0;
        OWNED(labelled) by_hand = label_fresh(&config, NULL, &view, 1, view_f64(&episode));
        if (!(difference(&ours, &by_hand) <= 1e-9 * largest_reward(&by_hand))) {
            fail_msg("seed %d: off by %g", (int)seed, difference(&ours, &by_hand));
        }
    }
}

// The demonstration with the same start as the episode is matched, whatever follows; ties go to the
// earlier one; with a single demonstration nothing changes.
TEST(test_matching_starts) {
    for (uint64_t seed = 0; seed < some_of(CASES); seed++) {
        tot_random random;
        tot_random_init(&random, seed, "starts");
        const int64_t width = between(&random, 2, 300), steps = 30;
        trajectory demos[3] = {make_walk(&random, steps, width, 0.3),
                               make_walk(&random, steps, width, 0.3),
                               make_walk(&random, steps, width, 0.3)};
        trajectory episode = make_near(&random, &demos[2], 0.01);
        // starts like the second and continues like the third; the first starts like the second
        const size_t begun = (size_t)(5 * width) * sizeof(double);
        memcpy(episode.f64, demos[1].f64, begun);
        const tot_embeddings views[3] = {view_f64(&demos[0]), view_f64(&demos[1]),
                                         view_f64(&demos[2])};
        tot_reward_config config = config_for(seed % 2 == 0 ? "temporalot" : "ot");
        labelled best = label_fresh(&config, NULL, views, 3, view_f64(&episode));
        config.match = TOT_MATCH_START;
        labelled start = label_fresh(&config, NULL, views, 3, view_f64(&episode));
        labelled alone = label_fresh(&config, NULL, &views[1], 1, view_f64(&episode));
        assert_int_equal(best.info.demo, 2);
        assert_int_equal(start.info.demo, 1);
        assert_true(difference(&start, &alone) == 0);
        memcpy(demos[0].f64, demos[1].f64, begun);
        labelled equal = label_fresh(&config, NULL, views, 3, view_f64(&episode));
        assert_int_equal(equal.info.demo, 0);
        labelled_free(&best);
        labelled_free(&start);
        labelled_free(&alone);
        labelled_free(&equal);
        trajectory_free(&episode);
        for (int k = 0; k < 3; k++) {
            trajectory_free(&demos[k]);
        }
    }
}

TEST_MAIN(NULL, NULL)
