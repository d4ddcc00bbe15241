// Evaluation episodes with the policy's mean action, many worlds in parallel.
#pragma once

#include <temporalot/image.h>
#include <temporalot/picture.h>
#include <temporalot/train.h>

#include "train/embedder.h"

typedef struct train_evaluator train_evaluator;

// config, task, views, embedder and pool must outlive the evaluator. views: for the video and the
// agent; their crops must be known at the first evaluation. embedder: its views are also rendered,
// for the callback on_episode; must be ready at the first evaluation, when memory is allocated.
// NULL: not rendered.
tot_status train_evaluator_create(train_evaluator **evaluator, const tot_train_config *config,
                                  const tot_task *task, const train_views *views,
                                  const train_embedder *embedder, tot_pool *pool);

// Called with every finished episode. observations: [steps + 1][TOT_OBSERVATION]; frames: [steps]
// at the encoder's size, after each step, or NULL.
typedef tot_status (*train_episode_callback)(void *context, int64_t episode, int64_t steps,
                                             const float *observations, const uint8_t *frames);

typedef struct train_evaluation_request {
    uint64_t seed;
    uint64_t first;  // first episode of that seed
    int64_t episodes;
    const char *video;  // output file for the first `filmed` episodes; NULL: none
    int64_t filmed;
    train_episode_callback on_episode;  // may be NULL
    void *on_episode_context;
    bool (*progress)(void *context, int64_t done);  // episodes done; false: TOT_E_INTERRUPTED
    void *progress_context;
} train_evaluation_request;

tot_status train_evaluator_run(train_evaluator *evaluator, tot_agent *agent,
                               const train_evaluation_request *request, tot_evaluation *result);

// evaluator may be NULL.
void train_evaluator_free(train_evaluator *evaluator);

// --- the agent's frame stack -------------------------------------------------------------------

// Appends the newest picture. stack: [TOT_STACK * 3][side][side]; rgb: [side][side][3]. first: the
// first picture of an episode, which fills the whole stack.
void train_stack_push(uint8_t *stack, const uint8_t *rgb, int side, bool first);
