// status.json of a run: its progress, for anyone who watches the folder.
//
//     {"state": "running", "step": 20000, "steps": 60000, "error": null, "resume": true}
//
// state is waiting, running, stopped, finished or failed; error is a single line if it failed;
// resume tells whether there is a checkpoint to resume from. Written atomically.
#pragma once

#include <temporalot/base.h>

typedef enum train_state {
    TRAIN_WAITING,  // also if there is no status.json
    TRAIN_RUNNING,  // or its process was killed: the folder is then not locked
    TRAIN_STOPPED,
    TRAIN_FINISHED,
    TRAIN_FAILED,
} train_state;

typedef struct train_status {
    train_state state;
    int64_t step, steps;
    bool resume;
    char error[512];
} train_status;

tot_status train_status_write(const char *folder, const train_status *status);

// An unreadable file counts as waiting: status.json is informative only.
void train_status_read(const char *folder, train_status *status);
