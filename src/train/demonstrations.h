// The demonstrations of a run: collected, or from the user's files.
#ifndef TOT_TRAIN_TEACHER_H
#define TOT_TRAIN_TEACHER_H

#include <temporalot/demo.h>
#include <temporalot/train.h>

#include "train/embedder.h"
#include "train/input.h"

typedef struct tot_teacher {
    // Those from a video have pictures only: observations and actions are NULL.
    tot_recording recording;
    tot_recording glances;  // the same with the agent's pictures, where these were collected
    tot_demos *demos;       // embeddings; NULL: the method compares nothing
    float *embeddings;      // [all steps][width], one demonstration after another
    tot_replay *expert;     // for cloning and the discriminator; NULL: neither
    uint64_t hash;          // tells demonstrations apart
} tot_teacher;

typedef struct tot_teacher_needs {
    const tot_train_config *config;
    const tot_task *task;
    const tot_train_method *method;
    const train_input *input;
    const tot_replay_shape *sees;
    tot_pool *pool;
    bool force;
    bool (*progress)(void *context, int64_t attempts, int64_t found);
    void *progress_context;
} tot_teacher_needs;

// Collects demonstrations as the settings say. pictures: [looks]; may be NULL.
tot_status tot_teacher_collect(tot_recording *recording, const tot_teacher_needs *needs,
                               const tot_picture_settings *pictures, int looks);

// Gets the demonstrations. eye is open, and is focused here.
tot_status tot_teacher_open(tot_teacher *teacher, tot_eye *eye, const tot_teacher_needs *needs);

// Steps of all demonstrations.
int64_t tot_teacher_steps(const tot_teacher *teacher);

// teacher may be {0}.
void tot_teacher_close(tot_teacher *teacher);

#endif
