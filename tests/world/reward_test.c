// Dense rewards: their building blocks, and rewards in a world.
#include "rolling.h"

#include <math.h>

#include "world/reward.h"

TEST(test_tolerance) {
    // 1 within the bounds, a tenth at the margin, less beyond
    assert_true(world_tolerance(0.3, 0.2, 0.4, 0.1) == 1.0);
    assert_true(world_tolerance(0.2, 0.2, 0.4, 0.1) == 1.0);
    assert_true(fabs(world_tolerance(0.5, 0.2, 0.4, 0.1) - 0.1) < 1e-15);
    assert_true(fabs(world_tolerance(0.1, 0.2, 0.4, 0.1) - 0.1) < 1e-15);
    assert_true(fabs(world_tolerance_gaussian(0.5, 0.2, 0.4, 0.1) - 0.1) < 1e-15);
    assert_true(world_tolerance(0.6, 0.2, 0.4, 0.1) < 0.1);
    // a margin of 0 is a step function
    assert_true(world_tolerance(0.41, 0.2, 0.4, 0) == 0.0);
    assert_true(world_tolerance_gaussian(0.41, 0.2, 0.4, 0) == 0.0);
    assert_true(world_tolerance(0.4, 0.2, 0.4, 0) == 1.0);
}

TEST(test_hamacher) {
    assert_true(world_hamacher(0, 0) == 0);
    assert_true(world_hamacher(1, 0.25) == 0.25);
    assert_true(fabs(world_hamacher(0.5, 0.5) - 1.0 / 3) < 1e-15);
    const world_number wide = world_hamacher_number(world_plain(0.1), world_plain(0.7));
    assert_true(wide.value == world_hamacher(0.1, 0.7) && !wide.single);
    // a float32 operand makes the result float32
    const world_number half = {0.5, true};
    const world_number narrow = world_hamacher_number(world_plain(0.1), half);
    assert_true(narrow.single && narrow.value == (double)(float)narrow.value);
    assert_true(fabs(narrow.value - world_hamacher(0.1, 0.5)) < 1e-8);
}

TEST(test_prism) {
    const double zero[3] = {0, 0, 0};
    const double one[3] = {1, -2, 4};
    const double inside[3] = {0.5, -1, 1};
    const double outside[3] = {0.5, 1, 1};
    assert_true(world_rect_prism(inside, zero, one) == 0.5 * 0.5 * 0.25);
    assert_true(world_rect_prism(outside, zero, one) == 1.0);
}

TEST(test_closing) {
    world_action action = {.value = {0, 0, 0, 0.5}};
    assert_true(world_closing(&action, 1).value == 0.5);
    assert_true(world_closing_v1(&action) == 0.01);
    action.value[3] = -3;
    assert_true(world_closing(&action, 1).value == 0 && world_closing_v1(&action) == 0);
    action.value[3] = 3;
    assert_true(world_closing(&action, 0.1).value == 1);
    action = (world_action){.value = {0, 0, 0, (double)0.05f}, .single = true};
    assert_true(world_closing(&action, 0.1).value == (double)(0.05f / 0.1f));
}

// The reward of a step is the sum over its frames, and info is that of the last frame.
TEST(test_repeated) {
    tot_task *task = *state;
    OWNED_PTR(tot_world) twice = NULL;
    OWNED_PTR(tot_world) once = NULL;
    const tot_world_settings settings = {.action_repeat = 2};
    assert_ok(tot_world_create(&twice, task, &settings));
    assert_ok(tot_world_create(&once, task, NULL));
    assert_ok(tot_world_reset(twice, 0, 0));
    assert_ok(tot_world_reset(once, 0, 0));
    assert_true(tot_world_reward(twice) == 0 && tot_world_information(twice)->obj_to_target == 0);
    while (!tot_world_done(twice)) {
        float action[TOT_ACTION];
        double sum = 0;
        tot_world_expert(twice, action);
        assert_ok(tot_world_step(twice, action));
        for (int k = 0; k < 2 && !tot_world_done(once); k++) {
            assert_ok(tot_world_step(once, action));
            sum += tot_world_reward(once);
            assert_true(tot_world_reward(once) == tot_world_information(once)->unscaled_reward);
        }
        assert_true(tot_world_reward(twice) == sum);
        assert_memory_equal(tot_world_information(twice), tot_world_information(once),
                            sizeof(tot_world_info));
        assert_int_equal(tot_world_success(twice), tot_world_information(twice)->success != 0);
    }
    assert_true(tot_world_success(once) && tot_world_information(once)->unscaled_reward == 10);
}

TEST(test_versions) {
    tot_task *task = NULL;
    tot_task_settings settings = {.reward_version = 3};
    assert_fails(tot_task_load(&task, "push", &settings), TOT_E_ARGUMENT, "reward_version: 3");
    tot_world *worlds[2];
    tot_task *tasks[2];
    for (int k = 0; k < 2; k++) {
        settings.reward_version = k + 1;
        assert_ok(tot_task_load(&tasks[k], "push", &settings));
        assert_ok(tot_world_create(&worlds[k], tasks[k], NULL));
        assert_ok(tot_world_reset(worlds[k], 0, 0));
    }
    const float action[TOT_ACTION] = {0.1f, 0.2f, -1.0f, 0.5f};
    for (int k = 0; k < 2; k++) {
        assert_ok(tot_world_step(worlds[k], action));
    }
    // the same frame with different rewards: far from the puck v1 is a negative distance
    assert_memory_equal(tot_world_observation(worlds[0]), tot_world_observation(worlds[1]),
                        TOT_OBSERVATION * sizeof(double));
    assert_true(tot_world_reward(worlds[0]) < 0 && tot_world_reward(worlds[1]) > 0);
    for (int k = 0; k < 2; k++) {
        tot_world_free(worlds[k]);
        tot_task_free(tasks[k]);
    }
}

// A hidden goal is all zeros; nothing else changes, and the expert still knows it.
TEST(test_hidden_goal) {
    tot_task *task = *state;
    OWNED_PTR(tot_world) hidden = NULL;
    OWNED_PTR(tot_world) open = NULL;
    const tot_world_settings settings = {.action_repeat = 1, .goal_hidden = true};
    assert_ok(tot_world_create(&hidden, task, &settings));
    assert_ok(tot_world_create(&open, task, NULL));
    assert_ok(tot_world_reset(hidden, 0, 0));
    assert_ok(tot_world_reset(open, 0, 0));
    for (int k = 0; k < 60; k++) {
        static const double nothing[3];
        float action[TOT_ACTION];
        float same[TOT_ACTION];
        assert_memory_equal(tot_world_observation(hidden), tot_world_observation(open),
                            WORLD_GOAL * sizeof(double));
        assert_memory_equal(tot_world_observation(hidden) + WORLD_GOAL, nothing, sizeof nothing);
        tot_world_expert(hidden, action);
        tot_world_expert(open, same);
        assert_memory_equal(action, same, sizeof same);
        assert_ok(tot_world_step(hidden, action));
        assert_ok(tot_world_step(open, action));
        assert_true(tot_world_reward(hidden) == tot_world_reward(open));
    }
}

static int set_up(void **state) {
    tot_task *task = NULL;
    assert_ok(tot_task_load(&task, "push", NULL));
    *state = task;
    return 0;
}

static int tear_down(void **state) {
    tot_task_free(*state);
    return 0;
}

TEST_MAIN(set_up, tear_down)
