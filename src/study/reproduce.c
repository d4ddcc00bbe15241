// Turns tables and figures into the runs they need.
#include <dirent.h>

#include "base/base.h"
#include "study/cells.h"
#include "study/reproduce.h"

enum { TEXT_SIZE = 8192, NAME_SIZE = 65 };

// Appends to a text; returns false if there is no room.
static bool add_text(char text[TEXT_SIZE], const char *more) {
    const size_t used = strlen(text);
    return snprintf(text + used, TEXT_SIZE - used, "%s", more) < (int)(TEXT_SIZE - used);
}

// --- settings of all runs ----------------------------------------------------------------------

// Splits "name=value".
static tot_status split(const char *word, char name[NAME_SIZE], const char **value) {
    const size_t length = strcspn(word, "=");
    BASE_FAIL_IF(word[length] != '=' || length == 0 || length >= NAME_SIZE ||
                     strlen(word) >= TOT_TRAIN_TEXT + length,
                 TOT_E_ARGUMENT, "set: '%.80s' is not NAME=VALUE", word);
    snprintf(name, NAME_SIZE, "%.*s", (int)length, word);
    *value = word + length + 1;
    return TOT_OK;
}

// Adds "name=value" as a line of YAML.
static tot_status add_line(char text[TEXT_SIZE], const char *word) {
    char name[NAME_SIZE];
    char line[2 * TOT_TRAIN_TEXT];
    const char *value = NULL;
    BASE_TRY(split(word, name, &value));
    size_t used = (size_t)snprintf(line, sizeof line, "%s: \"", name);
    for (const char *letter = value; *letter != '\0'; letter++) {
        if (*letter == '"' || *letter == '\\') {
            line[used++] = '\\';
        }
        line[used++] = *letter;
    }
    memcpy(line + used, "\"\n", 3);
    return add_text(text, line) ? TOT_OK : base_fail(TOT_E_ARGUMENT, "set: too many settings");
}

static tot_status base_text(const study_reproduce_settings *settings, char text[TEXT_SIZE]) {
    snprintf(text, TEXT_SIZE, "preset: %s\n", settings->preset);
    for (size_t k = 0; k < settings->set_count; k++) {
        BASE_TRY(add_line(text, settings->set[k]));
    }
    return TOT_OK;
}

tot_status study_reproduce_base(tot_train_config *base, const study_reproduce_settings *settings) {
    tot_train_defaults(base);
    BASE_TRY(tot_train_preset(base, settings->preset));
    for (size_t k = 0; k < settings->set_count; k++) {
        char name[NAME_SIZE];
        const char *value = NULL;
        BASE_TRY(split(settings->set[k], name, &value));
        BASE_FAIL_IF(study_names_folder(name), TOT_E_ARGUMENT,
                     "set: %s cannot be set here; it is chosen by the list of %ss", name, name);
        BASE_TRY(tot_train_set(base, name, value));
    }
    return TOT_OK;
}

// --- the runs of a study -----------------------------------------------------------------------

bool study_is_listed(const char *list, const char *name) {
    const size_t length = strlen(name);
    for (const char *word = list; word != NULL; word = strchr(word, ',')) {
        word += *word == ',';
        if (strncmp(word, name, length) == 0 && (word[length] == ',' || word[length] == '\0')) {
            return true;
        }
    }
    return false;
}

// A method is selected by its name, or by its name and discount as in the paper: "ot0.99".
static bool is_chosen(const char *methods, const tot_train_config *config) {
    char value[64];
    char name[TOT_TRAIN_TEXT + 64];
    tot_train_get(config, "discount", value, sizeof value);
    snprintf(name, sizeof name, "%s%s", config->method, value);
    return study_is_listed(methods, config->method) || study_is_listed(methods, name);
}

// Checks that every name in the list is a method.
static tot_status check_methods(const char *methods) {
    char list[TOT_TRAIN_TEXT];
    tot_train_method method;
    snprintf(list, sizeof list, "%s", methods);
    char *rest = list;
    for (char *word; (word = strsep(&rest, ",")) != NULL;) {
        // "ot0.99": the discount is not part of the name
        const size_t length = strcspn(word, "0123456789");
        if (length > 0 && strspn(word + length, "0123456789.") == strlen(word + length)) {
            word[length] = '\0';
        }
        BASE_TRY(tot_train_method_find(&method, word));
    }
    return TOT_OK;
}

// Gives all runs misaligned demonstrations of their tasks.
static tot_status misalign(tot_sweep *sweep, const study_reproduce_settings *settings) {
    for (size_t k = 0; k < sweep->count; k++) {
        study_sweep_cell *cell = sweep->cells[k];
        char name[160];
        char path[TRAIN_PATH];
        snprintf(name, sizeof name, "demonstrations/%.64s/misaligned.npz", cell->config.task);
        BASE_TRY(train_path(path, settings->folder, name));
        BASE_TRY(tot_train_set(&cell->config, "demo", path));
        BASE_TRY(study_sweep_rename(cell, "misaligned"));
    }
    return TOT_OK;
}

static tot_status grid_text(const study_entry *study, const study_reproduce_settings *settings,
                            const char *grid, char text[TEXT_SIZE]) {
    char number[32];
    bool whole = true;
    snprintf(text, TEXT_SIZE, "seed: [0");
    for (int64_t seed = 1; seed < settings->seeds; seed++) {
        snprintf(number, sizeof number, ", %lld", (long long)seed);
        whole = whole && add_text(text, number);
    }
    whole = whole && add_text(text, "]\ntask: [") &&
            add_text(text, settings->tasks != NULL ? settings->tasks : study->tasks) &&
            add_text(text, "]\n") && add_text(text, grid);
    return whole ? TOT_OK : base_fail(TOT_E_ARGUMENT, "too many seeds or tasks");
}

static tot_status add_study(tot_sweep *sweep, const study_entry *study,
                            const study_reproduce_settings *settings,
                            const tot_train_config *base) {
    for (int twice = 0; twice <= (study->misaligned ? 1 : 0); twice++) {
        // in a sweep of its own first: misaligned runs are renamed before they meet the others
        tot_sweep *own = NULL;
        BASE_TRY(study_sweep_create(&own, "", study->name));
        tot_status status = TOT_OK;
        for (size_t k = 0; k < STUDY_MOST_GRIDS && study->grids[k] != NULL; k++) {
            char text[TEXT_SIZE];
            BASE_THEN(status, grid_text(study, settings, study->grids[k], text));
            BASE_THEN(status,
                      study_sweep_add(own, base, text, study->name, STUDY_NAME_DIFFERENCES));
        }
        BASE_THEN(status, twice == 1 ? misalign(own, settings) : TOT_OK);
        BASE_THEN(status, study_sweep_move(sweep, own));
        tot_sweep_free(own);
        BASE_TRY(status);
    }
    return TOT_OK;
}

// --- weights -----------------------------------------------------------------------------------

// Finds a weight file of an encoder in the folder: its name begins with the encoder's.
static bool find_weights(const char *folder, const char *encoder, char *path) {
    static const char *const ends[] = {".pth", ".pt", ".safetensors"};
    DIR *entries = folder != NULL ? opendir(folder) : NULL;
    bool found = false;
    const size_t length = strlen(encoder);
    for (struct dirent *entry; entries != NULL && !found && (entry = readdir(entries)) != NULL;) {
        const char *dot = strrchr(entry->d_name, '.');
        const char next =
            strncmp(entry->d_name, encoder, length) == 0 ? entry->d_name[length] : 'x';
        // "resnet18-f37072fd.pth", not "resnet180.pth"
        for (size_t k = 0; (next == '-' || next == '.' || next == '_') && k < 3; k++) {
            found = found || (dot != NULL && strcmp(dot, ends[k]) == 0 &&
                              train_path(path, folder, entry->d_name) == TOT_OK);
        }
    }
    if (entries != NULL) {
        closedir(entries);
    }
    return found;
}

// Whether a run needs a weight file; the default weights need none.
static bool needs_weights(const tot_train_config *config) {
    tot_train_method method;
    const bool compares = tot_train_method_find(&method, config->method) == TOT_OK &&
                          method.compares && config->cost_on == TOT_COST_ON_IMAGE;
    return compares && config->weights[0] == '\0' && config->encoder[0] != '\0' &&
           strcmp(config->encoder, "mobilenetv2") != 0;
}

// Describes which weights are missing and where to put them.
static void name_weights(study_sweep_cell *cell, const char *folder) {
    static const char *const files[] = {"resnet18-f37072fd.pth", "resnet34-b627a593.pth",
                                        "resnet50-0676ba61.pth", "resnet101-63fe2227.pth",
                                        "resnet152-394f9c45.pth"};
    const char *encoder = cell->config.encoder;
    const size_t length = strlen(encoder);
    char file[96];
    snprintf(file, sizeof file, "a file %.40s-*.pth", encoder);
    for (size_t k = 0; k < BASE_LENGTH(files); k++) {
        if (strncmp(files[k], encoder, length) == 0 && files[k][length] == '-') {
            snprintf(file, sizeof file, "torchvision's %s", files[k]);
        }
    }
    snprintf(cell->problem, sizeof cell->problem,
             "no weights for %.40s in %.80s: put %s there, or name another folder (weights_dir)",
             encoder, folder, file);
}

static tot_status settle_weights(tot_sweep *sweep, const study_reproduce_settings *settings) {
    char path[TRAIN_PATH];
    for (size_t k = 0; k < sweep->count; k++) {
        study_sweep_cell *cell = sweep->cells[k];
        if (!needs_weights(&cell->config)) {
            continue;
        }
        if (find_weights(settings->weights_folder, cell->config.encoder, path)) {
            BASE_TRY(tot_train_set(&cell->config, "weights", path));
            continue;
        }
        cell->info.state = TOT_CELL_LEFT_OUT;
        name_weights(cell, settings->weights_folder);
    }
    return TOT_OK;
}

// Orders the runs so that one seed of everything comes before the next seed.
static void sort_by_seed(tot_sweep *sweep) {
    for (size_t k = 1; k < sweep->count; k++) {
        study_sweep_cell *one = sweep->cells[k];
        size_t place = k;
        for (; place > 0 && sweep->cells[place - 1]->config.seed > one->config.seed; place--) {
            sweep->cells[place] = sweep->cells[place - 1];
        }
        sweep->cells[place] = one;
    }
}

// --- all runs ----------------------------------------------------------------------------------

static tot_status add_all(tot_sweep *sweep, const study_entry *const *studies, size_t count,
                          const study_reproduce_settings *settings) {
    tot_train_config base;
    BASE_TRY(study_reproduce_base(&base, settings));
    for (size_t k = 0; k < count; k++) {
        BASE_TRY(add_study(sweep, studies[k], settings, &base));
    }
    for (size_t k = sweep->count; k-- > 0 && settings->methods != NULL;) {
        if (!is_chosen(settings->methods, &sweep->cells[k]->config)) {
            study_sweep_drop(sweep, k);
        }
    }
    sort_by_seed(sweep);
    return settle_weights(sweep, settings);
}

tot_status study_reproduce_runs(tot_sweep **out, const study_entry *const *studies, size_t count,
                                const study_reproduce_settings *settings) {
    char text[TEXT_SIZE];
    tot_sweep *sweep = NULL;
    *out = NULL;
    BASE_TRY(base_text(settings, text));
    BASE_TRY(settings->methods != NULL ? check_methods(settings->methods) : TOT_OK);
    BASE_TRY(study_sweep_create(&sweep, text, "this command"));
    BASE_GIVE(add_all(sweep, studies, count, settings), out, sweep, tot_sweep_free);
}
