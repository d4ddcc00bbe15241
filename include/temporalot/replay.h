// temporalot/replay.h - the replay buffer: a FIFO of whole episodes, and batches sampled from them.
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

enum { TOT_STACK = 3 };  // frames stacked in the input of an agent that sees pixels

// Content of an observation: state values, a picture, or both.
typedef struct tot_replay_shape {
    int64_t width;  // state values per observation; 0: none
    int pixels;     // pixels per side of a square RGB picture; 0: none
} tot_replay_shape;

// A whole episode. Nothing is owned.
typedef struct tot_episode {
    int64_t steps;
    const float *observations;  // [steps + 1][width]; NULL when width is 0
    const uint8_t *pictures;    // [steps + 1][pixels][pixels][3]; NULL when pixels is 0
    const float *actions;       // [steps][4]
    const float *rewards;       // [steps]
} tot_episode;

// --- a batch -----------------------------------------------------------------------------------

// Everything one update needs, including its noise: the same batch gives the same update.
typedef struct tot_batch {
    int64_t count;
    tot_replay_shape shape;
    float *observations;       // [count][width]
    float *next_observations;  // [count][width], n steps later
    uint8_t *pictures;         // [count][TOT_STACK * 3][pixels][pixels], the newest picture last
    uint8_t *next_pictures;
    float *actions;      // [count][4]
    float *rewards;      // [count], sum of n discounted rewards
    float *discounts;    // [count], discount of the value n steps later
    float *noise;        // [count][4], standard normal: for the action of the TD target
    float *noise_actor;  // [count][4], for the action in the actor's loss
    int8_t *shifts;      // [count][2], 0 .. 2 shift: random shift of the pictures in x and y
    int8_t *next_shifts;
} tot_batch;

// Allocates a batch. On failure it is {0}.
TOT_API tot_status tot_batch_create(tot_batch *batch, const tot_replay_shape *shape, int64_t count);
TOT_API void tot_batch_free(tot_batch *batch);  // may be {0}

// --- replay buffer -----------------------------------------------------------------------------

typedef struct tot_replay tot_replay;

// capacity: in transitions; the oldest episodes are evicted until the newest fits. bytes: memory
// limit for the stored data, enforced the same way; 0: no limit (an episode being added is held in
// addition). Memory is allocated as the buffer fills. Every picture is stored once; frame stacks
// are assembled during sampling.
TOT_API tot_status tot_replay_create(tot_replay **replay, const tot_replay_shape *shape,
                                     int64_t capacity, size_t bytes);

// Copies an episode. TOT_E_SHAPE: no steps, or larger than capacity or bytes. TOT_E_VALUE: NaN or
// infinity. On failure the buffer is unchanged.
TOT_API tot_status tot_replay_add(tot_replay *replay, const tot_episode *episode);

TOT_API int64_t tot_replay_transitions(const tot_replay *replay);
TOT_API int64_t tot_replay_episodes(const tot_replay *replay);  // currently stored
TOT_API int64_t tot_replay_added(const tot_replay *replay);     // in total: the number of the next
                                                                // one

// A view of the episode with this number; TOT_E_ARGUMENT if it was evicted or does not exist yet.
TOT_API tot_status tot_replay_episode(const tot_replay *replay, int64_t number,
                                      tot_episode *episode);

// How batches are sampled; {0}: uniformly over episodes.
typedef struct tot_replay_sampling {
    // this fraction (0 .. 1) of the samples comes from the best of `best_of` sampled episodes,
    // that with the largest sum of rewards
    double best_share;
    int64_t best_of;
    // Episodes are terminal at their last observation (discount 0), and the last n steps are
    // sampled with the rewards that remain; otherwise episodes are truncated there, and values are
    // bootstrapped.
    bool ends;
} tot_replay_sampling;

// TOT_E_ARGUMENT if a fraction is outside 0 .. 1, or best_of is below 1 with a positive fraction.
TOT_API tot_status tot_replay_set_sampling(tot_replay *replay, const tot_replay_sampling *sampling);

// Samples a batch: an episode uniformly, unless set otherwise above; a start step uniformly in 0 ..
// steps - n (0 .. steps - 1 with `ends`); then the noise and the shifts (0 .. 2 shift). Episodes
// shorter than n steps are sampled with the rewards they have. TOT_E_ARGUMENT if the buffer is
// empty.
TOT_API tot_status tot_replay_sample(const tot_replay *replay, tot_random *random, int64_t n_step,
                                     double discount, int64_t shift, tot_batch *batch);

// replay may be NULL.
TOT_API void tot_replay_free(tot_replay *replay);

// --- on disk -----------------------------------------------------------------------------------

// Writes what is new since the last call to a folder (created if missing). Episodes are appended to
// files that are never rewritten; files of evicted episodes are only removed by tot_replay_trim, so
// an older checkpoint stays complete until a newer one is. text (at most size bytes) receives what
// tot_replay_restore needs to return to this point: a line of at most 200 characters for the
// checkpoint. After a failure (such as a full disk) older lines remain valid, and the next call
// writes what this one could not.
TOT_API tot_status tot_replay_save(tot_replay *replay, const char *folder, char *text, size_t size);

// Restores an empty replay buffer to the state of that save, and truncates what was written after
// it (once everything needed has been verified). Damage is TOT_E_FORMAT; the message gives file and
// byte. The replay buffer is then empty, and the files are unchanged.
TOT_API tot_status tot_replay_restore(tot_replay *replay, const char *folder, const char *text);

// Removes files that neither of these lines needs (either may be NULL) and that are no newer than
// `newest`; all files if both are NULL. Files with other names are kept.
TOT_API tot_status tot_replay_trim(const char *folder, const char *newest, const char *previous);

#ifdef __cplusplus
}
#endif
#endif
