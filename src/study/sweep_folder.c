// The folder of a sweep: whether it belongs to this grid, and the states of its runs.
#include <sys/stat.h>
#include <unistd.h>

#include <temporalot/file.h>

#include "base/base.h"
#include "file/atomic.h"
#include "file/yaml.h"
#include "study/cells.h"
#include "study/run_read.h"
#include "train/checkpoint.h"
#include "train/settings.h"
#include "train/status.h"

// --- the grid of a folder ----------------------------------------------------------------------

static const file_yaml_entry *find(const file_yaml *yaml, const char *name) {
    char key[64];
    char other[64];
    base_setting_key(key, sizeof key, name);
    for (size_t k = 0; k < yaml->count; k++) {
        base_setting_key(other, sizeof other, yaml->entries[k].key);
        if (strcmp(other, key) == 0) {
            return &yaml->entries[k];
        }
    }
    return NULL;
}

// Whether a line may differ between grids that share a folder: it is part of the names of the run
// folders.
static bool is_free(const file_yaml_entry *was, const file_yaml_entry *is) {
    return study_names_folder(was != NULL ? was->key : is->key) ||
           (was != NULL && is != NULL && was->is_list && is->is_list);
}

static tot_status compare_line(const tot_sweep *sweep, const file_yaml_entry *was,
                               const file_yaml_entry *is) {
    const bool same = was != NULL && is != NULL && was->is_list == is->is_list &&
                      strcmp(was->value, is->value) == 0;
    if (same || is_free(was, is)) {
        return TOT_OK;
    }
    const char *key = was != NULL ? was->key : is->key;
    return base_fail(
        TOT_E_ARGUMENT, "%s: the folder belongs to another sweep: %s is %s%s there, but %s%s in %s",
        sweep->folder, key, was == NULL ? "not set" : was->value,
        was != NULL && was->is_list ? " (a list)" : "", is == NULL ? "not set" : is->value,
        is != NULL && is->is_list ? " (a list)" : "", sweep->name);
}

static tot_status compare_grids(const tot_sweep *sweep, const file_yaml *was, const file_yaml *is) {
    for (size_t k = 0; k < was->count; k++) {
        BASE_TRY(compare_line(sweep, &was->entries[k], find(is, was->entries[k].key)));
    }
    for (size_t k = 0; k < is->count; k++) {
        if (find(was, is->entries[k].key) == NULL) {
            BASE_TRY(compare_line(sweep, NULL, &is->entries[k]));
        }
    }
    return TOT_OK;
}

// If the folder holds another grid, the error names the difference.
static tot_status compare_folder(const tot_sweep *sweep, const char *path) {
    struct stat about;
    file_yaml was = {0};
    file_yaml is = {0};
    if (stat(path, &about) != 0) {
        return TOT_OK;
    }
    tot_status status = file_yaml_load(&was, path);
    BASE_THEN(status, file_yaml_parse(&is, sweep->text, strlen(sweep->text), sweep->name));
    BASE_THEN(status, compare_grids(sweep, &was, &is));
    file_yaml_free(&was);
    file_yaml_free(&is);
    return status;
}

// Whether two paths have the same file name, in any folder.
static bool is_same_file(const char *a, const char *b) {
    const char *left = strrchr(a, '/');
    const char *right = strrchr(b, '/');
    return strchr(a, ',') == NULL &&
           strcmp(left != NULL ? left + 1 : a, right != NULL ? right + 1 : b) == 0;
}

// Adjusts the paths of files, whose folders do not distinguish runs: "weights/" and "./weights", or
// a sweep copied from another machine. A run that was started with weights keeps them.
static tot_status settle_files(study_sweep_cell *cell, tot_train_config *begun) {
    size_t count = 0;
    const base_setting *rows = train_settings(&count);
    if (cell->info.state == TOT_CELL_LEFT_OUT && cell->config.weights[0] == '\0') {
        BASE_TRY(tot_train_set(&cell->config, "weights", begun->weights));
        cell->info.state = access(begun->weights, R_OK) == 0 ? TOT_CELL_WAITING : TOT_CELL_LEFT_OUT;
    }
    for (size_t k = 0; k < count; k++) {
        char was[TOT_TRAIN_TEXT];
        char is[TOT_TRAIN_TEXT];
        if (!base_setting_is_file(&rows[k])) {
            continue;
        }
        tot_train_get(begun, rows[k].name, was, sizeof was);
        tot_train_get(&cell->config, rows[k].name, is, sizeof is);
        if (strcmp(was, is) != 0 && is_same_file(was, is)) {
            BASE_TRY(tot_train_set(begun, rows[k].name, is));
            cell->moved = true;
        }
    }
    return TOT_OK;
}

// Checks that the run was started with the settings of the grid.
static tot_status compare_run(study_sweep_cell *cell) {
    tot_train_config begun;
    char was[TOT_TRAIN_TEXT];
    char is[TOT_TRAIN_TEXT];
    if (!study_run_has(cell->path, "config.yaml")) {
        return TOT_OK;
    }
    const tot_status status = tot_train_config_of(&begun, cell->path);
    if (status != TOT_OK) {
        // reported with the state of the run
        return status == TOT_E_MEMORY ? status : TOT_OK;
    }
    BASE_TRY(settle_files(cell, &begun));
    const char *name = train_config_difference(&begun, &cell->config);
    if (name == NULL) {
        return TOT_OK;
    }
    tot_train_get(&begun, name, was, sizeof was);
    tot_train_get(&cell->config, name, is, sizeof is);
    return base_fail(TOT_E_ARGUMENT,
                     "%s: the run there was started with %s %s, but now it would have %s",
                     cell->path, name, was[0] != '\0' ? was : "none", is[0] != '\0' ? is : "none");
}

static tot_status set_folder(tot_sweep *sweep, const char *folder) {
    char path[TRAIN_PATH];
    base_free(sweep->folder);
    sweep->folder = base_copy_text(folder);
    BASE_HAVE(sweep->folder);
    for (size_t k = 0; k < sweep->count; k++) {
        study_sweep_cell *cell = sweep->cells[k];
        BASE_TRY(train_path(path, folder, cell->folder));
        base_free(cell->path);
        cell->path = base_copy_text(path);
        BASE_HAVE(cell->path);
    }
    return TOT_OK;
}

tot_status tot_sweep_peek(tot_sweep *sweep, const char *folder) {
    BASE_NEED(sweep, folder);
    char path[TRAIN_PATH];
    BASE_FAIL_IF(folder[0] == '\0', TOT_E_ARGUMENT, "%s: the name of its folder is empty",
                 sweep->name);
    // everything inside a run folder belongs to that run
    BASE_FAIL_IF(study_is_run_folder(folder), TOT_E_ARGUMENT,
                 "%s: is a run folder; a sweep needs a folder of its own", folder);
    BASE_TRY(set_folder(sweep, folder));
    BASE_TRY(train_path(path, folder, "sweep.yaml"));
    BASE_TRY(compare_folder(sweep, path));
    for (size_t k = 0; k < sweep->count; k++) {
        BASE_TRY(compare_run(sweep->cells[k]));
    }
    return tot_sweep_look(sweep);
}

tot_status tot_sweep_open(tot_sweep *sweep, const char *folder) {
    BASE_NEED(sweep, folder);
    char path[TRAIN_PATH];
    BASE_TRY(tot_sweep_peek(sweep, folder));
    sweep->made = !study_run_has(folder, "sweep.yaml");
    sweep->existing = train_existing(folder);
    BASE_TRY(train_make_folder(folder));
    BASE_TRY(train_path(path, folder, "sweep.yaml"));
    return file_save_text(path, sweep->text);
}

// --- states of the runs ------------------------------------------------------------------------

// The number of the last checkpoint includes the cloning updates. Metrics alone do not mean that a
// run is finished: their last row is written before the last checkpoint.
static bool has_last_checkpoint(const study_sweep_cell *cell) {
    tot_train_method method;
    char path[TRAIN_PATH];
    if (tot_train_method_find(&method, cell->config.method) != TOT_OK) {
        return false;
    }
    const int64_t made = (method.clones ? cell->config.clone_updates : 0) + cell->info.steps;
    return train_checkpoint_name(path, cell->path, made) == TOT_OK && access(path, F_OK) == 0;
}

static double time_left(const tot_cell *cell) {
    const double done = (double)cell->step;
    return done > 0 && cell->seconds > 0 ? cell->seconds * ((double)cell->steps - done) / done : -1;
}

static void take_record(study_sweep_cell *cell, const tot_run_record *record) {
    static const tot_cell_state states[] = {TOT_CELL_WAITING, TOT_CELL_GOING, TOT_CELL_STOPPED,
                                            TOT_CELL_FINISHED, TOT_CELL_FAILED};
    tot_cell *info = &cell->info;
    info->state = states[record->state];
    info->step = record->step;
    info->success_rate = record->success_rate;
    info->seconds = record->wall_seconds;
    cell->threads = record->threads;
    snprintf(cell->problem, sizeof cell->problem, "%s", record->problem);
    if (info->state == TOT_CELL_FINISHED && !has_last_checkpoint(cell)) {
        info->state = TOT_CELL_STOPPED;
    }
    info->seconds_left = info->state == TOT_CELL_FINISHED ? 0 : time_left(info);
    if (info->state != TOT_CELL_STOPPED && info->state != TOT_CELL_WAITING) {
        return;
    }
    train_status told;
    train_status_read(cell->path, &told);
    if (told.state == TRAIN_FAILED) {
        info->state = TOT_CELL_FAILED;
        snprintf(cell->problem, sizeof cell->problem, "%s", told.error);
    }
}

tot_status study_cell_look(study_sweep_cell *cell) {
    const bool left_out = cell->info.state == TOT_CELL_LEFT_OUT;
    char problem[sizeof cell->problem];
    memcpy(problem, cell->problem, sizeof problem);
    if (!study_run_has(cell->path, "config.yaml")) {
        cell->info.state = left_out ? TOT_CELL_LEFT_OUT : TOT_CELL_WAITING;
        return TOT_OK;
    }
    study_run run = {0};
    const tot_status status = study_run_read(&run, cell->path);
    if (status == TOT_OK) {
        take_record(cell, &run.record);
    }
    study_run_free(&run);
    // a finished run needs no weights
    if (left_out && cell->info.state != TOT_CELL_FINISHED) {
        cell->info.state = TOT_CELL_LEFT_OUT;
        memcpy(cell->problem, problem, sizeof problem);
    }
    return status;
}

tot_status tot_sweep_look(tot_sweep *sweep) {
    BASE_NEED(sweep);
    for (size_t k = 0; k < sweep->count; k++) {
        BASE_TRY(study_cell_look(sweep->cells[k]));
    }
    return TOT_OK;
}

void study_cell_unmake(study_sweep_cell *cell) {
    char path[TRAIN_PATH];
    if (cell->existing > 0) {
        train_unmake_folder(cell->path, cell->existing);
    } else if (cell->wrote && train_path(path, cell->path, "config.yaml") == TOT_OK) {
        unlink(path);
    }
    cell->existing = 0;
    cell->wrote = false;
}

tot_status study_cell_prepare(study_sweep_cell *cell) {
    cell->existing = train_is_fresh(cell->path) ? train_existing(cell->path) : 0;
    cell->wrote = !study_run_has(cell->path, "config.yaml");
    BASE_TRY(train_make_folder(cell->path));
    return study_run_has(cell->path, "config.yaml") && !cell->moved
               ? TOT_OK
               : train_write_config(cell->path, &cell->config);
}
