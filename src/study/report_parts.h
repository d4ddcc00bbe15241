// The parts of a report.
#pragma once

#include <temporalot/page.h>

#include "study/report_data.h"

// report_page.c: how much there is of what, and the table.
tot_status study_report_add_summary(study_report *report, tot_page *page);
tot_status study_report_add_success(study_report *report, tot_page *page);

// report_missing.c: runs and cells that are not in the numbers, and why. Nothing where all are.
tot_status study_report_add_missing(study_report *report, tot_page *page);

// report_curves.c: success over steps, a figure a row; into a page, or a picture.
tot_status study_report_add_curves(study_report *report, tot_page *page, tot_svg *svg);

// report_steps.c: the table of the paper that goes by environment steps (pretrain).
tot_status study_report_add_steps(study_report *report, tot_page *page);

// report_overall.c: interquartile mean, profiles, probability of improvement.
tot_status study_report_add_overall(study_report *report, tot_page *page);

// report_episodes.c: what the last episodes looked like to the rewards, one run a cell.
tot_status study_report_add_episodes(study_report *report, tot_page *page, const char *path);

// report_runs.c: a row per run, with links as seen from the file at path; and settings.
tot_status study_report_add_runs(study_report *report, tot_page *page, const char *path);
tot_status study_report_add_settings(study_report *report, tot_page *page);

// The way from the file at path, which need not be there yet, to a folder: "../runs/seed-0/". NULL
// where one of them is not found.
const char *study_report_way(study_report *report, const char *path, const char *folder);

// What preset a run has, and in what it differs: "quick, but steps 400".
const char *study_report_preset(study_report *report, size_t run);

// report_export.c: a row per run; and the table for LaTeX.
tot_status study_report_write_csv(study_report *report, const char *path);
tot_status study_report_write_latex(study_report *report, const char *path);
