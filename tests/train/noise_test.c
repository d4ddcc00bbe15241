// Exploration: standard deviation and correlation, and that uncorrelated noise is unchanged.
#include "train/noise.h"

#include <math.h>

#include "asserts.h"

enum { STEPS = 200000 };

static double *const *pointers_to(double last[TOT_ACTION]) {
    static double *pointers[TOT_ACTION];
    for (int k = 0; k < TOT_ACTION; k++) {
        last[k] = 0;
        pointers[k] = &last[k];
    }
    return pointers;
}

static tot_train_config config_of(double hand, double grip, double factor) {
    tot_train_config config;
    tot_train_defaults(&config);
    config.noise_correlation = hand;
    config.grip_correlation = grip;
    config.grip_noise = factor;
    return config;
}

// Variance and step-to-step correlation, for the hand and the fingers.
TEST(test_correlated) {
    const tot_train_config config = config_of(0.5, 0.9, 3);
    double last[TOT_ACTION], squares[TOT_ACTION] = {0}, products[TOT_ACTION] = {0};
    double before[TOT_ACTION] = {0};
    double across = 0;
    double *const *pointers = pointers_to(last);
    tot_random random;
    tot_random_init(&random, 7, "exploration");
    for (int step = 0; step < STEPS; step++) {
        float action[TOT_ACTION] = {0};
        train_noise_add(&config, 0.01, &random, pointers, action);
        for (int k = 0; k < TOT_ACTION; k++) {
            squares[k] += (double)action[k] * (double)action[k] / STEPS;
            products[k] += (double)action[k] * before[k] / STEPS;
            before[k] = (double)action[k];
        }
        across += (double)action[0] * (double)action[3] / STEPS;
    }
    for (int k = 0; k < TOT_ACTION; k++) {
        const double deviation = k == 3 ? 0.03 : 0.01;
        const double stays = k == 3 ? 0.9 : 0.5;
        assert_true(fabs(sqrt(squares[k]) / deviation - 1) < 0.02);
        assert_true(fabs(products[k] / squares[k] - stays) < 0.01);
    }
    assert_true(fabs(across / (0.01 * 0.03)) < 0.03);
}

// Without correlation an action is its mean plus an independent draw, clipped: identical to runs
// from before correlation was added.
TEST(test_white) {
    const tot_train_config config = config_of(0, 0, 1);
    double last[TOT_ACTION];
    double *const *pointers = pointers_to(last);
    tot_random random, same;
    tot_random_init(&random, 7, "exploration");
    same = random;
    bool clipped = false;
    for (int step = 0; step < 1000; step++) {
        const float mean = (float)step / 500 - 1;
        float action[TOT_ACTION] = {mean, mean, mean, mean};
        train_noise_add(&config, 0.4, &random, pointers, action);
        for (int k = 0; k < TOT_ACTION; k++) {
            const double wanted = (double)mean + 0.4 * tot_random_normal(&same);
            clipped = clipped || fabs(wanted) > 1;
            assert_true(action[k] == (float)fmin(fmax(wanted, -1), 1));
        }
    }
    assert_true(clipped);
    assert_int_equal(random.counter, same.counter);
}

// A step takes the same four draws, whatever the correlation.
TEST(test_draws) {
    const tot_train_config white = config_of(0, 0, 1), held = config_of(0.7, 0.95, 3);
    double last[2][TOT_ACTION];
    tot_random random[2];
    tot_random_init(&random[0], 7, "exploration");
    random[1] = random[0];
    float action[TOT_ACTION] = {0};
    for (int step = 0; step < 10; step++) {
        train_noise_add(&white, 0.4, &random[0], pointers_to(last[0]), action);
        train_noise_add(&held, 0.4, &random[1], pointers_to(last[1]), action);
    }
    assert_int_equal(random[0].counter, random[1].counter);
    assert_true(tot_random_normal(&random[0]) == tot_random_normal(&random[1]));
}

// An observation with the hand at a height above an object at (0.1, 0.6, 0.02).
static void look_from(float height, float observation[TOT_OBSERVATION]) {
    memset(observation, 0, TOT_OBSERVATION * sizeof *observation);
    observation[0] = observation[4] = 0.1F;
    observation[1] = observation[5] = 0.6F;
    observation[2] = 0.02F + height;
    observation[6] = 0.02F;
}

// The number of steps along a sequence of heights until the fingers close; -1 if they never do. The
// hand must then wait for five steps, with the fingers closed.
static int closes_after(double reflex, const float *heights, int count) {
    float observations[2][TOT_OBSERVATION];
    int closed = -1;
    for (int k = 0; k < count; k++) {
        float action[TOT_ACTION] = {0.5F, 0.5F, 0.5F, -0.5F};
        look_from(heights[k], observations[k % 2]);
        train_reflex_act(&reflex, 0, k > 0 ? observations[(k + 1) % 2] : NULL, observations[k % 2],
                         action);
        closed = closed < 0 && action[3] == 1 ? k : closed;
        assert_true(action[3] == (closed < 0 ? -0.5F : 1));
        const bool waits = closed >= 0 && k < closed + 5;
        assert_true(action[0] == (waits ? 0 : 0.5F) && action[2] == (waits ? 0 : 0.5F));
    }
    return closed;
}

TEST(test_reflex) {
    static const float down[] = {0.3F,  0.2F, 0.12F, 0.08F, 0.05F, 0.03F, 0.03F,
                                 0.03F, 0.1F, 0.2F,  0.3F,  0.3F,  0.3F};
    static const float past[] = {0.3F, 0.2F, 0.12F, 0.09F, 0.08F, 0.11F, 0.2F,
                                 0.3F, 0.3F, 0.3F,  0.3F,  0.3F,  0.3F};
    static const float away[] = {0.3F, 0.2F, 0.15F, 0.11F, 0.2F, 0.3F};
    assert_int_equal(closes_after(0.06, down, 13), 4);
    assert_int_equal(closes_after(0.02, down, 13), 8);  // never that near: when it leaves again
    assert_int_equal(closes_after(0.06, past, 13), 5);
    assert_int_equal(closes_after(0.06, away, 6), -1);
    assert_int_equal(closes_after(0, down, 13), -1);
    // there is no object
    float observation[TOT_OBSERVATION] = {0}, action[TOT_ACTION] = {0};
    double reflex = 0.06;
    train_reflex_act(&reflex, 0, NULL, observation, action);
    assert_true(reflex == 0.06 && action[3] == 0);
}

// A reaching hand moves above the object, then down to it, and closes its fingers there.
TEST(test_reach) {
    float now[TOT_OBSERVATION], last[TOT_OBSERVATION], action[TOT_ACTION];
    double reflex = 0.03;
    look_from(0.04F, now);
    now[0] -= 0.07F;
    now[1] += 0.05F;
    bool closed = false;
    for (int k = 0; k < 20 && !closed; k++) {
        for (int axis = 0; axis < TOT_ACTION; axis++) {
            action[axis] = 0.9F;
        }
        train_reflex_act(&reflex, 0.12, k > 0 ? last : NULL, now, action);
        closed = action[3] == 1;
        assert_true(closed || action[3] == -1);
        const double aside = hypot((double)(now[0] - now[4]), (double)(now[1] - now[5]));
        // never moves down beside the object
        assert_true(aside < 0.02 || closed || action[2] >= 0);
        memcpy(last, now, sizeof last);
        for (int axis = 0; axis < 3; axis++) {
            now[axis] += 0.02F * action[axis];
        }
    }
    assert_true(closed);
    for (int axis = 0; axis < 3; axis++) {
        assert_true(fabsf(now[axis] - now[4 + axis]) < (axis < 2 ? 0.02F : 0.03F));
    }
    // out of reach nothing happens
    reflex = 0.03;
    look_from(0.2F, now);
    memset(action, 0, sizeof action);
    train_reflex_act(&reflex, 0.12, NULL, now, action);
    assert_true(reflex == 0.03 && action[0] == 0 && action[3] == 0);
    // an object that moves away is not followed forever
    look_from(0.05F, now);
    now[0] -= 0.1F;
    int steps = 0;
    for (action[3] = 0; action[3] != 1 && steps < 50; steps++) {
        train_reflex_act(&reflex, 0.12, now, now, action);
    }
    assert_int_equal(steps, 15);
}

// The fraction of episodes, and the range of the drawn distance.
TEST(test_reflex_draw) {
    tot_train_config config = config_of(0, 0, 1);
    tot_random random;
    tot_random_init(&random, 7, "exploration");
    const tot_random before = random;
    assert_true(train_reflex_draw(&config, &random) == 0);
    assert_int_equal(random.counter, before.counter);
    config.grip_reflex = 0.3;
    int some = 0;
    for (int k = 0; k < 10000; k++) {
        const double reflex = train_reflex_draw(&config, &random);
        assert_true(reflex == 0 || (reflex >= 0.02 && reflex < 0.06));
        some += reflex > 0 ? 1 : 0;
    }
    assert_true(abs(some - 3000) < 150);
}

// Every step of the episode is equally likely.
TEST(test_still_draw) {
    enum { DRAWS = 20000, HORIZON = 10 };
    tot_train_config config = config_of(0, 0, 1);
    tot_random random;
    tot_random_init(&random, 7, "exploration");
    const tot_random before = random;
    assert_true(train_still_draw(&config, HORIZON, &random) == -1);
    assert_int_equal(random.counter, before.counter);
    config.still_share = 0.5;
    int count[HORIZON] = {0}, some = 0;
    for (int k = 0; k < DRAWS; k++) {
        const double from = train_still_draw(&config, HORIZON, &random);
        assert_true(from == -1 || (from >= 0 && from < HORIZON && from == floor(from)));
        some += from >= 0 ? 1 : 0;
        count[from >= 0 ? (int)from : 0] += from >= 0 ? 1 : 0;
    }
    assert_true(abs(some - DRAWS / 2) < 300);
    for (int k = 0; k < HORIZON; k++) {
        assert_true(abs(count[k] - DRAWS / 2 / HORIZON) < 120);
    }
}

TEST(test_still_act) {
    float first[2 * TOT_ACTION] = {0.1F, 0.2F, 0.3F, 0.4F, 0.5F, 0.6F, 0.7F, 0.8F};
    float *second = first + TOT_ACTION;
    train_still_act(-1, 1, second);
    train_still_act(2, 1, second);
    assert_true(second[0] == 0.5F && second[3] == 0.8F);
    train_still_act(1, 1, second);
    assert_true(second[0] == 0 && second[1] == 0 && second[2] == 0 && second[3] == 0.4F);
    train_still_act(0, 0, first);
    assert_true(first[0] == 0 && first[1] == 0 && first[2] == 0 && first[3] == 0.4F);
}

TEST_MAIN(NULL, NULL)
