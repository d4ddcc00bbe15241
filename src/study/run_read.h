// Reads a run folder.
#pragma once

#include <temporalot/runs.h>

enum { RUN_NAME = 160 };

// A run, with the memory that its record points to.
typedef struct study_run {
    tot_run_record record;
    char *folder;
    char *problem;
    tot_train_config *config;
    tot_run_point *points;
    size_t capacity;
    char version[RUN_NAME];
    char commit[RUN_NAME];
    char build[RUN_NAME];
    char cpu[RUN_NAME];
} study_run;

// Whether the folder contains an entry of that name.
bool study_run_has(const char *folder, const char *name);

// Whether the folder is that of a run.
bool study_is_run_folder(const char *folder);

// Reads a run, which must be {0} and may not be moved. Problems with it are stored in its record;
// only TOT_E_MEMORY is a failure.
tot_status study_run_read(study_run *run, const char *folder);

void study_run_free(study_run *run);
