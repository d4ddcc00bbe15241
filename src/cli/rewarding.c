#include "cli/rewarding.h"

#include "reward/settings.h"

const char *cli_reward_help(void) {
    static char text[1024];
    return cli_list_choices(text, sizeof text, "", "REWARD",
                            "; sets context and mask (default temporalot)");
}

static bool is_without(const char *name, const char *const *without) {
    for (; *without != NULL; without++) {
        if (strncmp(name, *without, strlen(*without)) == 0) {
            return true;
        }
    }
    return false;
}

// The help shows the defaults of the selected method.
static void explain(void *context) {
    cli_rewarding *rewarding = context;
    size_t count = 0;
    const base_setting *settings = reward_settings(&count);
    tot_reward_config config;
    if (tot_reward_config_for(&config, rewarding->method) != TOT_OK) {
        tot_reward_defaults(&config);
    }
    for (size_t k = 0; k < count && k < CLI_MOST_REWARD_SETTINGS; k++) {
        char value[64];
        reward_setting_get(&settings[k], &config, value, sizeof value);
        snprintf(rewarding->helps[k], sizeof rewarding->helps[k], "%s (default %s)",
                 settings[k].help, value);
    }
}

size_t cli_rewarding_options(cli_rewarding *rewarding, cli_option *options,
                             const char *const *without) {
    size_t count = 0;
    while (options[count].name != NULL) {
        count++;
    }
    options[count++] = (cli_option){.name = "reward:", .kind = CLI_SECTION};
    for (size_t k = 0; k < tot_reward_parameter_count() && k < CLI_MOST_REWARD_SETTINGS; k++) {
        const tot_parameter *setting = tot_reward_parameter_at(k);
        if (!is_without(setting->name, without)) {
            options[count++] = (cli_option){
                cli_option_name(rewarding->names[k], sizeof rewarding->names[k], setting->name),
                CLI_TEXT, &rewarding->typed[k], setting->takes, rewarding->helps[k]};
        }
    }
    explain(rewarding);
    cli_before_help(explain, rewarding);
    return count;
}

int cli_rewarding_read(const cli_rewarding *rewarding, tot_reward_config *config) {
    tot_status status = tot_reward_config_for(config, rewarding->method);
    for (size_t k = 0; k < tot_reward_parameter_count(); k++) {
        if (rewarding->typed[k] != NULL) {
            BASE_THEN(status, tot_reward_set(config, tot_reward_parameter_at(k)->name,
                                             rewarding->typed[k]));
        }
    }
    return status == TOT_OK ? EXIT_DONE : cli_usage_setting();
}
