// Reports of the runs in the test's folder.
#pragma once

#include <temporalot/report.h>

#include "run_folders.h"

static inline tot_status try_report(const tot_report_settings *settings, const char *name) {
    const char *const folders[] = {test_folder};
    tot_runs *runs = NULL;
    tot_status status = tot_runs_find(&runs, folders, 1);
    status = status != TOT_OK ? status : tot_report_write(runs, settings, in_folder(name));
    tot_runs_free(runs);
    return status;
}

static inline void assert_has(const char *text, const char *piece) {
    if (strstr(text, piece) == NULL) {
        fail_msg("not in the report: %s", piece);
    }
}
