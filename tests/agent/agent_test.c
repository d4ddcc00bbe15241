// The agent: settings, invalid input, threads, tensors by name, and learning.
#include "asserts.h"

#include "agent/drawn.h"
#include "failing_memory.h"

// --- settings ----------------------------------------------------------------------------------

TEST(test_settings) {
    tot_agent_config config;
    tot_agent_defaults(&config);
    assert_int_equal(config.hidden, 1024);
    assert_int_equal(config.batch, 512);
    assert_int_equal(config.n_step, 3);
    assert_true(config.learning_rate == 1e-4 && config.tau == 0.005 && config.discount == 0.9);
    assert_ok(tot_agent_config_check(&config));
    config.hidden = 0;
    assert_fails(tot_agent_config_check(&config), TOT_E_ARGUMENT, "hidden: 0");
    tot_agent_defaults(&config);
    config.layer_norm = 2;
    assert_fails(tot_agent_config_check(&config), TOT_E_ARGUMENT, "layer_norm");
    tot_agent_defaults(&config);
    config.discount = NAN;
    assert_fails(tot_agent_config_check(&config), TOT_E_ARGUMENT, "discount");
}

// --- helpers -----------------------------------------------------------------------------------

static tot_agent *agent_of(const drawn_case *from, uint64_t seed, tot_pool *pool) {
    tot_agent *agent = NULL;
    tot_agent_config config = drawn_config(from);
    assert_ok(tot_agent_create(&agent, &config, &from->sees, seed, pool));
    assert_ok(tot_agent_add_discriminator(agent));
    return agent;
}

// The largest difference between two agents in any tensor.
static double apart(tot_agent *a, tot_agent *b) {
    double worst = 0;
    assert_int_equal(tot_agent_tensor_count(a), tot_agent_tensor_count(b));
    for (size_t k = 0; k < tot_agent_tensor_count(a); k++) {
        tot_array x = tot_agent_tensor(a, k), y = tot_agent_tensor(b, k);
        for (int64_t i = 0; x.type == TOT_F32 && i < tot_array_count(&x); i++) {
            double away = fabs((double)((float *)x.data)[i] - (double)((float *)y.data)[i]);
            worst = away <= worst ? worst : away;
        }
    }
    return worst;
}

// Runs every kind of update; with the clone if the agent has one.
static tot_status live(tot_agent *agent, const drawn_case *from, int steps, tot_losses *losses) {
    tot_batch batch;
    float mix[64] = {0.25f, 0.5f, 0.75f};
    tot_status status = tot_batch_create(&batch, &from->sees, from->batch);
    for (int k = 1; status == TOT_OK && k <= steps; k++) {
        drawn_batch(from, k, &batch);
        tot_batch policy = drawn_later(&batch);
        status = tot_agent_clone(agent, &batch, losses);
        if (status == TOT_OK) {
            status = tot_agent_discriminate(agent, &batch, &policy, mix, losses);
        }
        if (status == TOT_OK) {
            status = tot_agent_discriminator_reward(agent, &batch, batch.rewards);
        }
        if (status == TOT_OK) {
            status = drawn_find(agent, "cloned_actor.trunk.0.bias").data != NULL
                         ? tot_agent_update_cloned(agent, &batch, &policy, losses)
                         : tot_agent_update(agent, &batch, losses);
        }
    }
    tot_batch_free(&batch);
    return status;
}

// --- reproducibility ---------------------------------------------------------------------------

TEST(test_threads) {
    const drawn_case larger = {"larger", {.width = 39}, 50, SLOW_BUILD ? 100 : 300, 64, 0, 0, 0, 0};
    const drawn_case normed = {"normed", {.width = 35}, 50, SLOW_BUILD ? 100 : 300, 64, 0, 0, 1, 0};
    const drawn_case *const cases[] = {&larger, &drawn_cases[2], &normed};
    for (size_t k = 0; k < 3; k++) {
        OWNED_PTR(tot_agent) alone = agent_of(cases[k], 3, NULL);
        assert_ok(live(alone, cases[k], 3, NULL));
        for (int threads = 1; threads <= 3; threads++) {
            OWNED_PTR(tot_pool) pool = NULL;
            assert_ok(tot_pool_create(&pool, threads));
            OWNED_PTR(tot_agent) first = agent_of(cases[k], 3, pool);
            OWNED_PTR(tot_agent) second = agent_of(cases[k], 3, pool);
            assert_ok(live(first, cases[k], 3, NULL));
            assert_ok(live(second, cases[k], 3, NULL));
            assert_true(apart(first, second) == 0);
            assert_true(apart(first, alone) < 1e-6);
        }
    }
}

TEST(test_seeds) {
    OWNED_PTR(tot_agent) first = agent_of(&drawn_cases[1], 3, NULL);
    OWNED_PTR(tot_agent) same = agent_of(&drawn_cases[1], 3, NULL);
    OWNED_PTR(tot_agent) other = agent_of(&drawn_cases[1], 4, NULL);
    assert_true(apart(first, same) == 0);
    assert_true(apart(first, other) > 0.1);
    // orthogonal: every row of the hidden layers has norm 1
    tot_array weight = drawn_find(first, "critic.q2.2.weight");
    double sum = 0;
    for (int64_t k = 0; k < weight.shape[1]; k++) {
        sum += pow((double)((float *)weight.data)[3 * weight.shape[1] + k], 2);
    }
    assert_float_equal(sum, 1, 1e-5);
}

// An agent whose tensors are copied by name behaves identically afterwards.
TEST(test_tensors) {
    const drawn_case *const cases[] = {&drawn_cases[1], &drawn_cases[2], drawn_case_of("normed")};
    for (size_t at = 0; at < 3; at++) {
        const drawn_case *from = cases[at];
        OWNED_PTR(tot_agent) first = agent_of(from, 3, NULL);
        OWNED_PTR(tot_agent) copy = agent_of(from, 4, NULL);
        assert_ok(live(first, from, 2, NULL));
        assert_true(apart(first, copy) > 0);
        for (size_t k = 0; k < tot_agent_tensor_count(first); k++) {
            const char *name = tot_agent_tensor_name(first, k);
            tot_array here = tot_agent_tensor(first, k);
            tot_array there = drawn_find(copy, name);
            assert_non_null(there.data);
            assert_int_equal(here.type, there.type);
            assert_int_equal(tot_array_count(&here), tot_array_count(&there));
            memcpy(there.data, here.data,
                   (size_t)tot_array_count(&here) * tot_type_size(here.type));
            // names are unique
            for (size_t i = 0; i < k; i++) {
                assert_string_not_equal(name, tot_agent_tensor_name(first, i));
            }
        }
        assert_ok(live(first, from, 2, NULL));
        assert_ok(live(copy, from, 2, NULL));
        assert_true(apart(first, copy) == 0);
        tot_array steps = drawn_find(copy, "actor.adam.step");
        assert_int_equal(*(int64_t *)steps.data, 8);  // cloned and updated, four times each
        assert_null(tot_agent_tensor_name(copy, tot_agent_tensor_count(copy)));
        assert_null(tot_agent_tensor(copy, tot_agent_tensor_count(copy)).data);
    }
}

// With layer norm, the names are those of PyTorch's Sequential including the norms.
TEST(test_normed_tensors) {
    static const struct {
        const char *name;
        int64_t shape[2];
    } wanted[] = {
        {"actor.policy.0.weight", {64, 50}}, {"actor.policy.1.weight", {64, 0}},
        {"actor.policy.1.bias", {64, 0}},    {"actor.policy.3.weight", {64, 64}},
        {"actor.policy.4.weight", {64, 0}},  {"actor.policy.6.weight", {4, 64}},
        {"critic.q1.0.weight", {64, 54}},    {"critic.q2.1.weight", {64, 0}},
        {"critic.q2.4.bias", {64, 0}},       {"target_critic.q2.6.weight", {1, 64}},
    };
    OWNED_PTR(tot_agent) agent = agent_of(drawn_case_of("normed"), 3, NULL);
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
        tot_array array = drawn_find(agent, wanted[k].name);
        if (array.data == NULL) {
            fail_msg("no tensor %s", wanted[k].name);
        }
        assert_int_equal(array.dimensions, wanted[k].shape[1] > 0 ? 2 : 1);
        assert_int_equal(array.shape[0], wanted[k].shape[0]);
        assert_true(array.dimensions == 1 || array.shape[1] == wanted[k].shape[1]);
    }
    // the gains start at 1, and names of an agent without layer norm do not exist
    assert_true(((float *)drawn_find(agent, "critic.q2.1.weight").data)[63] == 1);
    assert_null(drawn_find(agent, "actor.policy.2.weight").data);
}

// The clone is the actor at the time it was kept: it does not change, is saved under its own names,
// and is required by an update that uses it.
TEST(test_clone_is_kept) {
    const drawn_case *const cases[] = {drawn_case_of("state"), drawn_case_of("normed")};
    for (size_t at = 0; at < 2; at++) {
        const drawn_case *from = cases[at];
        OWNED_PTR(tot_agent) agent = agent_of(from, 3, NULL);
        OWNED_PTR(tot_agent) copy = agent_of(from, 4, NULL);
        OWNED(tot_batch) batch = {0};
        tot_losses losses;
        const size_t before = tot_agent_tensor_count(agent);
        assert_ok(tot_batch_create(&batch, &from->sees, from->batch));
        drawn_batch(from, 1, &batch);
        assert_fails(tot_agent_update_cloned(agent, &batch, &batch, NULL), TOT_E_ARGUMENT,
                     "no cloned actor");
        assert_ok(tot_agent_keep_clone(agent));
        assert_ok(tot_agent_keep_clone(copy));
        assert_true(tot_agent_tensor_count(agent) > before);
        tot_array kept = drawn_find(agent, "cloned_actor.policy.0.weight");
        tot_array learns = drawn_find(agent, "actor.policy.0.weight");
        const size_t bytes = (size_t)tot_array_count(&kept) * sizeof(float);
        float *was = malloc(bytes);
        assert_non_null(was);
        memcpy(was, kept.data, bytes);
        assert_memory_equal(was, learns.data, bytes);
        assert_ok(live(agent, from, 3, &losses));
        assert_true(losses.clone_share >= 0 && losses.clone_share <= 1);
        assert_memory_equal(was, kept.data, bytes);
        assert_memory_not_equal(was, learns.data, bytes);
        // copied by name into another agent: identical afterwards, including the clone
        for (size_t k = 0; k < tot_agent_tensor_count(agent); k++) {
            tot_array here = tot_agent_tensor(agent, k);
            tot_array there = drawn_find(copy, tot_agent_tensor_name(agent, k));
            memcpy(there.data, here.data,
                   (size_t)tot_array_count(&here) * tot_type_size(here.type));
        }
        assert_ok(live(agent, from, 2, NULL));
        assert_ok(live(copy, from, 2, NULL));
        assert_true(apart(agent, copy) == 0);
        // kept again, it equals the current actor
        assert_ok(tot_agent_keep_clone(agent));
        assert_int_equal(tot_agent_tensor_count(agent), tot_agent_tensor_count(copy));
        assert_memory_equal(kept.data, learns.data, bytes);
        free(was);
    }
    OWNED_PTR(tot_agent) sees = agent_of(&drawn_cases[2], 3, NULL);
    assert_fails(tot_agent_keep_clone(sees), TOT_E_UNSUPPORTED, "pixel encoder");
}

// --- acting ------------------------------------------------------------------------------------

TEST(test_acting) {
    enum { COUNT = 600 };
    const drawn_case *from = &drawn_cases[1];
    static float observations[COUNT * 39], actions[COUNT * 4], one[4];
    OWNED_PTR(tot_agent) agent = agent_of(from, 3, NULL);
    drawn_weights(agent, from);
    drawn_numbers(from, 1, "acting", 1, COUNT * 39, observations);
    // more than fit in one pass, compared with one at a time
    assert_ok(tot_agent_act(agent, observations, NULL, COUNT, actions));
    for (int k = 0; k < COUNT; k += 7) {
        assert_ok(tot_agent_act(agent, observations + 39 * k, NULL, 1, one));
        for (int i = 0; i < 4; i++) {
            assert_float_equal(one[i], actions[4 * k + i], 1e-6);
            assert_true(fabsf(one[i]) <= 1);
        }
    }
    assert_float_not_equal(actions[0], actions[4], 1e-6);
    assert_ok(tot_agent_act(agent, observations, NULL, 0, one));
    assert_fails(tot_agent_act(agent, NULL, NULL, 1, one), TOT_E_ARGUMENT, "numbers");
    assert_fails(tot_agent_act(agent, observations, NULL, -1, one), TOT_E_ARGUMENT, "-1");
}

TEST(test_acting_on_pixels) {
    enum { COUNT = 20, STACK = 9 * 20 * 20 };
    const drawn_case *from = &drawn_cases[2];
    static uint8_t pictures[COUNT * STACK];
    static float actions[COUNT * 4];
    float one[4];
    int8_t shifts[2 * COUNT];
    OWNED_PTR(tot_agent) agent = agent_of(from, 3, NULL);
    drawn_weights(agent, from);
    drawn_pictures(from, 1, "acting", COUNT, pictures, shifts);
    assert_ok(tot_agent_act(agent, NULL, pictures, COUNT, actions));
    for (int k = 0; k < COUNT; k++) {
        assert_ok(tot_agent_act(agent, NULL, pictures + STACK * k, 1, one));
        for (int i = 0; i < 4; i++) {
            assert_float_equal(one[i], actions[4 * k + i], 1e-6);
        }
    }
    assert_fails(tot_agent_act(agent, one, NULL, 1, one), TOT_E_ARGUMENT, "pictures");
}

// --- learning ----------------------------------------------------------------------------------

// After cloning, the actor reproduces the demonstrated actions.
TEST(test_clone_learns) {
    tot_agent_config config;
    tot_agent_defaults(&config);
    config.hidden = 64;
    config.learning_rate = 3e-3;
    config.clone_batch = 64;
    config.batch = 64;
    const tot_replay_shape sees = {.width = 4};
    const drawn_case from = {"clone", sees, 50, 64, 64, 0, 0, 0, 0};
    OWNED_PTR(tot_agent) agent = NULL;
    OWNED(tot_batch) batch = {0};
    tot_losses losses;
    assert_ok(tot_agent_create(&agent, &config, &sees, 0, NULL));
    assert_ok(tot_batch_create(&batch, &sees, 64));
    for (int k = 1; k <= (SLOW_BUILD ? 4 : 400); k++) {
        drawn_batch(&from, k, &batch);
        for (int64_t i = 0; i < 64 * 4; i++) {
            batch.actions[i] = 0.8f * sinf(2 * batch.observations[i]);
        }
        assert_ok(tot_agent_clone(agent, &batch, &losses));
    }
    drawn_batch(&from, 1000, &batch);
    float actions[64 * 4];
    assert_ok(tot_agent_act(agent, batch.observations, NULL, 64, actions));
    double error = 0;
    for (int64_t i = 0; i < 64 * 4; i++) {
        error += fabs((double)actions[i] - 0.8 * sin(2 * (double)batch.observations[i])) / 256;
    }
    assert_true(error < 0.08 || SLOW_BUILD);
}

// A one-step task whose best action is a function of the observation: the agent finds it.
TEST(test_update_learns) {
    tot_agent_config config;
    tot_agent_defaults(&config);
    config.hidden = 64;
    config.learning_rate = 1e-3;
    config.batch = 128;
    const tot_replay_shape sees = {.width = 4};
    const drawn_case from = {"bandit", sees, 50, 64, 128, 0, 0, 0, 0};
    OWNED_PTR(tot_agent) agent = NULL;
    OWNED(tot_batch) batch = {0};
    assert_ok(tot_agent_create(&agent, &config, &sees, 0, NULL));
    assert_ok(tot_batch_create(&batch, &sees, 128));
    for (int k = 1; k <= (SLOW_BUILD ? 4 : 1500); k++) {
        drawn_batch(&from, k, &batch);
        for (int64_t i = 0; i < 128; i++) {
            batch.discounts[i] = 0;
            batch.rewards[i] = 0;
            for (int64_t j = 4 * i; j < 4 * i + 4; j++) {
                batch.rewards[i] -= powf(batch.actions[j] - 0.5f * batch.observations[j], 2);
            }
        }
        assert_ok(tot_agent_update(agent, &batch, NULL));
    }
    float actions[128 * 4];
    drawn_batch(&from, 10000, &batch);
    assert_ok(tot_agent_act(agent, batch.observations, NULL, 128, actions));
    double error = 0;
    for (int64_t i = 0; i < 128 * 4; i++) {
        error += fabs((double)actions[i] - 0.5 * (double)batch.observations[i]) / 512;
    }
    if (error >= 0.12) {
        print_error("mean distance %g\n", error);
    }
    assert_true(error < 0.12 || SLOW_BUILD);
}

// Only an agent that asked for a discriminator has one, and its other networks are unaffected.
TEST(test_discriminator_is_added) {
    const drawn_case *from = &drawn_cases[0];
    tot_agent_config config = drawn_config(from);
    OWNED_PTR(tot_agent) with = agent_of(from, 3, NULL);
    OWNED_PTR(tot_agent) without = NULL;
    float rewards[64], mix[64] = {0};
    OWNED(tot_batch) batch = {0};
    assert_ok(tot_agent_create(&without, &config, &from->sees, 3, NULL));
    assert_ok(tot_batch_create(&batch, &from->sees, from->batch));
    drawn_batch(from, 1, &batch);
    assert_fails(tot_agent_discriminator_reward(without, &batch, rewards), TOT_E_ARGUMENT,
                 "no discriminator");
    assert_fails(tot_agent_discriminate(without, &batch, &batch, mix, NULL), TOT_E_ARGUMENT,
                 "no discriminator");
    const size_t count = tot_agent_tensor_count(without);
    assert_true(count < tot_agent_tensor_count(with));
    for (size_t k = 0; k < tot_agent_tensor_count(with); k++) {
        const char *name = tot_agent_tensor_name(with, k);
        assert_true((k >= count) == (strncmp(name, "discriminator.", 14) == 0));
    }
    // calling it again has no effect
    assert_ok(tot_agent_add_discriminator(without));
    assert_ok(tot_agent_add_discriminator(without));
    assert_true(apart(with, without) == 0);
}

TEST(test_discriminator_learns) {
    const drawn_case *from = &drawn_cases[1];
    OWNED_PTR(tot_agent) agent = agent_of(from, 3, NULL);
    tot_batch expert, policy;
    float mix[32], rewards[2][32];
    assert_ok(tot_batch_create(&expert, &from->sees, from->batch));
    assert_ok(tot_batch_create(&policy, &from->sees, from->batch));
    drawn_numbers(from, 1, "mix", 0.5f, 32, mix);
    for (int k = 0; k < (SLOW_BUILD ? 4 : 1000); k++) {
        drawn_batch(from, 2 * k, &expert);
        drawn_batch(from, 2 * k + 1, &policy);
        for (int64_t i = 0; i < from->batch; i++) {
            expert.observations[39 * i] += 2;
            mix[i] = mix[i] < 0 ? mix[i] + 0.5f : mix[i];
        }
        assert_ok(tot_agent_discriminate(agent, &expert, &policy, mix, NULL));
    }
    assert_ok(tot_agent_discriminator_reward(agent, &expert, rewards[0]));
    assert_ok(tot_agent_discriminator_reward(agent, &policy, rewards[1]));
    double sums[2] = {0};
    for (int64_t i = 0; i < from->batch; i++) {
        sums[0] += (double)rewards[0][i] / 32;
        sums[1] += (double)rewards[1][i] / 32;
    }
    assert_true((sums[0] > 0.5 && sums[1] < -0.5) || SLOW_BUILD);
    tot_batch_free(&expert);
    tot_batch_free(&policy);
}

// Which networks each of the three updates does not change.
TEST(test_left_alone) {
    const drawn_case *from = &drawn_cases[2];
    OWNED_PTR(tot_agent) agent = agent_of(from, 3, NULL);
    OWNED_PTR(tot_agent) before = agent_of(from, 3, NULL);
    OWNED(tot_batch) batch = {0};
    assert_ok(tot_batch_create(&batch, &from->sees, from->batch));
    drawn_batch(from, 1, &batch);
    assert_ok(tot_agent_clone(agent, &batch, NULL));
    for (size_t k = 0; k < tot_agent_tensor_count(agent); k++) {
        const char *name = tot_agent_tensor_name(agent, k);
        tot_array now = tot_agent_tensor(agent, k), then = tot_agent_tensor(before, k);
        bool learns = strncmp(name, "actor", 5) == 0 || strncmp(name, "encoder", 7) == 0;
        bool same = memcmp(now.data, then.data,
                           (size_t)tot_array_count(&now) * tot_type_size(now.type)) == 0;
        if (same == learns) {
            print_error("%s %s\n", name, learns ? "did not learn" : "learnt");
        }
        assert_true(same != learns);
    }
}

// --- invalid input -----------------------------------------------------------------------------

TEST(test_refused) {
    const drawn_case *from = &drawn_cases[1];
    OWNED_PTR(tot_agent) agent = NULL;
    tot_agent_config config = drawn_config(from);
    config.hidden = 0;
    assert_fails(tot_agent_create(&agent, &config, &from->sees, 0, NULL), TOT_E_ARGUMENT, "hidden");
    config = drawn_config(from);
    assert_fails(tot_agent_create(&agent, &config, &(tot_replay_shape){0}, 0, NULL), TOT_E_ARGUMENT,
                 "width: 0");
    assert_fails(tot_agent_create(&agent, &config, &(tot_replay_shape){.pixels = -4}, 0, NULL),
                 TOT_E_ARGUMENT, "-4");
    // too small for four convolutions
    assert_fails(tot_agent_create(&agent, &config, &(tot_replay_shape){.pixels = 8}, 0, NULL),
                 TOT_E_ARGUMENT, "8");
    assert_null(agent);

    agent = agent_of(from, 0, NULL);
    tot_batch batch, other, larger;
    float rewards[64], mix[64] = {0};
    assert_ok(tot_batch_create(&batch, &from->sees, from->batch));
    assert_ok(tot_batch_create(&other, &(tot_replay_shape){.width = 7}, from->batch));
    assert_ok(tot_batch_create(&larger, &from->sees, 300));
    assert_fails(tot_agent_update(agent, &other, NULL), TOT_E_SHAPE, "width 7");
    assert_fails(tot_agent_update(agent, &larger, NULL), TOT_E_SHAPE, "300");
    assert_fails(tot_agent_clone(agent, &larger, NULL), TOT_E_SHAPE, "300");
    assert_fails(tot_agent_discriminator_reward(agent, &other, rewards), TOT_E_SHAPE, "width 7");
    tot_batch fewer = batch;
    fewer.count = 5;
    assert_fails(tot_agent_discriminate(agent, &batch, &fewer, mix, NULL), TOT_E_SHAPE, "5 of");
    tot_batch_free(&batch);
    tot_batch_free(&other);
    tot_batch_free(&larger);
    tot_agent_free(NULL);
}

TEST(test_nan) {
    const drawn_case *from = &drawn_cases[1];
    OWNED(tot_batch) batch = {0};
    tot_losses losses;
    float mix[64] = {0};
    assert_ok(tot_batch_create(&batch, &from->sees, from->batch));
    drawn_batch(from, 1, &batch);
    OWNED_PTR(tot_agent) agent = agent_of(from, 0, NULL);
    OWNED_PTR(tot_agent) before = agent_of(from, 0, NULL);
    batch.rewards[3] = NAN;
    assert_fails(tot_agent_update(agent, &batch, &losses), TOT_E_VALUE, "critic");
    // the agent was not updated
    assert_true(apart(agent, before) == 0);
    batch.rewards[3] = INFINITY;
    assert_fails(tot_agent_update(agent, &batch, NULL), TOT_E_VALUE, "critic");
    drawn_batch(from, 1, &batch);
    batch.actions[1] = NAN;
    assert_fails(tot_agent_clone(agent, &batch, NULL), TOT_E_VALUE, "clone");
    drawn_batch(from, 1, &batch);
    batch.observations[7] = NAN;
    assert_fails(tot_agent_discriminate(agent, &batch, &batch, mix, NULL), TOT_E_VALUE,
                 "discriminator");
    assert_true(apart(agent, before) == 0);
    // a weight that became NaN
    drawn_batch(from, 1, &batch);
    ((float *)drawn_find(agent, "actor.policy.4.bias").data)[0] = NAN;
    assert_fails(tot_agent_update(agent, &batch, NULL), TOT_E_VALUE, "critic");
}

static tot_status whole_life(const drawn_case *from) {
    tot_agent *agent = NULL;
    tot_agent_config config = drawn_config(from);
    tot_status status = tot_agent_create(&agent, &config, &from->sees, 0, NULL);
    status = status != TOT_OK ? status : tot_agent_add_discriminator(agent);
    if (status == TOT_OK && from->layer_norm == TOT_ON) {
        status = tot_agent_keep_clone(agent);
    }
    if (status == TOT_OK && (!SLOW_BUILD || from->sees.pixels == 0)) {
        status = live(agent, from, 1, NULL);
    }
    tot_agent_free(agent);
    return status;
}

TEST(test_failing_memory) {
    const drawn_case *const cases[] = {&drawn_cases[0], &drawn_cases[2],
                                       drawn_case_of("tiny-normed")};
    for (size_t at = 0; at < 3; at++) {
        assert_survives_no_memory(whole_life(cases[at]));
    }
}

// Acting and updating do not allocate.
TEST(test_no_allocation) {
    const drawn_case *const cases[] = {&drawn_cases[0], &drawn_cases[2],
                                       drawn_case_of("tiny-normed")};
    for (size_t at = 0; at < 3; at++) {
        const drawn_case *from = cases[at];
        failing_memory memory;
        tot_batch batch;
        tot_agent *agent = NULL;
        tot_agent_config config = drawn_config(from);
        float mix[64] = {0}, actions[64];
        failing_memory_start(&memory, 0);
        assert_ok(tot_agent_create(&agent, &config, &from->sees, 0, NULL));
        assert_ok(tot_agent_add_discriminator(agent));
        assert_ok(tot_batch_create(&batch, &from->sees, from->batch));
        uint64_t calls = memory.calls;
        drawn_batch(from, 1, &batch);
        assert_ok(tot_agent_update(agent, &batch, NULL));
        assert_ok(tot_agent_clone(agent, &batch, NULL));
        assert_ok(tot_agent_discriminate(agent, &batch, &batch, mix, NULL));
        assert_ok(tot_agent_discriminator_reward(agent, &batch, actions));
        assert_ok(tot_agent_act(agent, batch.observations, batch.pictures, 3, actions));
        assert_int_equal(memory.calls, calls);
        tot_batch_free(&batch);
        tot_agent_free(agent);
        assert_int_equal(failing_memory_stop(&memory), 0);
    }
}

TEST_MAIN(NULL, NULL)
