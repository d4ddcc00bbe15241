// Episodes with the policy's mean action, many worlds at once.
#pragma once

#include <temporalot/image.h>
#include <temporalot/picture.h>
#include <temporalot/train.h>

#include "train/embedder.h"

typedef struct train_evaluator train_evaluator;

// config, task, views, embedder and pool must outlive it. views: of the video, and of the agent;
// with their crops at the first evaluation. embedder: its views are rendered too, for the callback
// on_episode; it is ready at the first evaluation, when memory is taken. NULL: they are not.
tot_status train_evaluator_create(train_evaluator **evaluator, const tot_train_config *config,
                                  const tot_task *task, const train_views *views,
                                  const train_embedder *embedder, tot_pool *pool);

// Called with every episode that was played. observations: [steps + 1][TOT_OBSERVATION]; frames:
// [steps] of the encoder's size, after each step, or NULL.
typedef tot_status (*train_episode_callback)(void *context, int64_t episode, int64_t steps,
                                             const float *observations, const uint8_t *frames);

typedef struct train_evaluation_request {
    uint64_t seed;
    uint64_t first;  // episode of that seed
    int64_t episodes;
    const char *video;  // a file for the first `filmed` of them; NULL: none
    int64_t filmed;
    train_episode_callback on_episode;  // may be NULL
    void *on_episode_context;
    bool (*progress)(void *context, int64_t done);  // episodes; false: TOT_E_INTERRUPTED
    void *progress_context;
} train_evaluation_request;

tot_status train_evaluator_run(train_evaluator *evaluator, tot_agent *agent,
                               const train_evaluation_request *request, tot_evaluation *result);

// evaluator may be NULL.
void train_evaluator_free(train_evaluator *evaluator);

// --- the stack of frames that an agent observes ------------------------------------------------

// Puts the newest picture behind the others: stack is [TOT_STACK * 3][side][side], rgb is
// [side][side][3]. first: the episode's first one, which then stands there TOT_STACK times.
void train_stack_push(uint8_t *stack, const uint8_t *rgb, int side, bool first);
