// The demonstrations of a run: collected, or loaded from the user's files.
#pragma once

#include <temporalot/demo.h>
#include <temporalot/train.h>

#include "train/embedder.h"
#include "train/input.h"

typedef struct train_demonstrations {
    // Demonstrations from videos have frames only: observations and actions are NULL.
    tot_recording recording;
    tot_recording agent_recording;  // the same from the agent's view, if it was collected
    tot_demos *demos;               // embeddings; NULL if the method compares nothing
    float *embeddings;              // [all steps][width], the demonstrations one after another
    tot_replay *expert;             // for cloning and the discriminator; NULL if neither is used
    uint64_t hash;                  // hash of their contents
} train_demonstrations;

typedef struct train_demonstrations_request {
    const tot_train_config *config;
    const tot_task *task;
    const tot_train_method *method;
    const train_input *input;
    const tot_replay_shape *sees;
    tot_pool *pool;
    const char *folder;  // the run's folder
    bool force;
    bool (*progress)(void *context, int64_t attempts, int64_t found);
    void *progress_context;
} train_demonstrations_request;

// Collects demonstrations according to the settings. pictures: [views]; may be NULL.
tot_status train_demonstrations_collect(tot_recording *recording,
                                        const train_demonstrations_request *request,
                                        const tot_picture_settings *pictures, int views);

// Loads or collects the demonstrations. embedder must be open; its encoder is opened here.
tot_status train_demonstrations_open(train_demonstrations *demonstrations, train_embedder *embedder,
                                     const train_demonstrations_request *request);

// demonstrations may be {0}.
void train_demonstrations_close(train_demonstrations *demonstrations);

// first_frame.c: compares the first frame of a video demonstration with the first picture of the
// run's world: the reward compares such pictures, so they should show the same scene. Renders the
// world at the start of the first demonstration's episode, writes both pictures side by side to
// demo-NUMBER.png in the run's folder, and warns if they are very dissimilar. first:
// [side][side][3], with the side of the run's pictures.
tot_status train_check_first_frame(const train_embedder *embedder,
                                   const train_demonstrations_request *needs, const char *path,
                                   size_t number, const uint8_t *first);
