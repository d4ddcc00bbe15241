// temporalot bench world: a step and a reset of every task, beside the calls of MuJoCo that they
// cannot do without and beside the Python package, from the same draw with the same actions.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "bench.h"
#include "world/sawyer.h"

enum { FRAMES = 125, PART = 25, PARTS = FRAMES / PART, ROUNDS = 9, MANY = 16, WORDS_SIZE = 16384 };

static const char peer_name[] = "metaworld 3.1.1";

// The best time of every part of an episode over the rounds: what another program on the machine
// takes from one round is not counted. The peer does the same.
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
    double step, bare_step;    // ms a frame
    double reset, bare_reset;  // ms
} timing;

// What a frame cannot do without: five mj_step and one mj_forward with this action. A world that
// was driven by this is good for nothing else until its next reset.
static void bare_frame(tot_world *world, const float *action) {
    const world_task_definition *definition = world->task->definition;
    mjData *data = world->data;
    for (int k = 0; k < 3; k++) {
        const double to = data->mocap_pos[k] + (double)(action[k] * 0.01f);
        data->mocap_pos[k] = world_clip(to, definition->hand_low[k], definition->hand_high[k]);
    }
    data->ctrl[0] = (double)action[3];
    data->ctrl[1] = -(double)action[3];
    for (int k = 0; k < WORLD_FRAME_SKIP; k++) {
        world_mujoco.mj_step(&world->model, data);
    }
    world_mujoco.mj_forward(&world->model, data);
}

// Ours and the bare calls take turns, part by part, so that both see the machine in the same mood.
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
    if (status == TOT_OK) {
        status = tot_world_create(&bare, task, &settings);
    }
    for (int round = 0; status == TOT_OK && round < ROUNDS; round++) {
        double start = bench_now_ms();
        status = tot_world_reset(ours, 0, 0);
        note_time(&result->reset, start);
        if (status == TOT_OK) {
            status = time_round(ours, bare, actions, &steps, &bare_steps);
        }
        start = bench_now_ms();
        world_sawyer_settle(bare->task, &bare->model, bare->data);
        note_time(&result->bare_reset, start);
    }
    tot_world_free(ours);
    tot_world_free(bare);
    result->step = frame_ms(&steps);
    result->bare_step = frame_ms(&bare_steps);
    return status;
}

// --- many worlds -------------------------------------------------------------------------------

// One episode of all worlds; times are for all of them.
static tot_status time_many(tot_worlds *worlds, float actions[FRAMES][TOT_ACTION], best *times) {
    BASE_TRY(tot_worlds_reset(worlds, 0, 0));
    for (int part = 0; part < PARTS; part++) {
        const double start = bench_now_ms();
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

// ms a frame of one world, as the clock on the wall sees it: on one thread, and on all.
static tot_status time_threads(const tot_task *task, int threads, float actions[FRAMES][TOT_ACTION],
                               double ms[2]) {
    tot_pool *pool = NULL;
    tot_worlds *worlds[2] = {0};
    best times[2] = {none_yet, none_yet};
    const tot_world_settings settings = {.action_repeat = 1, .horizon = FRAMES};
    tot_status status = tot_pool_create(&pool, threads);
    for (int k = 0; status == TOT_OK && k < 2; k++) {
        status = tot_worlds_create(&worlds[k], task, &settings, MANY, k == 0 ? NULL : pool);
    }
    for (int round = 0; status == TOT_OK && round < 2 * ROUNDS; round++) {
        status = time_many(worlds[round % 2], actions, &times[round % 2]);
    }
    for (int k = 0; k < 2; k++) {
        tot_worlds_free(worlds[k]);
        ms[k] = frame_ms(&times[k]) / MANY;
    }
    tot_pool_free(pool);
    return status;
}

static tot_status add_many(const tot_task *task, int threads, float actions[FRAMES][TOT_ACTION]) {
    char work[96];
    char note[96];
    double ms[2] = {0};
    BASE_TRY(time_threads(task, threads, actions, ms));
    snprintf(work, sizeof work, "world %s, %d worlds", tot_task_information(task)->name, MANY);
    snprintf(note, sizeof note, "%.2f times as fast as on one thread", ms[0] / ms[1]);
    bench_add(&(bench_line){.work = work, .threads = threads, .ms = ms[1], .note = note});
    return TOT_OK;
}

// --- the peer ----------------------------------------------------------------------------------

// Adds " TASK=X,Y,..." to the peer's words.
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

// Writes the actions where the peer reads them. path is a template for mkstemp.
static tot_status write_actions(char *path, float actions[FRAMES][TOT_ACTION]) {
    const size_t size = FRAMES * TOT_ACTION * sizeof(float);
    const int file = mkstemp(path);
    if (file < 0 || write(file, actions, size) != (ssize_t)size || close(file) != 0) {
        return base_fail(TOT_E_FILE, "%s: could not be written", path);
    }
    return TOT_OK;
}

static size_t run_peer(tot_task *const *tasks, size_t count, float actions[FRAMES][TOT_ACTION],
                       bench_peer_figures *figures) {
    char path[] = "/tmp/temporalot-bench-XXXXXX";
    static char words[WORDS_SIZE];
    size_t found = 0;
    if (write_actions(path, actions) == TOT_OK) {
        snprintf(words, sizeof words, "%s", path);
        for (size_t k = 0; k < count; k++) {
            add_word(words, tasks[k]);
        }
        found = bench_peer_run("world.py", 1, words, figures);
    }
    unlink(path);
    return found;
}

// --- all of it ---------------------------------------------------------------------------------

static tot_status add_task(const tot_task *task, float actions[FRAMES][TOT_ACTION],
                           const bench_peer_figures *figures, size_t count) {
    char work[64];
    char reset[96];
    char note[96];
    timing ms = {0};
    BASE_TRY(time_task(task, actions, &ms));
    snprintf(work, sizeof work, "world %s", tot_task_information(task)->name);
    snprintf(reset, sizeof reset, "%s reset", work);
    snprintf(note, sizeof note, "%.3f of the MuJoCo calls it stands for", ms.step / ms.bare_step);
    bench_add(&(bench_line){.work = work,
                            .threads = 1,
                            .ms = ms.step,
                            .peer = peer_name,
                            .peer_ms = bench_peer_find(figures, count, work),
                            .limit_ms = ms.bare_step,
                            .note = note});
    bench_add(&(bench_line){.work = reset,
                            .threads = 1,
                            .ms = ms.reset,
                            .peer = peer_name,
                            .peer_ms = bench_peer_find(figures, count, reset),
                            .limit_ms = ms.bare_reset});
    return TOT_OK;
}

static tot_status run_all(tot_task *const *tasks, size_t count, int threads) {
    static float actions[FRAMES][TOT_ACTION];
    static bench_peer_figures figures[BENCH_MOST_FIGURES];
    fill_actions(actions);
    const size_t found = run_peer(tasks, count, actions, figures);
    for (size_t k = 0; k < count; k++) {
        BASE_TRY(add_task(tasks[k], actions, figures, found));
    }
    const int all = threads > 0 ? threads : tot_cpu_count();
    for (size_t k = 0; all > 1 && k < count; k++) {
        BASE_TRY(add_many(tasks[k], all, actions));
    }
    return TOT_OK;
}

tot_status bench_world(int threads) {
    enum { MOST_TASKS = 64 };
    tot_task *tasks[MOST_TASKS] = {0};
    size_t count = 0;
    tot_status status = TOT_OK;
    while (status == TOT_OK && count < tot_task_count() && count < MOST_TASKS) {
        status = tot_task_load(&tasks[count], tot_task_at(count)->name, NULL);
        count += status == TOT_OK ? 1 : 0;
    }
    if (status == TOT_OK) {
        status = run_all(tasks, count, threads);
    }
    for (size_t k = 0; k < count; k++) {
        tot_task_free(tasks[k]);
    }
    return status;
}
