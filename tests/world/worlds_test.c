// Many worlds: bit-identical for any number of worlds and threads.
#include "rolling.h"

#include "world/sawyer.h"

enum { EPISODES = 14, STEPS = 15 };

// Runs EPISODES episodes on `count` worlds; records: [EPISODES x (STEPS + 1)].
static void run_all(const tot_task *task, size_t count, int threads, frame_record *records) {
    OWNED_PTR(tot_pool) pool = NULL;
    OWNED_PTR(tot_worlds) worlds = NULL;
    const tot_world_settings settings = {.action_repeat = 2, .horizon = 2 * STEPS};
    assert_ok(tot_pool_create(&pool, threads));
    assert_ok(tot_worlds_create(&worlds, task, &settings, count, pool));
    assert_int_equal(tot_worlds_count(worlds), count);
    float *actions = malloc(count * TOT_ACTION * sizeof *actions);
    for (uint64_t first = 0; first < EPISODES; first += count) {
        assert_ok(tot_worlds_reset(worlds, 11, first));
        for (int step = 0; step <= STEPS; step++) {
            for (size_t k = 0; k < count && first + k < EPISODES; k++) {
                frame_record *record = &records[(first + k) * (STEPS + 1) + (size_t)step];
                memcpy(record->observation, tot_worlds_observations(worlds) + TOT_OBSERVATION * k,
                       sizeof record->observation);
                record->success = tot_worlds_success(worlds)[k];
                record->reward = tot_worlds_rewards(worlds)[k];
                assert_int_equal(tot_worlds_done(worlds)[k], step == STEPS);
                assert_int_equal(tot_worlds_status(worlds)[k], TOT_OK);
            }
            for (size_t k = 0; k < count; k++) {
                action_of(first + k, step, actions + TOT_ACTION * k);
            }
            // the last step finds all worlds done, and does nothing
            assert_ok(tot_worlds_step(worlds, actions));
        }
    }
    free(actions);
}

TEST(test_determinism) {
    static frame_record expected[EPISODES * (STEPS + 1)];
    static frame_record seen[EPISODES * (STEPS + 1)];
    static const char *const names[] = {"door-lock", "push"};
    for (size_t k = tasks_to_try() == 2 ? 1 : 0; k < sizeof names / sizeof names[0]; k++) {
        OWNED_PTR(tot_task) task = NULL;
        assert_ok(tot_task_load(&task, names[k], NULL));
        run_all(task, 1, 1, expected);
        static const size_t counts[] = {1, 2, 7};
        for (size_t c = 0; c < 3; c++) {
            for (int threads = 1; threads <= 2; threads++) {
                memset(seen, 0, sizeof seen);
                run_all(task, counts[c], threads, seen);
                if (memcmp(seen, expected, sizeof seen) != 0) {
                    print_error("%s: %zu worlds on %d threads differ\n", names[k], counts[c],
                                threads);
                }
                assert_memory_equal(seen, expected, sizeof seen);
            }
        }
    }
}

// A world that fails does not stop the others.
TEST(test_one_fails) {
    OWNED_PTR(tot_task) task = NULL;
    OWNED_PTR(tot_worlds) worlds = NULL;
    OWNED_PTR(tot_pool) pool = NULL;
    assert_ok(tot_task_load(&task, "push", NULL));
    assert_ok(tot_pool_create(&pool, 2));
    assert_ok(tot_worlds_create(&worlds, task, NULL, 3, pool));
    float actions[3 * TOT_ACTION] = {0};
    assert_fails(tot_worlds_step(worlds, actions), TOT_E_ARGUMENT, "world 0: push: the world was");
    assert_ok(tot_worlds_reset(worlds, 0, 0));
    tot_worlds_at(worlds, 1)->data->qvel[0] = 1e20;
    assert_fails(tot_worlds_step(worlds, actions), TOT_E_PHYSICS, "world 1: push: the simulation");
    assert_ok(tot_worlds_step(worlds, actions));
    const int frames[3] = {2, 1, 2};
    for (size_t k = 0; k < 3; k++) {
        assert_int_equal(tot_world_frames(tot_worlds_at(worlds, k)), frames[k]);
        assert_int_equal(tot_worlds_status(worlds)[k], k == 1 ? TOT_E_PHYSICS : TOT_OK);
        assert_int_equal(tot_worlds_done(worlds)[k], k == 1);
    }
    assert_null(tot_worlds_at(worlds, 3));
    assert_ok(tot_worlds_reset(worlds, 0, 3));
    assert_int_equal(tot_worlds_status(worlds)[1], TOT_OK);
    assert_false(tot_worlds_done(worlds)[1]);
}

TEST_MAIN(NULL, NULL)
