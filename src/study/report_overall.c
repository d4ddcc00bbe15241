// Statistics over all tasks, with confidence intervals.

#include <temporalot/statistics.h>

#include "base/base.h"
#include "study/report_parts.h"

enum { THRESHOLDS = 41 };  // of a performance profile, every 2.5 percent

// A column to compare with the others.
typedef struct compared {
    size_t column;  // in the report
    const char *name;
    tot_scores scores;  // over the rows for which all columns have finished runs
    bool sure;          // it has intervals: none of its cells has a single run only
} compared;

typedef struct overall {
    study_report *report;
    compared *columns;  // [column_count]
    size_t column_count;
    size_t *rows;  // [row_count]
    size_t row_count;
    tot_bootstrap bootstrap;
} overall;

// If no interval is shown, one resample is enough.
static tot_bootstrap bootstrap_of(const overall *all, bool sure) {
    tot_bootstrap bootstrap = all->bootstrap;
    bootstrap.resamples = sure ? bootstrap.resamples : 1;
    return bootstrap;
}

// --- what is compared --------------------------------------------------------------------------

static bool has_finished(const study_report *report, size_t column) {
    for (size_t row = 0; row < report->row_count; row++) {
        if (study_report_cell(report, row, column)->finished > 0) {
            return true;
        }
    }
    return false;
}

static tot_status choose(overall *all) {
    study_report *report = all->report;
    REPORT_ARRAY(report, all->columns, report->column_count);
    REPORT_ARRAY(report, all->rows, report->row_count);
    for (size_t k = 0; k < report->column_count; k++) {
        if (has_finished(report, k)) {
            all->columns[all->column_count++] =
                (compared){.column = k, .name = report->columns[k].label, .sure = true};
        }
    }
    for (size_t row = 0; row < report->row_count; row++) {
        bool whole = all->column_count > 0;
        for (size_t k = 0; k < all->column_count; k++) {
            whole = whole && study_report_cell(report, row, all->columns[k].column)->finished > 0;
        }
        if (whole) {
            all->rows[all->row_count++] = row;
        }
    }
    return TOT_OK;
}

static tot_status gather_scores(const overall *all, compared *column) {
    size_t *counts = NULL;
    const double **runs = NULL;
    REPORT_ARRAY(all->report, counts, all->row_count);
    REPORT_ARRAY(all->report, runs, all->row_count);
    for (size_t k = 0; k < all->row_count; k++) {
        const study_report_summary *cell =
            study_report_cell(all->report, all->rows[k], column->column);
        counts[k] = cell->finished;
        runs[k] = cell->scores;
        column->sure = column->sure && cell->finished > 1;
    }
    column->scores = (tot_scores){all->row_count, counts, runs};
    return TOT_OK;
}

// Describes what is compared and what is left out.
static tot_status add_words(const overall *all, tot_page *page) {
    study_report *report = all->report;
    const char *left = "";
    for (size_t row = 0, next = 0; row < report->row_count; row++) {
        if (next < all->row_count && all->rows[next] == row) {
            next++;
            continue;
        }
        left = study_report_text(report, "%s%s%s", left, left[0] != '\0' ? ", " : "",
                                 report->rows[row].label);
    }
    for (size_t column = 0; column < report->column_count; column++) {
        if (!has_finished(report, column)) {
            left = study_report_text(report, "%s%s%s (nothing finished)", left,
                                     left[0] != '\0' ? ", " : "", report->columns[column].label);
        }
    }
    size_t sure_count = 0;
    for (size_t k = 0; k < all->column_count; k++) {
        sure_count += all->columns[k].sure;
    }
    const char *sure =
        "With one run per cell there is nothing to resample: there are no intervals, and the "
        "uncertainty of these numbers is unknown.";
    if (sure_count > 0) {
        sure = study_report_text(report,
                                 "Intervals are 95 %% stratified bootstrap intervals with %zu "
                                 "resamples of the runs of every task.%s",
                                 all->bootstrap.resamples,
                                 sure_count == all->column_count
                                     ? ""
                                     : " A column with a single run in one of its cells has no "
                                       "interval: its uncertainty is unknown.");
    }
    return tot_page_add_paragraph(
        page,
        study_report_text(
            report,
            "Over the %zu row%s of the table for which every column has finished runs%s%s. %s",
            all->row_count, all->row_count == 1 ? "" : "s", left[0] != '\0' ? "; left out: " : "",
            left, sure));
}

// --- the measures ------------------------------------------------------------------------------

// The interval, shown below the number; NULL if there is none.
static const char *say_range(const overall *all, bool sure, const tot_estimate *value,
                             double factor, int decimals) {
    study_report *report = all->report;
    return !sure ? NULL
                 : study_report_text(report, "%s to %s",
                                     study_report_number(report, factor * value->low, decimals),
                                     study_report_number(report, factor * value->high, decimals));
}

// A row of a plot of intervals; just a point if there is no interval.
static tot_interval make_interval(const overall *all, const compared *column, bool sure,
                                  const tot_estimate *value, double factor, int decimals) {
    const char *number = study_report_number(all->report, factor * value->value, decimals);
    const char *range = say_range(all, sure, value, factor, decimals);
    return (tot_interval){
        .name = column->name,
        .value = factor * value->value,
        .low = factor * (sure ? value->low : value->value),
        .high = factor * (sure ? value->high : value->value),
        .text = range == NULL ? number : study_report_text(all->report, "%s (%s)", number, range),
        .colour = column->column};
}

enum { MEASURES = 4, WIDTH = MEASURES + 2 };  // columns of the table of measures

static tot_status fill_measures(const overall *all, const compared *column, const char **cells,
                                tot_cell_extra *extras, tot_interval *item) {
    tot_aggregate found;
    const tot_bootstrap bootstrap = bootstrap_of(all, column->sure);
    BASE_TRY(tot_scores_aggregate(&found, &column->scores, 1, &bootstrap));
    const tot_estimate *const measures[MEASURES] = {&found.interquartile_mean, &found.mean,
                                                    &found.median, &found.optimality_gap};
    size_t runs = 0;
    for (size_t task = 0; task < all->row_count; task++) {
        runs += column->scores.run_counts[task];
    }
    cells[0] = column->name;
    for (size_t k = 0; k < MEASURES; k++) {
        cells[k + 1] = study_report_number(all->report, 100 * measures[k]->value, 1);
        extras[k + 1].note = say_range(all, column->sure, measures[k], 100, 1);
    }
    cells[WIDTH - 1] = study_report_text(all->report, "%zu", runs);
    *item = make_interval(all, column, column->sure, measures[0], 100, 1);
    return TOT_OK;
}

static tot_status add_aggregates(const overall *all, tot_page *page) {
    const tot_column columns[WIDTH] = {{all->report->column_kind, false},
                                       {"interquartile mean", true},
                                       {"mean", true},
                                       {"median", true},
                                       {"optimality gap", true},
                                       {"runs", true}};
    tot_interval *items = NULL;
    study_report_table table;
    REPORT_ARRAY(all->report, items, all->column_count);
    BASE_TRY(study_report_table_make(all->report, &table, WIDTH, all->column_count, columns));
    for (size_t k = 0; k < all->column_count; k++) {
        BASE_TRY(fill_measures(all, &all->columns[k], table.cells + k * WIDTH,
                               table.extras + k * WIDTH, &items[k]));
    }
    const tot_intervals figure = {.title = "Interquartile mean of success",
                                  .x_name = "success, percent",
                                  .items = items,
                                  .count = all->column_count,
                                  .high = 100};
    BASE_TRY(all->report->status);
    BASE_TRY(tot_page_add_intervals(page, &figure));
    return study_report_table_add(all->report, &table, "Over all tasks, success in percent", page);
}

// --- performance profiles ----------------------------------------------------------------------

// values: [3][THRESHOLDS], written: the fraction, and the limits of its band.
static tot_status fill_profile(const overall *all, const compared *column, const double *thresholds,
                               double *values) {
    tot_estimate profile[THRESHOLDS];
    const tot_bootstrap bootstrap = bootstrap_of(all, column->sure);
    BASE_TRY(tot_scores_profile(profile, &column->scores, thresholds, THRESHOLDS, &bootstrap));
    for (size_t k = 0; k < THRESHOLDS; k++) {
        values[k] = 100 * profile[k].value;
        values[THRESHOLDS + k] = 100 * profile[k].low;
        values[2 * THRESHOLDS + k] = 100 * profile[k].high;
    }
    return TOT_OK;
}

static tot_status add_profiles(const overall *all, tot_page *page) {
    double thresholds[THRESHOLDS];
    double percent[THRESHOLDS];
    double *values = NULL;
    tot_series *series = NULL;
    REPORT_ARRAY(all->report, values, 3 * THRESHOLDS * all->column_count);
    REPORT_ARRAY(all->report, series, all->report->column_count);
    for (size_t k = 0; k < THRESHOLDS; k++) {
        thresholds[k] = (double)k / (THRESHOLDS - 1);
        percent[k] = 100 * thresholds[k];
    }
    for (size_t k = 0; k < all->column_count; k++) {
        double *own = values + k * 3 * THRESHOLDS;
        const bool sure = all->columns[k].sure;
        BASE_TRY(fill_profile(all, &all->columns[k], thresholds, own));
        // columns have the same colours as in the learning curves
        series[all->columns[k].column] = (tot_series){.count = THRESHOLDS,
                                                      .x = percent,
                                                      .y = own,
                                                      .low = sure ? own + THRESHOLDS : NULL,
                                                      .high = sure ? own + 2 * THRESHOLDS : NULL};
    }
    for (size_t k = 0; k < all->report->column_count; k++) {
        series[k].name = all->report->columns[k].label;
    }
    const tot_curves figure = {.title = "Performance profiles",
                               .x_name = "success above, percent",
                               .y_name = "share of runs, percent",
                               .series = series,
                               .series_count = all->report->column_count,
                               .y_low = 0,
                               .y_high = 100};
    return tot_page_add_curves(page, &figure);
}

// --- probability of improvement ----------------------------------------------------------------

static bool are_sure(const overall *all, size_t x, size_t y) {
    return all->columns[x].sure && all->columns[y].sure;
}

// Only one order of each pair is resampled; the other is its complement.
static tot_status fill_pairs(const overall *all, tot_estimate *pairs) {
    const size_t width = all->column_count;
    for (size_t x = 0; x < width; x++) {
        for (size_t y = x + 1; y < width; y++) {
            tot_estimate *here = &pairs[x * width + y];
            const tot_bootstrap bootstrap = bootstrap_of(all, are_sure(all, x, y));
            BASE_TRY(tot_scores_improvement(here, &all->columns[x].scores, &all->columns[y].scores,
                                            &bootstrap));
            pairs[y * width + x] = (tot_estimate){1 - here->value, 1 - here->high, 1 - here->low};
        }
    }
    return TOT_OK;
}

static tot_status add_matrix(const overall *all, tot_page *page, const tot_estimate *pairs) {
    study_report *report = all->report;
    const size_t count = all->column_count;
    study_report_table table;
    BASE_TRY(study_report_table_make(report, &table, count + 1, count, NULL));
    table.columns[0] = (tot_column){"better than \xe2\x86\x92", false};
    for (size_t x = 0; x < count; x++) {
        const char **cells = table.cells + x * table.width;
        table.columns[x + 1] = (tot_column){all->columns[x].name, true};
        cells[0] = all->columns[x].name;
        for (size_t y = 0; y < count; y++) {
            const tot_estimate *pair = &pairs[x * count + y];
            if (x == y) {
                continue;
            }
            const bool sure = are_sure(all, x, y);
            cells[y + 1] = study_report_number(report, pair->value, 2);
            table.extras[x * table.width + y + 1] = (tot_cell_extra){
                .note = say_range(all, sure, pair, 1, 2), .best = sure && pair->low > 0.5};
        }
    }
    return study_report_table_add(
        report, &table,
        "Probability that a run of the row is better than a run of the column on the same task",
        page);
}

// The method compared with all others: the paper's, or the last column if that is absent.
static size_t choose_hero(const overall *all) {
    size_t hero = all->column_count - 1;
    for (size_t k = 0; k < all->column_count; k++) {
        const char *method = all->report->columns[all->columns[k].column].method;
        if (method != NULL && strcmp(method, "temporalot") == 0) {
            hero = k;
            break;
        }
    }
    return hero;
}

static tot_status draw_hero(const overall *all, tot_page *page, const tot_estimate *pairs) {
    static const double even = 0.5;
    const size_t hero = choose_hero(all);
    size_t count = 0;
    tot_interval *items = NULL;
    REPORT_ARRAY(all->report, items, all->column_count);
    for (size_t k = 0; k < all->column_count; k++) {
        const tot_estimate *pair = &pairs[hero * all->column_count + k];
        if (k != hero) {
            items[count++] =
                make_interval(all, &all->columns[k], are_sure(all, hero, k), pair, 1, 2);
        }
    }
    const tot_intervals figure = {
        .title = study_report_text(all->report, "Probability that %s is better than",
                                   all->columns[hero].name),
        .items = items,
        .count = count,
        .high = 1,
        .mark = &even};
    BASE_TRY(all->report->status);
    return tot_page_add_intervals(page, &figure);
}

static tot_status add_improvement(const overall *all, tot_page *page) {
    const size_t width = all->column_count;
    if (width < 2) {
        return TOT_OK;
    }
    tot_estimate *pairs = NULL;
    REPORT_ARRAY(all->report, pairs, width * width);
    BASE_TRY(fill_pairs(all, pairs));
    BASE_TRY(draw_hero(all, page, pairs));
    return add_matrix(all, page, pairs);
}

// --- the whole ---------------------------------------------------------------------------------

tot_status study_report_add_overall(study_report *report, tot_page *page) {
    overall all = {.report = report};
    tot_bootstrap_defaults(&all.bootstrap);
    all.bootstrap.seed = report->settings.seed;
    all.bootstrap.pool = report->settings.pool;
    all.bootstrap.resamples = report->settings.resamples;
    BASE_TRY(choose(&all));
    for (size_t k = 0; k < all.column_count; k++) {
        BASE_TRY(gather_scores(&all, &all.columns[k]));
    }
    BASE_TRY(tot_page_add_heading(page, 1, "Over all tasks"));
    if (all.row_count == 0) {
        return tot_page_add_paragraph(
            page, "No task has finished runs in every column yet: there is nothing to compare.");
    }
    BASE_TRY(add_words(&all, page));
    BASE_TRY(add_aggregates(&all, page));
    BASE_TRY(add_profiles(&all, page));
    return add_improvement(&all, page);
}
