// Families of tasks, their goals, and worlds that mix tasks.
#include "rolling.h"

#include "world/tasks.h"

static const tot_family *find(const char *name) {
    const tot_family *family = NULL;
    assert_ok(tot_family_find(&family, name));
    return family;
}

static bool holds(const tot_family *family, const char *task) {
    for (size_t k = 0; k < family->count; k++) {
        if (strcmp(family->tasks[k], task) == 0) {
            return true;
        }
    }
    return false;
}

TEST(test_table) {
    for (size_t k = 0; k < tot_family_count(); k++) {
        const tot_family *family = tot_family_at(k);
        assert_ptr_equal(find(family->name), family);
        assert_int_equal(family->goal_hidden, strncmp(family->name, "ML", 2) == 0);
        for (size_t a = 0; a < family->count; a++) {
            for (size_t b = 0; b < a; b++) {
                assert_string_not_equal(family->tasks[a], family->tasks[b]);
            }
        }
    }
    assert_null(tot_family_at(tot_family_count()));
    assert_int_equal(find("MT10")->count, 10);
    assert_int_equal(find("MT50")->count, 50);
    assert_string_equal(find("MT10")->tasks[0], "reach");
    // the splits of ML10 and ML45 contain different tasks, and all tasks of a family exist
    for (size_t k = 0; k < find("ML45-test")->count; k++) {
        assert_false(holds(find("ML45-train"), find("ML45-test")->tasks[k]));
    }
    const tot_task_info *info = NULL;
    for (size_t k = 0; k < tot_family_count(); k++) {
        for (size_t n = 0; n < tot_family_at(k)->count; n++) {
            assert_ok(tot_task_find(&info, tot_family_at(k)->tasks[n]));
        }
    }
    const tot_family *none = NULL;
    assert_fails(tot_family_find(&none, "MT11"), TOT_E_ARGUMENT, "did you mean 'MT10'");
    assert_null(none);
}

TEST(test_goals) {
    static double goals[TOT_GOALS * TOT_MAX_DRAW];
    static double other[TOT_GOALS * TOT_MAX_DRAW];
    for (size_t k = 0; k < tot_task_count(); k++) {
        const char *name = tot_task_at(k)->name;
        const world_task_definition *definition = world_task_definition_find(name);
        const tot_task task = {.info = world_task_info(definition, true), .definition = definition};
        const size_t length = (size_t)task.info.draw_length;
        assert_ok(tot_task_goals(name, 7, goals));
        for (size_t g = 0; g < TOT_GOALS; g++) {
            const double *goal = goals + TOT_MAX_DRAW * g;
            assert_ok(tot_task_check_draw(&task, goal, length));
            assert_true(length == TOT_MAX_DRAW || goal[length] == 0);
            assert_true(g == 0 || memcmp(goal, goal - TOT_MAX_DRAW, length * sizeof *goal) != 0);
        }
        assert_ok(tot_task_goals(name, 8, other));
        assert_memory_not_equal(goals, other, sizeof goals);
    }
    assert_fails(tot_task_goals("open-door", 0, goals), TOT_E_ARGUMENT, "task");
}

// np.random.seed(0); np.random.uniform(low, high) twice for the first goal, which is the second
// draw for door-open.
TEST(test_first_goal) {
    static double goals[TOT_GOALS * TOT_MAX_DRAW];
    assert_ok(tot_task_goals("door-open", 0, goals));
    assert_true(goals[0] == 0.0 + (0.1 - 0.0) * 0.5448831829968969);
    assert_true(goals[1] == 0.85 + (0.95 - 0.85) * 0.4236547993389047);
    assert_true(goals[2] == 0.15);
}

TEST(test_mixed_worlds) {
    enum { COUNT = 4, KINDS = 2, STEPS = 6 };
    static const char *const names[KINDS] = {"door-open", "push"};
    tot_task *loaded[KINDS];
    for (size_t k = 0; k < KINDS; k++) {
        assert_ok(tot_task_load(&loaded[k], names[k], NULL));
    }
    const tot_task *tasks[COUNT];
    size_t identities[COUNT];
    double draws[COUNT * TOT_MAX_DRAW] = {0};
    for (size_t k = 0; k < COUNT; k++) {
        tasks[k] = loaded[k % KINDS];
        identities[k] = k % KINDS;
        tot_task_draw(tasks[k], 5, k, draws + TOT_MAX_DRAW * k);
    }
    const tot_world_settings settings = {.action_repeat = 1, .goal_hidden = true};
    tot_worlds *worlds = NULL;
    assert_ok(tot_worlds_create_mixed(&worlds, tasks, &settings, COUNT, identities, KINDS, NULL));
    assert_int_equal(tot_worlds_width(worlds), TOT_OBSERVATION + KINDS);
    assert_ok(tot_worlds_reset_to(worlds, draws));
    float actions[COUNT * TOT_ACTION];
    for (int step = 0; step < STEPS; step++) {
        for (size_t k = 0; k < COUNT; k++) {
            action_of(k, step, actions + TOT_ACTION * k);
        }
        assert_ok(tot_worlds_step(worlds, actions));
    }
    for (size_t k = 0; k < COUNT; k++) {
        // each behaves as it would alone
        tot_world *alone = NULL;
        frame_record records[STEPS];
        assert_ok(tot_world_create(&alone, tasks[k], &settings));
        assert_ok(tot_world_reset(alone, 5, k));
        roll(alone, k, 0, STEPS, records);
        const double *row = tot_worlds_observations(worlds) + tot_worlds_width(worlds) * k;
        assert_memory_equal(row, records[STEPS - 1].observation, TOT_OBSERVATION * sizeof *row);
        assert_true(tot_worlds_rewards(worlds)[k] == records[STEPS - 1].reward);
        for (size_t n = 0; n < KINDS; n++) {
            assert_true(row[TOT_OBSERVATION + n] == (n == k % KINDS));
        }
        tot_world_free(alone);
    }
    tot_worlds_free(worlds);
    identities[2] = KINDS;
    assert_fails(tot_worlds_create_mixed(&worlds, tasks, NULL, COUNT, identities, KINDS, NULL),
                 TOT_E_ARGUMENT, "identities[2]: 2");
    for (size_t k = 0; k < KINDS; k++) {
        tot_task_free(loaded[k]);
    }
}

TEST_MAIN(NULL, NULL)
