// The state of a run, shared by loop, evaluation, checkpoint and report.
#pragma once

#include <temporalot/ads.h>
#include <temporalot/train.h>

#include "train/evaluate.h"
#include "train/embedder.h"
#include "train/input.h"
#include "train/record.h"
#include "train/status.h"
#include "train/demonstrations.h"

#define TRAIN_MOST_COUNT (INT64_C(1) << 40)  // upper limit of all counters

// Counters and sums of a run, saved in checkpoints.
typedef struct train_run_state {
#define TRAIN_STATE_count                             int64_t
#define TRAIN_STATE_real                              double
#define TRAIN_STATE_added                             double
#define TRAIN_STATE(type, name, initial, least, most) TRAIN_STATE_##type name;
#include "train/state.def"
#undef TRAIN_STATE
} train_run_state;

// The current episode. Step k leads from observation k to k + 1.
typedef struct train_run_episode {
    int64_t taken;        // steps so far
    bool under_way;       // the episode has started and not ended
    bool diverged;        // the simulation diverged in the last step
    float *observations;  // [horizon + 1][TOT_OBSERVATION]
    float *inputs;        // [horizon + 1][input.width]: the agent's inputs
    float *actions;       // [horizon][TOT_ACTION]
    float *rewards;       // [horizon]
    uint8_t *success;     // [horizon]
    uint8_t *frames;      // [horizon][views * size][size][3], after each step; NULL if not needed
    uint8_t *pictures;    // [horizon + 1][pixels][pixels][3]; NULL for state observations
} train_run_episode;

// The last labelled episode, for the report.
typedef struct train_last_episode {
    int64_t steps;    // 0: none yet
    int64_t number;   // number of the episode
    uint8_t *frames;  // [horizon][views * size][size][3]; NULL if not needed
    double *rewards;  // [horizon]
    bool solved;
    bool written;  // episode.npz has it, or it is too long for that
} train_last_episode;

typedef struct train_costs train_costs;

typedef struct train_run {
    tot_train_config config;
    tot_train_method method;
    const tot_train_options *options;
    const char *folder;
    int lock;       // descriptor, or -1
    int64_t steps;  // total agent steps of the run (bc: updates)

    tot_pool *pool;
    tot_pool *overlap_pool;  // runs a world step in parallel with an update; NULL: sequential
    tot_task *task;
    tot_world *world;
    int64_t horizon;  // agent steps per episode
    uint64_t training_seed;
    uint64_t evaluation_seed;

    train_embedder embedder;
    train_demonstrations demonstrations;
    tot_labeler *labeler;
    tot_label_info labelled;  // of the last episode
    float *embeddings;        // [horizon][width] of the last episode

    tot_agent *agent;
    train_input input;
    tot_replay_shape sees;
    tot_replay *replay;
    tot_batch batch;
    tot_batch expert_batch;  // from the demonstrations: cloning and the discriminator
    tot_batch policy_batch;  // for the discriminator
    float *mix;              // [clone_batch]
    uint8_t *stack;          // [TOT_STACK * 3][pixels][pixels], the agent's current observation
    train_evaluator *evaluator;
    tot_ads ads;
    train_costs *costs;  // for ADS; NULL before the first evaluation, or without a schedule

    train_run_state state;
    tot_random exploration;
    tot_random sampling;
    train_run_episode episode;
    train_last_episode last_episode;

    // does not influence learning
    train_record *record;
    tot_losses losses;   // of the last update
    double began;        // monotonic time when this process started
    double wall_before;  // wall seconds of earlier processes
    double saved;        // monotonic time of the last checkpoint
    int64_t began_at;    // step when this process started
    int64_t saved_at;
    bool save_requested;
    bool fresh;               // the folder was empty or did not exist
    size_t existing;          // length of the folder path's prefix that existed before
    bool left_told;           // warned that an old checkpoint cannot be removed
    bool told;                // status.json belongs to this run
    bool extended;            // a finished run with more steps now: its last row is already written
    char newest_replay[512];  // results of tot_replay_save
    char previous_replay[512];
} train_run;

// Sets the crop of the agent's view from the state.
static inline void train_take_crop(tot_picture_settings *agent, const train_run_state *state) {
    agent->crop[0] = state->crop_left;
    agent->crop[1] = state->crop_top;
    agent->crop[2] = state->crop_right;
    agent->crop[3] = state->crop_bottom;
}

// Whether the agent learns from Meta-world's dense reward.
static inline bool train_is_dense(const train_run *run) {
    return run->method.task_reward && run->config.task_reward == TOT_TASK_REWARD_DENSE;
}

// train.c: everything before the loop. run must be {0}. *continues: resumed from a checkpoint.
tot_status train_run_open(train_run *run, const tot_train_config *config,
                          const tot_train_options *options, bool *continues);

// train.c: the seed of the evaluation episodes. Each evaluation has its own episodes: evaluation k
// starts at episode k * eval_episodes.
uint64_t train_evaluation_seed(const tot_train_config *config);

// train.c: opens metrics.csv and the events, truncated to the lengths in the state.
tot_status train_open_record(train_run *run);

// train.c: writes status.json. error: "" unless the run failed.
tot_status train_tell_status(const train_run *run, train_state state, const char *error);

// train.c: creates an empty replay with the configured sampling.
tot_status train_run_open_replay(train_run *run);

// loop.c
tot_status train_run_loop(train_run *run);
double train_run_noise(const train_run *run);

// The caller's command, and the error of a run stopped on request.
tot_train_command train_run_ask(train_run *run);
tot_status train_run_stopped(const train_run *run);
void train_run_progress(const train_run *run, const char *doing, int64_t done, int64_t total);

// labelling.c: writes the rewards of the current episode to episode.rewards.
tot_status train_run_label(train_run *run);

// schedule.c: runs an evaluation and updates ADS. costs may be NULL.
tot_status train_run_evaluate(train_run *run, tot_evaluation *result);
void train_costs_free(train_costs *costs);

// report.c: writes the report page and episode.npz, the last labelled episode; and the latter with
// every checkpoint, unless it is written already, so that a resumed run has the same episode as an
// uninterrupted one.
tot_status train_run_report(train_run *run);
tot_status train_run_save_episode(train_run *run);

// Monotonic seconds, and seconds since 1970. For display only.
double train_seconds(void);
double train_wall_seconds(void);
