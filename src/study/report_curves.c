// Success over the course of training: learning curves, with the mean over the seeds and a band of
// one standard deviation, and the paper's table of success after a number of environment steps.
#include "base/base.h"
#include "study/report_parts.h"

// --- learning curves ---------------------------------------------------------------------------

// The evaluations of the runs of a cell, by step and then by run: of the finished runs, or if there
// are none, of all that can be read.
static tot_status collect(study_report *report, const study_report_summary *cell,
                          tot_run_point **points, size_t *count) {
    size_t most = 0;
    for (size_t run = cell->first; run < cell->first + cell->run_count; run++) {
        most += report->runs[run].record->point_count;
    }
    REPORT_ARRAY(report, *points, most);
    *count = 0;
    for (size_t run = cell->first; run < cell->first + cell->run_count; run++) {
        const tot_run_record *record = report->runs[run].record;
        const bool shown = cell->finished > 0 ? record->state == TOT_RUN_FINISHED
                                              : record->state != TOT_RUN_DAMAGED;
        for (size_t k = 0; shown && k < record->point_count; k++) {
            size_t place = (*count)++;
            for (; place > 0 && (*points)[place - 1].step > record->points[k].step; place--) {
                (*points)[place] = (*points)[place - 1];
            }
            (*points)[place] = record->points[k];
        }
    }
    return TOT_OK;
}

// Without a band if no step has more than one run.
static tot_status fill_curve(study_report *report, const study_report_summary *cell,
                             tot_series *out) {
    tot_run_point *points = NULL;
    double *values = NULL, *x = NULL, *y = NULL, *low = NULL, *high = NULL;
    size_t count = 0;
    BASE_TRY(collect(report, cell, &points, &count));
    REPORT_ARRAY(report, values, cell->run_count);
    REPORT_ARRAY(report, x, count);
    REPORT_ARRAY(report, y, count);
    REPORT_ARRAY(report, low, count);
    REPORT_ARRAY(report, high, count);
    out->x = x;
    out->y = y;
    for (size_t k = 0; k < count; out->count++) {
        const int64_t step = points[k].step;
        size_t runs = 0;
        double mean = 0;
        double deviation = 0;
        for (; k < count && points[k].step == step; k++) {
            values[runs++] = points[k].success_rate;
        }
        BASE_TRY(tot_mean_deviation(values, runs, &mean, &deviation));
        x[out->count] = (double)step;
        y[out->count] = 100 * mean;
        low[out->count] = 100 * fmax(mean - deviation, 0);
        high[out->count] = 100 * fmin(mean + deviation, 1);
        if (runs > 1) {
            out->low = low;
            out->high = high;
        }
    }
    return TOT_OK;
}

static tot_status draw_row(study_report *report, size_t row, tot_page *page, tot_svg *svg) {
    tot_series *series = NULL;
    REPORT_ARRAY(report, series, report->column_count);
    for (size_t k = 0; k < report->column_count; k++) {
        series[k].name = report->columns[k].label;
        BASE_TRY(fill_curve(report, study_report_cell(report, row, k), &series[k]));
    }
    const tot_curves figure = {.title = report->rows[row].label,
                               .x_name = "agent step",
                               .y_name = "success, percent",
                               .series = series,
                               .series_count = report->column_count,
                               .y_low = 0,
                               .y_high = 100};
    return page != NULL ? tot_page_add_curves(page, &figure) : tot_svg_add_curves(svg, &figure);
}

tot_status study_report_add_curves(study_report *report, tot_page *page, tot_svg *svg) {
    for (size_t row = 0; row < report->row_count; row++) {
        BASE_TRY(draw_row(report, row, page, svg));
    }
    return TOT_OK;
}

// --- by environment steps ----------------------------------------------------------------------

static const char task[] = "door-open";  // the task of that table

// The success rate of a run after that many environment steps. Behaviour cloning takes none, so its
// result counts at 0. NaN: not evaluated then.
static double success_after(const tot_run_record *record, int64_t frames) {
    tot_train_method method;
    if (tot_train_method_find(&method, record->config->method) == TOT_OK && !method.acts) {
        return frames == 0 ? record->success_rate : (double)NAN;
    }
    for (size_t k = 0; k < record->point_count; k++) {
        if (record->points[k].step * record->config->action_repeat == frames) {
            return record->points[k].success_rate;
        }
    }
    return (double)NAN;
}

static const char *cell_of(study_report *report, size_t column, int64_t frames, double *values) {
    size_t count = 0;
    double mean = (double)NAN;
    double deviation = (double)NAN;
    for (size_t run = 0; run < report->run_count; run++) {
        const study_report_run *one = &report->runs[run];
        if (one->column != column || one->record->state != TOT_RUN_FINISHED ||
            strcmp(one->record->config->task, task) != 0) {
            continue;
        }
        const double value = success_after(one->record, frames);
        if (!isnan(value)) {
            values[count++] = value;
        }
    }
    if (count > 0 && tot_mean_deviation(values, count, &mean, &deviation) != TOT_OK) {
        return "";
    }
    return study_report_percent(report, mean, count > 1 ? deviation : (double)NAN);
}

tot_status study_report_add_steps(study_report *report, tot_page *page) {
    const study_paper_table *paper = report->paper;
    if (paper == NULL || strcmp(paper->column_kind, "environment steps") != 0) {
        return TOT_OK;
    }
    double *values = NULL;
    study_report_table table;
    REPORT_ARRAY(report, values, report->run_count);
    BASE_TRY(study_report_table_make(report, &table, paper->column_count + 1, report->column_count,
                                     NULL));
    table.columns[0] = (tot_column){"method", false};
    for (size_t k = 0; k < paper->column_count; k++) {
        table.columns[k + 1] = (tot_column){paper->columns[k], true};
    }
    for (size_t row = 0; row < report->column_count; row++) {
        const char *method = report->columns[row].method;
        const char **cells = table.cells + row * table.width;
        cells[0] = report->columns[row].label;
        for (size_t k = 0; k < paper->column_count; k++) {
            const study_paper_cell beside =
                study_paper_cell_of(paper, method != NULL ? method : "", paper->columns[k]);
            cells[k + 1] = cell_of(report, row, strtoll(paper->columns[k], NULL, 10), values);
            if (!isnan(beside.mean)) {
                table.extras[row * table.width + k + 1].note = study_report_text(
                    report, "paper %s", study_report_number(report, beside.mean, 1));
            }
        }
    }
    return study_report_table_add(
        report, &table, study_report_text(report, "%s, after environment steps", paper->title),
        page);
}
