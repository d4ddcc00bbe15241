// temporalot bench world: a step with its reward, and a reset, of every task, compared with the
// MuJoCo calls they require and with the Python package, from the same initial state with the same
// actions; then many worlds at once, compared with EnvPool and, on several threads, with as many
// processes of the Python package.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "bench.h"
#include "world/settle.h"

enum { FRAMES = 125, PART = 25, PARTS = FRAMES / PART, ROUNDS = 9, MANY = 16, WORDS_SIZE = 16384 };

// A peer and its results.
typedef struct peer {
    const char *name;
    const char *script;
    size_t count;
    bench_peer_figures figures[BENCH_MOST_FIGURES];
} peer;

static peer python = {.name = "metaworld 3.1.1", .script = "world.py"};
static peer envpool = {.name = "envpool 1.2.5", .script = "world_envpool.py"};

// The best time of every part of an episode over the rounds, which excludes time taken by other
// programs in single rounds. The peer does the same.
typedef struct best {
    double part[PARTS];
} best;

static const best none_yet = {{1e300, 1e300, 1e300, 1e300, 1e300}};

static void note_time(double *least, double start) {
    const double taken = bench_now_ms() - start;
    *least = taken < *least ? taken : *least;
}

static double frame_ms(const best *times) {
    double sum = 0;
    for (int k = 0; k < PARTS; k++) {
        sum += times->part[k];
    }
    return sum / FRAMES;
}

static void fill_actions(float actions[FRAMES][TOT_ACTION]) {
    tot_random random;
    tot_random_init(&random, 0, "bench");
    for (int k = 0; k < FRAMES; k++) {
        for (int i = 0; i < TOT_ACTION; i++) {
            actions[k][i] = (float)(2 * tot_random_uniform(&random) - 1);
        }
    }
}

// --- one world ---------------------------------------------------------------------------------

typedef struct timing {
    double step, bare_step;    // ms per frame
    double reset, bare_reset;  // ms
} timing;

// The MuJoCo calls a frame requires: five mj_step and one mj_forward with this action. The world
// must be reset before any other use.
static void bare_frame(tot_world *world, const float *action) {
    const world_task_definition *definition = world->task->definition;
    mjData *data = world->data;
    for (int k = 0; k < 3; k++) {
        const double to = data->mocap_pos[k] + (double)(action[k] * 0.01f);
        data->mocap_pos[k] = world_clip(to, definition->hand_low[k], world_hand_high[k]);
    }
    data->ctrl[0] = (double)action[3];
    data->ctrl[1] = -(double)action[3];
    for (int k = 0; k < WORLD_FRAME_SKIP; k++) {
        world_mujoco.mj_step(&world->model, data);
    }
    world_mujoco.mj_forward(&world->model, data);
}

// Ours and the bare calls take turns, part by part, so that both run under the same conditions.
static tot_status time_round(tot_world *ours, tot_world *bare, float actions[FRAMES][TOT_ACTION],
                             best *steps, best *bare_steps) {
    BASE_TRY(tot_world_reset(bare, 0, 0));
    for (int part = 0; part < PARTS; part++) {
        double start = bench_now_ms();
        for (int k = part * PART; k < (part + 1) * PART; k++) {
            BASE_TRY(tot_world_step(ours, actions[k]));
        }
        note_time(&steps->part[part], start);
        start = bench_now_ms();
        for (int k = part * PART; k < (part + 1) * PART; k++) {
            bare_frame(bare, actions[k]);
        }
        note_time(&bare_steps->part[part], start);
    }
    return TOT_OK;
}

static tot_status time_task(const tot_task *task, float actions[FRAMES][TOT_ACTION],
                            timing *result) {
    tot_world *ours = NULL;
    tot_world *bare = NULL;
    best steps = none_yet;
    best bare_steps = none_yet;
    *result = (timing){.reset = 1e300, .bare_reset = 1e300};
    const tot_world_settings settings = {.action_repeat = 1, .horizon = FRAMES};
    tot_status status = tot_world_create(&ours, task, &settings);
    BASE_THEN(status, tot_world_create(&bare, task, &settings));
    for (int round = 0; status == TOT_OK && round < ROUNDS; round++) {
        double start = bench_now_ms();
        status = tot_world_reset(ours, 0, 0);
        note_time(&result->reset, start);
        BASE_THEN(status, time_round(ours, bare, actions, &steps, &bare_steps));
        start = bench_now_ms();
        world_settle_fully(bare->task, &bare->model, bare->data);
        note_time(&result->bare_reset, start);
    }
    tot_world_free(ours);
    tot_world_free(bare);
    result->step = frame_ms(&steps);
    result->bare_step = frame_ms(&bare_steps);
    return status;
}

// --- many worlds -------------------------------------------------------------------------------

// One episode of all worlds; times are for all of them together. Every round has its own initial
// states, as EnvPool does.
static tot_status time_many(tot_worlds *worlds, uint64_t round, float actions[FRAMES][TOT_ACTION],
                            best *times, double *reset) {
    double start = bench_now_ms();
    BASE_TRY(tot_worlds_reset(worlds, round, 0));
    note_time(reset, start);
    for (int part = 0; part < PARTS; part++) {
        start = bench_now_ms();
        for (int k = part * PART; k < (part + 1) * PART; k++) {
            float all[MANY][TOT_ACTION];
            for (int w = 0; w < MANY; w++) {
                memcpy(all[w], actions[k], sizeof all[w]);
            }
            BASE_TRY(tot_worlds_step(worlds, all[0]));
        }
        note_time(&times->part[part], start);
    }
    return TOT_OK;
}

// Wall-clock ms per frame and per reset of one world.
static tot_status time_worlds(const tot_task *task, int threads, float actions[FRAMES][TOT_ACTION],
                              double *step, double *reset) {
    tot_pool *pool = NULL;
    tot_worlds *worlds = NULL;
    best times = none_yet;
    double least = 1e300;
    const tot_world_settings settings = {.action_repeat = 1, .horizon = FRAMES};
    tot_status status = tot_pool_create(&pool, threads);
    BASE_THEN(status, tot_worlds_create(&worlds, task, &settings, MANY, pool));
    for (int round = 0; status == TOT_OK && round < ROUNDS; round++) {
        status = time_many(worlds, (uint64_t)round, actions, &times, &least);
    }
    tot_worlds_free(worlds);
    tot_pool_free(pool);
    *step = frame_ms(&times) / MANY;
    *reset = least / MANY;
    return status;
}

// --- the peers ---------------------------------------------------------------------------------

// Appends " TASK=X,Y,..." to a peer's arguments.
static void add_word(char *words, const tot_task *task) {
    double draw[TOT_MAX_DRAW];
    const tot_task_info *info = tot_task_information(task);
    tot_task_draw(task, 0, 0, draw);
    size_t used = strlen(words);
    used += (size_t)snprintf(words + used, WORDS_SIZE - used, " %s=", info->name);
    for (int k = 0; k < info->draw_length && used < WORDS_SIZE; k++) {
        used +=
            (size_t)snprintf(words + used, WORDS_SIZE - used, "%s%.17g", k > 0 ? "," : "", draw[k]);
    }
}

// Writes the actions to a file for a peer. path: a template for mkstemp.
static tot_status write_actions(char *path, float actions[FRAMES][TOT_ACTION]) {
    const size_t size = FRAMES * TOT_ACTION * sizeof(float);
    const int file = mkstemp(path);
    if (file < 0 || write(file, actions, size) != (ssize_t)size || close(file) != 0) {
        return base_fail(TOT_E_FILE, "%s: could not be written", path);
    }
    return TOT_OK;
}

static void run_peer(peer *other, int threads, tot_task *const *tasks, size_t count,
                     float actions[FRAMES][TOT_ACTION]) {
    char path[] = "/tmp/temporalot-bench-XXXXXX";
    static char words[WORDS_SIZE];
    other->count = 0;
    if (write_actions(path, actions) == TOT_OK) {
        snprintf(words, sizeof words, "%d %s", threads, path);
        for (size_t k = 0; k < count; k++) {
            add_word(words, tasks[k]);
        }
        other->count = bench_peer_run(other->script, threads, words, other->figures);
    }
    unlink(path);
}

// --- all benchmarks ----------------------------------------------------------------------------

static void add_line(const peer *beside, bench_line line) {
    line.peer = beside->name;
    line.peer_ms = bench_peer_find(beside->figures, beside->count, line.work);
    bench_add(&line);
}

// One world, on one thread.
static tot_status add_task(const tot_task *task, float actions[FRAMES][TOT_ACTION]) {
    char work[64];
    char reset[96];
    char note[96];
    timing ms = {0};
    BASE_TRY(time_task(task, actions, &ms));
    snprintf(work, sizeof work, "world %s", tot_task_information(task)->name);
    snprintf(reset, sizeof reset, "%s reset", work);
    snprintf(note, sizeof note, "%.3f of the MuJoCo calls it stands for", ms.step / ms.bare_step);
    add_line(
        &python,
        (bench_line){
            .work = work, .threads = 1, .ms = ms.step, .limit_ms = ms.bare_step, .note = note});
    add_line(&python,
             (bench_line){.work = reset, .threads = 1, .ms = ms.reset, .limit_ms = ms.bare_reset});
    return TOT_OK;
}

// Many worlds. The Python package on one thread is measured in add_task.
static tot_status add_many(const tot_task *task, int threads, float actions[FRAMES][TOT_ACTION]) {
    char work[64];
    char reset[96];
    bench_line step_line = {.work = work, .threads = threads};
    bench_line reset_line = {.work = reset, .threads = threads};
    BASE_TRY(time_worlds(task, threads, actions, &step_line.ms, &reset_line.ms));
    snprintf(work, sizeof work, "worlds %s", tot_task_information(task)->name);
    snprintf(reset, sizeof reset, "%s reset", work);
    add_line(&envpool, step_line);
    add_line(&envpool, reset_line);
    if (threads > 1) {
        add_line(&python, step_line);
        add_line(&python, reset_line);
    }
    return TOT_OK;
}

static tot_status run_all(tot_task *const *tasks, size_t count, int threads) {
    static float actions[FRAMES][TOT_ACTION];
    fill_actions(actions);
    run_peer(&python, threads, tasks, count, actions);
    run_peer(&envpool, threads, tasks, count, actions);
    for (size_t k = 0; k < count; k++) {
        if (threads == 1) {
            BASE_TRY(add_task(tasks[k], actions));
        }
        BASE_TRY(add_many(tasks[k], threads, actions));
    }
    return TOT_OK;
}

enum { MOST_TASKS = 64 };

static tot_status bench_worlds(int threads) {
    const char *names[MOST_TASKS];
    tot_task *tasks[MOST_TASKS] = {0};
    tot_pool *pool = NULL;
    size_t count = 0;
    for (size_t k = 0; k < tot_task_count() && count < MOST_TASKS; k++) {
        names[count] = tot_task_at(k)->name;
        count += bench_wants(names[count]) ? 1 : 0;
    }
    tot_status status = tot_pool_create(&pool, threads);
    BASE_THEN(status, tot_tasks_load(tasks, names, count, NULL, pool));
    tot_pool_free(pool);
    BASE_THEN(status, run_all(tasks, count, threads));
    for (size_t k = 0; k < count; k++) {
        tot_task_free(tasks[k]);
    }
    return status;
}

tot_status bench_world(int threads) {
    return bench_each_count(threads, bench_worlds);
}
