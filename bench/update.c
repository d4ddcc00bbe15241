// temporalot bench update: one update of the agent, with state and with pixel observations.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "bench.h"

enum { WIDTH = 39, PIXELS = 84, ACTIONS = 4, STATE_REPEATS = 15, PIXEL_REPEATS = 3 };

typedef struct update_work {
    tot_agent *agent;
    tot_batch batch;
    tot_losses losses;
} update_work;

static tot_status update_once(void *context) {
    update_work *work = context;
    return tot_agent_update(work->agent, &work->batch, &work->losses);
}

// Samples a batch from one synthetic episode.
static tot_status draw_batch(update_work *work, const tot_replay_shape *sees,
                             const tot_agent_config *config) {
    enum { STEPS = 40 };
    tot_random random;
    tot_replay *replay = NULL;
    tot_random_init(&random, 0, "bench");
    size_t numbers = (size_t)(STEPS + 1) * (size_t)(sees->width + ACTIONS + 1);
    size_t bytes = (size_t)(STEPS + 1) * 3 * (size_t)sees->pixels * (size_t)sees->pixels;
    float *floats = base_alloc(numbers, sizeof *floats, "episode");
    uint8_t *pictures = base_alloc(bytes, 1, "episode");
    tot_status status = floats != NULL && pictures != NULL ? TOT_OK : TOT_E_MEMORY;
    for (size_t k = 0; status == TOT_OK && k < numbers; k++) {
        floats[k] = 2 * (float)tot_random_uniform(&random) - 1;
    }
    for (size_t k = 0; status == TOT_OK && k < bytes; k++) {
        pictures[k] = (uint8_t)tot_random_word(&random);
    }
    BASE_THEN(status, tot_replay_create(&replay, sees, STEPS, 0));
    if (status == TOT_OK) {
        tot_episode episode = {.steps = STEPS, .observations = floats, .pictures = pictures};
        episode.actions = floats + (STEPS + 1) * sees->width;
        episode.rewards = episode.actions + STEPS * ACTIONS;
        status = tot_replay_add(replay, &episode);
    }
    BASE_THEN(status, tot_replay_sample(replay, &random, config->n_step, config->discount,
                                        config->shift, &work->batch));
    tot_replay_free(replay);
    base_free(floats);
    base_free(pictures);
    return status;
}

// --- matrix products only ----------------------------------------------------------------------

typedef struct product_work {
    tot_nn *nn;
    tot_agent_config config;
    float *a;
    float *b;
    float *c;
} product_work;

static void product(product_work *work, int64_t rows, int64_t columns, int64_t depth,
                    bool a_transposed, bool b_transposed) {
    tot_matmul matmul = {
        .rows = rows,
        .columns = columns,
        .depth = depth,
        .a = work->a,
        .b = work->b,
        .c = work->c,
        .a_stride = a_transposed ? rows : depth,
        .b_stride = b_transposed ? depth : columns,
        .c_stride = columns,
        .a_transposed = a_transposed,
        .b_transposed = b_transposed,
    };
    tot_multiply(work->nn, &matmul);
}

static void forward(product_work *work, int64_t inputs, int64_t outputs) {
    product(work, work->config.batch, outputs, inputs, false, true);
}

static void for_input(product_work *work, int64_t inputs, int64_t outputs) {
    product(work, work->config.batch, inputs, outputs, false, false);
}

static void for_weight(product_work *work, int64_t inputs, int64_t outputs) {
    product(work, outputs, inputs, work->config.batch, true, false);
}

typedef void (*way)(product_work *, int64_t, int64_t);

static void actor_products(product_work *work, way call, bool trunk) {
    int64_t hidden = work->config.hidden, feature = work->config.feature;
    if (trunk) {
        call(work, WIDTH, feature);
    }
    call(work, feature, hidden);
    call(work, hidden, hidden);
    call(work, hidden, ACTIONS);
}

static void critic_products(product_work *work, way call, bool trunk) {
    int64_t hidden = work->config.hidden, feature = work->config.feature;
    if (trunk) {
        call(work, WIDTH, feature);
    }
    call(work, feature + ACTIONS, 2 * hidden);
    for (int head = 0; head < 2; head++) {
        call(work, hidden, hidden);
        call(work, hidden, 1);
    }
}

// All matrix products of an update with state observations, in their shapes.
static tot_status products_once(void *context) {
    product_work *work = context;
    // targets, critic, actor
    actor_products(work, forward, true);
    critic_products(work, forward, true);
    critic_products(work, forward, true);
    critic_products(work, for_weight, true);
    critic_products(work, for_input, false);
    actor_products(work, forward, true);
    critic_products(work, forward, true);
    // the actor's gradient passes through one head per sample
    work->config.batch /= 2;
    critic_products(work, for_input, false);
    work->config.batch *= 2;
    actor_products(work, for_weight, true);
    actor_products(work, for_input, false);
    return TOT_OK;
}

static tot_status measure_products(const tot_agent_config *config, tot_pool *pool, double *ms) {
    product_work work = {.config = *config};
    int64_t side = config->hidden > config->batch ? config->hidden : config->batch;
    size_t most = 2 * (size_t)side * (size_t)side;
    work.a = base_alloc_zero(most, sizeof(float), "product");
    work.b = base_alloc_zero(most, sizeof(float), "product");
    work.c = base_alloc_zero(most, sizeof(float), "product");
    tot_status status = work.a != NULL && work.b != NULL && work.c != NULL ? TOT_OK : TOT_E_MEMORY;
    BASE_THEN(status, tot_nn_create(&work.nn, pool));
    BASE_THEN(status, bench_median(products_once, &work, STATE_REPEATS, ms));
    tot_nn_free(work.nn);
    base_free(work.a);
    base_free(work.b);
    base_free(work.c);
    return status;
}

// --- one line per kind of observation ----------------------------------------------------------

static tot_status measure(bool pixels, tot_pool *pool, bench_line *line) {
    update_work work = {0};
    tot_agent_config config;
    tot_agent_defaults(&config);
    tot_replay_shape sees = {.width = pixels ? 0 : WIDTH, .pixels = pixels ? PIXELS : 0};
    tot_status status = tot_agent_create(&work.agent, &config, &sees, 0, pool);
    BASE_THEN(status, tot_batch_create(&work.batch, &sees, config.batch));
    BASE_THEN(status, draw_batch(&work, &sees, &config));
    if (status == TOT_OK) {
        status =
            bench_median(update_once, &work, pixels ? PIXEL_REPEATS : STATE_REPEATS, &line->ms);
    }
    tot_batch_free(&work.batch);
    tot_agent_free(work.agent);
    if (status == TOT_OK && !pixels) {
        status = measure_products(&config, pool, &line->limit_ms);
    }
    return status;
}

static tot_status bench_on(int threads) {
    bench_peer_figures figures[BENCH_MOST_FIGURES];
    size_t count = bench_peer_run("update.py", threads, "state pixels", figures);
    for (int pixels = 0; pixels < 2; pixels++) {
        const char *name = pixels == 1 ? "update pixels" : "update state";
        bench_line line = {.work = name, .threads = threads, .peer = "PyTorch"};
        tot_pool *pool = NULL;
        line.peer_ms = bench_peer_find(figures, count, name);
        line.note = pixels == 1 ? NULL : "limit: its matrix products alone";
        BASE_TRY(tot_pool_create(&pool, threads));
        tot_status status = measure(pixels == 1, pool, &line);
        tot_pool_free(pool);
        BASE_TRY(status);
        bench_add(&line);
    }
    return TOT_OK;
}

tot_status bench_update(int threads) {
    return bench_each_count(threads, bench_on);
}
