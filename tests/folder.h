// A temporary folder as a group fixture: created before the tests, removed after them.
#pragma once

#include <stdio.h>
#include <stdlib.h>

static char folder[64];

static inline int make_folder(void **state) {
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/temporalot-test-XXXXXX");
    return mkdtemp(folder) == NULL;
}

static inline int remove_folder(void **state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}
