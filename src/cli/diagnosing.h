// `report --diagnose`: why the policy of a run fails.
#pragma once

#include "cli/cli.h"

// Diagnoses the runs, prints the results, and writes the page of a single run to `out` (may be
// NULL). Returns the exit code.
int cli_diagnose(const tot_runs *runs, int64_t goals, const char *out, const cli_common *common);
