// Every allocation of the whole labelling path fails once: the status is TOT_E_MEMORY, nothing
// crashes, nothing leaks, and the next attempt succeeds.
#include <stdatomic.h>

#include "trajectories.h"

// An allocator whose fail_at-th allocation (from 1) fails, and all later ones if `lasting`. Pool
// workers allocate, too, hence the atomics.
typedef struct failing {
    atomic_int calls;
    int fail_at;  // 0: never
    bool lasting;
    atomic_int held;  // allocations not yet released
} failing;

static void *allocate_or_fail(void *context, size_t bytes, size_t alignment) {
    failing *f = context;
    int call = atomic_fetch_add(&f->calls, 1) + 1;
    if (f->fail_at > 0 && (call == f->fail_at || (f->lasting && call > f->fail_at))) {
        return NULL;
    }
    void *pointer = NULL;
    if (posix_memalign(&pointer, alignment, bytes) != 0) {
        return NULL;
    }
    // makes reads of uninitialised memory visible
    memset(pointer, 0x7B, bytes);
    atomic_fetch_add(&f->held, 1);
    return pointer;
}

static void release_counted(void *context, void *pointer) {
    failing *f = context;
    atomic_fetch_sub(&f->held, pointer != NULL);
    free(pointer);
}

typedef struct job {
    const char *method;
    int cost;
    int64_t best;
    bool double_precision;
    int threads;  // 0: no pool
} job;

typedef struct material {
    trajectory demos[2];
    trajectory episodes[3];  // growing and shrinking
    tot_reward_config config;
    float rewards[64];
} material;

static tot_embeddings view(const job *what, const trajectory *t) {
    return what->double_precision ? view_f64(t) : view_f32(t);
}

static tot_status label_all(const job *what, material *m, tot_labeler *labeler, tot_array *out) {
    for (int k = 0; k < 3; k++) {
        tot_status status =
            tot_label(labeler, view(what, &m->episodes[k]), "episode", m->rewards, NULL);
        if (status != TOT_OK) {
            return status;
        }
        status = tot_labeler_cost(labeler, out);
        if (status != TOT_OK) {
            return status;
        }
        status = tot_labeler_plan(labeler, out);
        if (status != TOT_OK && status != TOT_E_ARGUMENT) {
            return status;
        }
    }
    return TOT_OK;
}

// Runs the whole path once; everything is freed, whatever happened.
static tot_status run(const job *what, material *m) {
    tot_pool *pool = NULL;
    tot_demos *demos = NULL;
    tot_labeler *labeler = NULL;
    tot_array out = {0};
    tot_status status = TOT_OK;
    if (what->threads > 0) {
        status = tot_pool_create(&pool, what->threads);
    }
    if (status == TOT_OK) {
        status = tot_demos_create(&demos);
    }
    for (int k = 0; k < 2 && status == TOT_OK; k++) {
        status = tot_demos_add(demos, view(what, &m->demos[k]), "demonstration");
    }
    if (status == TOT_OK) {
        status = tot_labeler_create(&labeler, demos, &m->config, pool);
    }
    if (status == TOT_OK) {
        status = label_all(what, m, labeler, &out);
    }
    tot_array_free(&out);
    tot_labeler_free(labeler);
    tot_demos_free(demos);
    tot_pool_free(pool);
    return status;
}

static void fail_each(const job *what, material *m, bool lasting) {
    failing f = {0};
    tot_memory_set(&(tot_memory){allocate_or_fail, release_counted, &f});
    assert_ok(run(what, m));
    assert_int_equal(f.held, 0);
    int allocations = f.calls;
    assert_true(allocations > 0);
    for (int k = 1; k <= allocations; k += TEST_TSAN ? 5 : 1) {
        f = (failing){.fail_at = k, .lasting = lasting};
        tot_status status = run(what, m);
        if (status == TOT_OK && f.calls < k && f.held == 0) {
            continue;  // with threads the number of allocations may vary between runs
        }
        if (status != TOT_E_MEMORY || f.held != 0 || strlen(tot_error()) == 0) {
            fail_msg(
                "%s, %d threads: allocation %d of %d failed: status \"%s\", %d not released, "
                "text \"%s\"",
                what->method, what->threads, k, allocations, tot_status_text(status), f.held,
                tot_error());
        }
    }
    f = (failing){0};
    assert_ok(run(what, m));
    assert_int_equal(f.held, 0);
    tot_memory_set(NULL);
}

static int use_default(void **state) {
    (void)state;
    tot_memory_set(NULL);
    return 0;
}

static void try_job(job what) {
    tot_random random;
    tot_random_init(&random, 0, "failing memory");
    material m = {.demos = {make_walk(&random, 20, 13, 0.2), make_walk(&random, 26, 13, 0.2)},
                  .episodes = {make_walk(&random, 20, 13, 0.2), make_walk(&random, 40, 13, 0.2),
                               make_walk(&random, 10, 13, 0.2)},
                  .config = config_for(what.method)};
    m.config.cost = what.cost;
    m.config.best = what.best;
    m.config.mask_width = 30;
    fail_each(&what, &m, false);
    fail_each(&what, &m, true);
    for (int k = 0; k < 3; k++) {
        trajectory_free(&m.episodes[k]);
    }
    trajectory_free(&m.demos[0]);
    trajectory_free(&m.demos[1]);
}

TEST_EACH(NULL, use_default)

TEST(test_every_method) {
    for (size_t k = 0; k < tot_method_count(); k++) {
        const char *method = tot_method_name(tot_method_at(k));
        try_job((job){.method = method, .best = 1});
        try_job((job){.method = method, .best = 2, .cost = TOT_COST_EUCLIDEAN});
        try_job((job){.method = method, .best = 1, .double_precision = true, .threads = 2});
    }
}

// A labeler whose allocation failed in the middle still works for the next episode.
TEST(test_a_labeler_survives) {
    for (size_t method = 0; method < tot_method_count(); method++) {
        tot_random random;
        tot_random_init(&random, 1, "survives");
        OWNED(trajectory) demo = make_walk(&random, 20, 13, 0.2);
        OWNED(trajectory) small = make_walk(&random, 18, 13, 0.2);
        OWNED(trajectory) large = make_walk(&random, 50, 13, 0.2);
        tot_reward_config config = config_for(tot_method_name(tot_method_at(method)));
        config.mask_width = 60;
        tot_embeddings demo_view = view_f32(&demo);
        OWNED(labelled) expected = label_fresh(&config, NULL, &demo_view, 1, view_f32(&small));
        failing f = {0};
        tot_memory_set(&(tot_memory){allocate_or_fail, release_counted, &f});
        for (int k = 1; k < 100; k++) {
            f = (failing){0};
            tot_demos *demos = demos_of(&demo_view, 1);
            tot_labeler *labeler = NULL;
            assert_ok(tot_labeler_create(&labeler, demos, &config, NULL));
            labelled before = label_with(labeler, view_f32(&small));
            f.fail_at = f.calls + k;
            float rewards[50];
            tot_status status = tot_label(labeler, view_f32(&large), "large", rewards, NULL);
            f.fail_at = 0;
            labelled after = label_with(labeler, view_f32(&small));
            assert_true(same_bytes(&expected, &before));
            if (!same_bytes(&expected, &after)) {
                fail_msg("%s: wrong after allocation %d failed", tot_method_name(config.method), k);
            }
            labelled_free(&before);
            labelled_free(&after);
            tot_labeler_free(labeler);
            tot_demos_free(demos);
            assert_int_equal(f.held, 0);
            if (status == TOT_OK) {
                break;
            }
            assert_int_equal(status, TOT_E_MEMORY);
        }
        tot_memory_set(NULL);
    }
}

TEST_MAIN(NULL, NULL)
