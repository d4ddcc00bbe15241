// The paper's tables and figures, and later comparisons: which runs each needs, and its page.
#pragma once

#include <temporalot/demo.h>
#include <temporalot/page.h>
#include <temporalot/runs.h>
#include <temporalot/sweep.h>

#include "page/buffer.h"

enum { STUDY_MOST_GRIDS = 16 };

typedef enum study_kind {
    STUDY_GRID,     // runs, and a report of them
    STUDY_REWARDS,  // rewards of episodes generated for it; no runs
    STUDY_CASES,    // failed episodes of existing runs
} study_kind;

// One table or figure.
typedef struct study_entry {
    const char *name;  // its name in `temporalot reproduce`
    const char *title;
    const char *shows;  // a sentence
    const char
        *paper;  // the paper's table shown beside it (paper.h); NULL: the paper gives no numbers
    const char *columns;  // of our table, for tot_report_settings; NULL: detected from the runs
    const char *tasks;    // separated by commas
    const char
        *grids[STUDY_MOST_GRIDS];  // as in a file for tot_sweep_load, except for task and seed
    bool misaligned;               // every grid once more, with misaligned demonstrations
    study_kind kind;
} study_entry;

size_t study_count(void);
const study_entry *study_at(size_t index);  // NULL past the last

// TOT_E_ARGUMENT if there is none with that name; the error suggests the nearest.
tot_status study_find(const study_entry **study, const char *name);

// The user's choices.
typedef struct study_reproduce_settings {
    const char *preset;
    int64_t seeds;
    const char *tasks;           // separated by commas; NULL: the study's
    const char *methods;         // separated by commas, such as "ot" or "ot0.99"; NULL: all
    const char *weights_folder;  // folder of encoder weights
    const char *const *set;      // [set_count], "name=value" for all runs
    size_t set_count;
    const char *folder;  // for all output; not owned
} study_reproduce_settings;

// The runs of some studies, each once. Those whose weights are missing are left out, with the
// reason. Reads only the list of weight files and writes nothing.
tot_status study_reproduce_runs(tot_sweep **out, const study_entry *const *studies, size_t count,
                                const study_reproduce_settings *settings);

// Whether a name is in a comma-separated list, which may be NULL (empty).
bool study_is_listed(const char *list, const char *name);

// The settings that all runs start from.
tot_status study_reproduce_base(tot_train_config *base, const study_reproduce_settings *settings);

// Makes a copy of a demonstration whose speed varies over time, as in ORCA's experiments: cut once
// success has held for a tenth of the steps, and split into five sections, one to five of which are
// changed: only every 2nd, 4th, .. 10th step is kept, or every step is repeated one to five more
// times. Random choices come from `random`. out is {0} or one used before; on failure it is empty.
tot_status study_trajectory_misalign(tot_trajectory *out, const tot_trajectory *whole,
                                     tot_random *random);

// Creates the missing demonstration files that runs of the sweep need.
tot_status study_reproduce_demos(const tot_sweep *sweep, bool (*ask)(void *context), void *context);

// Writes FOLDER/NAME.html, .csv and .tex of a study from its runs, or the special page of a study
// without runs. command: the command that reproduces it. pool may be NULL. TOT_E_ARGUMENT: no run
// has started.
tot_status study_reproduce_page(const study_entry *study, const study_reproduce_settings *settings,
                                const char *command, tot_pool *pool);

// Fill the pages of the two studies that are not reports of runs. csv: the same rewards, one per
// line.
tot_status study_reproduce_rewards(const study_entry *study,
                                   const study_reproduce_settings *settings, tot_page *page,
                                   page_buffer *csv, tot_pool *pool);
tot_status study_reproduce_cases(const study_reproduce_settings *settings, tot_page *page,
                                 tot_pool *pool);
