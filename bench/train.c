// temporalot bench train: an end-to-end training step of the paper's agent, compared with Python.
//
// Ours is tot_train itself with the paper's settings: ResNet-50 at 224 pixels, two demonstrations,
// batches of 512, an update every second step. It reports after every step, so set-up,
// demonstrations, the first and last evaluation and the checkpoint are not timed; neither is the
// first episode, before which there is nothing to learn from.
#include <ftw.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "bench.h"
#include "weights.h"

// EPISODES episodes of STEPS_AN_EPISODE steps are timed.
enum {
    EPISODES = 1,           // per round; `rounds` repeats them
    STEPS_AN_EPISODE = 63,  // door-open: 125 frames, two per step
    TIMED = EPISODES * STEPS_AN_EPISODE,
    STEPS = STEPS_AN_EPISODE + TIMED,
};

static const char task[] = "door-open";

// --- parts of a step ----------------------------------------------------------------------------

// Step times by content: every step selects an action, steps the world and renders a picture.
typedef struct stopwatch {
    const char *precision;
    int threads;
    double last;   // end time of the previous step
    double total;  // all timed steps
    double plain;  // steps without anything else, and their number
    int plain_count;
    double update;  // steps with an update
    int update_count;
} stopwatch;

static void note_step(void *context, const tot_train_progress *progress) {
    stopwatch *watch = context;
    const double now = bench_now_ms();
    const double taken = now - watch->last;
    watch->last = now;
    if (progress->done % 10 == 0) {
        // printing is not timed: it is not part of `taken`
        bench_tell(", %d thread%s, %s: %s %lld of %lld", watch->threads,
                   watch->threads == 1 ? "" : "s", watch->precision, progress->doing,
                   (long long)progress->done, (long long)progress->total);
        watch->last = bench_now_ms();
    }
    if (strcmp(progress->doing, "training") != 0 || progress->done <= STEPS_AN_EPISODE) {
        return;
    }
    watch->total += taken;
    const int64_t place = progress->done % STEPS_AN_EPISODE;
    if (place == 0 || place == 1) {
        return;  // first or last step of an episode
    }
    if (progress->done % 2 == 0) {
        watch->update += taken;
        watch->update_count++;
    } else {
        watch->plain += taken;
        watch->plain_count++;
    }
}

typedef struct parts {
    double step;    // ms per agent step, total
    double act;     // action, world, picture
    double update;  // updates, averaged over all steps
    double label;   // the rest, at the end of episodes: encoder, reward and reset
} parts;

static parts split(const stopwatch *watch) {
    const double plain = watch->plain / watch->plain_count;
    const double updating = watch->update / watch->update_count;
    parts it = {.step = watch->total / TIMED, .act = plain};
    it.update = fmax(updating - plain, 0) / 2;
    it.label = fmax(it.step - it.act - it.update, 0);
    return it;
}

// --- ours --------------------------------------------------------------------------------------

static tot_status fill_settings(tot_train_config *config, const char *weights,
                                const char *precision) {
    static const char never[] = "1000000000";
    char steps[16];
    snprintf(steps, sizeof steps, "%d", STEPS);
    const struct {
        const char *name;
        const char *value;
    } changes[] = {
        {"task", task},
        {"weights", weights},
        {"precision", precision},
        {"steps", steps},
        {"warmup", "0"},
        {"update_after", "0"},
        {"eval_every", never},
        {"eval_episodes", "1"},
        {"video", "0"},
        {"log_every", never},
        {"checkpoint_every", never},
        {"checkpoint_minutes", "0"},
        {"noise_steps", "500000"},
    };
    tot_train_defaults(config);
    BASE_TRY(tot_train_preset(config, "paper"));
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
        BASE_TRY(tot_train_set(config, changes[k].name, changes[k].value));
    }
    return TOT_OK;
}

static tot_status time_ours(const char *folder, const char *precision, int threads, parts *it) {
    char weights[PATH_MAX];
    char run[PATH_MAX];
    static tot_train_config config;
    stopwatch watch = {.precision = precision, .threads = threads};
    snprintf(weights, sizeof weights, "%s/resnet50.safetensors", folder);
    snprintf(run, sizeof run, "%s/%s", folder, precision);
    BASE_TRY(fill_settings(&config, weights, precision));
    const tot_train_options options = {
        .folder = run, .threads = threads, .progress = note_step, .context = &watch};
    BASE_TRY(tot_train(&config, &options, NULL));
    *it = split(&watch);
    return TOT_OK;
}

// --- comparison with the peer ------------------------------------------------------------------

static void write_note(char *note, size_t capacity, const parts *ours,
                       const bench_peer_figures *figures, size_t count) {
    const int used = snprintf(note, capacity,
                              "ours: world and picture %.3g, encoder and reward %.3g, "
                              "update %.3g",
                              ours->act, ours->label, ours->update);
    if (count > 0 && used > 0 && (size_t)used < capacity) {
        snprintf(
            note + used, capacity - (size_t)used,
            "; peer: world %.3g, picture %.3g, encoder %.3g, reward %.3g, update %.3g",
            bench_peer_find(figures, count, "world"), bench_peer_find(figures, count, "picture"),
            bench_peer_find(figures, count, "encoder"), bench_peer_find(figures, count, "reward"),
            bench_peer_find(figures, count, "update"));
    }
}

static size_t run_peer(int threads, bench_peer_figures *figures) {
    char words[256];
    double draw[TOT_MAX_DRAW];
    tot_task *door = NULL;
    if (tot_task_load(&door, task, NULL) != TOT_OK) {
        return 0;
    }
    tot_task_draw(door, 0, 0, draw);
    int used = snprintf(words, sizeof words, "%d %d %s", EPISODES, STEPS_AN_EPISODE, task);
    for (int k = 0; k < tot_task_information(door)->draw_length; k++) {
        used += snprintf(words + used, sizeof words - (size_t)used, " %.17g", draw[k]);
    }
    tot_task_free(door);
    return bench_peer_run("train.py", threads, words, figures);
}

static tot_status run_both(const char *folder, int threads, const bench_peer_figures *figures,
                           size_t count) {
    static const struct {
        const char *precision;
        const char *work;
    } kinds[] = {{"f32", "agent step paper"}, {"int8", "agent step paper int8"}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        char note[256];
        parts ours;
        BASE_TRY(time_ours(folder, kinds[k].precision, threads, &ours));
        write_note(note, sizeof note, &ours, figures, count);
        bench_add(&(bench_line){.work = kinds[k].work,
                                .threads = threads,
                                .ms = ours.step,
                                .peer = "metaworld+mujoco+PyTorch+numpy",
                                .peer_ms = bench_peer_find(figures, count, "agent step paper"),
                                .note = note});
    }
    return TOT_OK;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *place) {
    (void)about;
    (void)kind;
    (void)place;
    return remove(path);
}

static tot_status bench_on(int threads) {
    bench_peer_figures figures[BENCH_MOST_FIGURES];
    char folder[] = "/tmp/temporalot-bench-XXXXXX";
    char weights[sizeof folder + 32];
    const size_t count = run_peer(threads, figures);
    if (mkdtemp(folder) == NULL) {
        return base_fail(TOT_E_FILE, "%s: could not be made", folder);
    }
    snprintf(weights, sizeof weights, "%s/resnet50.safetensors", folder);
    tot_status status = bench_write_weights("resnet50", weights);
    BASE_THEN(status, run_both(folder, threads, figures, count));
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return status;
}

tot_status bench_train(int threads) {
    return bench_each_count(threads, bench_on);
}
