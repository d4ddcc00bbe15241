// The paper's tables and figures, and what came after: which runs each needs, and its page.
#pragma once

#include <temporalot/runs.h>
#include <temporalot/sweep.h>

enum { STUDY_MOST_GRIDS = 4 };

typedef enum study_kind {
    STUDY_GRID,     // runs, and a report of them
    STUDY_REWARDS,  // rewards of episodes that are made for it; no runs
    STUDY_CASES,    // failed episodes of runs that are there already
} study_kind;

// One table or figure.
typedef struct study_entry {
    const char *name;  // what `temporalot reproduce` calls it
    const char *title;
    const char *shows;    // a sentence
    const char *paper;    // the paper's table beside it (paper.h); NULL: the paper gives no numbers
    const char *columns;  // of our table, for tot_report_settings; NULL: seen from the runs
    const char *tasks;    // between commas
    const char *grids[STUDY_MOST_GRIDS];  // as in a file for tot_sweep_load, but for task and seed
    bool misaligned;                      // every grid once more with misaligned demonstrations
    study_kind kind;
} study_entry;

size_t study_count(void);
const study_entry *study_at(size_t index);  // NULL behind the last

// TOT_E_ARGUMENT when there is none of that name; the text suggests the nearest.
tot_status study_find(const study_entry **study, const char *name);

// What a user chose of it.
typedef struct study_reproduce_settings {
    const char *preset;
    int64_t seeds;
    const char *tasks;           // between commas; NULL: the study's
    const char *methods;         // between commas, as "ot" or "ot0.99"; NULL: all
    const char *weights_folder;  // where weights of encoders are looked for
    const char *const *set;      // [set_count], "name=value" for all runs
    size_t set_count;
    const char *folder;  // of everything; not owned
} study_reproduce_settings;

// The runs of some studies, each once. Those that need weights which are not there are left out,
// with the reason. Nothing is read or written but the list of weights.
tot_status study_reproduce_runs(tot_sweep **out, const study_entry *const *studies, size_t count,
                                const study_reproduce_settings *settings);

// The settings that all runs begin with.
tot_status study_reproduce_base(tot_train_config *base, const study_reproduce_settings *settings);

// Makes the files of demonstrations that runs of the sweep need and that are not there yet.
tot_status study_reproduce_demos(const tot_sweep *sweep, bool (*ask)(void *context), void *context);

// Writes FOLDER/NAME.html, .csv and .tex of a study from its runs, or its page where it has none of
// its own. command: how it is made again. pool may be NULL. TOT_E_ARGUMENT: no run has begun.
tot_status study_reproduce_page(const study_entry *study, const study_reproduce_settings *settings,
                                const char *command, tot_pool *pool);

// The pages of the two that are not reports of runs.
tot_status study_reproduce_rewards(const study_reproduce_settings *settings, const char *command,
                                   const char *path, tot_pool *pool);
tot_status study_reproduce_cases(const study_reproduce_settings *settings, const char *command,
                                 const char *path, tot_pool *pool);
