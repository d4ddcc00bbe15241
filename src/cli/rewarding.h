// What the commands that reward episodes share: the settings of the reward as options.
#pragma once

#include "cli/cli.h"

enum { CLI_MOST_REWARD_SETTINGS = 32 };

// The settings as typed, by the index of the reward's parameters; NULL: not given. Start with {0}.
typedef struct cli_rewarding {
    const char *typed[CLI_MOST_REWARD_SETTINGS];
    char names[CLI_MOST_REWARD_SETTINGS][32];   // '-' for '_'
    char helps[CLI_MOST_REWARD_SETTINGS][256];  // with the default
} cli_rewarding;

// Writes the options of all settings behind a heading, but of those whose names begin with one of
// `without` (ended by NULL). Returns how many there are now; options has room for them.
size_t cli_rewarding_options(cli_rewarding *rewarding, cli_option *options, size_t count,
                             const char *const *without);

// Writes the help of every setting, with its default for this method.
void cli_rewarding_explain(cli_rewarding *rewarding, const char *method);

// The defaults of the method, and what was typed over them.
tot_status cli_rewarding_read(const cli_rewarding *rewarding, const char *method,
                              tot_reward_config *config);
