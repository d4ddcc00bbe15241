// A stage on which episodes are played for display: a task, its demonstrations, and the embedder of
// the cost.
#pragma once

#include <temporalot/page.h>

#include "page/alignment.h"
#include "train/embedder.h"
#include "train/demonstrations.h"

typedef struct study_stage {
    tot_train_config *config;
    tot_pool *pool;
    tot_task *task;
    tot_world *world;
    tot_renderer *renderer;  // for display
    train_embedder embedder;
    train_demonstrations demonstrations;
    tot_recording with_pictures;  // the demonstrations with pictures, if the run's have none
    float *observations;          // [steps][TOT_OBSERVATION] of the episode being played
    int64_t steps;                // per episode
    size_t picture;               // bytes per picture
} study_stage;

// An episode that was played. {0} is empty.
typedef struct study_playback {
    int64_t steps;
    uint8_t *frames;    // [steps] pictures, after each step
    float *embeddings;  // [steps][width]
    int64_t success;    // first step that ends in success; -1: none
    bool solved;        // at the end
} study_playback;

// The rewards of an episode, with the matrices behind them. {0} is empty.
typedef struct study_score {
    int64_t steps;
    double *rewards;  // [steps]
    double sum;
    int64_t demo;
    tot_array cost, mask, plan;  // mask and plan may be empty
} study_score;

// config is copied; if its method does not compare episodes, temporalot is used. stage is {0}, and
// must be closed even after a failure.
tot_status study_stage_open(study_stage *stage, const tot_train_config *config, tot_pool *pool);

// Plays an episode. take is {0} or one used before.
tot_status study_stage_play(study_stage *stage, study_playback *take, uint64_t seed,
                            uint64_t episode, const tot_policy *policy);

// Labels an episode given as embeddings: [stage->steps][width]. scale: factor of the rewards.
tot_status study_stage_score(const study_stage *stage, study_score *score,
                             const tot_reward_config *reward, const float *embeddings,
                             double scale);

// Demonstration and episode with reward, cost, mask and plan, for a page. It points into its
// arguments.
page_alignment study_stage_alignment(const study_stage *stage, const char *title,
                                     const study_playback *take, const study_score *score);

void study_playback_free(study_playback *take);
void study_score_free(study_score *score);
void study_stage_close(study_stage *stage);  // stage may be {0}
