// The state of a run: everything that loop, evaluation, checkpoint and report share.
#pragma once

#include <temporalot/ads.h>
#include <temporalot/train.h>

#include "train/evaluate.h"
#include "train/embedder.h"
#include "train/input.h"
#include "train/record.h"
#include "train/status.h"
#include "train/demonstrations.h"

#define TRAIN_MOST_COUNT (INT64_C(1) << 40)  // a run counts no further

// Counters and sums of a run, which checkpoints save.
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
    bool under_way;       // the world is in it
    bool diverged;        // the simulation did, in its last step
    float *observations;  // [horizon + 1][TOT_OBSERVATION]
    float *inputs;        // [horizon + 1][input.width]: the agent's inputs
    float *actions;       // [horizon][TOT_ACTION]
    float *rewards;       // [horizon]
    uint8_t *success;     // [horizon]
    uint8_t *frames;      // [horizon][size][size][3], after each step; NULL: the cost needs none
    uint8_t *pictures;    // [horizon + 1][pixels][pixels][3]; NULL: the agent sees numbers
} train_run_episode;

// The last labelled episode, for the report.
typedef struct train_last_episode {
    int64_t steps;    // 0: none yet
    int64_t number;   // of the episode
    uint8_t *frames;  // [horizon][size][size][3]; NULL: the cost needs none
    double *rewards;  // [horizon]
    bool solved;
} train_last_episode;

typedef struct train_costs train_costs;

typedef struct train_run {
    tot_train_config config;
    tot_train_method method;
    const tot_train_options *options;
    const char *folder;
    int lock;       // descriptor, or -1
    int64_t steps;  // of the whole run: agent steps (bc: updates)

    tot_pool *pool;
    tot_pool *overlap_pool;  // runs a step of the world beside an update; NULL: one after the other
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
    tot_batch expert_batch;  // of the demonstrations: cloning and the discriminator
    tot_batch policy_batch;  // for the discriminator
    float *mix;              // [clone_batch]
    uint8_t *stack;          // [TOT_STACK * 3][pixels][pixels], what the agent sees now
    train_evaluator *evaluator;
    tot_ads ads;
    train_costs
        *costs;  // what ADS compares; NULL before the first evaluation, and without a schedule

    train_run_state state;
    tot_random exploration;
    tot_random sampling;
    train_run_episode episode;
    train_last_episode last_episode;

    // what does not influence learning
    train_record *record;
    tot_losses losses;   // of the last update
    double began;        // clock, when this process took over
    double wall_before;  // seconds of the processes before it
    double saved;        // clock, of the last checkpoint
    int64_t began_at;    // step
    int64_t saved_at;
    bool save_requested;
    bool fresh;               // nothing stood in its folder
    size_t existing;          // letters of the folder's path that were there
    bool left_told;           // that an old checkpoint cannot be removed
    bool told;                // status.json is this run's
    bool extended;            // it was finished, and has more steps now: its last row is written
    char newest_replay[512];  // lines of tot_replay_save
    char previous_replay[512];
} train_run;

// The part of the camera's picture that the agent sees, out of a state.
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

// train.c: everything before the loop. run is {0}. *continues: from a checkpoint.
tot_status train_run_open(train_run *run, const tot_train_config *config,
                          const tot_train_options *options, bool *continues);

// train.c: the seed whose episodes a run is evaluated on. Each evaluation has episodes of its own:
// number k begins at k eval_episodes.
uint64_t train_evaluation_seed(const tot_train_config *config);

// train.c: metrics.csv and the events, cut back to what the state says of them.
tot_status train_open_record(train_run *run);

// train.c: status.json. error: "" but where it failed.
tot_status train_tell_status(const train_run *run, train_state state, const char *error);

// train.c: an empty replay that draws as the settings say.
tot_status train_run_open_replay(train_run *run);

// loop.c
tot_status train_run_loop(train_run *run);
double train_run_noise(const train_run *run);
double train_run_discount(const train_run *run);

// What the caller commands, and the error of a run that was stopped on request.
tot_train_command train_run_ask(train_run *run);
tot_status train_run_stopped(const train_run *run);
void train_run_progress(const train_run *run, const char *doing, int64_t done, int64_t total);

// labelling.c: rewards of the episode under way into episode.rewards.
tot_status train_run_label(train_run *run);

// schedule.c: an evaluation, and what ADS makes of it. costs may be NULL.
tot_status train_run_evaluate(train_run *run, tot_evaluation *result);
void train_costs_free(train_costs *costs);

// report.c: the page; and episode.npz, the last labelled episode. With every checkpoint too, so
// that a run which goes on from there has the episode of one that never stopped.
tot_status train_run_report(train_run *run);
tot_status train_run_save_episode(const train_run *run);

// Seconds of a monotonic clock, and since 1970. For display only.
double train_seconds(void);
double train_wall_seconds(void);
