// temporalot/report.h - a report on many runs: tables, curves and statistics, with every number
// linked to the runs behind it.
//
//     #include <stdio.h>
//     #include <temporalot/report.h>
//
//     int main(void) {
//         tot_runs *runs = NULL;
//         tot_report_settings settings;
//         const char *const folders[] = {"runs"};
//         tot_report_defaults(&settings);
//         settings.title = "Two methods, five seeds";
//         tot_status status = tot_runs_find(&runs, folders, 1);
//         status = status != TOT_OK ? status : tot_report_write(runs, &settings, "report.html");
//         status = status != TOT_OK ? status : tot_report_write(runs, &settings, "report.csv");
//         printf("%s\n", status != TOT_OK ? tot_error() : "report.html and report.csv");
//         tot_runs_free(runs);
//         return 0;
//     }
#ifndef TEMPORALOT_REPORT_H
#define TEMPORALOT_REPORT_H

#include <temporalot/runs.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tot_report_settings {
    const char *title;    // NULL: a default
    const char *about;    // a sentence below the title; NULL: none
    const char *paper;    // a table of the paper to compare with: "table1", "pretrain", "speed";
                          // NULL: none
    const char *columns;  // columns of the table: "method", or a setting; NULL: the method, plus
                          // the settings in which runs of the same task and method differ
    const char *command;  // command to reproduce these runs; NULL: not shown
    uint64_t seed;        // of the bootstrap
    size_t resamples;     // of the bootstrap; 0: the default
    tot_pool *pool;       // may be NULL
} tot_report_settings;

// A default title, no paper, columns detected from the runs, seed 0, 50,000 resamples, no pool.
TOT_API void tot_report_defaults(tot_report_settings *settings);

// Writes the report on these runs. The file extension selects the format: .html (everything, in one
// file), .csv (one row per run), .tex (the table), .svg (the curves). Numbers are computed over
// finished runs; unfinished runs and missing data are listed. The output is bitwise reproducible
// for the same runs in the same place, with any number of threads. settings may be NULL (defaults).
// TOT_E_ARGUMENT: another extension, or an unknown table of the paper or setting.
TOT_API tot_status tot_report_write(const tot_runs *runs, const tot_report_settings *settings,
                                    const char *path);

#ifdef __cplusplus
}
#endif
#endif
