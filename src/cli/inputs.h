// The files a user names: single ones, folders, patterns, lists.
#ifndef TOT_CLI_INPUTS_H
#define TOT_CLI_INPUTS_H

#include <temporalot/base.h>

// The names stand behind each other in one text: thousands of them take little memory.
typedef struct cli_inputs {
    size_t *starts;  // [count] where a name begins
    char *texts;
    size_t count;
    size_t capacity;
    size_t texts_used;
    size_t texts_capacity;
} cli_inputs;

// Adds what one word means: a file ("F.npz:NAME" too); a folder (its .npy and .npz files and videos
// by name; where it has none but PNG files, itself, as one episode); a pattern with * ? [ ] (the
// files it matches, by name); "@FILE" (a list, one of these a line, '#' starts a comment). An .npz
// of several recorded episodes (frames_0, frames_1, ...) is all of them. TOT_E_FILE when it means
// nothing.
tot_status cli_inputs_add(cli_inputs *inputs, const char *word);

// Adds a name as it is.
tot_status cli_inputs_append(cli_inputs *inputs, const char *path);

// Valid until the next one is added.
const char *cli_inputs_path(const cli_inputs *inputs, size_t index);

void cli_inputs_free(cli_inputs *inputs);

#endif
