// temporalot/report.h - many runs on one page: tables, curves, statistics, and every number a click
// away from the runs behind it.
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
    const char *title;    // NULL: the default
    const char *about;    // a sentence under it; NULL: none
    const char *paper;    // a table of the paper to put beside ours: "table1", "pretrain",
                          // "speed"; NULL: none
    const char *columns;  // what the columns of the table are: "method", or a setting; NULL: the
                          // method, with what tells runs of one task and method apart
    const char *command;  // how these runs are made again; NULL: not said
    uint64_t seed;        // of the bootstrap
    size_t resamples;     // of the bootstrap; 0: the default
    tot_pool *pool;       // may be NULL
} tot_report_settings;

// A plain title, no paper, columns seen from the runs, seed 0, 50,000 resamples, no pool.
TOT_API void tot_report_defaults(tot_report_settings *settings);

// Writes the report of these runs. The ending of path says as what: .html (everything, in one
// file), .csv (one row per run), .tex (the table), .svg (the curves). Numbers are of finished runs;
// those that are not, and what is missing, are named. The same runs in the same place give the
// same bytes, whatever the threads. settings may be NULL (the defaults).
// TOT_E_ARGUMENT: another ending, or a paper's table or a setting that is not known.
TOT_API tot_status tot_report_write(const tot_runs *runs, const tot_report_settings *settings,
                                    const char *path);

#ifdef __cplusplus
}
#endif
#endif
