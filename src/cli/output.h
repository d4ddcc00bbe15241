// Output files of a command: checked before the work starts, and reported when it is done.
#pragma once

#include "cli/cli.h"

// A file that a command will write.
typedef struct cli_output {
    const char *option;  // "out" for --out
    const char *path;    // NULL: not requested
    bool replaces;       // set by the check: one of our files exists there
} cli_output;

// Whether this program wrote the file, judged by its content. An empty file counts as ours.
bool cli_is_ours(const char *path);

// Rejects, with EXIT_USAGE and an error, an output that is also an input or another output, and an
// existing file that this program did not write, unless overwrite. Files are compared by inode, not
// by name. Removes temporary files that killed processes left in the folders of the outputs.
// inputs: may be NULL.
int cli_outputs_check(cli_output *outputs, size_t count, const tot_source_list *inputs,
                      bool overwrite);

// Prints "wrote FILE" or "replaced FILE", one line per requested output.
void cli_outputs_print(const cli_output *outputs, size_t count);

// Prints `, "out": "FILE"` for each requested output, and `, "replaced": ["FILE", ...]` if any
// existed.
void cli_outputs_json(const cli_output *outputs, size_t count);
