// What the commands that reward episodes share: the settings of the reward as options.
#ifndef CLI_REWARDING_H
#define CLI_REWARDING_H

#include "cli/cli.h"

enum { CLI_MOST_REWARD_SETTINGS = 32 };

// The settings as typed, by the index of the reward's parameters; NULL: not given. Start with {0}.
typedef struct cli_rewarding {
    const char *typed[CLI_MOST_REWARD_SETTINGS];
    char names[CLI_MOST_REWARD_SETTINGS][32];  // '-' for '_'
} cli_rewarding;

// The option of parameter `index`, which is below CLI_MOST_REWARD_SETTINGS.
cli_option cli_rewarding_option(cli_rewarding *rewarding, size_t index, const char *help);

// The defaults of the method, and what was typed over them.
tot_status cli_rewarding_read(const cli_rewarding *rewarding, const char *method,
                              tot_reward_config *config);

#endif
