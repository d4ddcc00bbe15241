// A minimal real run, stopped in the middle of an episode: the source of a checkpoint, a replay, a
// table of metrics and a saved episode.
#pragma once

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive.h"
#include "train/folder.h"
#include "train/run.h"

enum { REAL_STEPS = 60 };

// Called once per step, and before the first: stops after REAL_STEPS.
static inline tot_train_command real_ask(void *context) {
    int *asked = context;
    return ++*asked > REAL_STEPS ? TOT_TRAIN_STOP : TOT_TRAIN_GO;
}

static inline bool real_config(tot_train_config *config) {
    static const char *const settings[][2] = {
        {"task", "window-open"},
        {"cost_on", "state"},
        {"method", "temporalot"},
        {"video", "0"},
        {"horizon", "50"},
        {"hidden", "16"},
        {"feature", "8"},
        {"batch", "4"},
        {"warmup", "10"},
        {"update_after", "20"},
        {"eval_every", "1000"},
        {"log_every", "10"},
        {"eval_episodes", "1"},
        {"capacity", "64"},
        {"steps", "1000"},
        {"demos", "1"},
        {"checkpoint_every", "100000"},
    };
    tot_train_defaults(config);
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
        if (tot_train_set(config, settings[k][0], settings[k][1]) != TOT_OK) {
            return false;
        }
    }
    return true;
}

// Trains into a new folder. folder: [64], written.
static inline bool real_run(char *folder, tot_train_config *config) {
    int asked = 0;
    const tot_train_options options = {
        .folder = folder, .threads = 1, .ask = real_ask, .context = &asked};
    strcpy(folder, access("/dev/shm", W_OK) == 0 ? "/dev/shm/temporalot_run_XXXXXX"
                                                 : "/tmp/temporalot_run_XXXXXX");
    return mkdtemp(folder) != NULL && real_config(config) &&
           tot_train(config, &options, NULL) == TOT_E_INTERRUPTED;
}

// The only file of a folder whose name starts with `begins`. path: [TRAIN_PATH], written.
static inline bool real_find(char *path, const char *folder, const char *begins) {
    bool found = false;
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;) {
        if (strncmp(entry->d_name, begins, strlen(begins)) == 0) {
            found = train_path(path, folder, entry->d_name) == TOT_OK;
        }
    }
    if (entries != NULL) {
        closedir(entries);
    }
    return found;
}

// Everything of a run that a checkpoint refers to: its entries, "metrics.csv", "events" and
// "replay".
static inline bool real_parts(fuzz_parts *parts, const char *folder) {
    static const struct {
        const char *part, *folder, *begins;
    } files[] = {{"metrics.csv", "", "metrics.csv"},
                 {"events", "", "events"},
                 {"replay", "checkpoint/replay", "replay-"}};
    char inner[TRAIN_PATH], path[TRAIN_PATH];
    bool fine = train_path(inner, folder, "checkpoint") == TOT_OK &&
                real_find(path, inner, "at-") && fuzz_archive_read(parts, path);
    for (size_t k = 0; fine && k < sizeof files / sizeof *files; k++) {
        fuzz_part *part = fuzz_part_of(parts, files[k].part);
        fine = train_path(inner, folder, files[k].folder) == TOT_OK &&
               real_find(path, inner, files[k].begins) && part != NULL &&
               (part->bytes = fuzz_file_read(path, &part->size)) != NULL;
    }
    return fine;
}
