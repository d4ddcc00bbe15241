#include "study/report_parts.h"

#include <stdarg.h>

#include "base/base.h"
#include "page/buffer.h"

// --- memory ------------------------------------------------------------------------------------

void *study_report_array(study_report *report, size_t count, size_t size) {
    void *all = report->memory;
    if (base_grow(&all, &report->memory_capacity, report->memory_count, report->memory_count + 1,
                  sizeof *report->memory, "report") != TOT_OK) {
        report->status = TOT_E_MEMORY;
        return NULL;
    }
    report->memory = all;
    void *made = base_alloc_zero(count, size, "report");
    if (made == NULL) {
        report->status = TOT_E_MEMORY;
        return NULL;
    }
    return report->memory[report->memory_count++] = made;
}

const char *study_report_text(study_report *report, const char *format, ...) {
    va_list values;
    va_start(values, format);
    const int length = vsnprintf(NULL, 0, format, values);
    va_end(values);
    char *text = study_report_array(report, (size_t)length + 1, 1);
    if (text == NULL) {
        return "";
    }
    va_start(values, format);
    vsnprintf(text, (size_t)length + 1, format, values);
    va_end(values);
    return text;
}

const char *study_report_number(study_report *report, double value, int decimals) {
    return isfinite(value) && fabs(value) < 1e15
               ? study_report_text(report, "%s", page_fixed(value, decimals).text)
               : "\xe2\x80\x93";
}

const char *study_report_percent(study_report *report, double mean, double deviation) {
    const char *number = study_report_number(report, 100 * mean, 1);
    return isfinite(mean) && isfinite(deviation)
               ? study_report_text(report, "%s \xc2\xb1 %s", number,
                                   study_report_number(report, 100 * deviation, 1))
               : number;
}

tot_status study_report_table_make(study_report *report, study_report_table *table, size_t width,
                                   size_t rows, const tot_column *columns) {
    *table = (study_report_table){.width = width, .rows = rows};
    REPORT_ARRAY(report, table->columns, width);
    REPORT_ARRAY(report, table->cells, rows * width);
    REPORT_ARRAY(report, table->extras, rows * width);
    REPORT_ARRAY(report, table->names, rows);
    if (columns != NULL) {
        memcpy(table->columns, columns, width * sizeof *columns);
    }
    return TOT_OK;
}

tot_status study_report_table_add(const study_report *report, const study_report_table *table,
                                  const char *title, tot_page *page) {
    const tot_table shown = {.title = title,
                             .columns = table->columns,
                             .column_count = table->width,
                             .cells = table->cells,
                             .row_count = table->rows,
                             .extras = table->extras,
                             .row_names = table->names};
    BASE_TRY(report->status);
    return tot_page_add_table(page, &shown);
}

// --- settings ----------------------------------------------------------------------------------

// Consecutive runs with the same value share its text.
static tot_status read_values(study_report *report) {
    const char **before = NULL;
    report->parameters = train_settings(&report->parameter_count);
    REPORT_ARRAY(report, report->varies, report->parameter_count);
    REPORT_ARRAY(report, report->tells, report->parameter_count);
    for (size_t run = 0; run < report->run_count; run++) {
        study_report_run *one = &report->runs[run];
        if (one->record->config == NULL) {
            continue;
        }
        REPORT_ARRAY(report, one->values, report->parameter_count);
        for (size_t k = 0; k < report->parameter_count; k++) {
            char text[TOT_TRAIN_TEXT];
            BASE_TRY(
                tot_train_get(one->record->config, report->parameters[k].name, text, sizeof text));
            const bool same = before != NULL && strcmp(before[k], text) == 0;
            report->varies[k] = report->varies[k] || (before != NULL && !same);
            one->values[k] = same ? before[k] : study_report_text(report, "%s", text);
        }
        before = one->values;
    }
    return report->status;
}

size_t study_report_parameter(const study_report *report, const char *name) {
    for (size_t k = 0; k < report->parameter_count; k++) {
        if (strcmp(report->parameters[k].name, name) == 0) {
            return k;
        }
    }
    return REPORT_NONE;
}

const char *study_report_value(const study_report *report, size_t run, const char *name) {
    const char **values = report->runs[run].values;
    return values != NULL ? values[study_report_parameter(report, name)] : "";
}

// --- cells -------------------------------------------------------------------------------------

static bool comes_after(const study_report_run *x, const study_report_run *y) {
    if (x->row != y->row) {
        return x->row > y->row;
    }
    if (x->column != y->column) {
        return x->column > y->column;
    }
    return x->row != REPORT_NONE && x->record->config->seed > y->record->config->seed;
}

// Sorts by row, column and seed; equal runs stay in the order of their paths.
static void sort_runs(study_report *report) {
    for (size_t k = 1; k < report->run_count; k++) {
        const study_report_run run = report->runs[k];
        size_t place = k;
        for (; place > 0 && comes_after(&report->runs[place - 1], &run); place--) {
            report->runs[place] = report->runs[place - 1];
        }
        report->runs[place] = run;
    }
}

static study_paper_cell paper_of(const study_report *report, size_t row, size_t column) {
    const char *right = report->columns[column].paper;
    if (report->paper == NULL || right == NULL) {
        return (study_paper_cell){(double)NAN, (double)NAN};
    }
    return study_paper_cell_of(report->paper, report->rows[row].task, right);
}

// run: the first of the cell; at the end, the first of the next.
static tot_status fill_cell(study_report *report, size_t row, size_t column, size_t *run,
                            double *scores) {
    study_report_summary *cell = &report->cells[row * report->column_count + column];
    *cell = (study_report_summary){.first = *run,
                                   .scores = scores + *run,
                                   .mean = (double)NAN,
                                   .deviation = (double)NAN,
                                   .paper = paper_of(report, row, column),
                                   .rows_name = study_report_text(report, "%zu-%zu", row, column)};
    for (; *run < report->run_count && report->runs[*run].row == row &&
           report->runs[*run].column == column;
         ++*run) {
        cell->run_count++;
        if (report->runs[*run].record->state == TOT_RUN_FINISHED) {
            scores[cell->first + cell->finished++] = report->runs[*run].record->success_rate;
        }
    }
    return cell->finished > 0
               ? tot_mean_deviation(cell->scores, cell->finished, &cell->mean, &cell->deviation)
               : TOT_OK;
}

// Marks the highest mean of a row, as displayed: to a tenth of a percent.
static void mark_best(study_report *report, size_t row) {
    study_report_summary *cells = report->cells + row * report->column_count;
    double best = -1;
    double worst = INFINITY;
    for (size_t k = 0; k < report->column_count; k++) {
        if (!isnan(cells[k].mean)) {
            best = fmax(best, round(1000 * cells[k].mean));
            worst = fmin(worst, round(1000 * cells[k].mean));
        }
    }
    for (size_t k = 0; k < report->column_count; k++) {
        // a row of equal means has no best
        cells[k].best = best > worst && round(1000 * cells[k].mean) == best;
    }
}

static tot_status fill_cells(study_report *report) {
    double *scores = NULL;
    size_t run = 0;
    REPORT_ARRAY(report, report->cells, report->row_count * report->column_count);
    REPORT_ARRAY(report, scores, report->run_count);
    for (size_t row = 0; row < report->row_count; row++) {
        for (size_t column = 0; column < report->column_count; column++) {
            BASE_TRY(fill_cell(report, row, column, &run, scores));
        }
        mark_best(report, row);
    }
    return report->status;
}

const study_report_summary *study_report_cell(const study_report *report, size_t row,
                                              size_t column) {
    return &report->cells[row * report->column_count + column];
}

// --- the whole ---------------------------------------------------------------------------------

tot_status study_report_gather(study_report *report, const tot_runs *runs,
                               const tot_report_settings *settings) {
    report->settings = *settings;
    report->run_count = tot_runs_count(runs);
    if (settings->paper != NULL) {
        report->paper = study_paper_find(settings->paper);
        BASE_FAIL_IF(report->paper == NULL, TOT_E_ARGUMENT,
                     "paper: '%s' is not table1, pretrain or speed", settings->paper);
    }
    REPORT_ARRAY(report, report->runs, report->run_count);
    for (size_t k = 0; k < report->run_count; k++) {
        report->runs[k].record = tot_runs_at(runs, k);
    }
    BASE_TRY(read_values(report));
    BASE_TRY(study_report_label(report));
    sort_runs(report);
    return fill_cells(report);
}

void study_report_free(study_report *report) {
    for (size_t k = 0; k < report->memory_count; k++) {
        base_free(report->memory[k]);
    }
    base_free(report->memory);
}
