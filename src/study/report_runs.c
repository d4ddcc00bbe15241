// The table of runs, and their settings.
#include <dirent.h>
#include <limits.h>

#include "base/base.h"
#include "study/cells.h"
#include "study/report_parts.h"
#include "study/run_read.h"
#include "train/folder.h"

// --- paths relative to the report --------------------------------------------------------------

// The real path of the folder of a file, which need not exist yet. Returns whether it was found.
static bool folder_of(const char *path, char real[PATH_MAX]) {
    char folder[TRAIN_PATH];
    const char *slash = strrchr(path, '/');
    const size_t length = slash != NULL ? (size_t)(slash - path) : 0;
    if (length >= sizeof folder) {
        return false;
    }
    memcpy(folder, path, length);
    folder[length] = '\0';
    return realpath(slash == NULL ? "." : length == 0 ? "/" : folder, real) != NULL;
}

// The relative path from one folder to another: "../runs/seed-0/".
static const char *way(study_report *report, const char *from, const char *to) {
    size_t same = 0;
    for (size_t k = 0;; k++) {
        const bool from_ends = from[k] == '/' || from[k] == '\0';
        const bool to_ends = to[k] == '/' || to[k] == '\0';
        if (from_ends && to_ends) {
            same = k;
        }
        if (from[k] != to[k] || from[k] == '\0') {
            break;
        }
    }
    const char *words = "";
    for (const char *at = from + same; *at != '\0'; at++) {
        if (at[0] == '/' && at[1] != '\0') {
            words = study_report_text(report, "../%s", words);
        }
    }
    const char *rest = to + same + (to[same] == '/' ? 1 : 0);
    return study_report_text(report, "%s%s%s", words, rest, rest[0] != '\0' ? "/" : "");
}

const char *study_report_way(study_report *report, const char *path, const char *folder) {
    char here[PATH_MAX];
    char there[PATH_MAX];
    return folder_of(path, here) && realpath(folder, there) != NULL ? way(report, here, there)
                                                                    : NULL;
}

// The newest video of a run, by name; "" if there is none.
static const char *newest_video(study_report *report, const char *folder) {
    char path[TRAIN_PATH];
    const char *newest = "";
    DIR *entries = train_path(path, folder, "videos") == TOT_OK ? opendir(path) : NULL;
    for (struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;) {
        const char *name = entry->d_name;
        if (name[0] != '.' && base_ends_in(name, ".mp4") && strverscmp(name, newest) > 0) {
            newest = study_report_text(report, "%s", name);
        }
    }
    if (entries != NULL) {
        closedir(entries);
    }
    return newest;
}

// --- the table of runs -------------------------------------------------------------------------

enum {
    TASK,
    COLUMN,
    SEED,
    STATE,
    STEP,
    SUCCESS,
    WALL,
    REPORT,
    VIDEO,
    PRESET,
    PROGRAM,
    FOLDER,
    WIDTH
};

static const tot_column run_columns[WIDTH] = {
    [TASK] = {"task", false},        [COLUMN] = {"method", false},
    [SEED] = {"seed", true},         [STATE] = {"state", false},
    [STEP] = {"step", true},         [SUCCESS] = {"success, %", true},
    [WALL] = {"wall time, s", true}, [REPORT] = {"report", false},
    [VIDEO] = {"video", false},      [PRESET] = {"preset", false},
    [PROGRAM] = {"program", false},  [FOLDER] = {"folder", false}};

static void fill_run(study_report *report, size_t run, const char **cells) {
    const study_report_run *one = &report->runs[run];
    const tot_run_record *record = one->record;
    const bool known = one->row != REPORT_NONE;
    cells[TASK] = known ? report->rows[one->row].label : "";
    cells[COLUMN] = known ? report->columns[one->column].label : "";
    cells[SEED] = study_report_value(report, run, "seed");
    cells[STATE] = tot_run_state_text(record->state);
    cells[STEP] = study_report_text(report, "%lld", (long long)record->step);
    cells[SUCCESS] = study_report_number(report, 100 * record->success_rate, 1);
    cells[WALL] = study_report_number(report, record->wall_seconds, 0);
    cells[PRESET] = study_report_preset(report, run);
    cells[PROGRAM] = study_report_text(report, "%s%s%.12s", record->version,
                                       record->version[0] != '\0' ? " " : "",
                                       record->commit[0] != '\0' ? record->commit : record->build);
    cells[FOLDER] = record->folder;
}

static void link_run(study_report *report, const char *path, size_t run, const char **cells,
                     tot_cell_extra *extras) {
    const char *folder = report->runs[run].record->folder;
    const char *there = study_report_way(report, path, folder);
    if (there == NULL) {
        return;
    }
    const char *video = newest_video(report, folder);
    extras[FOLDER].path = there;
    if (study_run_has(folder, "report.html")) {
        cells[REPORT] = "report";
        extras[REPORT].path = study_report_text(report, "%sreport.html", there);
    }
    if (video[0] != '\0') {
        cells[VIDEO] = "video";
        extras[VIDEO].path = study_report_text(report, "%svideos/%s", there, video);
    }
}

// Whether all runs have the same value in a column; the summary states it then.
static bool is_same(const study_report *report, const char *const *cells, size_t column) {
    for (size_t run = 1; run < report->run_count; run++) {
        if (strcmp(cells[column], cells[run * WIDTH + column]) != 0) {
            return false;
        }
    }
    return true;
}

// Drops columns that are the same for all runs.
static void drop_columns(const study_report *report, study_report_table *table) {
    bool kept[WIDTH];
    size_t place = 0;
    table->width = 0;
    for (size_t k = 0; k < WIDTH; k++) {
        kept[k] = (k != PRESET && k != PROGRAM) || !is_same(report, table->cells, k);
        table->columns[table->width] = table->columns[k];
        table->width += kept[k] ? 1 : 0;
    }
    for (size_t k = 0; k < report->run_count * WIDTH; k++) {
        if (kept[k % WIDTH]) {
            table->cells[place] = table->cells[k];
            table->extras[place++] = table->extras[k];
        }
    }
}

tot_status study_report_add_runs(study_report *report, tot_page *page, const char *path) {
    study_report_table table;
    BASE_TRY(study_report_table_make(report, &table, WIDTH, report->run_count, run_columns));
    table.columns[COLUMN].name = report->column_kind;
    for (size_t run = 0; run < report->run_count; run++) {
        const study_report_run *one = &report->runs[run];
        fill_run(report, run, table.cells + run * WIDTH);
        link_run(report, path, run, table.cells + run * WIDTH, table.extras + run * WIDTH);
        table.names[run] = one->row != REPORT_NONE
                               ? study_report_cell(report, one->row, one->column)->rows_name
                               : NULL;
    }
    BASE_TRY(report->status);
    drop_columns(report, &table);
    BASE_TRY(tot_page_add_heading(page, 1, "Runs"));
    BASE_TRY(tot_page_add_paragraph(page, "To train any of them again:"));
    BASE_TRY(tot_page_add_code(
        page, "temporalot train --config FOLDER/config.yaml --out ANOTHER_FOLDER"));
    return study_report_table_add(report, &table, NULL, page);
}

// --- presets -----------------------------------------------------------------------------------

// The number of settings in which a run differs from a preset, apart from those that distinguish
// columns, which are in the labels. If said is not NULL, it receives a description.
static size_t compare_preset(study_report *report, size_t run, const char *preset,
                             const char **said) {
    tot_train_config base;
    size_t count = 0;
    const tot_train_config *config = report->runs[run].record->config;
    const char *words = preset;
    tot_train_defaults(&base);
    tot_status status = tot_train_preset(&base, preset);
    BASE_THEN(status, tot_train_set(&base, "task", config->task));
    BASE_THEN(status, tot_train_set(&base, "method", config->method));
    if (status != TOT_OK) {
        report->status = status;
        return REPORT_NONE;
    }
    for (size_t k = 0; k < report->parameter_count; k++) {
        char text[TOT_TRAIN_TEXT];
        const char *name = report->parameters[k].name;
        const char *value = report->runs[run].values[k];
        if (study_names_folder(name) || report->tells[k] ||
            tot_train_get(&base, name, text, sizeof text) != TOT_OK || strcmp(text, value) == 0) {
            continue;
        }
        count++;
        // settings derived from this one then agree
        status = tot_train_set(&base, name, value);
        report->status = status == TOT_E_MEMORY ? status : report->status;
        if (said != NULL) {
            words = study_report_text(report, "%s%s%s %s", words, count == 1 ? ", but " : ", ",
                                      name, value[0] != '\0' ? value : "none");
        }
    }
    if (said != NULL) {
        *said = words;
    }
    return count;
}

const char *study_report_preset(study_report *report, size_t run) {
    const char *words = "";
    if (report->runs[run].record->config == NULL) {
        return words;
    }
    size_t nearest = 0;
    size_t least = SIZE_MAX;
    for (size_t k = 0; k < tot_train_preset_count(); k++) {
        const size_t count = compare_preset(report, run, tot_train_preset_at(k), NULL);
        nearest = count < least ? k : nearest;
        least = count < least ? count : least;
    }
    compare_preset(report, run, tot_train_preset_at(nearest), &words);
    return words;
}

// --- settings ----------------------------------------------------------------------------------

// "0.9 (54 runs), 0.99 (9 runs)".
static const char *say_different(study_report *report, size_t parameter) {
    const char *words = "";
    size_t kinds = 0;
    for (size_t run = 0; run < report->run_count; run++) {
        const char **values = report->runs[run].values;
        const char *value = values != NULL ? values[parameter] : NULL;
        bool seen = value == NULL;
        size_t count = 0;
        for (size_t k = 0; !seen && k < report->run_count; k++) {
            const char **others = report->runs[k].values;
            const bool same = others != NULL && strcmp(others[parameter], value) == 0;
            seen = same && k < run;
            count += same ? 1 : 0;
        }
        if (!seen && ++kinds <= 12) {
            words = study_report_text(report, "%s%s%s (%zu)", words, words[0] != '\0' ? ", " : "",
                                      value[0] != '\0' ? value : "none", count);
        }
    }
    return kinds > 12 ? study_report_text(report, "%s and %zu more", words, kinds - 12) : words;
}

tot_status study_report_add_settings(study_report *report, tot_page *page) {
    static const tot_column columns[] = {{"setting", false}, {"values (runs)", false}};
    size_t common = 0;
    size_t known = 0;
    study_report_table table;
    const char **names = NULL;
    const char **values = NULL;
    BASE_TRY(study_report_table_make(report, &table, 2, report->parameter_count, columns));
    REPORT_ARRAY(report, names, report->parameter_count);
    REPORT_ARRAY(report, values, report->parameter_count);
    while (known < report->run_count && report->runs[known].record->config == NULL) {
        known++;
    }
    table.rows = 0;
    for (size_t k = 0; known < report->run_count && k < report->parameter_count; k++) {
        if (report->varies[k]) {
            table.cells[2 * table.rows] = report->parameters[k].name;
            table.cells[2 * table.rows++ + 1] = say_different(report, k);
        } else {
            names[common] = report->parameters[k].name;
            values[common++] = report->runs[known].values[k];
        }
    }
    BASE_TRY(tot_page_add_heading(page, 1, "Settings"));
    if (table.rows > 0) {
        BASE_TRY(study_report_table_add(report, &table, "Settings that differ between runs", page));
    }
    return tot_page_add_settings(page, "Settings that all runs have in common", names, values,
                                 common);
}
