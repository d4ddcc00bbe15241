// What is not in the numbers: runs that are unfinished or cannot be read, and cells without runs.
#include "base/base.h"
#include "study/report_parts.h"

enum { WIDTH = 3 };  // what, why, where

static void add(study_report_table *out, const char *what, const char *why, const char *where) {
    const char **row = out->cells + out->rows++ * WIDTH;
    row[0] = what;
    row[1] = why;
    row[2] = where;
}

// --- runs --------------------------------------------------------------------------------------

static const char *name_run(study_report *report, size_t run) {
    const study_report_run *one = &report->runs[run];
    return one->row == REPORT_NONE
               ? "unknown"
               : study_report_text(report, "%s, %s, seed %s", report->rows[one->row].label,
                                   report->columns[one->column].label,
                                   study_report_value(report, run, "seed"));
}

static const char *why_not(study_report *report, const tot_run_record *record) {
    switch (record->state) {
        case TOT_RUN_DAMAGED:
            return study_report_text(report, "damaged: %s", record->problem);
        case TOT_RUN_NEW:
            return "not started: no evaluation yet";
        default:
            return study_report_text(report, "%s at step %lld of %lld, success %s%%",
                                     tot_run_state_text(record->state), (long long)record->step,
                                     (long long)record->steps,
                                     study_report_number(report, 100 * record->success_rate, 1));
    }
}

static void add_unfinished(study_report *report, study_report_table *out) {
    for (size_t run = 0; run < report->run_count; run++) {
        const tot_run_record *record = report->runs[run].record;
        if (record->state != TOT_RUN_FINISHED) {
            add(out, name_run(report, run), why_not(report, record), record->folder);
        }
    }
}

static bool is_same_run(const study_report *report, size_t a, size_t b) {
    const study_report_run *x = &report->runs[a];
    const study_report_run *y = &report->runs[b];
    return x->row == y->row && x->column == y->column && x->row != REPORT_NONE &&
           x->record->config->seed == y->record->config->seed &&
           x->record->state == TOT_RUN_FINISHED && y->record->state == TOT_RUN_FINISHED;
}

// A seed that occurs twice in a cell counts twice, and is listed here.
static void add_doubles(study_report *report, study_report_table *out) {
    for (size_t run = 0; run < report->run_count; run++) {
        for (size_t k = 0; k < run; k++) {
            if (is_same_run(report, k, run)) {
                add(out, name_run(report, run),
                    study_report_text(report, "counted twice: also %s",
                                      report->runs[k].record->folder),
                    report->runs[run].record->folder);
                break;
            }
        }
    }
}

// --- cells without runs ------------------------------------------------------------------------

// Seeds that other rows of the column have, but this cell does not.
static const char *absent_seeds(study_report *report, size_t row, size_t column) {
    const char *words = "";
    for (size_t run = 0; run < report->run_count; run++) {
        const char *seed = study_report_value(report, run, "seed");
        bool seen = report->runs[run].column != column;
        // in the cell, or already listed
        for (size_t k = 0; !seen && k < report->run_count; k++) {
            seen = report->runs[k].column == column && (report->runs[k].row == row || k < run) &&
                   strcmp(study_report_value(report, k, "seed"), seed) == 0;
        }
        if (!seen) {
            words = study_report_text(report, "%s%s%s", words, words[0] != '\0' ? ", " : "", seed);
        }
    }
    return words;
}

static void add_absent(study_report *report, study_report_table *out) {
    for (size_t row = 0; row < report->row_count; row++) {
        for (size_t column = 0; column < report->column_count; column++) {
            const study_report_summary *cell = study_report_cell(report, row, column);
            const char *seeds = absent_seeds(report, row, column);
            if (cell->run_count > 0 && seeds[0] == '\0') {
                continue;
            }
            const char *what = study_report_text(report, "%s, %s", report->rows[row].label,
                                                 report->columns[column].label);
            const char *why = cell->run_count == 0
                                  ? "no run"
                                  : study_report_text(report, "no run of seed %s", seeds);
            add(out, what, why, "");
        }
    }
}

static bool has_row(const study_report *report, const char *name) {
    for (size_t k = 0; k < report->row_count; k++) {
        if (strcmp(report->rows[k].task, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool has_column(const study_report *report, const char *name) {
    for (size_t k = 0; k < report->column_count; k++) {
        if (report->columns[k].paper != NULL && strcmp(report->columns[k].paper, name) == 0) {
            return true;
        }
    }
    return false;
}

// Rows and columns of the paper's table for which there are no runs.
static void add_paper(study_report *report, study_report_table *out) {
    const study_paper_table *paper = report->paper;
    if (paper == NULL || strcmp(paper->row_kind, "task") != 0) {
        return;
    }
    for (size_t k = 0; k < paper->row_count; k++) {
        if (!has_row(report, paper->rows[k])) {
            add(out, paper->rows[k], "a task of the paper's table: no run", "");
        }
    }
    for (size_t k = 0; k < paper->column_count; k++) {
        if (!has_column(report, paper->columns[k])) {
            add(out, study_report_text(report, "%s %s", paper->column_kind, paper->columns[k]),
                "a column of the paper's table: no run", "");
        }
    }
}

tot_status study_report_add_missing(study_report *report, tot_page *page) {
    static const tot_column columns[] = {{"what", false}, {"why", false}, {"folder", false}};
    const study_paper_table *paper = report->paper;
    // at most: every run unfinished or double, every cell, every row and column of the paper
    const size_t most = report->run_count + report->row_count * report->column_count +
                        (paper != NULL ? paper->row_count + paper->column_count : 0);
    study_report_table out;
    BASE_TRY(study_report_table_make(report, &out, WIDTH, most, columns));
    out.rows = 0;
    add_unfinished(report, &out);
    add_absent(report, &out);
    add_paper(report, &out);
    add_doubles(report, &out);
    return out.rows > 0
               ? study_report_table_add(report, &out, "Not in the numbers, and other notes", page)
               : report->status;
}
