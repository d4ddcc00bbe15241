// Runs commands that are implemented in the Python package.
#pragma once

// Replaces this process with `python3 -m temporalot ARGUMENT...`; TEMPORALOT_PYTHON selects another
// interpreter. arguments end with NULL. Returns only on failure, after printing what is missing,
// with the exit code. In the build folder of a checkout, the checkout's package is used.
int cli_python(char *const *arguments);
