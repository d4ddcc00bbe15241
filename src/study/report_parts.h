// The parts of a report.
#pragma once

#include <temporalot/page.h>

#include "study/report_data.h"

// report_page.c: the summary, and the table.
tot_status study_report_add_summary(study_report *report, tot_page *page);
tot_status study_report_add_success(study_report *report, tot_page *page);

// The distinct values of a field over the runs, at most six; "" does not count.
const char *study_report_say_values(study_report *report,
                                    const char *(*field)(study_report *report, size_t run),
                                    const char *separator);

// report_missing.c: runs and cells that are not in the numbers, and why; nothing if all are.
tot_status study_report_add_missing(study_report *report, tot_page *page);

// report_curves.c: success over steps, one figure per row; on a page, or in an SVG.
tot_status study_report_add_curves(study_report *report, tot_page *page, tot_svg *svg);

// report_steps.c: the paper's table by environment steps (pretrain).
tot_status study_report_add_steps(study_report *report, tot_page *page);

// report_overall.c: interquartile mean, profiles, probability of improvement.
tot_status study_report_add_overall(study_report *report, tot_page *page);

// report_episodes.c: the last labelled episodes, one run per cell.
tot_status study_report_add_episodes(study_report *report, tot_page *page, const char *path);

// report_runs.c: one row per run, with links relative to the file at path; and the settings.
tot_status study_report_add_runs(study_report *report, tot_page *page, const char *path);
tot_status study_report_add_settings(study_report *report, tot_page *page);

// The relative path from the file at path, which need not exist yet, to a folder:
// "../runs/seed-0/". NULL if one of them is not found.
const char *study_report_way(study_report *report, const char *path, const char *folder);

// The preset of a run and its differences from it: "quick, but steps 400".
const char *study_report_preset(study_report *report, size_t run);

// report_export.c: one row per run as CSV; the table for LaTeX.
tot_status study_report_write_csv(study_report *report, const char *path);
tot_status study_report_write_latex(study_report *report, const char *path);
