// No allocation per step; no leak, and a clear status, whichever allocation fails.
#include "rolling.h"

#include <pthread.h>

#include "../counted_malloc.h"
#include "../failing_memory.h"
#include "world/sawyer.h"

// When a thread first uses MuJoCo, the system allocates thread-local memory.
static bool nothing(void *context) {
    (void)context;
    return true;
}

static tot_status greet(void *context, size_t index, int worker) {
    (void)index;
    (void)worker;
    pthread_barrier_wait(context);
    return world_mujoco_guard(nothing, NULL);
}

static void greet_all(tot_pool *pool) {
    pthread_barrier_t barrier;
    const unsigned threads = (unsigned)tot_pool_threads(pool);
    assert_int_equal(pthread_barrier_init(&barrier, NULL, threads), 0);
    assert_ok(tot_pool_run(pool, threads, greet, &barrier));
    pthread_barrier_destroy(&barrier);
}

TEST(test_no_allocation_per_step) {
    static const char *const names[] = {"door-open", "hand-insert", "stick-push"};
    for (size_t which = 0; which < 3; which++) {
        failing_memory memory;
        failing_memory_start(&memory, 0);
        tot_task *task = NULL;
        tot_worlds *worlds = NULL;
        tot_pool *pool = NULL;
        const tot_world_settings settings = {.action_repeat = 2};
        assert_ok(tot_task_load(&task, names[which], NULL));
        assert_ok(tot_pool_create(&pool, 2));
        assert_ok(tot_worlds_create(&worlds, task, &settings, 3, pool));
        assert_true(atomic_load(&memory.calls) > 10);
        void *saved = malloc(tot_world_state_size(tot_worlds_at(worlds, 0)));
        const size_t size = tot_world_state_size(tot_worlds_at(worlds, 0));
        greet_all(pool);
        const uint64_t calls = atomic_load(&memory.calls);
        const uint64_t before = atomic_load(&mallocs);
        for (uint64_t episode = 0; episode < 6; episode += 3) {
            assert_ok(tot_worlds_reset(worlds, 0, episode));
            for (int k = 0; k < 63; k++) {
                float actions[3 * TOT_ACTION];
                for (size_t w = 0; w < 3; w++) {
                    tot_world_expert(tot_worlds_at(worlds, w), actions + TOT_ACTION * w);
                }
                assert_ok(tot_worlds_step(worlds, actions));
            }
            assert_ok(tot_world_save(tot_worlds_at(worlds, 0), saved, size));
            assert_ok(tot_world_restore(tot_worlds_at(worlds, 1), saved, size));
        }
        assert_int_equal(atomic_load(&memory.calls), calls);
        assert_int_equal(atomic_load(&mallocs), before);
        free(saved);
        tot_worlds_free(worlds);
        tot_pool_free(pool);
        tot_task_free(task);
        assert_int_equal(failing_memory_stop(&memory), 0);
    }
}

static tot_status load_and_free(void) {
    tot_task *task = NULL;
    const tot_status status = tot_task_load(&task, "push", NULL);
    tot_task_free(task);
    return status;
}

// Our own allocation is the first of a load, and those for the settled hand are the last. In
// between, MuJoCo's parser allocates, and leaks when that fails.
TEST(test_failing_load) {
    failing_memory memory;
    failing_memory_start(&memory, 0);
    assert_ok(load_and_free());
    const uint64_t all = atomic_load(&memory.calls);
    assert_int_equal(failing_memory_stop(&memory), 0);
    enum { LAST = 12 };
    assert_true(all > LAST);
    for (uint64_t k = 0; k <= LAST; k++) {
        failing_memory_start(&memory, k == 0 ? 1 : all - LAST + k);
        const tot_status status = load_and_free();
        assert_int_equal(atomic_load(&memory.failed), 1);
        failing_memory_check(&memory, status);
    }
}

TEST(test_failing_worlds) {
    tot_task *task = NULL;
    assert_ok(tot_task_load(&task, "push", NULL));
    failing_memory memory;
    for (uint64_t k = 1; failing_memory_next(&memory, k); k++) {
        tot_worlds *worlds = NULL;
        tot_status status = tot_worlds_create(&worlds, task, NULL, 2, NULL);
        if (status == TOT_OK) {
            status = tot_worlds_reset(worlds, 0, 0);
        }
        tot_worlds_free(worlds);
        failing_memory_check(&memory, status);
    }
    tot_task_free(task);
}

TEST_MAIN(NULL, NULL)
