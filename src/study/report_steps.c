// The paper's table by environment steps: the success rate of each method after a number of steps.
#include "base/base.h"
#include "study/report_parts.h"

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
