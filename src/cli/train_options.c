#include "cli/train_options.h"

static size_t index_of(const char *name) {
    size_t index = 0;
    while (index < tot_train_parameter_count() &&
           strcmp(tot_train_parameter_at(index)->name, name) != 0) {
        index++;
    }
    return index;
}

void train_options_put(train_options *all, const cli_option *options, size_t count) {
    for (size_t k = 0; k < count && all->count < TRAIN_MOST_OPTIONS; k++) {
        all->options[all->count++] = options[k];
    }
}

static void put_one(train_options *all, cli_option option) {
    train_options_put(all, &option, 1);
}

void train_options_add(train_options *all, const char *name, const char *shown, const char *help) {
    const size_t index = index_of(name);
    const tot_parameter *setting = tot_train_parameter_at(index);
    if (setting == NULL || index >= TRAIN_MOST_SETTINGS) {
        return;
    }
    const char *spelled =
        cli_option_name(all->names[index], sizeof all->names[index], setting->name);
    all->words[index] = help;
    put_one(all, (cli_option){spelled, CLI_TEXT, &all->typed[index],
                              shown != NULL ? shown : setting->takes, all->helps[index]});
}

void train_options_alias(train_options *all, const char *alias, const char *name, const char *shown,
                         const char *help) {
    const size_t index = index_of(name);
    if (index < TRAIN_MOST_SETTINGS) {
        put_one(all, (cli_option){alias, CLI_TEXT, &all->typed[index], shown, help});
    }
}

// Whether there is an option of this name, spelled as an option.
static bool has(const train_options *all, const char *name) {
    for (size_t k = 0; k < all->count; k++) {
        if (strcmp(all->options[k].name, name) == 0) {
            return true;
        }
    }
    return false;
}

void train_options_rest(train_options *all) {
    put_one(all, (cli_option){.name = "settings, also given as --set NAME=VALUE or as a line "
                                      "`NAME: VALUE` of --config FILE.yaml, with _ for -:",
                              .kind = CLI_SECTION});
    for (size_t k = 0; k < tot_train_parameter_count() && k < TRAIN_MOST_SETTINGS; k++) {
        if (all->names[k][0] == '\0' && !has(all, tot_train_parameter_at(k)->name)) {
            const char *name = tot_train_parameter_at(k)->name;
            const char *file = strcmp(name, "weights") == 0 || strcmp(name, "calibration") == 0
                                   ? "FILE"
                               : strcmp(name, "encoder") == 0 ? "ENCODER"
                                                              : NULL;
            train_options_add(all, name, file, NULL);
        }
    }
    put_one(all, (cli_option){.name = "methods:", .kind = CLI_SECTION});
    for (size_t k = 0; k < tot_train_method_count(); k++) {
        const tot_train_method *method = tot_train_method_at(k);
        put_one(all, (cli_option){method->name, CLI_ENTRY, NULL, NULL, method->help});
    }
}

void train_options_explain(train_options *all, const tot_train_config *config) {
    for (size_t k = 0; k < tot_train_parameter_count() && k < TRAIN_MOST_SETTINGS; k++) {
        const tot_parameter *setting = tot_train_parameter_at(k);
        const char *help = all->words[k] != NULL ? all->words[k] : setting->help;
        char value[TOT_TRAIN_TEXT] = "";
        if (tot_train_get(config, setting->name, value, sizeof value) != TOT_OK) {
            continue;
        }
        snprintf(all->helps[k], sizeof all->helps[k], value[0] != '\0' ? "%s (default %s)" : "%s",
                 help, value);
    }
}

const char *train_options_typed(const train_options *all, const char *name) {
    const size_t index = index_of(name);
    return index < TRAIN_MOST_SETTINGS ? all->typed[index] : NULL;
}

int train_options_apply(const train_options *all, tot_train_config *config) {
    for (size_t k = 0; k < tot_train_parameter_count() && k < TRAIN_MOST_SETTINGS; k++) {
        if (all->typed[k] != NULL &&
            tot_train_set(config, tot_train_parameter_at(k)->name, all->typed[k]) != TOT_OK) {
            return cli_usage_setting();
        }
    }
    return EXIT_DONE;
}
