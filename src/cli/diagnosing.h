// `report --diagnose`: why the policy of a run fails.
#pragma once

#include "cli/cli.h"

typedef struct cli_diagnosing {
    const char *const *folders;  // [count] of runs
    size_t count;
    int64_t goals;
    const char *out;                                // a page, of a single run; NULL: none
    int (*check)(const char *out, bool overwrite);  // whether it may be written; an exit code
    const cli_common *common;
} cli_diagnosing;

// Diagnoses and prints every run found in the folders and below them, and writes the page. Returns
// an exit code.
int cli_diagnose(const cli_diagnosing *request);
