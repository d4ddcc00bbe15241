// Recording and subsampling, and policies without training.
#include "recordings.h"

#include <math.h>

static tot_task *task;

static int set_up(void **state) {
    (void)state;
    assert_ok(tot_task_load(&task, "button-press-topdown", NULL));
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    tot_task_free(task);
    return 0;
}

static tot_world *make_world(int repeat, int horizon, uint64_t episode) {
    tot_world *world = NULL;
    const tot_world_settings settings = {.action_repeat = repeat, .horizon = horizon};
    assert_ok(tot_world_create(&world, task, &settings));
    assert_ok(tot_world_reset(world, 1, episode));
    return world;
}

static const double *observation(const tot_trajectory *trajectory, int64_t k) {
    return trajectory->observations + k * TOT_OBSERVATION;
}

// --- recording ---------------------------------------------------------------------------------

// A recording matches a manual loop over the steps.
TEST(test_record) {
    OWNED_PTR(tot_world) world = make_world(2, 0, 4);
    OWNED_PTR(tot_world) again = make_world(2, 0, 4);
    OWNED(tot_trajectory) seen = {0};
    const tot_policy policy = tot_policy_expert();
    assert_ok(tot_trajectory_record(&seen, world, &policy, NULL, NULL));
    assert_int_equal(seen.steps, 63);
    assert_true(tot_world_done(world));
    assert_int_equal(seen.draw_length, 3);
    assert_memory_equal(seen.rand_vec, tot_world_draw(again), 3 * sizeof(double));
    for (int64_t k = 0; k < seen.steps; k++) {
        assert_memory_equal(observation(&seen, k), tot_world_observation(again),
                            TOT_OBSERVATION * sizeof(double));
        float action[TOT_ACTION];
        tot_world_expert(again, action);
        for (int j = 0; j < TOT_ACTION; j++) {
            action[j] = fmaxf(-1, fminf(1, action[j]));
        }
        assert_memory_equal(seen.actions + k * TOT_ACTION, action, sizeof action);
        assert_ok(tot_world_step(again, action));
        assert_int_equal(seen.success[k], tot_world_success(again));
        assert_true(seen.rewards[k] == tot_world_reward(again) && seen.rewards[k] > 0);
        const tot_world_info *info = tot_world_information(again);
        assert_true(seen.info[k] == info->success);
        assert_true(seen.info[3 * seen.steps + k] == info->grasp_reward);
        assert_true(seen.info[6 * seen.steps + k] == info->unscaled_reward);
    }
    tot_trajectory thin = {0};
    assert_ok(tot_trajectory_thin(&thin, &seen, 2));
    for (int64_t k = 0; k < thin.steps - 1; k++) {
        assert_true(thin.rewards[k] == seen.rewards[2 * k] + seen.rewards[2 * k + 1]);
        assert_true(thin.info[thin.steps + k] == seen.info[seen.steps + 2 * k + 1]);
    }
    tot_trajectory_free(&thin);
    assert_memory_equal(observation(&seen, 63), tot_world_observation(again),
                        TOT_OBSERVATION * sizeof(double));
    assert_true(tot_trajectory_succeeded(&seen));
    const int64_t first = tot_trajectory_first_success(&seen);
    assert_true(first > 0 && seen.success[first] == 1 && seen.success[first - 1] == 0);
}

TEST(test_not_from_the_middle) {
    tot_world *world = make_world(1, 10, 0);
    const float still[TOT_ACTION] = {0};
    tot_trajectory seen = {0};
    const tot_policy policy = tot_policy_zero();
    assert_ok(tot_world_step(world, still));
    assert_fails(tot_trajectory_record(&seen, world, &policy, NULL, NULL), TOT_E_ARGUMENT,
                 "1 frames");
    assert_null(seen.observations);
    tot_world_free(world);

    // a world that was never reset
    assert_ok(tot_world_create(&world, task, NULL));
    assert_fails(tot_trajectory_record(&seen, world, &policy, NULL, NULL), TOT_E_ARGUMENT,
                 "not reset");
    assert_null(seen.observations);
    tot_world_free(world);
}

static tot_status act_badly(void *context, const tot_world *world, int64_t step, float *action) {
    (void)world;
    memset(action, 0, TOT_ACTION * sizeof *action);
    if (step == *(const int64_t *)context) {
        action[1] = NAN;
    }
    return TOT_OK;
}

TEST(test_bad_policy) {
    int64_t when = 3;
    const tot_policy policy = {.act = act_badly, .context = &when};
    OWNED_PTR(tot_world) world = make_world(1, 10, 0);
    OWNED(tot_trajectory) seen = {0};
    assert_fails(tot_trajectory_record(&seen, world, &policy, NULL, NULL), TOT_E_VALUE,
                 "step 3: action[1]");
    assert_int_equal(seen.steps, 0);
    assert_null(seen.observations);
    when = -1;
    assert_ok(tot_world_reset(world, 1, 0));
    assert_ok(tot_trajectory_record(&seen, world, &policy, NULL, NULL));
    assert_int_equal(seen.steps, 10);
}

// --- rollout -----------------------------------------------------------------------------------

typedef struct seen_steps {
    int64_t count, stop;
    double hand;  // x of the hand at the last step
} seen_steps;

static tot_status see_step(void *context, const tot_world *world, int64_t step,
                           const float *action) {
    seen_steps *seen = context;
    assert_int_equal(step, seen->count++);
    assert_int_equal(action == NULL, step == 0);
    seen->hand = tot_world_observation(world)[0];
    return step == seen->stop ? TOT_E_INTERRUPTED : TOT_OK;
}

TEST(test_play) {
    OWNED_PTR(tot_world) world = make_world(2, 21, 0);
    const tot_policy expert = tot_policy_expert();
    seen_steps seen = {.stop = -1};
    assert_ok(tot_play(world, &expert, -1, see_step, &seen));  // an action lasts two frames
    assert_int_equal(seen.count, 1 + 11);
    assert_int_equal(tot_world_frames(world), 21);
    assert_true(seen.hand == tot_world_observation(world)[0]);
    assert_fails(tot_play(world, &expert, -1, NULL, NULL), TOT_E_ARGUMENT, "21 frames");
    // the requested number of steps, and none
    assert_ok(tot_world_reset(world, 1, 0));
    assert_ok(tot_play(world, &expert, 0, NULL, NULL));
    assert_int_equal(tot_world_frames(world), 0);
    assert_ok(tot_play(world, &expert, 3, NULL, NULL));
    assert_int_equal(tot_world_frames(world), 6);
    // the callback may stop the episode with its own status
    assert_ok(tot_world_reset(world, 1, 0));
    seen = (seen_steps){.stop = 4};
    assert_int_equal(tot_play(world, &expert, -1, see_step, &seen), TOT_E_INTERRUPTED);
    assert_int_equal(tot_world_frames(world), 8);
    assert_fails(tot_play(world, &(tot_policy){0}, -1, NULL, NULL), TOT_E_ARGUMENT, "policy");
}

TEST(test_holding) {
    OWNED_PTR(tot_world) world = make_world(1, 0, 0);
    tot_expert expert = {.hold = true};
    const tot_policy policy = tot_policy_holding(&expert);
    OWNED(tot_trajectory) held = {0};
    // the same expert for a second episode: it starts over
    for (int episode = 0; episode < 2; episode++) {
        assert_ok(tot_world_reset(world, 1, 0));
        assert_ok(tot_trajectory_record(&held, world, &policy, NULL, NULL));
        const int64_t first = tot_trajectory_first_success(&held);
        assert_true(first > 0 && first + 1 < held.steps);
        assert_true(held.actions[first * TOT_ACTION] != 0);
        for (int64_t k = first + 1; k < held.steps; k++) {
            const float *action = held.actions + k * TOT_ACTION;
            assert_true(action[0] == 0 && action[1] == 0 && action[2] == 0);
            assert_true(action[3] == held.actions[first * TOT_ACTION + 3]);
        }
    }
}

// --- policies ----------------------------------------------------------------------------------

static void record(tot_trajectory *out, const tot_policy *policy, int horizon) {
    OWNED_PTR(tot_world) world = make_world(1, horizon, 0);
    assert_ok(tot_trajectory_record(out, world, policy, NULL, NULL));
}

TEST(test_random_and_zero) {
    OWNED(tot_trajectory) first = {0};
    OWNED(tot_trajectory) second = {0};
    tot_random random;
    tot_random_init(&random, 5, "test");
    const tot_policy policy = tot_policy_random(&random);
    record(&first, &policy, 40);
    tot_random_init(&random, 5, "test");
    record(&second, &policy, 40);
    assert_same_trajectory(&first, &second);
    record(&second, &policy, 40);
    assert_memory_not_equal(first.actions, second.actions, 40 * TOT_ACTION * sizeof(float));
    double mean = 0;
    double largest = 0;
    for (int k = 0; k < 40 * TOT_ACTION; k++) {
        mean += (double)first.actions[k] / (40 * TOT_ACTION);
        largest = fmax(largest, fabs((double)first.actions[k]));
    }
    assert_true(fabs(mean) < 0.2 && largest <= 1 && largest > 0.9);

    const tot_policy zero = tot_policy_zero();
    record(&first, &zero, 5);
    for (int k = 0; k < 5 * TOT_ACTION; k++) {
        assert_true(first.actions[k] == 0);
    }
}

// float64 actions use tot_world_step_double, float32 actions do not.
TEST(test_replay) {
    enum { STEPS = 30 };
    double wide[STEPS][TOT_ACTION];
    float narrow[STEPS][TOT_ACTION];
    tot_random random;
    tot_random_init(&random, 8, "test");
    for (int k = 0; k < STEPS; k++) {
        for (int j = 0; j < TOT_ACTION; j++) {
            wide[k][j] = 2 * tot_random_uniform(&random) - 1;
            narrow[k][j] = (float)wide[k][j];
        }
    }
    const tot_array doubles = {
        .type = TOT_F64, .dimensions = 2, .shape = {STEPS, TOT_ACTION}, .data = wide};
    const tot_array floats = {
        .type = TOT_F32, .dimensions = 2, .shape = {STEPS, TOT_ACTION}, .data = narrow};
    OWNED(tot_trajectory) in_double = {0};
    OWNED(tot_trajectory) in_single = {0};
    tot_policy policy = tot_policy_replay(&doubles);
    record(&in_double, &policy, STEPS);
    policy = tot_policy_replay(&floats);
    record(&in_single, &policy, STEPS);
    assert_memory_equal(in_double.actions, narrow, sizeof narrow);
    assert_memory_equal(in_single.actions, narrow, sizeof narrow);
    assert_memory_not_equal(in_double.observations, in_single.observations,
                            STEPS * TOT_OBSERVATION * sizeof(double));
    OWNED_PTR(tot_world) world = make_world(1, STEPS + 1, 0);
    for (int k = 0; k < STEPS; k++) {
        assert_ok(tot_world_step_double(world, wide[k]));
        assert_memory_equal(tot_world_observation(world), observation(&in_double, k + 1),
                            TOT_OBSERVATION * sizeof(double));
    }

    // one more step than there are actions
    assert_ok(tot_world_reset(world, 1, 0));
    assert_fails(tot_trajectory_record(&in_single, world, &policy, NULL, NULL), TOT_E_ARGUMENT,
                 "step 30: there are only 30 actions");
}

TEST(test_bad_actions) {
    double numbers[12] = {0};
    tot_array actions = {.type = TOT_F64, .dimensions = 2, .shape = {3, 4}, .data = numbers};
    assert_ok(tot_actions_check(&actions, "a.npy"));
    numbers[9] = NAN;
    assert_fails(tot_actions_check(&actions, "a.npy"), TOT_E_VALUE, "a.npy: step 2, column 1: nan");
    numbers[9] = -INFINITY;
    assert_fails(tot_actions_check(&actions, "a.npy"), TOT_E_VALUE, "step 2, column 1");
    actions.shape[0] = 2;
    assert_ok(tot_actions_check(&actions, "a.npy"));
    actions.shape[0] = 0;
    assert_fails(tot_actions_check(&actions, "a.npy"), TOT_E_SHAPE, "not 0 x 4");
    actions.shape[0] = 4;
    actions.shape[1] = 3;
    assert_fails(tot_actions_check(&actions, "a.npy"), TOT_E_SHAPE, "steps x 4, not 4 x 3");
    actions.dimensions = 0;
    assert_fails(tot_actions_check(&actions, "a.npy"), TOT_E_SHAPE, "not a single number");
    actions = (tot_array){.type = TOT_I64, .dimensions = 2, .shape = {3, 4}, .data = numbers};
    assert_fails(tot_actions_check(&actions, "a.npy"), TOT_E_UNSUPPORTED, "not int64");
}

// --- subsampling -------------------------------------------------------------------------------

static void check_thin(int64_t steps, int64_t every, bool last_frame) {
    OWNED(tot_trajectory) whole = {0};
    OWNED(tot_trajectory) thin = {0};
    make_up(&whole, steps, 6, true);
    whole.frames.shape[0] = steps + (last_frame ? 1 : 0);
    // marks each step, so that a wrong one is detected
    for (int64_t k = 0; k < steps; k++) {
        whole.success[k] = (uint8_t)(k * 7 % 2);
    }
    assert_ok(tot_trajectory_thin(&thin, &whole, every));
    assert_int_equal(thin.steps, (steps + every - 1) / every);
    for (int64_t k = 0; k <= thin.steps; k++) {
        const int64_t from = k < thin.steps ? k * every : steps;
        assert_memory_equal(observation(&thin, k), observation(&whole, from),
                            TOT_OBSERVATION * sizeof(double));
        if (k < thin.frames.shape[0]) {
            assert_memory_equal((uint8_t *)thin.frames.data + k * 18,
                                (uint8_t *)whole.frames.data + from * 18, 18);
        }
        if (k > 0) {
            assert_int_equal(thin.success[k - 1], whole.success[from - 1]);
        }
        if (k < thin.steps) {
            assert_memory_equal(thin.actions + k * TOT_ACTION, whole.actions + from * TOT_ACTION,
                                TOT_ACTION * sizeof(float));
        }
    }
    assert_int_equal(thin.frames.shape[0], thin.steps + (last_frame ? 1 : 0));
    assert_memory_equal(thin.rand_vec, whole.rand_vec, 3 * sizeof(double));
    assert_int_equal(thin.seed, 6);
    assert_int_equal(thin.episode, 16);
}

TEST(test_thin) {
    for (int64_t steps = 1; steps < 20; steps++) {
        for (int64_t every = 1; every < 23; every++) {
            check_thin(steps, every, steps % 2 == 0);
        }
    }
    check_thin(125, 2, false);
    check_thin(175, 4, true);
    OWNED(tot_trajectory) whole = {0};
    OWNED(tot_trajectory) thin = {0};
    assert_fails(tot_trajectory_thin(&thin, &whole, 2), TOT_E_ARGUMENT, "0 steps");
    make_up(&whole, 4, 0, false);
    assert_fails(tot_trajectory_thin(&thin, &whole, 0), TOT_E_ARGUMENT, "every 0-th");
    assert_ok(tot_trajectory_thin(&thin, &whole, 1));
    assert_same_trajectory(&thin, &whole);
}

TEST_MAIN(set_up, tear_down)
