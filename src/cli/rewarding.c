#include "cli/rewarding.h"

cli_option cli_rewarding_option(cli_rewarding *rewarding, size_t index, const char *help) {
    char *name = rewarding->names[index];
    snprintf(name, sizeof rewarding->names[index], "%s", tot_reward_parameter_at(index)->name);
    for (char *letter = name; *letter != '\0'; letter++) {
        *letter = *letter == '_' ? '-' : *letter;
    }
    return (cli_option){name, CLI_TEXT, &rewarding->typed[index], "X", help};
}

tot_status cli_rewarding_read(const cli_rewarding *rewarding, const char *method,
                              tot_reward_config *config) {
    tot_status status = tot_reward_config_for(config, method);
    for (size_t k = 0; k < tot_reward_parameter_count() && status == TOT_OK; k++) {
        if (rewarding->typed[k] != NULL) {
            status = tot_reward_set(config, tot_reward_parameter_at(k)->name, rewarding->typed[k]);
        }
    }
    return status;
}
