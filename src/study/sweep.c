// Expands a grid of settings into the cells of a sweep.
#include "base/base.h"
#include "file/source.h"
#include "file/yaml.h"
#include "study/cells.h"

enum {
    LARGEST_GRID = 1 << 20,
    MOST_CELLS = 10000,
    MOST_AXES = 200,
    NAME_SIZE = 512,
    KEY_SIZE = 64
};

const char *tot_cell_state_text(tot_cell_state state) {
    static const char *const texts[] = {"waiting",  "queued", "going",   "stopped",
                                        "finished", "failed", "left out"};
    return (size_t)state < BASE_LENGTH(texts) ? texts[state] : "unknown";
}

// --- lines of the grid -------------------------------------------------------------------------

// A setting with the values it takes.
typedef struct axis {
    char key[KEY_SIZE];  // "cost_on", even if written as "cost-on"
    char *text;          // the values, each terminated by 0
    char **values;       // [count], pointing into text
    size_t count;
    bool is_list;
    int64_t line;
} axis;

typedef struct grid {
    const char *name;
    axis *axes;
    size_t count;
    const tot_train_config *base;
    study_cell_naming naming;
} grid;

bool study_names_folder(const char *key) {
    return strcmp(key, "task") == 0 || strcmp(key, "method") == 0 || strcmp(key, "seed") == 0;
}

// Whether a line is not a setting, but names the preset or file to start from.
static bool is_origin(const char *key) {
    return strcmp(key, "preset") == 0 || strcmp(key, "config") == 0;
}

static tot_status fill_axis(axis *out, const file_yaml_entry *entry, const char *name) {
    *out = (axis){.is_list = entry->is_list, .line = entry->line};
    base_setting_key(out->key, sizeof out->key, entry->key);
    BASE_FAIL_IF(entry->is_list && entry->length == 0, TOT_E_ARGUMENT,
                 "%s: line %lld: %s: an empty list makes no runs", name, (long long)entry->line,
                 entry->key);
    out->count = entry->is_list ? entry->length : 1;
    out->text = base_copy_text(entry->value);
    out->values = base_alloc(out->count, sizeof *out->values, "values");
    BASE_HAVE(out->text, out->values);
    char *value = out->text;
    for (size_t k = 0; k < out->count; k++) {
        out->values[k] = value;
        char *end = entry->is_list ? strchr(value, ',') : NULL;
        if (end != NULL) {
            *end = '\0';
        }
        // a value that contains a comma would look like two values
        BASE_FAIL_IF((end != NULL) != (k + 1 < out->count), TOT_E_ARGUMENT,
                     "%s: line %lld: %s: a value in a list cannot contain a comma", name,
                     (long long)entry->line, entry->key);
        value = end != NULL ? end + 1 : NULL;
    }
    return TOT_OK;
}

static void free_grid(grid *lines) {
    for (size_t k = 0; k < lines->count; k++) {
        BASE_RELEASE(lines->axes[k].text, lines->axes[k].values);
    }
    base_free(lines->axes);
}

// Checks every value separately, so that an error names its line.
static tot_status check_axis(const axis *one, const grid *lines) {
    for (size_t k = 0; k < one->count; k++) {
        tot_train_config scratch = *lines->base;
        const tot_status status = tot_train_set(&scratch, one->key, one->values[k]);
        if (status != TOT_OK) {
            return base_fail_in(status, "%s: line %lld", lines->name, (long long)one->line);
        }
        for (size_t i = 0; i < k; i++) {
            BASE_FAIL_IF(strcmp(one->values[i], one->values[k]) == 0, TOT_E_ARGUMENT,
                         "%s: line %lld: %s: %s is listed twice", lines->name, (long long)one->line,
                         one->key, one->values[k]);
        }
    }
    return TOT_OK;
}

static tot_status check_twice(const grid *lines) {
    const axis *last = &lines->axes[lines->count - 1];
    for (size_t k = 0; k + 1 < lines->count; k++) {
        BASE_FAIL_IF(strcmp(lines->axes[k].key, last->key) == 0, TOT_E_ARGUMENT,
                     "%s: line %lld: '%s' is already in line %lld", lines->name,
                     (long long)last->line, last->key, (long long)lines->axes[k].line);
    }
    return lines->count <= MOST_AXES
               ? TOT_OK
               : base_fail(TOT_E_ARGUMENT, "%s: more than %d settings", lines->name, MOST_AXES);
}

static tot_status read_axes(grid *lines, const file_yaml *yaml) {
    BASE_ALLOC_ZERO(lines->axes, yaml->count + 1, "grid");
    for (size_t k = 0; k < yaml->count; k++) {
        if (!is_origin(yaml->entries[k].key)) {
            axis *one = &lines->axes[lines->count++];
            BASE_TRY(fill_axis(one, &yaml->entries[k], lines->name));
            BASE_TRY(check_axis(one, lines));
            BASE_TRY(check_twice(lines));
        }
    }
    return TOT_OK;
}

// --- names -------------------------------------------------------------------------------------

// Appends a value to a folder name: the last part of a path, with unusual characters replaced.
static void add_value(char *name, size_t size, const char *key, const char *value) {
    const char *slash = strrchr(value, '/');
    size_t used = strlen(name);
    used += (size_t)snprintf(name + used, size - used, ",%s=", key);
    for (const char *letter = slash != NULL ? slash + 1 : value; *letter != '\0' && used + 1 < size;
         letter++) {
        const bool plain = (*letter >= 'a' && *letter <= 'z') ||
                           (*letter >= 'A' && *letter <= 'Z') ||
                           (*letter >= '0' && *letter <= '9') || strchr("._:+-", *letter) != NULL;
        name[used++] = plain ? *letter : '_';
        name[used] = '\0';
    }
}

// Writes the suffix of the method: ",discount=0.99". plain: the base with the cell's task and
// method.
static void name_settings(const grid *lines, const tot_train_config *config,
                          const tot_train_config *plain, char *name, size_t size) {
    name[0] = '\0';
    for (size_t k = 0; k < lines->count; k++) {
        const axis *one = &lines->axes[k];
        char value[TOT_TRAIN_TEXT];
        char usual[TOT_TRAIN_TEXT];
        tot_train_get(config, one->key, value, sizeof value);
        tot_train_get(plain, one->key, usual, sizeof usual);
        const bool named =
            lines->naming == STUDY_NAME_LISTS ? one->is_list : strcmp(value, usual) != 0;
        if (named && !study_names_folder(one->key) && strlen(name) + 2 * strlen(one->key) < size) {
            add_value(name, size, one->key, value);
        }
    }
}

static tot_status set_names(study_sweep_cell *cell, const char *settings) {
    char text[TRAIN_PATH];
    const tot_train_config *config = &cell->config;
    BASE_RELEASE(cell->folder, cell->label);
    snprintf(text, sizeof text, "%s/%s%s/seed-%lld", config->task, config->method, settings,
             (long long)config->seed);
    cell->folder = base_copy_text(text);
    snprintf(text, sizeof text, "%s %s%s%s seed %lld", config->task, config->method,
             settings[0] != '\0' ? " " : "", settings[0] != '\0' ? settings + 1 : "",
             (long long)config->seed);
    cell->label = base_copy_text(text);
    cell->info.folder = cell->folder;
    cell->info.label = cell->label;
    return cell->folder != NULL && cell->label != NULL ? TOT_OK : TOT_E_MEMORY;
}

tot_status study_sweep_rename(study_sweep_cell *cell, const char *suffix) {
    char settings[NAME_SIZE];
    snprintf(settings, sizeof settings, ",%s", suffix);
    return set_names(cell, settings);
}

// --- cells -------------------------------------------------------------------------------------

static void free_cell(study_sweep_cell *cell) {
    BASE_RELEASE(cell->folder, cell->label, cell->path, cell);
}

void study_sweep_drop(tot_sweep *sweep, size_t index) {
    free_cell(sweep->cells[index]);
    sweep->count--;
    memmove(sweep->cells + index, sweep->cells + index + 1,
            (sweep->count - index) * sizeof *sweep->cells);
}

// Adds an empty cell.
static tot_status add_cell(tot_sweep *sweep, study_sweep_cell **cell) {
    BASE_GROW(sweep->cells, sweep->capacity, sweep->count, sweep->count + 1, "cells");
    BASE_NEW(study_sweep_cell, made, "cells");
    made->info = (tot_cell){.config = &made->config,
                            .success_rate = (double)NAN,
                            .seconds = (double)NAN,
                            .seconds_left = -1,
                            .problem = made->problem};
    *cell = sweep->cells[sweep->count++] = made;
    return TOT_OK;
}

static tot_status fill_cell(study_sweep_cell *cell, const grid *lines, size_t number) {
    char settings[NAME_SIZE];
    tot_train_config *config = &cell->config;
    tot_train_config plain = *lines->base;
    *config = *lines->base;
    // the first line of the grid changes slowest
    size_t rest = number;
    size_t places[MOST_AXES] = {0};
    for (size_t k = lines->count; k-- > 0;) {
        places[k] = rest % lines->axes[k].count;
        rest /= lines->axes[k].count;
    }
    for (size_t k = 0; k < lines->count; k++) {
        const axis *one = &lines->axes[k];
        BASE_TRY(tot_train_set(config, one->key, one->values[places[k]]));
        if (study_names_folder(one->key)) {
            BASE_TRY(tot_train_set(&plain, one->key, one->values[places[k]]));
        }
    }
    BASE_FAIL_IF(config->task[0] == '\0', TOT_E_ARGUMENT,
                 "%s: no task; a line like `task: [door-open, push]` is needed", lines->name);
    name_settings(lines, config, &plain, settings, sizeof settings);
    BASE_TRY(set_names(cell, settings));
    const tot_status status = tot_train_check(config);
    if (status != TOT_OK) {
        return base_fail_in(status, "%s: %s", lines->name, cell->label);
    }
    tot_train_method method;
    BASE_TRY(tot_train_method_find(&method, config->method));
    cell->info.steps = method.acts ? config->steps : config->clone_updates;
    return TOT_OK;
}

// The last cell may have the same folder as an earlier one.
static tot_status settle_twin(tot_sweep *sweep, const grid *lines) {
    const size_t last = sweep->count - 1;
    for (size_t k = 0; k < last; k++) {
        if (strcmp(sweep->cells[k]->folder, sweep->cells[last]->folder) != 0) {
            continue;
        }
        BASE_FAIL_IF(lines->naming == STUDY_NAME_LISTS, TOT_E_ARGUMENT,
                     "%s: two of its runs would have the folder %s", lines->name,
                     sweep->cells[last]->folder);
        study_sweep_drop(sweep, last);
        return TOT_OK;
    }
    return TOT_OK;
}

static tot_status add_cells(tot_sweep *sweep, const grid *lines) {
    size_t total = 1;
    for (size_t k = 0; k < lines->count; k++) {
        total *= lines->axes[k].count;
        BASE_FAIL_IF(total > MOST_CELLS, TOT_E_ARGUMENT, "%s: more than %d runs", lines->name,
                     MOST_CELLS);
    }
    for (size_t k = 0; k < total; k++) {
        study_sweep_cell *cell = NULL;
        BASE_TRY(add_cell(sweep, &cell));
        BASE_TRY(fill_cell(cell, lines, k));
        BASE_TRY(settle_twin(sweep, lines));
    }
    return TOT_OK;
}

static tot_status add_grid(tot_sweep *sweep, const tot_train_config *base, const file_yaml *yaml,
                           const char *name, study_cell_naming naming) {
    grid lines = {.name = name, .base = base, .naming = naming};
    tot_status status = read_axes(&lines, yaml);
    BASE_THEN(status, add_cells(sweep, &lines));
    free_grid(&lines);
    return status;
}

tot_status study_sweep_add(tot_sweep *sweep, const tot_train_config *base, const char *text,
                           const char *name, study_cell_naming naming) {
    file_yaml yaml = {0};
    BASE_TRY(file_yaml_parse(&yaml, text, strlen(text), name));
    BASE_FINALLY(add_grid(sweep, base, &yaml, name, naming), file_yaml_free(&yaml));
}

tot_status study_sweep_move(tot_sweep *sweep, tot_sweep *other) {
    const grid lines = {.name = sweep->name, .naming = STUDY_NAME_DIFFERENCES};
    BASE_GROW(sweep->cells, sweep->capacity, sweep->count, sweep->count + other->count, "cells");
    for (size_t k = 0; k < other->count; k++) {
        sweep->cells[sweep->count++] = other->cells[k];
        settle_twin(sweep, &lines);
    }
    other->count = 0;
    return TOT_OK;
}

// --- a sweep -----------------------------------------------------------------------------------

tot_status study_sweep_create(tot_sweep **out, const char *text, const char *name) {
    *out = NULL;
    BASE_NEW(tot_sweep, sweep, "sweep");
    sweep->text = base_copy_text(text);
    sweep->name = base_copy_text(name);
    BASE_GIVE(sweep->text != NULL && sweep->name != NULL ? TOT_OK : TOT_E_MEMORY, out, sweep,
              tot_sweep_free);
}

// Reads the preset and the settings file that the grid starts from.
static tot_status read_origin(tot_train_config *base, const file_yaml *yaml, const char *name) {
    const file_yaml_entry *preset = NULL;
    const file_yaml_entry *config = NULL;
    for (size_t k = 0; k < yaml->count; k++) {
        const file_yaml_entry *entry = &yaml->entries[k];
        BASE_FAIL_IF(is_origin(entry->key) && entry->is_list, TOT_E_ARGUMENT,
                     "%s: line %lld: %s: takes one value, not a list", name, (long long)entry->line,
                     entry->key);
        preset = strcmp(entry->key, "preset") == 0 ? entry : preset;
        config = strcmp(entry->key, "config") == 0 ? entry : config;
    }
    tot_train_defaults(base);
    tot_status status = tot_train_preset(base, preset != NULL ? preset->value : "quick");
    if (status != TOT_OK) {
        return preset != NULL ? base_fail_in(status, "%s: line %lld", name, (long long)preset->line)
                              : status;
    }
    if (config != NULL && (status = tot_train_load(base, config->value)) != TOT_OK) {
        return base_fail_in(status, "%s: line %lld", name, (long long)config->line);
    }
    return TOT_OK;
}

static tot_status parse(tot_sweep **out, const file_yaml *yaml, const char *text,
                        const char *name) {
    tot_train_config base;
    tot_sweep *sweep = NULL;
    BASE_FAIL_IF(yaml->count == 0, TOT_E_ARGUMENT,
                 "%s: an empty grid; it needs at least a line like `task: [door-open, push]`",
                 name);
    BASE_TRY(read_origin(&base, yaml, name));
    BASE_TRY(study_sweep_create(&sweep, text, name));
    BASE_GIVE(add_grid(sweep, &base, yaml, name, STUDY_NAME_LISTS), out, sweep, tot_sweep_free);
}

tot_status tot_sweep_parse(tot_sweep **out, const char *text, const char *name) {
    BASE_NEED(out, text, name);
    file_yaml yaml = {0};
    *out = NULL;
    BASE_TRY(file_yaml_parse(&yaml, text, strlen(text), name));
    BASE_FINALLY(parse(out, &yaml, text, name), file_yaml_free(&yaml));
}

tot_status tot_sweep_load(tot_sweep **sweep, const char *path) {
    BASE_NEED(sweep, path);
    char *text = NULL;
    size_t size = 0;
    *sweep = NULL;
    BASE_TRY(file_source_read_file(&text, &size, path, LARGEST_GRID, "a grid"));
    BASE_FINALLY(strlen(text) == size ? tot_sweep_parse(sweep, text, path)
                                      : base_fail(TOT_E_FORMAT, "%s: holds a 0 byte", path),
                 base_free(text));
}

BASE_GETTER(size_t, tot_sweep_count, tot_sweep, sweep, 0, sweep->count)

BASE_ITEM(const tot_cell *, tot_sweep_at, tot_sweep, sweep, sweep->count,
          &sweep->cells[index]->info)

void tot_sweep_free(tot_sweep *sweep) {
    BASE_UNLESS_NULL(sweep);
    for (size_t k = 0; k < sweep->count; k++) {
        free_cell(sweep->cells[k]);
    }
    BASE_RELEASE(sweep->cells, sweep->text, sweep->name, sweep->folder, sweep);
}
