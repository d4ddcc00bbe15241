// The files a user names: single ones, folders, patterns, lists.
#ifndef TOT_CLI_INPUTS_H
#define TOT_CLI_INPUTS_H

#include <temporalot/base.h>

typedef struct cli_inputs {
    char **paths;  // owned
    size_t count;
    size_t capacity;
} cli_inputs;

// Adds what one word means: a file ("F.npz:NAME" too); a folder (its .npy and .npz files by name);
// a pattern with * ? [ ] (the files it matches, by name); "@FILE" (a list, one of these a line, '#'
// starts a comment). TOT_E_FILE when it means nothing.
tot_status cli_inputs_add(cli_inputs *inputs, const char *word);

void cli_inputs_free(cli_inputs *inputs);

#endif
