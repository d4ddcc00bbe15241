// Reads a run folder.
#pragma once

#include <temporalot/runs.h>

enum { RUN_NAME = 160 };

// The memory that a record points to.
typedef struct study_run_owned {
    char *folder;
    char *problem;
    tot_train_config *config;
    tot_run_point *points;
    size_t capacity;
    char version[RUN_NAME];
    char commit[RUN_NAME];
    char build[RUN_NAME];
    char cpu[RUN_NAME];
} study_run_owned;

// Whether the folder contains an entry of that name.
bool study_run_has(const char *folder, const char *name);

// Reads a run. Problems with it are stored in its record; only TOT_E_MEMORY is a failure.
tot_status study_run_read(tot_run_record *record, study_run_owned *owned, const char *folder);

void study_run_owned_free(study_run_owned *owned);
