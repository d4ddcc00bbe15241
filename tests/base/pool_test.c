// The thread pool: every index runs once, the error with the lowest index is returned, pools are
// reusable.
#include <stdatomic.h>
#include <time.h>

#include <temporalot/base.h>
#include "base/error.h"
#include "test.h"

enum { MOST = 5000, MOST_WORKERS = 8 };

typedef struct work {
    atomic_int done[MOST];            // how often each index ran
    atomic_int inside[MOST_WORKERS];  // jobs currently running on a worker
    atomic_int overlaps;              // two jobs on one worker at once, or a worker out of range
    int threads;
    size_t fails[3];  // indices that fail; SIZE_MAX: none
} work;

static work shared;

static void reset(int threads) {
    memset(&shared, 0, sizeof shared);
    shared.threads = threads;
    shared.fails[0] = shared.fails[1] = shared.fails[2] = SIZE_MAX;
}

static tot_status count_index(void *context, size_t index, int worker) {
    work *w = context;
    if (worker < 0 || worker >= w->threads || atomic_fetch_add(&w->inside[worker], 1) != 0) {
        atomic_fetch_add(&w->overlaps, 1);
    }
    atomic_fetch_add(&w->done[index], 1);
    tot_status status = TOT_OK;
    for (int k = 0; k < 3; k++) {
        if (w->fails[k] == index) {
            status = base_fail((tot_status)(TOT_E_MEMORY + k), "index %zu fails", index);
        }
    }
    atomic_fetch_sub(&w->inside[worker], 1);
    return status;
}

static void assert_each_once(size_t count) {
    for (size_t k = 0; k < MOST; k++) {
        int expected = k < count ? 1 : 0;
        if (shared.done[k] != expected) {
            fail_msg("%d threads, %zu indices: index %zu ran %d times", shared.threads, count, k,
                     (int)shared.done[k]);
        }
    }
    assert_int_equal(shared.overlaps, 0);
}

TEST(test_every_index_once) {
    const size_t counts[] = {0, 1, 2, 3, 7, 8, 9, 100, MOST};
    for (int threads = 1; threads <= MOST_WORKERS; threads++) {
        tot_pool *pool = NULL;
        assert_int_equal(tot_pool_create(&pool, threads), TOT_OK);
        assert_int_equal(tot_pool_threads(pool), threads);
        for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
            reset(threads);
            assert_int_equal(tot_pool_run(pool, counts[k], count_index, &shared), TOT_OK);
            assert_each_once(counts[k]);
        }
        tot_pool_free(pool);
    }
}

TEST(test_no_pool_is_the_callers_thread) {
    reset(1);
    assert_int_equal(tot_pool_threads(NULL), 1);
    assert_int_equal(tot_pool_run(NULL, 100, count_index, &shared), TOT_OK);
    assert_each_once(100);
    reset(1);
    shared.fails[0] = 5;
    assert_int_equal(tot_pool_run(NULL, 100, count_index, &shared), TOT_E_MEMORY);
    assert_string_equal(tot_error(), "index 5 fails");
    for (size_t k = 6; k < 100; k++) {
        assert_int_equal(shared.done[k], 0);
    }
    tot_pool_free(NULL);
}

TEST(test_lowest_failure_wins) {
    for (int threads = 1; threads <= MOST_WORKERS; threads++) {
        tot_pool *pool = NULL;
        assert_int_equal(tot_pool_create(&pool, threads), TOT_OK);
        for (int round = 0; round < 300; round++) {
            reset(threads);
            // the lowest is not first in the list, and close to the others
            size_t lowest = (size_t)(round % 50);
            shared.fails[0] = lowest + 2;
            shared.fails[1] = lowest + 1;
            shared.fails[2] = lowest;
            tot_status status = tot_pool_run(pool, 1000, count_index, &shared);
            char expected[40];
            snprintf(expected, sizeof expected, "index %zu fails", lowest);
            assert_int_equal(status, TOT_E_MEMORY + 2);
            assert_string_equal(tot_error(), expected);
            // everything below the failure ran; nothing ran twice
            for (size_t k = 0; k < MOST; k++) {
                assert_true(shared.done[k] <= 1);
                assert_true(k >= lowest || shared.done[k] == 1);
            }
        }
        // the pool still works after failures
        reset(threads);
        assert_int_equal(tot_pool_run(pool, MOST, count_index, &shared), TOT_OK);
        assert_each_once(MOST);
        tot_pool_free(pool);
    }
}

static tot_status fail_slowly(void *context, size_t index, int worker) {
    (void)worker;
    work *w = context;
    atomic_fetch_add(&w->done[index], 1);
    if (index == 0) {
        return base_fail(TOT_E_VALUE, "the first fails");
    }
    struct timespec pause = {.tv_nsec = 1000000};
    nanosleep(&pause, NULL);
    return TOT_OK;
}

TEST(test_a_failure_stops_the_rest) {
    tot_pool *pool = NULL;
    assert_int_equal(tot_pool_create(&pool, 4), TOT_OK);
    reset(4);
    assert_int_equal(tot_pool_run(pool, MOST, fail_slowly, &shared), TOT_E_VALUE);
    int ran = 0;
    for (size_t k = 0; k < MOST; k++) {
        ran += shared.done[k];
    }
    assert_true(ran < MOST / 2);
    tot_pool_free(pool);
}

TEST(test_a_success_keeps_the_callers_text) {
    tot_pool *pool = NULL;
    assert_int_equal(tot_pool_create(&pool, 2), TOT_OK);
    base_fail(TOT_E_VALUE, "an older failure");
    reset(2);
    assert_int_equal(tot_pool_run(pool, 50, count_index, &shared), TOT_OK);
    assert_string_equal(tot_error(), "an older failure");
    tot_pool_free(pool);
}

TEST(test_bad_thread_counts) {
    tot_pool *pool = NULL;
    assert_int_equal(tot_pool_create(&pool, -1), TOT_E_ARGUMENT);
    assert_null(pool);
    assert_non_null(strstr(tot_error(), "-1"));
    assert_int_equal(tot_pool_create(&pool, 1025), TOT_E_ARGUMENT);
    assert_non_null(strstr(tot_error(), "1025"));
    assert_int_equal(tot_pool_create(&pool, 0), TOT_OK);
    assert_int_equal(tot_pool_threads(pool), tot_cpu_count());
    assert_true(tot_cpu_count() >= 1);
    tot_pool_free(pool);
}

TEST(test_many_short_lives) {
    for (int round = 0; round < 200; round++) {
        tot_pool *pool = NULL;
        assert_int_equal(tot_pool_create(&pool, 1 + round % 5), TOT_OK);
        if (round % 3 != 0) {
            reset(tot_pool_threads(pool));
            assert_int_equal(tot_pool_run(pool, 3, count_index, &shared), TOT_OK);
            assert_each_once(3);
        }
        tot_pool_free(pool);
    }
}

TEST_MAIN(NULL, NULL)
