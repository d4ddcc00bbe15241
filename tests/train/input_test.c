// The agent's input, compared with hand-computed values: widths, shaped observations of tasks with
// one and two objects, absent objects, and the clock.
#include "train/input.h"

#include <math.h>

#include "asserts.h"

enum { SHAPED = 34 };

static train_input input_of(int observation, int clock, int obs) {
    tot_train_config config;
    memset(&config, 0, sizeof config);
    config.observation = observation;
    config.clock = clock;
    config.obs = obs;
    return train_input_of(&config, 100);
}

TEST(test_widths) {
    assert_int_equal(input_of(TOT_OBSERVATION_RAW, 0, 0).width, 39);
    assert_int_equal(input_of(TOT_OBSERVATION_RAW, 1, 0).width, 40);
    assert_int_equal(input_of(TOT_OBSERVATION_SHAPED, 0, 0).width, 34);
    assert_int_equal(input_of(TOT_OBSERVATION_SHAPED, 1, 0).width, 35);
    // an agent that observes pictures gets at most the time
    assert_int_equal(input_of(TOT_OBSERVATION_SHAPED, 0, 1).width, 0);
    assert_int_equal(input_of(TOT_OBSERVATION_SHAPED, 1, 1).width, 1);
    assert_true(35 <= TRAIN_MOST_INPUT);
}

TEST(test_raw_is_a_copy) {
    float observation[TOT_OBSERVATION], to[TRAIN_MOST_INPUT];
    for (int k = 0; k < TOT_OBSERVATION; k++) {
        observation[k] = 0.01F * (float)(k + 1);
    }
    const train_input input = input_of(TOT_OBSERVATION_RAW, 0, 0);
    to[39] = 7;
    train_input_write(&input, observation, 50, to);
    assert_memory_equal(to, observation, sizeof observation);
    assert_true(to[39] == 7);
}

TEST(test_clock) {
    static const struct {
        int64_t step;
        float wanted;
    } cases[] = {{0, -1}, {25, -0.5F}, {50, 0}, {100, 1}};
    float observation[TOT_OBSERVATION] = {0}, to[TRAIN_MOST_INPUT];
    for (int kind = TOT_OBSERVATION_RAW; kind <= TOT_OBSERVATION_SHAPED; kind++) {
        const train_input input = input_of(kind, 1, 0);
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            train_input_write(&input, observation, cases[k].step, to);
            assert_float_equal(to[input.width - 1], cases[k].wanted, 1e-7);
        }
    }
}

// The hand at (0.1, 0.5, 0.3) moved by (0.01, -0.02, 0) in one frame; the fingers are at 0.7 and
// were at 0.5.
static void put_hand(float *observation) {
    static const float now[] = {0.1F, 0.5F, 0.3F, 0.7F};
    static const float before[] = {0.09F, 0.52F, 0.3F, 0.5F};
    memcpy(observation, now, sizeof now);
    memcpy(observation + 18, before, sizeof before);
}

static const float hand_wanted[8] = {1, -1, 1, 1, -2, 0, 1, 1};

static void assert_row(const float *row, const float *wanted, int count) {
    for (int k = 0; k < count; k++) {
        if (!(fabsf(row[k] - wanted[k]) <= 1e-5F)) {
            fail_msg("number %d is %g, not %g", k, (double)row[k], (double)wanted[k]);
        }
    }
}

// One object; the absent second one is all zeros.
TEST(test_one_object) {
    static const float object[7] = {0.2F, 0.7F, 0.05F, 0, 0, 0, 1};
    static const float goal[3] = {-0.1F, 0.8F, 0.1F};
    static const float wanted[SHAPED - 8] = {
        2,  1, -1.5F, 2,  4, -5,
        0,  0, 0,     1,  // the object: relative to the centre of the table, and to the hand
        0,  0, 0,     0,  0, 0,
        0,  0, 0,     0,            // no second object
        -1, 2, -1,    -3, 1, 0.5F,  // the goal: relative to the table's centre, to the object
    };
    float observation[TOT_OBSERVATION] = {0}, to[TRAIN_MOST_INPUT];
    put_hand(observation);
    memcpy(observation + 4, object, sizeof object);
    memcpy(observation + 36, goal, sizeof goal);
    const train_input input = input_of(TOT_OBSERVATION_SHAPED, 1, 0);
    train_input_write(&input, observation, 100, to);
    assert_row(to, hand_wanted, 8);
    assert_row(to + 8, wanted, SHAPED - 8);
    assert_true(to[SHAPED] == 1);
}

// Relative: translating hand, object and goal on the table changes nothing, moving one of them
// does.
TEST(test_relative) {
    static const float object[7] = {0.2F, 0.7F, 0.05F, 0, 0, 0, 1};
    static const float goal[3] = {-0.1F, 0.8F, 0.1F};
    static const int places[][2] = {{0, 3}, {4, 7}, {18, 21}, {22, 25}, {36, 39}};
    float observation[TOT_OBSERVATION] = {0}, to[TRAIN_MOST_INPUT], shaped[TRAIN_MOST_INPUT];
    put_hand(observation);
    memcpy(observation + 4, object, sizeof object);
    memcpy(observation + 22, object, sizeof object);
    memcpy(observation + 36, goal, sizeof goal);
    const train_input input = input_of(TOT_OBSERVATION_RELATIVE, 1, 0);
    const train_input known = input_of(TOT_OBSERVATION_SHAPED, 1, 0);
    assert_int_equal(input.width, known.width);
    train_input_write(&input, observation, 7, to);
    train_input_write(&known, observation, 7, shaped);
    static const int hidden[] = {0, 1, 8, 9, 28, 29};
    for (size_t k = 0; k < sizeof hidden / sizeof *hidden; k++) {
        assert_true(shaped[hidden[k]] != 0 && to[hidden[k]] == 0);
        shaped[hidden[k]] = 0;
    }
    assert_row(to, shaped, (int)input.width);
    float moved[TOT_OBSERVATION], there[TRAIN_MOST_INPUT];
    memcpy(moved, observation, sizeof moved);
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        moved[places[k][0]] += 0.0625F;
        moved[places[k][0] + 1] -= 0.125F;
    }
    train_input_write(&input, moved, 7, there);
    assert_row(there, to, (int)input.width);
    moved[4] += 0.0625F;
    train_input_write(&input, moved, 7, there);
    assert_true(fabsf(there[11] - to[11]) > 1);
}

TEST(test_two_objects) {
    static const float objects[14] = {0.2F, 0.7F, 0.05F, 0.5F, 0, 0, 0.5F,
                                      0.1F, 0.6F, 0.2F,  0,    1, 0, 0};
    static const float wanted[20] = {2, 1, -1.5F, 2, 4, -5, 0.5F, 0, 0, 0.5F,
                                     1, 0, 0,     0, 2, -2, 0,    1, 0, 0};
    float observation[TOT_OBSERVATION] = {0}, to[TRAIN_MOST_INPUT];
    put_hand(observation);
    memcpy(observation + 4, objects, sizeof objects);
    const train_input input = input_of(TOT_OBSERVATION_SHAPED, 0, 0);
    train_input_write(&input, observation, 0, to);
    assert_row(to, hand_wanted, 8);
    assert_row(to + 8, wanted, 20);
    // no goal: zeros, not the offset from the object to the origin
    static const float none[6] = {0};
    assert_row(to + 28, none, 6);
}

// Inputs of every task are of order 1, and objects that a task does not have stay zero.
TEST(test_tasks) {
    static const struct {
        const char *task;
        bool two;
    } cases[] = {{"window-open", false}, {"stick-push", true}, {"basketball", false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        tot_task *task = NULL;
        tot_world *world = NULL;
        float observation[TOT_OBSERVATION], to[TRAIN_MOST_INPUT];
        assert_ok(tot_task_load(&task, cases[k].task, NULL));
        assert_ok(tot_world_create(&world, task, NULL));
        assert_ok(tot_world_reset(world, 0, 0));
        for (int i = 0; i < TOT_OBSERVATION; i++) {
            observation[i] = (float)tot_world_observation(world)[i];
        }
        const train_input input = input_of(TOT_OBSERVATION_SHAPED, 0, 0);
        train_input_write(&input, observation, 0, to);
        bool second = false;
        for (int i = 0; i < SHAPED; i++) {
            assert_true(fabsf(to[i]) < 15);
            second = second || (i >= 18 && i < 28 && to[i] != 0);
        }
        assert_int_equal(second, cases[k].two);
        tot_world_free(world);
        tot_task_free(task);
    }
}

// The affine map matches train_input_write, for every task's objects, throughout an episode; and so
// does the formula for the clock.
TEST(test_affine) {
    static const char *const names[] = {"window-open", "stick-push", "basketball"};
    static float weight[TRAIN_SHAPED * TOT_OBSERVATION], bias[TRAIN_SHAPED];
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        tot_task *task = NULL;
        tot_world *world = NULL;
        const train_input input =
            input_of(k == 0 ? TOT_OBSERVATION_RELATIVE : TOT_OBSERVATION_SHAPED, 0, 0);
        assert_ok(tot_task_load(&task, names[k], NULL));
        assert_ok(tot_world_create(&world, task, NULL));
        assert_ok(tot_world_reset(world, 0, 0));
        for (int step = 0; step < 60; step++) {
            float observation[TOT_OBSERVATION], to[TRAIN_MOST_INPUT], action[TOT_ACTION];
            for (int i = 0; i < TOT_OBSERVATION; i++) {
                observation[i] = (float)tot_world_observation(world)[i];
            }
            if (step == 0) {
                train_input_affine(&input, observation, weight, bias);
            }
            train_input_write(&input, observation, step, to);
            for (int row = 0; row < TRAIN_SHAPED; row++) {
                double sum = (double)bias[row];
                for (int i = 0; i < TOT_OBSERVATION; i++) {
                    sum += (double)weight[row * TOT_OBSERVATION + i] * (double)observation[i];
                }
                assert_true(fabs(sum - (double)to[row]) < 1e-5);
            }
            tot_world_expert(world, action);
            assert_ok(tot_world_step(world, action));
        }
        tot_world_free(world);
        tot_task_free(task);
    }
}

TEST(test_time) {
    float observation[TOT_OBSERVATION] = {0}, to[TRAIN_MOST_INPUT];
    for (int clock = 1; clock <= 2; clock++) {
        const train_input input = input_of(TOT_OBSERVATION_RAW, clock, 0);
        const int64_t times = input.width - TOT_OBSERVATION;
        float weight[TRAIN_MOST_INPUT], bias[TRAIN_MOST_INPUT];
        train_input_time(&input, weight, bias);
        for (int64_t step = 0; step <= 100; step += 7) {
            train_input_write(&input, observation, step, to);
            for (int64_t k = 0; k < times; k++) {
                const double angle = (double)weight[k] * (double)step / 100 + (double)bias[k];
                const double wanted = k == 0 ? angle : sin(angle);
                assert_true(fabs(wanted - (double)to[TOT_OBSERVATION + k]) < 1e-5);
            }
        }
    }
}

TEST_MAIN(NULL, NULL)
