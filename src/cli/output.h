// What a command writes: looked at before anything is done, and told when it is done.
#pragma once

#include "cli/cli.h"

// A file that a command is to write.
typedef struct cli_output {
    const char *option;  // "out" for --out
    const char *path;    // NULL: not asked for
    bool replaces;       // set by the check: a file of ours stands there
} cli_output;

// Refuses, with EXIT_USAGE and a line: an output that is also an input, or another output; and one
// that is there already and that this program did not write, unless overwrite. Files are the same
// when they are on the disk, however they are called. Removes what killed processes left in the
// outputs' folders. inputs: paths or FILE.npz:NAME, may be NULL.
int cli_outputs_check(cli_output *outputs, size_t count, const char *const *inputs,
                      size_t input_count, bool overwrite);

// The same with inputs that were listed.
int cli_outputs_check_sources(cli_output *outputs, size_t count, const tot_source_list *inputs,
                              bool overwrite);

// "wrote FILE", or "replaced FILE", a line for each that was asked for.
void cli_outputs_print(const cli_output *outputs, size_t count);

// `, "out": "FILE"` for each that was asked for, and `, "replaced": ["FILE", ...]` where there is
// one.
void cli_outputs_json(const cli_output *outputs, size_t count);
