// Writes a report: a summary of the runs, the table, and the parts of other files.
#include "base/base.h"
#include "study/report_parts.h"

void tot_report_defaults(tot_report_settings *settings) {
    BASE_NEED_OR(, settings);
    *settings = (tot_report_settings){.title = "Runs compared", .resamples = 50000};
}

// --- summary -----------------------------------------------------------------------------------

static const char *plural(study_report *report, size_t count, const char *word) {
    return study_report_text(report, "%zu %s%s", count, word, count == 1 ? "" : "s");
}

// "60 finished, 2 going, 1 damaged".
static const char *say_states(study_report *report) {
    static const tot_run_state order[] = {TOT_RUN_FINISHED, TOT_RUN_GOING, TOT_RUN_STOPPED,
                                          TOT_RUN_NEW, TOT_RUN_DAMAGED};
    const char *words = "";
    for (size_t k = 0; k < BASE_LENGTH(order); k++) {
        size_t count = 0;
        for (size_t run = 0; run < report->run_count; run++) {
            count += report->runs[run].record->state == order[k] ? 1 : 0;
        }
        if (count > 0) {
            words = study_report_text(report, "%s%s%zu %s", words, words[0] != '\0' ? ", " : "",
                                      count, tot_run_state_text(order[k]));
        }
    }
    return words;
}

const char *study_report_say_values(study_report *report,
                                    const char *(*field)(study_report *report, size_t run),
                                    const char *separator) {
    const char **values = study_report_array(report, report->run_count, sizeof *values);
    const char *words = "";
    size_t count = 0;
    if (values == NULL) {
        return "";
    }
    for (size_t run = 0; run < report->run_count; run++) {
        values[run] = field(report, run);
        bool seen = values[run][0] == '\0';
        for (size_t k = 0; !seen && k < run; k++) {
            seen = strcmp(values[k], values[run]) == 0;
        }
        if (!seen && ++count <= 6) {
            words = study_report_text(report, "%s%s%s", words, words[0] != '\0' ? separator : "",
                                      values[run]);
        }
    }
    return count > 6 ? study_report_text(report, "%s%sand %zu more", words, separator, count - 6)
                     : words;
}

static const char *program_of(study_report *report, size_t run) {
    const tot_run_record *record = report->runs[run].record;
    if (record->version[0] == '\0') {
        return "";
    }
    const bool committed = record->commit[0] != '\0';
    return study_report_text(report, "temporalot %s (%s %.12s), %d thread%s on %s", record->version,
                             committed ? "commit" : "build",
                             committed ? record->commit : record->build, record->threads,
                             record->threads == 1 ? "" : "s", record->cpu);
}

// Length in agent steps; for behaviour cloning alone, in updates.
static const char *length_of(study_report *report, size_t run) {
    const tot_run_record *record = report->runs[run].record;
    if (record->config == NULL) {
        return "";
    }
    tot_train_method method;
    const char *name = record->config->method;
    const bool acts = tot_train_method_find(&method, name) != TOT_OK || method.acts;
    return acts ? study_report_text(report, "%lld agent steps", (long long)record->steps)
                : study_report_text(report, "%lld updates (%s)", (long long)record->steps, name);
}

static const char *episodes_of(study_report *report, size_t run) {
    return study_report_value(report, run, "eval_episodes");
}

// "0 to 4", with gaps listed separately: "0 to 2, 4".
static const char *say_seeds(study_report *report) {
    const char *words = "";
    int64_t before = -1;
    int64_t first = -1;
    while (true) {
        // the next larger seed
        int64_t next = INT64_MAX;
        for (size_t run = 0; run < report->run_count; run++) {
            const tot_train_config *config = report->runs[run].record->config;
            if (config != NULL && config->seed > before && config->seed < next) {
                next = config->seed;
            }
        }
        if (first >= 0 && next != before + 1) {
            words = study_report_text(report, first == before ? "%s%s%lld" : "%s%s%lld to %lld",
                                      words, words[0] != '\0' ? ", " : "", (long long)first,
                                      (long long)before);
        }
        if (next == INT64_MAX) {
            return words;
        }
        first = first < 0 || next != before + 1 ? next : first;
        before = next;
    }
}

static double all_seconds(const study_report *report) {
    double sum = 0;
    for (size_t run = 0; run < report->run_count; run++) {
        const double seconds = report->runs[run].record->wall_seconds;
        sum += isfinite(seconds) ? seconds : 0;
    }
    return sum;
}

// The number of different values that the runs have of a setting.
static size_t count_values(const study_report *report, const char *name) {
    size_t count = 0;
    for (size_t run = 0; run < report->run_count; run++) {
        const char *value = study_report_value(report, run, name);
        bool seen = report->runs[run].values == NULL;
        for (size_t k = 0; !seen && k < run; k++) {
            seen = strcmp(study_report_value(report, k, name), value) == 0;
        }
        count += seen ? 0 : 1;
    }
    return count;
}

static tot_status add_summary(study_report *report, tot_page *page) {
    if (report->settings.about != NULL) {
        BASE_TRY(tot_page_add_paragraph(page, report->settings.about));
    }
    BASE_TRY(tot_page_add_paragraph(
        page, study_report_text(report, "%s of %s and %s, seeds %s: %s.",
                                plural(report, report->run_count, "run"),
                                plural(report, count_values(report, "task"), "task"),
                                plural(report, count_values(report, "method"), "method"),
                                say_seeds(report), say_states(report))));
    const char *program = study_report_say_values(report, program_of, "; ");
    char time[16];
    BASE_TRY(tot_page_add_paragraph(
        page, study_report_text(report,
                                "Preset: %s.\n"
                                "Length of a run: %s; evaluated on %s episodes at its last step.\n"
                                "Wall time: %s for all runs together.\n"
                                "Program: %s.",
                                study_report_say_values(report, study_report_preset, "; "),
                                study_report_say_values(report, length_of, "; "),
                                study_report_say_values(report, episodes_of, "; "),
                                base_duration(all_seconds(report), time),
                                program[0] != '\0' ? program : "unknown: there is no checkpoint")));
    BASE_TRY(report->status);
    return report->settings.command != NULL ? tot_page_add_code(page, report->settings.command)
                                            : TOT_OK;
}

// --- the table ---------------------------------------------------------------------------------

static const char *paper_note(study_report *report, const study_paper_cell *paper) {
    if (isnan(paper->mean)) {
        return NULL;
    }
    return study_report_text(
        report, "paper %s",
        study_report_percent(report, paper->mean / 100, paper->deviation / 100));
}

// Whether cells have different numbers of runs, so that each must state its own.
static bool counts_differ(const study_report *report) {
    size_t seen = 0;
    for (size_t k = 0; k < report->row_count * report->column_count; k++) {
        const size_t count = report->cells[k].finished;
        if (count > 0 && seen > 0 && count != seen) {
            return true;
        }
        seen = count > 0 ? count : seen;
    }
    return false;
}

// The note of a cell: its number of runs, if that is not obvious, and the paper's number.
static const char *note_of(study_report *report, const study_report_summary *cell, bool counted) {
    const char *paper = paper_note(report, &cell->paper);
    const char *runs = NULL;
    if (cell->finished != cell->run_count) {
        runs = study_report_text(report, "%zu of %s finished", cell->finished,
                                 plural(report, cell->run_count, "run"));
    } else if (counted && cell->finished > 0) {
        runs = plural(report, cell->finished, "run");
    }
    return runs == NULL || paper == NULL ? (runs != NULL ? runs : paper)
                                         : study_report_text(report, "%s\n%s", runs, paper);
}

static void fill_row(study_report *report, size_t row, const char **cells, tot_cell_extra *extras) {
    const bool counted = counts_differ(report);
    cells[0] = report->rows[row].label;
    for (size_t k = 0; k < report->column_count; k++) {
        const study_report_summary *cell = study_report_cell(report, row, k);
        cells[k + 1] = study_report_percent(report, cell->mean,
                                            cell->finished > 1 ? cell->deviation : (double)NAN);
        extras[k + 1] = (tot_cell_extra){.note = note_of(report, cell, counted),
                                         .rows = cell->run_count > 0 ? cell->rows_name : NULL,
                                         .best = cell->best};
    }
}

static tot_status add_table(study_report *report, tot_page *page) {
    study_report_table table;
    BASE_TRY(
        study_report_table_make(report, &table, report->column_count + 1, report->row_count, NULL));
    table.columns[0] = (tot_column){report->row_kind, false};
    for (size_t k = 0; k < report->column_count; k++) {
        table.columns[k + 1] = (tot_column){report->columns[k].label, true};
    }
    for (size_t row = 0; row < report->row_count; row++) {
        fill_row(report, row, table.cells + row * table.width, table.extras + row * table.width);
    }
    return study_report_table_add(report, &table, "Success in percent", page);
}

static tot_status add_success(study_report *report, tot_page *page) {
    BASE_TRY(tot_page_add_heading(page, 1, "Success at the last step"));
    BASE_TRY(tot_page_add_paragraph(
        page,
        "Mean and standard deviation over the seeds of finished runs; the highest mean of a row is "
        "bold. A number links to the runs behind it."));
    if (report->paper != NULL) {
        BASE_TRY(tot_page_add_paragraph(
            page,
            "The paper's numbers come from its own set-up: five seeds and its own number of steps. "
            "They are shown beside ours for orientation."));
    }
    return add_table(report, page);
}

// --- the whole ---------------------------------------------------------------------------------

static tot_status fill(study_report *report, tot_page *page, const char *path) {
    BASE_TRY(add_summary(report, page));
    BASE_TRY(add_success(report, page));
    BASE_TRY(study_report_add_steps(report, page));
    BASE_TRY(study_report_add_missing(report, page));
    BASE_TRY(tot_page_add_heading(page, 1, "Learning curves"));
    BASE_TRY(tot_page_add_paragraph(
        page,
        "Success rate at the evaluations; the band is one standard deviation over the seeds. "
        "Clicking a name below a figure shows or hides its curve in all figures."));
    BASE_TRY(tot_page_begin_row(page));
    BASE_TRY(study_report_add_curves(report, page, NULL));
    BASE_TRY(tot_page_end_row(page));
    BASE_TRY(study_report_add_overall(report, page));
    BASE_TRY(study_report_add_episodes(report, page, path));
    BASE_TRY(study_report_add_runs(report, page, path));
    return study_report_add_settings(report, page);
}

static tot_status write_page(study_report *report, const char *path) {
    tot_page *page = NULL;
    BASE_TRY(tot_page_create(&page, report->settings.title));
    tot_status status = fill(report, page, path);
    BASE_THEN(status, tot_page_write(page, path));
    tot_page_free(page);
    return status;
}

static tot_status write_picture(study_report *report, const char *path) {
    tot_svg *svg = NULL;
    BASE_TRY(tot_svg_create(&svg, report->settings.title, 3));
    tot_status status = study_report_add_curves(report, NULL, svg);
    BASE_THEN(status, tot_svg_write(svg, path));
    tot_svg_free(svg);
    return status;
}

typedef tot_status (*writer)(study_report *report, const char *path);

static writer writer_for(const char *path) {
    static const struct {
        const char *ending;
        writer write;
    } writers[] = {{".html", write_page},
                   {".htm", write_page},
                   {".csv", study_report_write_csv},
                   {".tex", study_report_write_latex},
                   {".svg", write_picture}};
    const char *dot = strrchr(path, '.');
    for (size_t k = 0; dot != NULL && k < BASE_LENGTH(writers); k++) {
        if (strcasecmp(dot, writers[k].ending) == 0) {
            return writers[k].write;
        }
    }
    return NULL;
}

tot_status tot_report_write(const tot_runs *runs, const tot_report_settings *settings,
                            const char *path) {
    tot_report_settings usual;
    BASE_FAIL_IF(runs == NULL || path == NULL || tot_runs_count(runs) == 0, TOT_E_ARGUMENT,
                 "report: no %s given", path == NULL ? "path" : "runs");
    const writer write = writer_for(path);
    BASE_FAIL_IF(write == NULL, TOT_E_ARGUMENT,
                 "%s: the name of a report ends in .html, .csv, .tex or .svg", path);
    tot_report_defaults(&usual);
    if (settings != NULL) {
        const tot_report_settings plain = usual;
        usual = *settings;
        usual.title = usual.title != NULL ? usual.title : plain.title;
        usual.resamples = usual.resamples > 0 ? usual.resamples : plain.resamples;
    }
    study_report report = {0};
    tot_status status = study_report_gather(&report, runs, &usual);
    BASE_THEN(status, write(&report, path));
    study_report_free(&report);
    return status;
}
