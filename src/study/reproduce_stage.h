// Where episodes are played to be looked at: a task, its demonstrations, and what a cost sees.
#ifndef TOT_STUDY_REPRODUCE_STAGE_H
#define TOT_STUDY_REPRODUCE_STAGE_H

#include <temporalot/page.h>

#include "page/alignment.h"
#include "train/embedder.h"
#include "train/demonstrations.h"

typedef struct tot_stage {
    tot_train_config *config;
    tot_pool *pool;
    tot_task *task;
    tot_world *world;
    tot_painter *painter;  // of what is shown
    tot_eye eye;
    tot_teacher teacher;
    tot_recording shown;  // the demonstrations with pictures, where the teacher's have none
    int64_t steps;        // of an episode
    size_t picture;       // bytes
} tot_stage;

// One episode that was played. {0} is an empty one.
typedef struct tot_take {
    int64_t steps;
    uint8_t *frames;    // [steps] pictures, each after its step
    float *embeddings;  // [steps][width]
    int64_t success;    // first step that ended in one; -1: none
    bool solved;        // at the end
} tot_take;

// What a reward says of an episode. {0} is an empty one.
typedef struct tot_score {
    int64_t steps;
    double *rewards;  // [steps]
    double sum;
    int64_t demo;
    tot_array cost, mask, plan;  // mask and plan may be empty
} tot_score;

// config is copied; its method says what is compared, TemporalOT where it compares nothing.
// stage is {0}; on failure it must be closed too.
tot_status tot_stage_open(tot_stage *stage, const tot_train_config *config, tot_pool *pool);

// Plays an episode. take is {0} or one used before.
tot_status tot_stage_play(tot_stage *stage, tot_take *take, uint64_t seed, uint64_t episode,
                          const tot_policy *policy);

// Labels an episode given as embeddings: [stage->steps][width]. scale: of the rewards.
tot_status tot_stage_score(const tot_stage *stage, tot_score *score,
                           const tot_reward_config *reward, const float *embeddings, double scale);

// Demonstration and episode in two rows of frames, moving together, the reward below.
tot_status tot_stage_add_strip(const tot_stage *stage, tot_page *page, const char *title,
                               const tot_take *take, const tot_score *score);

// The same with cost, mask and plan, all moving together.
tot_status tot_stage_add_alignment(const tot_stage *stage, tot_page *page, const char *title,
                                   const tot_take *take, const tot_score *score);

// Cost, mask and plan beside each other.
tot_status tot_stage_add_matrices(tot_page *page, const tot_score *score);

void tot_take_free(tot_take *take);
void tot_score_free(tot_score *score);
void tot_stage_close(tot_stage *stage);  // stage may be {0}

#endif
