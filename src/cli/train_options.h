// The settings of a run as options, all or some: --steps 3000 is --set steps=3000.
#pragma once

#include "cli/cli.h"

enum { TRAIN_MOST_SETTINGS = 160, TRAIN_MOST_OPTIONS = 256 };

// Start with {0}.
typedef struct train_options {
    cli_option options[TRAIN_MOST_OPTIONS];
    size_t count;
    // by the index of the setting
    const char *typed[TRAIN_MOST_SETTINGS];           // as given; NULL: not
    const char *words[TRAIN_MOST_SETTINGS];           // help of this command's own
    char names[TRAIN_MOST_SETTINGS][32];              // '-' for '_'
    char helps[TRAIN_MOST_SETTINGS][TOT_TRAIN_TEXT];  // with the default
} train_options;

// Options of the command's own.
void train_options_put(train_options *all, const cli_option *options, size_t count);

// The option of a setting. shown and help may be NULL: those of the table of settings.
void train_options_add(train_options *all, const char *name, const char *shown, const char *help);

// Another name of a setting's option.
void train_options_alias(train_options *all, const char *alias, const char *name, const char *shown,
                         const char *help);

// Under headings: all settings that have no option yet, and the methods.
void train_options_rest(train_options *all);

// Writes the help of every setting, with the value of this config as its default.
void train_options_explain(train_options *all, const tot_train_config *config);

// What was typed for a setting; NULL: nothing.
const char *train_options_typed(const train_options *all, const char *name);

// Sets what was typed. Returns the exit code: EXIT_USAGE with a line printed.
int train_options_apply(const train_options *all, tot_train_config *config);
