// Writes the page of a table or figure from its runs.

#include <temporalot/report.h>

#include "base/base.h"
#include "study/cells.h"
#include "study/reproduce.h"
#include "study/run_read.h"

enum { ABOUT_SIZE = 4096, MOST_NAMED = 4 };

// Keeps the cells that have started, since the others have nothing to report, and appends the
// reasons why runs are missing to the text.
static void keep_begun(tot_sweep *sweep, char about[ABOUT_SIZE]) {
    size_t hindered = 0;
    size_t used = strlen(about);
    for (size_t k = 0; k < sweep->count;) {
        const study_sweep_cell *cell = sweep->cells[k];
        if (study_run_has(cell->path, "metrics.csv")) {
            k++;
            continue;
        }
        if (cell->problem[0] != '\0' && hindered++ < MOST_NAMED) {
            snprintf(about + used, ABOUT_SIZE - used, "%s%.200s (%s)",
                     hindered == 1 ? " Missing: " : ", ", cell->label, cell->problem);
            used = strlen(about);
        }
        study_sweep_drop(sweep, k);
    }
    if (hindered > MOST_NAMED) {
        snprintf(about + used, ABOUT_SIZE - used, ", and %zu more", hindered - MOST_NAMED);
        used = strlen(about);
    }
    snprintf(about + used, ABOUT_SIZE - used, "%s", hindered > 0 ? "." : "");
}

static tot_status find_runs(tot_runs **runs, const tot_sweep *sweep, const char *name) {
    *runs = NULL;
    BASE_FAIL_IF(sweep->count == 0, TOT_E_ARGUMENT, "%s: none of its runs has started", name);
    const char **folders = base_alloc(sweep->count, sizeof *folders, "runs");
    BASE_HAVE(folders);
    for (size_t k = 0; k < sweep->count; k++) {
        folders[k] = sweep->cells[k]->path;
    }
    BASE_FINALLY(tot_runs_find(runs, folders, sweep->count), base_free((void *)folders));
}

// FOLDER/NAME.html
static tot_status name_file(char path[TRAIN_PATH], const study_entry *study,
                            const study_reproduce_settings *settings, const char *end) {
    char name[64];
    snprintf(name, sizeof name, "%s.%s", study->name, end);
    return train_path(path, settings->folder, name);
}

static tot_status write_report(const study_entry *study, const study_reproduce_settings *settings,
                               const char *about, const char *command, const tot_runs *runs,
                               tot_pool *pool) {
    static const char *const ends[] = {"html", "csv", "tex"};
    tot_report_settings report;
    tot_report_defaults(&report);
    report.title = study->title;
    report.about = about;
    report.paper = study->paper;
    report.columns = study->columns;
    report.command = command;
    report.pool = pool;
    for (size_t k = 0; k < BASE_LENGTH(ends); k++) {
        char path[TRAIN_PATH];
        BASE_TRY(name_file(path, study, settings, ends[k]));
        BASE_TRY(tot_report_write(runs, &report, path));
    }
    return TOT_OK;
}

static tot_status report_runs(const study_entry *study, const study_reproduce_settings *settings,
                              const char *command, tot_pool *pool) {
    char about[ABOUT_SIZE];
    tot_sweep *sweep = NULL;
    tot_runs *runs = NULL;
    BASE_TRY(study_reproduce_runs(&sweep, &study, 1, settings));
    tot_status status = tot_sweep_peek(sweep, settings->folder);
    if (status == TOT_OK) {
        snprintf(about, sizeof about, "%s", study->shows);
        keep_begun(sweep, about);
        status = find_runs(&runs, sweep, study->name);
    }
    BASE_THEN(status, write_report(study, settings, about, command, runs, pool));
    tot_runs_free(runs);
    tot_sweep_free(sweep);
    return status;
}

// Fills and writes the page of a study that is not a report of runs.
static tot_status write_page(const study_entry *study, const study_reproduce_settings *settings,
                             const char *command, tot_pool *pool) {
    char path[TRAIN_PATH];
    tot_page *page = NULL;
    page_buffer csv = {0};
    const bool rewards = study->kind == STUDY_REWARDS;
    BASE_TRY(rewards ? train_make_folder(settings->folder) : TOT_OK);
    BASE_TRY(tot_page_create(&page, study->title));
    tot_status status = tot_page_add_paragraph(page, study->shows);
    BASE_THEN(status, tot_page_add_code(page, command));
    BASE_THEN(status, rewards ? study_reproduce_rewards(study, settings, page, &csv, pool)
                              : study_reproduce_cases(settings, page, pool));
    BASE_THEN(status, name_file(path, study, settings, "html"));
    BASE_THEN(status, tot_page_write(page, path));
    BASE_THEN(status, name_file(path, study, settings, "csv"));
    BASE_THEN(status, rewards ? page_buffer_save(&csv, path) : TOT_OK);
    page_buffer_free(&csv);
    tot_page_free(page);
    return status;
}

tot_status study_reproduce_page(const study_entry *study, const study_reproduce_settings *settings,
                                const char *command, tot_pool *pool) {
    return (study->kind == STUDY_GRID ? report_runs : write_page)(study, settings, command, pool);
}
