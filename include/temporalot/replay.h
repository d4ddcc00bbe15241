// temporalot/replay.h - what the agent has lived through: whole episodes, the oldest out first, and
// batches drawn from them.
//
//     #include <stdio.h>
//     #include <temporalot/replay.h>
//
//     int main(void) {
//         static float observations[11][39], actions[10][4], rewards[10];
//         tot_replay *replay = NULL;
//         tot_replay_shape shape = {.width = 39};
//         tot_episode episode = {.steps = 10, .observations = observations[0],
//                                .actions = actions[0], .rewards = rewards};
//         tot_status status = tot_replay_create(&replay, &shape, 150000, 0);
//         status = status != TOT_OK ? status : tot_replay_add(replay, &episode);
//         fputs(status != TOT_OK ? tot_error() : "", stderr);
//         printf("%lld transitions\n", (long long)tot_replay_transitions(replay));
//         tot_replay_free(replay);
//         return status != TOT_OK;
//     }
#ifndef TEMPORALOT_REPLAY_H
#define TEMPORALOT_REPLAY_H

#include <temporalot/base.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TOT_STACK = 3 };  // frames that an agent which sees pixels is given at once

// What an observation is made of: numbers, pictures, or both.
typedef struct tot_replay_shape {
    int64_t width;  // numbers of an observation; 0: none
    int pixels;     // a side of a square RGB picture; 0: none
} tot_replay_shape;

// A whole episode. Nothing is owned.
typedef struct tot_episode {
    int64_t steps;
    const float *observations;  // [steps + 1][width]; NULL when width is 0
    const uint8_t *pictures;    // [steps + 1][pixels][pixels][3]; NULL when pixels is 0
    const float *actions;       // [steps][4]
    const float *rewards;       // [steps]
    float start;  // cost of its first frame beside a demonstration's; 0 where that is not known
} tot_episode;

// --- a batch -----------------------------------------------------------------------------------

// Everything one update needs, its noise included: the same batch gives the same update.
typedef struct tot_batch {
    int64_t count;
    tot_replay_shape shape;
    float *observations;       // [count][width]
    float *next_observations;  // [count][width], n steps later
    uint8_t *pictures;         // [count][TOT_STACK * 3][pixels][pixels]: the newest picture last
    uint8_t *next_pictures;
    float *actions;      // [count][4]
    float *rewards;      // [count], sum of n discounted rewards
    float *discounts;    // [count], of the value n steps later
    float *noise;        // [count][4], standard normal: for the target's action
    float *noise_actor;  // [count][4], for the action whose value the actor raises
    int8_t *shifts;      // [count][2], 0 .. 2 shift: how far pictures are moved in x and y
    int8_t *next_shifts;
} tot_batch;

// Takes the memory of a batch. On failure it is {0}.
TOT_API tot_status tot_batch_create(tot_batch *batch, const tot_replay_shape *shape, int64_t count);
TOT_API void tot_batch_free(tot_batch *batch);  // may be {0}

// --- the replay --------------------------------------------------------------------------------

typedef struct tot_replay tot_replay;

// capacity: transitions; episodes are evicted, the oldest first, until the newest fits. bytes: the
// most memory of their numbers, likewise; 0: no limit (while one is added, it is held beside them).
// Memory is taken as it fills. Every picture is stored once: the stacks of an observation and of
// the next one are put together when they are sampled.
TOT_API tot_status tot_replay_create(tot_replay **replay, const tot_replay_shape *shape,
                                     int64_t capacity, size_t bytes);

// Copies an episode. TOT_E_SHAPE: no step, or larger than capacity or bytes. TOT_E_VALUE: NaN or
// infinity. On failure all that was kept still is.
TOT_API tot_status tot_replay_add(tot_replay *replay, const tot_episode *episode);

TOT_API int64_t tot_replay_transitions(const tot_replay *replay);
TOT_API int64_t tot_replay_episodes(const tot_replay *replay);  // now
TOT_API int64_t tot_replay_added(const tot_replay *replay);     // ever: the number of the next one

// A view of the episode with this number; TOT_E_ARGUMENT when it was evicted or is yet to come.
TOT_API tot_status tot_replay_episode(const tot_replay *replay, int64_t number,
                                      tot_episode *episode);

// Which of several episodes is the best.
typedef enum tot_replay_order {
    TOT_REPLAY_BY_RETURN,  // the one with the largest sum of rewards
    TOT_REPLAY_BY_START,   // the one that starts most like a demonstration: its rewards mean most
} tot_replay_order;

// How batches are drawn; {0}: every episode alike, rewards as they are.
typedef struct tot_replay_sampling {
    // this share (0 .. 1) of the samples comes from the best of `best_of` drawn episodes
    tot_replay_order best_by;
    double best_share;
    int64_t best_of;
    // Takes from the rewards what the start of their episode explains: the mean reward's regression
    // on `start` over the last 200 episodes. It is the same for every step of an episode whatever
    // the agent did, so that it changes no order of actions where episodes are equally long, only
    // how far apart the rewards of different episodes are.
    bool baseline;
    // The last observation of an episode is worth nothing (discount 0), and the last steps are
    // drawn with the rewards they have; else an episode is cut off there, and would have gone on.
    bool ends;
} tot_replay_sampling;

// TOT_E_ARGUMENT for a share outside of 0 .. 1 or best_of below 1 beside a share.
TOT_API tot_status tot_replay_set_sampling(tot_replay *replay, const tot_replay_sampling *sampling);

// Draws a batch: an episode, all alike; a start step, all alike among 0 .. steps - n; then the
// noise and shifts (0 .. 2 shift). An episode shorter than n steps is drawn with the rewards it
// has. TOT_E_ARGUMENT while the replay is empty.
TOT_API tot_status tot_replay_sample(const tot_replay *replay, tot_random *random, int64_t n_step,
                                     double discount, int64_t shift, tot_batch *batch);

// replay may be NULL.
TOT_API void tot_replay_free(tot_replay *replay);

// --- on disk -----------------------------------------------------------------------------------

// Writes what is new since the last call into a folder: episodes are appended to files that are
// never rewritten, and files of evicted episodes are removed by tot_replay_trim only, so that an
// older checkpoint stays whole until a newer one is. text (at most size bytes) is given what
// tot_replay_restore needs to find its way back here: a line of at most 200 letters for the
// checkpoint. The folder is made where it is not there. After a failure (a full disk) older lines
// hold, and the next call writes again what this one could not.
TOT_API tot_status tot_replay_save(tot_replay *replay, const char *folder, char *text, size_t size);

// Fills an empty replay as it was at that save, and cuts off what was written after it (once all
// that is needed was found whole). Damage is TOT_E_FORMAT with file and byte; the replay is then
// empty, and the files are as they were.
TOT_API tot_status tot_replay_restore(tot_replay *replay, const char *folder, const char *text);

// Removes files that neither of these lines needs (either may be NULL) and that are no newer than
// `newest`; all files when both are NULL. Files of other names are left.
TOT_API tot_status tot_replay_trim(const char *folder, const char *newest, const char *previous);

#ifdef __cplusplus
}
#endif
#endif
