// Commands that the Python package has: the program starts its interpreter.
#pragma once

// Becomes `python3 -m temporalot ARGUMENT...`; TEMPORALOT_PYTHON names another interpreter.
// arguments end in NULL. Returns only on failure, with what to exit with: a line that says what is
// missing was printed. A checkout's own package is found from its build folder.
int cli_python(char *const *arguments);
