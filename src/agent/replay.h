// The replay in memory, and the state of its files.
#pragma once

#include <temporalot/replay.h>

enum { AGENT_ACTIONS = 4 };  // numbers of an action

// One episode in one block of memory, laid out as the payload of a record in a file.
typedef struct agent_stored_episode {
    int64_t steps;
    float *observations;
    float *actions;
    float *rewards;
    uint8_t *pictures;
    double sum;      // of the rewards: how good it was
    float start;     // cost of its first frame beside a demonstration's
    size_t payload;  // bytes after this header: all of the above, without gaps
} agent_stored_episode;

// A file that holds episodes from this number on.
typedef struct agent_replay_segment {
    int64_t serial;
    int64_t first;
} agent_replay_segment;

struct tot_replay {
    tot_replay_shape shape;
    int64_t capacity;
    size_t most_bytes;
    tot_replay_sampling sampling;
    double slope;  // of the mean reward by start; 0 without a baseline

    agent_stored_episode **episodes;  // the oldest is at `first`
    size_t episode_capacity;
    size_t first;
    size_t count;
    int64_t transitions;
    size_t bytes;
    int64_t added;

    // what is on disk, and where the next record is written
    char *folder;  // NULL before the first save or restore
    agent_replay_segment
        *segments;  // [segment_count], those that hold episodes still kept, and the last
    size_t segment_capacity;
    size_t segment_count;
    int64_t last_serial;  // of the newest file, 0 before there is one
    int64_t last_bytes;   // its length up to the last valid record
    bool last_open;       // more may be appended to it
    int64_t saved;        // episodes before this number are on disk
};

// Allocates the block of an episode, uninitialised. NULL: no memory.
agent_stored_episode *agent_replay_take(const tot_replay_shape *shape, int64_t steps);

// Bytes of the payload of an episode; false when they overflow.
bool agent_replay_payload(const tot_replay_shape *shape, int64_t steps, size_t *bytes);

// Refuses NaN and infinity; name begins the error text.
tot_status agent_replay_check(const tot_replay *replay, const tot_episode *episode,
                              const char *name);

// Puts a block into the replay, which then owns it, and evicts what no longer fits. TOT_E_SHAPE
// when it never will; the block is then still the caller's.
tot_status agent_replay_keep(tot_replay *replay, agent_stored_episode *episode);

// To be called after what changed the episodes: the slope of the rewards by their starts.
void agent_replay_find_slope(tot_replay *replay);

// The number of the oldest episode in memory.
int64_t agent_replay_oldest(const tot_replay *replay);

// Frees all episodes.
void agent_replay_clear(tot_replay *replay);

// Pictures [side][side][3] as planes [3][side][side].
void agent_planes(const uint8_t *rgb, int64_t points, uint8_t *planes);
void agent_planes_avx2(const uint8_t *rgb, int64_t points, uint8_t *planes);
