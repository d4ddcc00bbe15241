// status.json of a run: where it stands, for whoever watches the folder.
//
//     {"state": "running", "step": 20000, "steps": 60000, "error": null, "resume": true}
//
// state is waiting, running, stopped, finished or failed; error is one line where it failed; resume
// says whether there is a checkpoint to go on from. Written whole or not at all.
#pragma once

#include <temporalot/base.h>

typedef enum train_state {
    TRAIN_WAITING,  // also where there is no status.json
    TRAIN_RUNNING,  // or its process was killed: then nobody holds the folder's lock
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

// What cannot be read counts as waiting: status.json tells, it does not decide.
void train_status_read(const char *folder, train_status *status);
