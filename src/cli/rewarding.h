// Shared by the commands that reward episodes: the settings of the reward as options.
#pragma once

#include "cli/cli.h"

enum { CLI_MOST_REWARD_SETTINGS = 32 };

// Start with CLI_REWARDING_INITIAL.
typedef struct cli_rewarding {
    const char *method;  // as typed
    // indexed like the reward's parameters:
    const char *typed[CLI_MOST_REWARD_SETTINGS];  // NULL: not given
    char names[CLI_MOST_REWARD_SETTINGS][32];     // '-' for '_'
    char helps[CLI_MOST_REWARD_SETTINGS][256];    // with the default of the method
} cli_rewarding;

#define CLI_REWARDING_INITIAL \
    { .method = "temporalot" }

// The help of --method, which lists all methods.
const char *cli_reward_help(void);

// Appends a heading and the options of all settings to a table that ends with empty rows, except
// settings whose names begin with one of `without` (NULL-terminated). Returns the number of options
// in the table, which must have room for them. Both must not move until the command line is parsed.
size_t cli_rewarding_options(cli_rewarding *rewarding, cli_option *options,
                             const char *const *without);

// The defaults of the method, overridden by the options given. Returns the exit code: EXIT_USAGE
// with an error printed.
int cli_rewarding_read(const cli_rewarding *rewarding, tot_reward_config *config);
