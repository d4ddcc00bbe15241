// Learning curves: the mean over the seeds, and a band of one standard deviation.
#include "base/base.h"
#include "study/report_parts.h"

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
