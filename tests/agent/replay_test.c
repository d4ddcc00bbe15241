// The replay in memory: storage, eviction, and the contents of batches.
#include "asserts.h"

#include <math.h>

#include "agent/episodes.h"
#include "agent/replay.h"
#include "failing_memory.h"

static const tot_replay_shape numbers = {.width = 3};
static const tot_replay_shape both = {.width = 2, .pixels = 5};
static made_episode made;

static tot_replay *replay_of(const tot_replay_shape *shape, int64_t capacity, size_t bytes) {
    tot_replay *replay = NULL;
    assert_ok(tot_replay_create(&replay, shape, capacity, bytes));
    return replay;
}

static void add(tot_replay *replay, const tot_replay_shape *shape, int64_t steps) {
    assert_ok(tot_replay_add(replay, make_episode(&made, shape, tot_replay_added(replay), steps)));
}

// --- storage -----------------------------------------------------------------------------------

TEST(test_oldest_goes_first) {
    OWNED_PTR(tot_replay) replay = replay_of(&numbers, 25, 0);
    const int64_t steps[] = {10, 5, 10, 12, 3, 25, 1};
    const int64_t kept[] = {1, 2, 3, 2, 3, 1, 1};
    for (int64_t k = 0; k < 7; k++) {
        add(replay, &numbers, steps[k]);
        assert_int_equal(tot_replay_episodes(replay), kept[k]);
        assert_int_equal(tot_replay_added(replay), k + 1);
        int64_t transitions = 0;
        for (int64_t number = k + 1 - kept[k]; number <= k; number++) {
            assert_true(is_episode(replay, &numbers, number, steps[number]));
            transitions += steps[number];
        }
        assert_int_equal(tot_replay_transitions(replay), transitions);
        tot_episode episode;
        assert_fails(tot_replay_episode(replay, k - kept[k], &episode), TOT_E_ARGUMENT, "kept");
        assert_fails(tot_replay_episode(replay, k + 1, &episode), TOT_E_ARGUMENT, "kept");
    }
}

TEST(test_byte_budget) {
    size_t bytes;
    assert_true(agent_replay_payload(&both, 10, &bytes));
    assert_int_equal(bytes, 11 * (2 * 4 + 75) + 10 * 20);
    OWNED_PTR(tot_replay) replay = replay_of(&both, 1000000, 3 * bytes);
    for (int k = 0; k < 8; k++) {
        add(replay, &both, 10);
        assert_int_equal(tot_replay_episodes(replay), k < 3 ? k + 1 : 3);
    }
    assert_true(is_episode(replay, &both, 5, 10));
    // one more step requires two to be evicted
    add(replay, &both, 11);
    assert_int_equal(tot_replay_episodes(replay), 2 + 0);
    assert_fails(tot_replay_add(replay, make_episode(&made, &both, 9, 40)), TOT_E_SHAPE, "bytes");
    assert_int_equal(tot_replay_episodes(replay), 2);
}

TEST(test_many_episodes) {
    OWNED_PTR(tot_replay) replay = replay_of(&numbers, 50, 0);
    for (int64_t k = 0; k < 1000; k++) {
        add(replay, &numbers, 1 + k % 7);
    }
    int64_t first = 1000 - tot_replay_episodes(replay);
    for (int64_t k = first; k < 1000; k++) {
        assert_true(is_episode(replay, &numbers, k, 1 + k % 7));
    }
    assert_in_range(tot_replay_transitions(replay), 44, 50);
}

TEST(test_refused) {
    OWNED_PTR(tot_replay) replay = NULL;
    assert_fails(tot_replay_create(&replay, &(tot_replay_shape){0}, 10, 0), TOT_E_ARGUMENT,
                 "neither");
    assert_fails(tot_replay_create(&replay, &(tot_replay_shape){.width = -1}, 10, 0),
                 TOT_E_ARGUMENT, "-1");
    assert_fails(tot_replay_create(&replay, &(tot_replay_shape){.pixels = 100000}, 10, 0),
                 TOT_E_ARGUMENT, "100000");
    assert_fails(tot_replay_create(&replay, &numbers, 0, 0), TOT_E_ARGUMENT, "capacity");
    assert_null(replay);

    replay = replay_of(&both, 20, 0);
    tot_episode bad = *make_episode(&made, &both, 0, 10);
    bad.steps = 0;
    assert_fails(tot_replay_add(replay, &bad), TOT_E_SHAPE, "0 steps");
    bad.steps = 21;
    assert_fails(tot_replay_add(replay, &bad), TOT_E_SHAPE, "21");
    bad.steps = 10;
    bad.pictures = NULL;
    assert_fails(tot_replay_add(replay, &bad), TOT_E_ARGUMENT, "pictures");
    bad = made.view;
    bad.observations = NULL;
    assert_fails(tot_replay_add(replay, &bad), TOT_E_ARGUMENT, "observations");
    bad = made.view;
    made.rewards[7] = NAN;
    assert_fails(tot_replay_add(replay, &bad), TOT_E_VALUE, "step 7");
    made.rewards[7] = 0;
    made.observations[2 * 10 + 1] = INFINITY;
    assert_fails(tot_replay_add(replay, &bad), TOT_E_VALUE, "observations");
    made.observations[2 * 10 + 1] = 0;
    made.actions[4] = NAN;
    assert_fails(tot_replay_add(replay, &bad), TOT_E_VALUE, "actions");
    assert_int_equal(tot_replay_added(replay), 0);
}

// --- sampling ----------------------------------------------------------------------------------

// A new batch, sampled with its own random stream.
static tot_batch sample(const tot_replay *replay, const tot_replay_shape *shape, int64_t count,
                        uint64_t seed, int64_t n, double discount) {
    tot_batch batch;
    tot_random random;
    assert_ok(tot_batch_create(&batch, shape, count));
    tot_random_init(&random, seed, "replay");
    assert_ok(tot_replay_sample(replay, &random, n, discount, 4, &batch));
    return batch;
}

// The episode an observation was sampled from.
static int64_t number_of(float observation) {
    return (int64_t)observation / 1000;
}

static int64_t step_of(float observation) {
    return (int64_t)observation % 1000;
}

TEST(test_transitions) {
    enum { N = 3 };
    const int64_t steps[] = {10, 3, 2, 40, 1};  // some shorter than n
    OWNED_PTR(tot_replay) replay = replay_of(&numbers, 1000, 0);
    for (int k = 0; k < 5; k++) {
        add(replay, &numbers, steps[k]);
    }
    OWNED(tot_batch) batch = sample(replay, &numbers, 2000, 3, N, 0.9);
    bool last_seen = false;
    for (int64_t k = 0; k < batch.count; k++) {
        int64_t number = number_of(batch.observations[3 * k]);
        int64_t t = step_of(batch.observations[3 * k]);
        int64_t n = steps[number] < N ? steps[number] : N;
        assert_true(t <= steps[number] - n);
        last_seen = last_seen || (number == 0 && t == 7);
        double sum = 0;
        for (int64_t i = 0; i < n; i++) {
            sum += pow(0.9, (double)i) * ((double)number + (double)(t + i) / 100);
        }
        assert_float_equal(batch.rewards[k], sum, 1e-5);
        assert_float_equal(batch.discounts[k], pow(0.9, (double)n), 1e-7);
        assert_float_equal(batch.next_observations[3 * k + 2],
                           (float)(1000 * number + t + n) + 2.0f / 16, 0);
        assert_float_equal(batch.actions[4 * k + 1], (float)(t % 8) / 8 - 0.25f, 0);
    }
    assert_true(last_seen);
}

// Pearson's chi-squared statistic of counts that should be uniform.
static double unevenness(const int64_t *counts, int64_t count, int64_t total) {
    double expected = (double)total / (double)count;
    double sum = 0;
    for (int64_t k = 0; k < count; k++) {
        sum += ((double)counts[k] - expected) * ((double)counts[k] - expected) / expected;
    }
    return sum;
}

TEST(test_distribution) {
    enum { EPISODES = 10, SAMPLES = 20000, STARTS = 28 };
    OWNED_PTR(tot_replay) replay = replay_of(&numbers, 1000, 0);
    for (int k = 0; k < EPISODES; k++) {
        add(replay, &numbers, k == 4 ? 30 : 10 + k);
    }
    OWNED(tot_batch) batch = sample(replay, &numbers, SAMPLES, 11, 3, 0.99);
    int64_t episodes[EPISODES] = {0}, starts[STARTS] = {0}, total = 0;
    double sums[4] = {0};
    for (int64_t k = 0; k < SAMPLES; k++) {
        int64_t number = number_of(batch.observations[3 * k]);
        episodes[number]++;
        if (number == 4) {
            starts[step_of(batch.observations[3 * k])]++;
            total++;
        }
        for (int64_t i = 0; i < 4; i++) {
            double a = (double)batch.noise[4 * k + i], b = (double)batch.noise_actor[4 * k + i];
            sums[0] += a;
            sums[1] += a * a;
            sums[2] += b * b;
            sums[3] += a * b;
        }
    }
    // a fair draw exceeds this once in ten thousand times (9 and 27 degrees of freedom)
    assert_true(unevenness(episodes, EPISODES, SAMPLES) < 33.7);
    assert_true(unevenness(starts, STARTS, total) < 61.0);
    assert_float_equal(sums[0] / (4 * SAMPLES), 0, 0.015);
    assert_float_equal(sums[1] / (4 * SAMPLES), 1, 0.02);
    assert_float_equal(sums[2] / (4 * SAMPLES), 1, 0.02);
    assert_float_equal(sums[3] / (4 * SAMPLES), 0, 0.015);
}

static void prefer(tot_replay *replay, double share, int64_t of) {
    const tot_replay_sampling sampling = {.best_share = share, .best_of = of};
    assert_ok(tot_replay_set_sampling(replay, &sampling));
}

// How often each of ten episodes is sampled; later episodes have larger returns.
static void count_draws(double share, int64_t of, int64_t samples, int64_t counts[10]) {
    OWNED_PTR(tot_replay) replay = replay_of(&numbers, 1000, 0);
    for (int k = 0; k < 10; k++) {
        add(replay, &numbers, 10);
        counts[k] = 0;
    }
    prefer(replay, share, of);
    OWNED(tot_batch) batch = sample(replay, &numbers, samples, 11, 3, 0.99);
    for (int64_t k = 0; k < samples; k++) {
        counts[number_of(batch.observations[3 * k])]++;
    }
}

// The best of m draws among ten is the k-th smallest with probability (k/10)^m - ((k-1)/10)^m.
TEST(test_prefers_the_best) {
    enum { SAMPLES = 40000 };
    static const struct {
        double share;
        int64_t of;
    } cases[] = {{0.3, 8}, {1, 2}, {1, 1}, {0, 8}};
    for (size_t at = 0; at < sizeof cases / sizeof *cases; at++) {
        int64_t counts[10];
        count_draws(cases[at].share, cases[at].of, SAMPLES, counts);
        double chi = 0;
        for (int k = 0; k < 10; k++) {
            const double m = (double)cases[at].of;
            const double best = pow((k + 1) / 10.0, m) - pow(k / 10.0, m);
            const double expected = SAMPLES * (cases[at].share * best + (1 - cases[at].share) / 10);
            chi += ((double)counts[k] - expected) * ((double)counts[k] - expected) / expected;
        }
        if (!(chi < 33.7)) {
            print_error("share %g of %d: %g\n", cases[at].share, (int)cases[at].of, chi);
        }
        assert_true(chi < 33.7);
    }
}

// With best_share 0, the random stream is consumed as without a preference.
TEST(test_no_preference) {
    OWNED_PTR(tot_replay) replay = replay_of(&numbers, 1000, 0);
    tot_batch batches[2];
    tot_random random[2];
    for (int k = 0; k < 9; k++) {
        add(replay, &numbers, 5 + k);
    }
    tot_random_init(&random[0], 5, "replay");
    random[1] = random[0];
    for (int k = 0; k < 2; k++) {
        assert_ok(tot_batch_create(&batches[k], &numbers, 32));
        assert_ok(tot_replay_sample(replay, &random[k], 3, 0.9, 4, &batches[k]));
        prefer(replay, 0, 20);
    }
    assert_memory_equal(batches[0].observations, batches[1].observations, 32 * 3 * 4);
    assert_memory_equal(batches[0].noise, batches[1].noise, 32 * 16);
    assert_int_equal(random[0].counter, random[1].counter);
    prefer(replay, 0.5, 20);
    assert_ok(tot_replay_sample(replay, &random[1], 3, 0.9, 4, &batches[1]));
    assert_true(random[1].counter > 2 * random[0].counter);
    tot_batch_free(&batches[0]);
    tot_batch_free(&batches[1]);
}

// Evicted episodes are never sampled, however good they were.
TEST(test_evicted_are_not_preferred) {
    OWNED_PTR(tot_replay) replay = replay_of(&numbers, 40, 0);
    assert_ok(tot_replay_add(replay, make_episode(&made, &numbers, 900, 10)));
    for (int64_t k = 1; k <= 4; k++) {
        assert_ok(tot_replay_add(replay, make_episode(&made, &numbers, k == 2 ? 50 : k, 10)));
    }
    prefer(replay, 1, 100);
    OWNED(tot_batch) batch = sample(replay, &numbers, 64, 5, 3, 0.9);
    for (int64_t k = 0; k < 64; k++) {
        assert_int_equal(number_of(batch.observations[3 * k]), 50);
    }
}

// Adds an episode of ten steps with this number and reward per step.
static void add_steady(tot_replay *replay, int64_t number, float reward) {
    tot_episode episode = *make_episode(&made, &numbers, number, 10);
    float rewards[10];
    for (int k = 0; k < 10; k++) {
        rewards[k] = reward;
    }
    episode.rewards = rewards;
    assert_ok(tot_replay_add(replay, &episode));
}

// Every step is sampled, with the remaining rewards, and the value after the end is 0.
TEST(test_ends) {
    enum { SAMPLES = 4000, STEPS = 10, N = 3 };
    OWNED_PTR(tot_replay) replay = replay_of(&numbers, 1000, 0);
    const tot_replay_sampling sampling = {.ends = true};
    add_steady(replay, 7, 1);
    assert_ok(tot_replay_set_sampling(replay, &sampling));
    OWNED(tot_batch) batch = sample(replay, &numbers, SAMPLES, 5, N, 0.5);
    int64_t counts[4] = {0};
    for (int64_t k = 0; k < SAMPLES; k++) {
        const float sum = batch.rewards[k];
        const int64_t n = sum == 1 ? 1 : sum == 1.5F ? 2 : 3;
        assert_float_equal(sum, 2 - ldexpf(1, 1 - (int)n), 1e-6);
        // an episode may also end after exactly three steps
        assert_true(batch.discounts[k] == 0 || (n == 3 && batch.discounts[k] == 0.125F));
        counts[n - 1]++;
        counts[3] += batch.discounts[k] == 0;
    }
    // the last step, the one before it, and all that end the episode: a tenth each
    assert_true(counts[0] > 300 && counts[0] < 500);
    assert_true(counts[1] > 300 && counts[1] < 500);
    assert_true(counts[3] > 1050 && counts[3] < 1350);
}

TEST(test_sampling_is_checked) {
    OWNED_PTR(tot_replay) replay = replay_of(&numbers, 1000, 0);
    tot_replay_sampling sampling = {.best_share = 1.5, .best_of = 8};
    assert_fails(tot_replay_set_sampling(replay, &sampling), TOT_E_ARGUMENT, "best_share: 1.5");
    sampling = (tot_replay_sampling){.best_share = 0.5};
    assert_fails(tot_replay_set_sampling(replay, &sampling), TOT_E_ARGUMENT, "best_of: 0");
}

TEST(test_stacks) {
    enum { SIDE = 5, POINTS = SIDE * SIDE, STEPS = 6 };
    OWNED_PTR(tot_replay) replay = replay_of(&both, 1000, 0);
    add(replay, &both, STEPS);
    OWNED(tot_batch) batch = sample(replay, &both, 300, 5, 3, 0.9);
    bool seen[STEPS + 1] = {false};
    bool shifted[9] = {false};
    for (int64_t k = 0; k < batch.count; k++) {
        int64_t t = step_of(batch.observations[2 * k]);
        seen[t] = true;
        for (int64_t plane = 0; plane < 9; plane++) {
            int64_t now = t - 2 + plane / 3 > 0 ? t - 2 + plane / 3 : 0;
            int64_t later = t + 1 + plane / 3;
            for (int64_t i = 0; i < POINTS; i++) {
                int64_t at = (9 * k + plane) * POINTS + i;
                int64_t byte = 5 * (3 * i + plane % 3);
                assert_int_equal(batch.pictures[at], (uint8_t)(31 * now + byte));
                assert_int_equal(batch.next_pictures[at], (uint8_t)(31 * later + byte));
            }
        }
        assert_in_range(batch.shifts[2 * k], 0, 8);
        assert_in_range(batch.next_shifts[2 * k + 1], 0, 8);
        shifted[batch.shifts[2 * k + 1]] = true;
    }
    for (int k = 0; k <= STEPS - 3; k++) {
        assert_true(seen[k]);
    }
    for (int k = 0; k < 9; k++) {
        assert_true(shifted[k]);
    }
}

TEST(test_reproducible) {
    OWNED_PTR(tot_replay) replay = replay_of(&both, 1000, 0);
    for (int k = 0; k < 9; k++) {
        add(replay, &both, 5 + k);
    }
    tot_batch batches[3];
    tot_random random, again;
    tot_random_init(&random, 5, "replay");
    for (int k = 0; k < 3; k++) {
        assert_ok(tot_batch_create(&batches[k], &both, 32));
    }
    assert_ok(tot_replay_sample(replay, &random, 3, 0.9, 4, &batches[0]));
    again = random;  // a copied stream continues identically
    assert_ok(tot_replay_sample(replay, &random, 3, 0.9, 4, &batches[1]));
    assert_ok(tot_replay_sample(replay, &again, 3, 0.9, 4, &batches[2]));
    assert_memory_equal(batches[1].pictures, batches[2].pictures, 32 * 9 * 25);
    assert_memory_equal(batches[1].noise, batches[2].noise, 32 * 16);
    assert_memory_equal(batches[1].rewards, batches[2].rewards, 32 * 4);
    assert_memory_equal(batches[1].next_shifts, batches[2].next_shifts, 64);
    assert_memory_not_equal(batches[0].noise, batches[1].noise, 32 * 16);
    assert_int_equal(random.counter, again.counter);
    for (int k = 0; k < 3; k++) {
        tot_batch_free(&batches[k]);
    }
}

TEST(test_refused_draws) {
    OWNED_PTR(tot_replay) replay = replay_of(&numbers, 1000, 0);
    tot_batch batch, other;
    tot_random random;
    tot_random_init(&random, 5, "replay");
    assert_ok(tot_batch_create(&batch, &numbers, 4));
    assert_ok(tot_batch_create(&other, &both, 4));
    assert_fails(tot_replay_sample(replay, &random, 3, 0.9, 4, &batch), TOT_E_ARGUMENT, "empty");
    add(replay, &numbers, 5);
    assert_fails(tot_replay_sample(replay, &random, 0, 0.9, 4, &batch), TOT_E_ARGUMENT, "n_step");
    assert_fails(tot_replay_sample(replay, &random, 3, 1.5, 4, &batch), TOT_E_ARGUMENT, "1.5");
    assert_fails(tot_replay_sample(replay, &random, 3, NAN, 4, &batch), TOT_E_ARGUMENT, "nan");
    assert_fails(tot_replay_sample(replay, &random, 3, 0.9, 64, &batch), TOT_E_ARGUMENT, "64");
    assert_fails(tot_replay_sample(replay, &random, 3, 0.9, 4, &other), TOT_E_SHAPE, "5 pixels");
    assert_int_equal(random.counter, 0);
    tot_batch_free(&batch);
    tot_batch_free(&other);
    assert_fails(tot_batch_create(&batch, &numbers, 0), TOT_E_ARGUMENT, "0 samples");
}

TEST(test_planes) {
    static uint8_t rgb[3 * 99], slow[3 * 99], fast[3 * 99];
    for (int k = 0; k < 3 * 99; k++) {
        rgb[k] = (uint8_t)(k * 37);
    }
    for (int64_t points = 1; points <= 99; points++) {
        agent_planes_portable(rgb, points, slow);
        agent_planes(rgb, points, fast);
        assert_memory_equal(slow, fast, (size_t)(3 * points));
    }
}

// --- out of memory -----------------------------------------------------------------------------

static tot_status some_life(void) {
    tot_replay *replay = NULL;
    tot_batch batch = {0};
    tot_status status = tot_replay_create(&replay, &both, 40, 0);
    for (int64_t k = 0; status == TOT_OK && k < 6; k++) {
        status = tot_replay_add(replay, make_episode(&made, &both, k, 10));
        // a failed add evicts nothing
        if (status != TOT_OK && tot_replay_episodes(replay) != (k < 4 ? k : 4)) {
            status = TOT_E_VALUE;
        }
    }
    if (status == TOT_OK) {
        status = tot_batch_create(&batch, &both, 8);
    }
    tot_batch_free(&batch);
    tot_replay_free(replay);
    return status;
}

TEST(test_failing_memory) {
    assert_survives_no_memory(some_life());
}

TEST_MAIN(NULL, NULL)
