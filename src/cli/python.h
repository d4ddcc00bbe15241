// Commands that the Python package has: the program starts its interpreter.
#ifndef CLI_PYTHON_H
#define CLI_PYTHON_H

// Becomes `python3 -m temporalot ARGUMENT...`: by TEMPORALOT_PYTHON, or the python3 beside this
// program (an environment's), or that of PATH. arguments end in NULL. Returns only on failure, with
// what to exit with: a line that says what is missing was printed. A checkout's own package is
// found from its build folder.
int cli_python(char *const *arguments);

#endif
