#include "cli/rewarding.h"

#include "reward/settings.h"

static bool is_without(const char *name, const char *const *without) {
    for (; *without != NULL; without++) {
        if (strncmp(name, *without, strlen(*without)) == 0) {
            return true;
        }
    }
    return false;
}

size_t cli_rewarding_options(cli_rewarding *rewarding, cli_option *options, size_t count,
                             const char *const *without) {
    options[count++] = (cli_option){.name = "the reward:", .kind = CLI_SECTION};
    for (size_t k = 0; k < tot_reward_parameter_count() && k < CLI_MOST_REWARD_SETTINGS; k++) {
        const tot_parameter *setting = tot_reward_parameter_at(k);
        char *name = rewarding->names[k];
        if (is_without(setting->name, without)) {
            continue;
        }
        snprintf(name, sizeof rewarding->names[k], "%s", setting->name);
        for (char *letter = name; *letter != '\0'; letter++) {
            *letter = *letter == '_' ? '-' : *letter;
        }
        options[count++] =
            (cli_option){name, CLI_TEXT, &rewarding->typed[k], setting->takes, rewarding->helps[k]};
    }
    return count;
}

void cli_rewarding_explain(cli_rewarding *rewarding, const char *method) {
    size_t count = 0;
    const base_setting *settings = reward_settings(&count);
    tot_reward_config config;
    if (tot_reward_config_for(&config, method) != TOT_OK) {
        tot_reward_defaults(&config);
    }
    for (size_t k = 0; k < count && k < CLI_MOST_REWARD_SETTINGS; k++) {
        char value[64];
        reward_setting_get(&settings[k], &config, value, sizeof value);
        snprintf(rewarding->helps[k], sizeof rewarding->helps[k], "%s (default %s)",
                 settings[k].help, value);
    }
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
