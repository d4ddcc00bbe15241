// `report --diagnose`: why the policy of a run fails.
#pragma once

#include "cli/cli.h"

typedef struct cli_diagnosing {
    const char *const *folders;  // [count] run folders
    size_t count;
    int64_t goals;
    const char *out;                                // page to write, for a single run; NULL: none
    int (*check)(const char *out, bool overwrite);  // may it be written? returns an exit code
    const cli_common *common;
} cli_diagnosing;

// Diagnoses every run found in the folders and below, prints the results, and writes the page.
// Returns an exit code.
int cli_diagnose(const cli_diagnosing *request);
