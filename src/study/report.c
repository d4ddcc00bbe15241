#include <temporalot/report.h>

#include "base/base.h"
#include "study/report_parts.h"

void tot_report_defaults(tot_report_settings *settings) {
    BASE_NEED_OR(, settings);
    *settings = (tot_report_settings){.title = "Runs compared", .resamples = 50000};
}

static tot_status fill(study_report *report, tot_page *page, const char *path) {
    BASE_TRY(study_report_add_summary(report, page));
    BASE_TRY(study_report_add_success(report, page));
    BASE_TRY(study_report_add_steps(report, page));
    BASE_TRY(study_report_add_missing(report, page));
    BASE_TRY(tot_page_add_heading(page, 1, "Learning curves"));
    BASE_TRY(tot_page_add_paragraph(
        page,
        "Success rate at the evaluations; the band is one standard deviation over the seeds. "
        "Clicking a name below a figure shows or hides its curve in all figures."));
    BASE_TRY(tot_page_begin_row(page));
    BASE_TRY(study_report_add_curves(report, page, NULL));
    BASE_TRY(tot_page_end_row(page));
    BASE_TRY(study_report_add_overall(report, page));
    BASE_TRY(study_report_add_episodes(report, page, path));
    BASE_TRY(study_report_add_runs(report, page, path));
    return study_report_add_settings(report, page);
}

static tot_status write_page(study_report *report, const char *path) {
    tot_page *page = NULL;
    BASE_TRY(tot_page_create(&page, report->settings.title));
    tot_status status = fill(report, page, path);
    BASE_THEN(status, tot_page_write(page, path));
    tot_page_free(page);
    return status;
}

static tot_status write_picture(study_report *report, const char *path) {
    tot_svg *svg = NULL;
    BASE_TRY(tot_svg_create(&svg, report->settings.title, 3));
    tot_status status = study_report_add_curves(report, NULL, svg);
    BASE_THEN(status, tot_svg_write(svg, path));
    tot_svg_free(svg);
    return status;
}

typedef tot_status (*writer)(study_report *report, const char *path);

static writer writer_for(const char *path) {
    static const struct {
        const char *ending;
        writer write;
    } writers[] = {{".html", write_page},
                   {".htm", write_page},
                   {".csv", study_report_write_csv},
                   {".tex", study_report_write_latex},
                   {".svg", write_picture}};
    const char *dot = strrchr(path, '.');
    for (size_t k = 0; dot != NULL && k < BASE_LENGTH(writers); k++) {
        if (strcasecmp(dot, writers[k].ending) == 0) {
            return writers[k].write;
        }
    }
    return NULL;
}

tot_status tot_report_write(const tot_runs *runs, const tot_report_settings *settings,
                            const char *path) {
    tot_report_settings usual;
    BASE_FAIL_IF(runs == NULL || path == NULL || tot_runs_count(runs) == 0, TOT_E_ARGUMENT,
                 "report: no %s given", path == NULL ? "path" : "runs");
    const writer write = writer_for(path);
    BASE_FAIL_IF(write == NULL, TOT_E_ARGUMENT,
                 "%s: the name of a report ends in .html, .csv, .tex or .svg", path);
    tot_report_defaults(&usual);
    if (settings != NULL) {
        const tot_report_settings plain = usual;
        usual = *settings;
        usual.title = usual.title != NULL ? usual.title : plain.title;
        usual.resamples = usual.resamples > 0 ? usual.resamples : plain.resamples;
    }
    study_report report = {0};
    tot_status status = study_report_gather(&report, runs, &usual);
    BASE_THEN(status, write(&report, path));
    study_report_free(&report);
    return status;
}
