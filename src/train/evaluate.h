// Episodes with the policy's mean action, many worlds at once.
#ifndef TOT_TRAIN_EVALUATE_H
#define TOT_TRAIN_EVALUATE_H

#include <temporalot/image.h>
#include <temporalot/picture.h>
#include <temporalot/train.h>

#include "train/embedder.h"

typedef struct tot_evaluator tot_evaluator;

// config, task, looks, eye and pool must outlive it. looks: of the film, and of the agent's
// pictures; with their crops at the first evaluation. eye: draws the encoder's pictures too, for
// the witness; it is ready at the first evaluation, when memory is taken. NULL: they are not drawn.
tot_status tot_evaluator_create(tot_evaluator **evaluator, const tot_train_config *config,
                                const tot_task *task, const train_looks *looks, const tot_eye *eye,
                                tot_pool *pool);

// An episode that was played. observations: [steps + 1][TOT_OBSERVATION]; frames: [steps] of the
// encoder's size, after each step, or NULL.
typedef tot_status (*tot_witness)(void *context, int64_t episode, int64_t steps,
                                  const float *observations, const uint8_t *frames);

typedef struct tot_evaluation_wish {
    uint64_t seed;
    uint64_t first;  // episode of that seed
    int64_t episodes;
    const char *video;  // a file for the first `filmed` of them; NULL: none
    int64_t filmed;
    tot_witness witness;  // may be NULL
    void *witness_context;
    bool (*progress)(void *context, int64_t done);  // episodes; false: TOT_E_INTERRUPTED
    void *progress_context;
} tot_evaluation_wish;

tot_status tot_evaluator_run(tot_evaluator *evaluator, tot_agent *agent,
                             const tot_evaluation_wish *wish, tot_evaluation *result);

// evaluator may be NULL.
void tot_evaluator_free(tot_evaluator *evaluator);

// --- what an agent that sees pixels is shown ---------------------------------------------------

// Puts the newest picture behind the others: stack is [TOT_STACK * 3][side][side], rgb is
// [side][side][3]. first: the episode's first one, which then stands there TOT_STACK times.
void tot_stack_push(uint8_t *stack, const uint8_t *rgb, int side, bool first);

#endif
