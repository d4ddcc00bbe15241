#include <pthread.h>
#include <stdatomic.h>

#include "base/base.h"

enum {
    MOST_THREADS = 1024,
    ERROR_TEXT_SIZE = 1024,
    // waiting threads spin this often (about 50 us) before they sleep: waking one takes as long as
    // a short job
    SPINS = 2000,
};

typedef struct worker {
    tot_pool *pool;
    pthread_t thread;
    int number;
} worker;

struct tot_pool {
    int threads;
    int started;      // running threads, not counting the caller's
    worker *workers;  // [threads]; number 0 is the caller

    pthread_mutex_t lock;
    pthread_cond_t wake;          // a new round, or shutdown
    pthread_cond_t done;          // the last worker finished the round
    atomic_uint_least64_t round;  // written under lock
    atomic_int busy;              // started workers still in the round
    atomic_bool ending;           // written under lock
    int spins;                    // 0 if there are more threads than CPUs

    // the work of the round
    tot_job job;
    void *context;
    size_t count;
    atomic_size_t next;

    // the failure with the lowest index, under lock
    size_t failed_index;
    tot_status failed_status;
    char failed_text[ERROR_TEXT_SIZE];
};

static void note_failure(tot_pool *pool, size_t index, tot_status status) {
    pthread_mutex_lock(&pool->lock);
    if (pool->failed_status == TOT_OK || index < pool->failed_index) {
        pool->failed_index = index;
        pool->failed_status = status;
        snprintf(pool->failed_text, sizeof pool->failed_text, "%s", tot_error());
    }
    pthread_mutex_unlock(&pool->lock);
    // hand out no further index
    atomic_store(&pool->next, pool->count);
}

static void work(tot_pool *pool, int number) {
    for (;;) {
        size_t index = atomic_fetch_add(&pool->next, 1);
        if (index >= pool->count) {
            return;
        }
        tot_status status = pool->job(pool->context, index, number);
        if (status != TOT_OK) {
            note_failure(pool, index, status);
        }
    }
}

static void rest(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

// Waits for a round after `seen`; false on shutdown.
static bool await_round(tot_pool *pool, uint64_t seen) {
    for (int k = 0; k < pool->spins && pool->round == seen && !pool->ending; k++) {
        rest();
    }
    if (pool->round == seen && !pool->ending) {
        pthread_mutex_lock(&pool->lock);
        while (pool->round == seen && !pool->ending) {
            pthread_cond_wait(&pool->wake, &pool->lock);
        }
        pthread_mutex_unlock(&pool->lock);
    }
    return !pool->ending;
}

static void *worker_main(void *argument) {
    worker *self = argument;
    tot_pool *pool = self->pool;
    for (uint64_t seen = 0; await_round(pool, seen);) {
        seen = pool->round;
        work(pool, self->number);
        if (atomic_fetch_sub(&pool->busy, 1) == 1) {
            pthread_mutex_lock(&pool->lock);
            pthread_cond_signal(&pool->done);
            pthread_mutex_unlock(&pool->lock);
        }
    }
    return NULL;
}

static void await_workers(tot_pool *pool) {
    for (int k = 0; k < pool->spins && pool->busy > 0; k++) {
        rest();
    }
    // take the lock even if nobody is busy: the last worker may still hold it
    pthread_mutex_lock(&pool->lock);
    while (pool->busy > 0) {
        pthread_cond_wait(&pool->done, &pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
}

tot_status tot_pool_create(tot_pool **out, int threads) {
    BASE_NEED(out);
    *out = NULL;
    BASE_FAIL_IF(threads < 0 || threads > MOST_THREADS, TOT_E_ARGUMENT,
                 "threads: %d is not in 0 .. %d", threads, MOST_THREADS);
    BASE_NEW(tot_pool, pool, "thread pool");
    pool->threads = threads > 0 ? threads : tot_cpu_count();
    pool->spins = pool->threads <= tot_cpu_count() ? SPINS : 0;
    pool->workers = base_alloc_zero((size_t)pool->threads, sizeof *pool->workers, "thread pool");
    if (pool->workers == NULL) {
        base_free(pool);
        return TOT_E_MEMORY;
    }
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->done, NULL);
    for (int k = 1; k < pool->threads; k++) {
        pool->workers[k] = (worker){.pool = pool, .number = k};
        int failed = pthread_create(&pool->workers[k].thread, NULL, worker_main, &pool->workers[k]);
        if (failed != 0) {
            tot_pool_free(pool);
            return base_fail(TOT_E_MEMORY, "threads: the system could only start %d of %d", k,
                             threads);
        }
        pool->started++;
    }
    *out = pool;
    return TOT_OK;
}

int tot_pool_threads(const tot_pool *pool) {
    return pool != NULL ? pool->threads : 1;
}

tot_status tot_pool_run(tot_pool *pool, size_t count, tot_job job, void *context) {
    BASE_FAIL_IF(job == NULL, TOT_E_ARGUMENT, "pool: no job is given");
    if (pool == NULL || pool->started == 0 || count <= 1) {
        for (size_t index = 0; index < count; index++) {
            BASE_TRY(job(context, index, 0));
        }
        return TOT_OK;
    }
    pthread_mutex_lock(&pool->lock);
    pool->job = job;
    pool->context = context;
    pool->count = count;
    pool->failed_status = TOT_OK;
    atomic_store(&pool->next, 0);
    pool->busy = pool->started;
    pool->round++;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);

    work(pool, 0);

    await_workers(pool);
    BASE_FAIL_IF(pool->failed_status != TOT_OK, pool->failed_status, "%s", pool->failed_text);
    return TOT_OK;
}

void tot_pool_free(tot_pool *pool) {
    BASE_UNLESS_NULL(pool);
    pthread_mutex_lock(&pool->lock);
    pool->ending = true;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    for (int k = 1; k <= pool->started; k++) {
        pthread_join(pool->workers[k].thread, NULL);
    }
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->lock);
    BASE_RELEASE(pool->workers, pool);
}
