// The report for other programs: a row a run as CSV, the table for LaTeX.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "page/buffer.h"
#include "study/report_parts.h"

static tot_status save(tot_text *out, const char *path) {
    tot_text_add_bytes(out, "", 1);
    tot_status status = out->status;
    if (status == TOT_OK) {
        status = tot_text_save(out->bytes, path);
    }
    tot_text_free(out);
    return status;
}

// --- CSV ---------------------------------------------------------------------------------------

static void add_cell(tot_text *out, const char *words, bool last) {
    if (strpbrk(words, ",\"\r\n") == NULL) {
        tot_text_add(out, words);
    } else {
        tot_text_add(out, "\"");
        for (const char *at = words; *at != '\0'; at++) {
            tot_text_add(out, *at == '"' ? "\"" : "");
            tot_text_add_bytes(out, at, 1);
        }
        tot_text_add(out, "\"");
    }
    tot_text_add(out, last ? "\n" : ",");
}

static void add_number(tot_text *out, double value, int digits) {
    if (isfinite(value)) {
        tot_text_add_number(out, value, digits);
    }
    tot_text_add(out, ",");
}

// Settings that differ, but for those that have a column already.
static bool has_column(const tot_report *report, size_t parameter) {
    const char *name = report->parameters[parameter];
    return report->varies[parameter] && strcmp(name, "task") != 0 && strcmp(name, "method") != 0 &&
           strcmp(name, "seed") != 0 && strcmp(name, "steps") != 0;
}

static void add_run(tot_text *out, const tot_report *report, size_t run) {
    const tot_run_record *record = report->runs[run].record;
    add_cell(out, tot_report_value(report, run, "task"), false);
    add_cell(out, tot_report_value(report, run, "method"), false);
    add_cell(out, tot_report_value(report, run, "seed"), false);
    add_number(out, record->success_rate, 9);
    tot_text_add_format(out, "%zu,", (size_t)record->step);
    add_number(out, record->wall_seconds, 9);
    add_cell(out, record->commit, false);
    add_cell(out, record->version, false);
    add_cell(out, record->build, false);
    add_cell(out, tot_run_state_text(record->state), false);
    for (size_t k = 0; k < report->parameter_count; k++) {
        if (has_column(report, k)) {
            add_cell(out, tot_report_value(report, run, report->parameters[k]), false);
        }
    }
    add_cell(out, record->folder, true);
}

tot_status tot_report_write_csv(tot_report *report, const char *path) {
    tot_text out = {0};
    tot_text_add(&out,
                 "task,method,seed,success_rate,steps,wall_seconds,commit,version,build,state,");
    for (size_t k = 0; k < report->parameter_count; k++) {
        if (has_column(report, k)) {
            add_cell(&out, report->parameters[k], false);
        }
    }
    tot_text_add(&out, "folder\n");
    for (size_t run = 0; run < report->run_count; run++) {
        add_run(&out, report, run);
    }
    return save(&out, path);
}

// --- LaTeX -------------------------------------------------------------------------------------

static void add_latex(tot_text *out, const char *words) {
    for (const char *at = words; *at != '\0'; at++) {
        switch (*at) {
            case '\\':
                tot_text_add(out, "\\textbackslash{}");
                break;
            case '~':
                tot_text_add(out, "\\textasciitilde{}");
                break;
            case '^':
                tot_text_add(out, "\\textasciicircum{}");
                break;
            case '#':
            case '$':
            case '%':
            case '&':
            case '_':
            case '{':
            case '}':
                tot_text_add(out, "\\");
                // fall through
            default:
                tot_text_add_bytes(out, at, 1);
        }
    }
}

static void add_latex_cell(tot_text *out, tot_report *report, const report_cell *cell) {
    tot_text_add(out, " & ");
    if (isnan(cell->mean)) {
        tot_text_add(out, "--");
    } else {
        const char *mean = tot_report_number(report, 100 * cell->mean, 1);
        tot_text_add_format(out, cell->best ? "$\\mathbf{%s}$" : "$%s$", mean);
        if (cell->finished > 1) {
            tot_text_add_format(out, " {\\scriptsize $\\pm$ %s}",
                                tot_report_number(report, 100 * cell->deviation, 1));
        }
    }
    if (!isnan(cell->paper.mean)) {
        tot_text_add_format(out, " {\\scriptsize [%s]}",
                            tot_report_number(report, cell->paper.mean, 1));
    }
}

static bool has_paper(const tot_report *report) {
    for (size_t k = 0; k < report->row_count * report->column_count; k++) {
        if (!isnan(report->cells[k].paper.mean)) {
            return true;
        }
    }
    return false;
}

static void add_latex_table(tot_text *out, tot_report *report) {
    tot_text_add(out, "% needs \\usepackage{booktabs}\n\\begin{table}\n\\centering\n\\caption{");
    add_latex(out, report->settings.title);
    tot_text_add(out, ": success in percent, mean and standard deviation over the seeds");
    tot_text_add(out, has_paper(report) ? "; in brackets the paper's.}\n" : ".}\n");
    tot_text_add(out, "\\begin{tabular}{l");
    for (size_t k = 0; k < report->column_count; k++) {
        tot_text_add(out, "r");
    }
    tot_text_add(out, "}\n\\toprule\ntask");
    for (size_t k = 0; k < report->column_count; k++) {
        tot_text_add(out, " & ");
        add_latex(out, report->columns[k].label);
    }
    tot_text_add(out, " \\\\\n\\midrule\n");
    for (size_t row = 0; row < report->row_count; row++) {
        add_latex(out, report->rows[row].label);
        for (size_t k = 0; k < report->column_count; k++) {
            add_latex_cell(out, report, tot_report_cell(report, row, k));
        }
        tot_text_add(out, " \\\\\n");
    }
    tot_text_add(out, "\\bottomrule\n\\end{tabular}\n\\end{table}\n");
}

tot_status tot_report_write_latex(tot_report *report, const char *path) {
    tot_text out = {0};
    add_latex_table(&out, report);
    if (report->status != TOT_OK) {
        tot_text_free(&out);
        return report->status;
    }
    return save(&out, path);
}
