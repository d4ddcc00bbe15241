// Learning curves: the mean over the seeds, and a band of one standard deviation.
#include "base/base.h"
#include "study/report_parts.h"

// The curve of one cell.
typedef struct curve {
    double *x;  // [count], followed by y, low and high
    size_t count;
    size_t runs;
} curve;

// Whether a run is part of the curve of a cell: finished runs are, or if there are none, all that
// can be read.
static bool takes_part(const study_report *report, size_t run, size_t row, size_t column) {
    const study_report_run *one = &report->runs[run];
    if (one->row != row || one->column != column || one->record->state == TOT_RUN_DAMAGED) {
        return false;
    }
    return study_report_cell(report, row, column)->finished == 0 ||
           one->record->state == TOT_RUN_FINISHED;
}

// Collects all steps at which any of the runs was evaluated, in ascending order. Returns their
// number.
static size_t collect_steps(const study_report *report, size_t row, size_t column, double *steps) {
    size_t count = 0;
    for (size_t run = 0; run < report->run_count; run++) {
        const tot_run_record *record = report->runs[run].record;
        for (size_t k = 0; takes_part(report, run, row, column) && k < record->point_count; k++) {
            const double step = (double)record->points[k].step;
            size_t place = count;
            while (place > 0 && steps[place - 1] > step) {
                place--;
            }
            if (place > 0 && steps[place - 1] == step) {
                continue;
            }
            memmove(steps + place + 1, steps + place, (count - place) * sizeof *steps);
            steps[place] = step;
            count++;
        }
    }
    return count;
}

// Collects the success rates of the runs at this step. Returns their number.
static size_t collect_values(const study_report *report, size_t row, size_t column, double step,
                             double *values) {
    size_t count = 0;
    for (size_t run = 0; run < report->run_count; run++) {
        const tot_run_record *record = report->runs[run].record;
        for (size_t k = 0; takes_part(report, run, row, column) && k < record->point_count; k++) {
            if ((double)record->points[k].step == step) {
                values[count++] = record->points[k].success_rate;
            }
        }
    }
    return count;
}

static size_t most_points(const study_report *report, size_t row, size_t column) {
    size_t count = 0;
    for (size_t run = 0; run < report->run_count; run++) {
        count += takes_part(report, run, row, column) ? report->runs[run].record->point_count : 0;
    }
    return count;
}

static tot_status fill_curve(study_report *report, size_t row, size_t column, curve *out) {
    double *values = NULL;
    REPORT_ARRAY(report, values, report->run_count);
    REPORT_ARRAY(report, out->x, 4 * most_points(report, row, column));
    out->count = collect_steps(report, row, column, out->x);
    double *y = out->x + out->count;
    for (size_t k = 0; k < out->count; k++) {
        double mean = 0;
        double deviation = 0;
        const size_t count = collect_values(report, row, column, out->x[k], values);
        out->runs = count > out->runs ? count : out->runs;
        BASE_TRY(tot_mean_deviation(values, count, &mean, &deviation));
        y[k] = 100 * mean;
        y[out->count + k] = 100 * fmax(mean - deviation, 0);
        y[2 * out->count + k] = 100 * fmin(mean + deviation, 1);
    }
    return TOT_OK;
}

static tot_status draw_row(study_report *report, size_t row, tot_page *page, tot_svg *svg) {
    tot_series *series = NULL;
    REPORT_ARRAY(report, series, report->column_count);
    for (size_t k = 0; k < report->column_count; k++) {
        curve found = {0};
        BASE_TRY(fill_curve(report, row, k, &found));
        const size_t count = found.count;
        double *x = found.x;
        series[k] =
            (tot_series){.name = report->columns[k].label, .count = count, .x = x, .y = x + count};
        if (found.runs > 1) {
            series[k].low = x + 2 * count;
            series[k].high = x + 3 * count;
        }
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
