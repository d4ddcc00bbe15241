// What the commands that reward episodes share: the settings of the reward as options.
#pragma once

#include "cli/cli.h"

enum { CLI_MOST_REWARD_SETTINGS = 32 };

// Start with CLI_REWARDING_INITIAL.
typedef struct cli_rewarding {
    const char *method;  // as typed
    // by the index of the reward's parameters:
    const char *typed[CLI_MOST_REWARD_SETTINGS];  // NULL: not given
    char names[CLI_MOST_REWARD_SETTINGS][32];     // '-' for '_'
    char helps[CLI_MOST_REWARD_SETTINGS][256];    // with the default of the method
} cli_rewarding;

#define CLI_REWARDING_INITIAL \
    { .method = "temporalot" }

// Adds the options of all settings to a table that ends in empty rows, behind a heading, but of
// those whose names begin with one of `without` (ended by NULL). Returns how many options there are
// now; the table has room for them. Both must stay where they are until the command line is read.
size_t cli_rewarding_options(cli_rewarding *rewarding, cli_option *options,
                             const char *const *without);

// The defaults of the method, and what was typed over them. Returns the exit code: EXIT_USAGE with
// a line printed.
int cli_rewarding_read(const cli_rewarding *rewarding, tot_reward_config *config);
