// Synthetic run folders: settings, metrics and a checkpoint's metadata, without a run.
#pragma once

#include <ftw.h>
#include <math.h>

#include <temporalot/file.h>
#include <temporalot/runs.h>

#include "file/test_folder.h"
#include "train/folder.h"

static inline int remove_one(const char *path, const struct stat *about, int kind,
                             struct FTW *walk) {
    (void)about;
    (void)kind;
    (void)walk;
    return remove(path);
}

// A teardown, also used to start over in a test.
static inline int remove_runs(void **state) {
    (void)state;
    return nftw(test_folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static inline void write_file(const char *name, const char *text) {
    FILE *file = fopen(in_folder(name), "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

// One run: settings in addition to task, method and seed ("discount=0.99,steps=400"), and the
// results of its evaluations at 0, every, 2 every, ...
typedef struct made_run {
    const char *folder;  // relative to the test's folder
    const char *task, *method;
    int seed;
    const char *settings;   // may be NULL
    const double *success;  // [count]
    size_t count;
    int every;
} made_run;

static inline void set_all(tot_train_config *config, const char *settings) {
    char text[512];
    snprintf(text, sizeof text, "%s", settings != NULL ? settings : "");
    char *rest = text;
    for (char *one; (one = strsep(&rest, ",")) != NULL;) {
        char *value = strchr(one, '=');
        if (value != NULL) {
            *value++ = '\0';
            assert_ok(tot_train_set(config, one, value));
        }
    }
}

static inline void write_metrics(const char *folder, const made_run *run) {
    char path[TRAIN_PATH];
    assert_ok(train_path(path, folder, "metrics.csv"));
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "step,episode,success_rate,eval_return,noise,wall_seconds\n");
    for (size_t k = 0; k < run->count; k++) {
        const int step = (int)k * run->every;
        fprintf(file, "%d,%zu,%g,%g,0.1,%g\n", step, k, run->success[k], 10 * run->success[k],
                step * 0.5);
        // rows between evaluations
        if (k + 1 < run->count && run->every > 1) {
            fprintf(file, "%d,%zu,,,0.1,%g\n", step + run->every / 2, k, step * 0.5 + 0.1);
        }
    }
    assert_int_equal(fclose(file), 0);
}

// Writes a checkpoint with this metadata at this step.
static inline void write_checkpoint(const char *folder, int step, const char *meta) {
    char path[TRAIN_PATH];
    char name[64];
    tot_npz_writer *npz = NULL;
    assert_ok(train_path(path, folder, "checkpoint"));
    assert_ok(train_make_folder(path));
    snprintf(name, sizeof name, "checkpoint/at-%010d.npz", step);
    assert_ok(train_path(path, folder, name));
    assert_ok(tot_npz_create(&npz, path, false));
    assert_ok(tot_npz_add_text(npz, "meta", meta));
    assert_ok(tot_npz_commit(npz));
}

static inline void make_run(const made_run *run) {
    tot_train_config config;
    const char *folder = in_folder(run->folder);
    char seed[32];
    snprintf(seed, sizeof seed, "%d", run->seed);
    tot_train_defaults(&config);
    assert_ok(tot_train_preset(&config, "quick"));
    assert_ok(tot_train_set(&config, "task", run->task));
    assert_ok(tot_train_set(&config, "method", run->method));
    assert_ok(tot_train_set(&config, "seed", seed));
    set_all(&config, run->settings);
    assert_ok(train_make_folder(folder));
    assert_ok(train_write_config(folder, &config));
    if (run->count > 0) {
        write_metrics(folder, run);
    }
}

// The run whose folder has this suffix, or the test fails.
static inline const tot_run_record *run_of(const tot_runs *runs, const char *ending) {
    for (size_t k = 0; k < tot_runs_count(runs); k++) {
        const char *folder = tot_runs_at(runs, k)->folder;
        const size_t length = strlen(folder);
        if (length >= strlen(ending) && strcmp(folder + length - strlen(ending), ending) == 0) {
            return tot_runs_at(runs, k);
        }
    }
    fail_msg("no run ends in %s", ending);
    return NULL;
}

static inline tot_runs *find_runs(void) {
    const char *const folders[] = {test_folder};
    tot_runs *runs = NULL;
    assert_ok(tot_runs_find(&runs, folders, 1));
    return runs;
}
