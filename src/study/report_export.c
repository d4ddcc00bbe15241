// Exports a report: a CSV with one row per run, and the table for LaTeX.
#include "base/base.h"
#include "page/buffer.h"
#include "study/cells.h"
#include "study/report_parts.h"

// --- CSV ---------------------------------------------------------------------------------------

static void add_cell(page_buffer *out, const char *words, bool last) {
    if (strpbrk(words, ",\"\r\n") == NULL) {
        page_buffer_add(out, words);
    } else {
        page_buffer_add(out, "\"");
        for (const char *at = words; *at != '\0'; at++) {
            page_buffer_add(out, *at == '"' ? "\"" : "");
            page_buffer_add_bytes(out, at, 1);
        }
        page_buffer_add(out, "\"");
    }
    page_buffer_add(out, last ? "\n" : ",");
}

static void add_number(page_buffer *out, double value, int digits) {
    page_buffer_add_format(out, "%s,", page_digits(value, digits).text);
}

// Whether a setting gets a column: it differs between runs and has no fixed column.
static bool has_column(const study_report *report, size_t parameter) {
    const char *name = report->parameters[parameter].name;
    return report->varies[parameter] && !study_names_folder(name) && strcmp(name, "steps") != 0;
}

static void add_run(page_buffer *out, const study_report *report, size_t run) {
    const tot_run_record *record = report->runs[run].record;
    add_cell(out, study_report_value(report, run, "task"), false);
    add_cell(out, study_report_value(report, run, "method"), false);
    add_cell(out, study_report_value(report, run, "seed"), false);
    add_number(out, record->success_rate, 9);
    page_buffer_add_format(out, "%zu,", (size_t)record->step);
    add_number(out, record->wall_seconds, 9);
    add_cell(out, record->commit, false);
    add_cell(out, record->version, false);
    add_cell(out, record->build, false);
    add_cell(out, tot_run_state_text(record->state), false);
    for (size_t k = 0; k < report->parameter_count; k++) {
        if (has_column(report, k)) {
            add_cell(out, study_report_value(report, run, report->parameters[k].name), false);
        }
    }
    add_cell(out, record->folder, true);
}

tot_status study_report_write_csv(study_report *report, const char *path) {
    page_buffer out = {0};
    page_buffer_add(&out,
                    "task,method,seed,success_rate,steps,wall_seconds,commit,version,build,state,");
    for (size_t k = 0; k < report->parameter_count; k++) {
        if (has_column(report, k)) {
            add_cell(&out, report->parameters[k].name, false);
        }
    }
    page_buffer_add(&out, "folder\n");
    for (size_t run = 0; run < report->run_count; run++) {
        add_run(&out, report, run);
    }
    return page_buffer_save(&out, path);
}

// --- LaTeX -------------------------------------------------------------------------------------

static void add_latex(page_buffer *out, const char *words) {
    for (const char *at = words; *at != '\0'; at++) {
        const char *named = *at == '\\'  ? "\\textbackslash{}"
                            : *at == '~' ? "\\textasciitilde{}"
                            : *at == '^' ? "\\textasciicircum{}"
                                         : NULL;
        if (named != NULL) {
            page_buffer_add(out, named);
        } else {
            page_buffer_add(out, strchr("#$%&_{}", *at) != NULL ? "\\" : "");
            page_buffer_add_bytes(out, at, 1);
        }
    }
}

static void add_latex_cell(page_buffer *out, study_report *report,
                           const study_report_summary *cell) {
    page_buffer_add(out, " & ");
    if (isnan(cell->mean)) {
        page_buffer_add(out, "--");
    } else {
        const char *mean = study_report_number(report, 100 * cell->mean, 1);
        page_buffer_add_format(out, cell->best ? "$\\mathbf{%s}$" : "$%s$", mean);
        if (cell->finished > 1) {
            page_buffer_add_format(out, " {\\scriptsize $\\pm$ %s}",
                                   study_report_number(report, 100 * cell->deviation, 1));
        }
    }
    if (!isnan(cell->paper.mean)) {
        page_buffer_add_format(out, " {\\scriptsize [%s]}",
                               study_report_number(report, cell->paper.mean, 1));
    }
}

static bool has_paper(const study_report *report) {
    for (size_t k = 0; k < report->row_count * report->column_count; k++) {
        if (!isnan(report->cells[k].paper.mean)) {
            return true;
        }
    }
    return false;
}

static void add_latex_table(page_buffer *out, study_report *report) {
    page_buffer_add(out, "% needs \\usepackage{booktabs}\n\\begin{table}\n\\centering\n\\caption{");
    add_latex(out, report->settings.title);
    page_buffer_add(out, ": success in percent, mean and standard deviation over the seeds");
    page_buffer_add(out, has_paper(report) ? "; in brackets the paper's.}\n" : ".}\n");
    page_buffer_add(out, "\\begin{tabular}{l");
    for (size_t k = 0; k < report->column_count; k++) {
        page_buffer_add(out, "r");
    }
    page_buffer_add(out, "}\n\\toprule\ntask");
    for (size_t k = 0; k < report->column_count; k++) {
        page_buffer_add(out, " & ");
        add_latex(out, report->columns[k].label);
    }
    page_buffer_add(out, " \\\\\n\\midrule\n");
    for (size_t row = 0; row < report->row_count; row++) {
        add_latex(out, report->rows[row].label);
        for (size_t k = 0; k < report->column_count; k++) {
            add_latex_cell(out, report, study_report_cell(report, row, k));
        }
        page_buffer_add(out, " \\\\\n");
    }
    page_buffer_add(out, "\\bottomrule\n\\end{tabular}\n\\end{table}\n");
}

tot_status study_report_write_latex(study_report *report, const char *path) {
    page_buffer out = {0};
    add_latex_table(&out, report);
    if (report->status != TOT_OK) {
        page_buffer_free(&out);
        return report->status;
    }
    return page_buffer_save(&out, path);
}
