// All or some settings of a run as options: --steps 3000 is --set steps=3000.
#pragma once

#include "cli/cli.h"

enum { TRAIN_MOST_SETTINGS = 160, TRAIN_MOST_OPTIONS = 256 };

// Start with {0}.
typedef struct train_options {
    cli_option options[TRAIN_MOST_OPTIONS];
    size_t count;
    // indexed like the settings
    const char *typed[TRAIN_MOST_SETTINGS];           // as given; NULL: not given
    const char *words[TRAIN_MOST_SETTINGS];           // the command's own help texts
    char names[TRAIN_MOST_SETTINGS][32];              // '-' for '_'
    char helps[TRAIN_MOST_SETTINGS][TOT_TRAIN_TEXT];  // including the default
} train_options;

// Appends options of the command itself.
void train_options_put(train_options *all, const cli_option *options, size_t count);

// Appends the option of a setting. shown and help may be NULL: those of the table of settings.
void train_options_add(train_options *all, const char *name, const char *shown, const char *help);

// Appends another name for the option of a setting.
void train_options_alias(train_options *all, const char *alias, const char *name, const char *shown,
                         const char *help);

// Appends, under headings, all settings that have no option yet, and the methods.
void train_options_rest(train_options *all);

// Fills in the help of every setting, with its value in this config as the default.
void train_options_explain(train_options *all, const tot_train_config *config);

// The value given for a setting; NULL: none.
const char *train_options_typed(const train_options *all, const char *name);

// Sets the values given. Returns the exit code: EXIT_USAGE with an error printed.
int train_options_apply(const train_options *all, tot_train_config *config);
