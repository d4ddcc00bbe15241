// The replay buffer in memory, and the state of its files.
#pragma once

#include <temporalot/replay.h>

enum { AGENT_ACTIONS = 4 };  // dimensions of an action

// One episode in one allocation, laid out like the payload of a record on disk.
typedef struct agent_stored_episode {
    int64_t steps;
    float *observations;
    float *actions;
    float *rewards;
    uint8_t *pictures;
    double sum;      // sum of the rewards: ranks the episodes
    size_t payload;  // bytes after this header: all arrays above, without gaps
} agent_stored_episode;

// A file with the episodes from number `first` on.
typedef struct agent_replay_segment {
    int64_t serial;
    int64_t first;
} agent_replay_segment;

struct tot_replay {
    tot_replay_shape shape;
    int64_t capacity;
    size_t most_bytes;
    tot_replay_sampling sampling;

    agent_stored_episode **episodes;  // the oldest is at index `first`
    size_t episode_capacity;
    size_t first;
    size_t count;
    int64_t transitions;
    size_t bytes;
    int64_t added;

    // state on disk, and the position of the next record
    char *folder;  // NULL before the first save or restore
    agent_replay_segment
        *segments;  // [segment_count] files with episodes still kept, and the last one
    size_t segment_capacity;
    size_t segment_count;
    int64_t last_serial;  // serial of the newest file; 0 if there is none
    int64_t last_bytes;   // its length up to the last valid record
    bool last_open;       // it can still grow
    int64_t saved;        // episodes before this number are on disk
};

// Allocates an uninitialised episode. NULL if out of memory.
agent_stored_episode *agent_replay_take(const tot_replay_shape *shape, int64_t steps);

// Payload size of an episode in bytes; false on overflow.
bool agent_replay_payload(const tot_replay_shape *shape, int64_t steps, size_t *bytes);

// TOT_E_VALUE for NaN or infinity. name starts the error text.
tot_status agent_replay_check(const tot_replay *replay, const tot_episode *episode,
                              const char *name);

// Adds an episode to the replay, which takes ownership, and evicts the oldest ones to make room.
// TOT_E_SHAPE if it can never fit; the caller then keeps ownership.
tot_status agent_replay_keep(tot_replay *replay, agent_stored_episode *episode);

// The number of the oldest episode in memory.
int64_t agent_replay_oldest(const tot_replay *replay);

// Frees all episodes.
void agent_replay_clear(tot_replay *replay);

// Converts a picture from [side][side][3] to [3][side][side]. points: side * side.
void agent_planes(const uint8_t *rgb, int64_t points, uint8_t *planes);
void agent_planes_portable(const uint8_t *rgb, int64_t points, uint8_t *planes);
void agent_planes_avx2(const uint8_t *rgb, int64_t points, uint8_t *planes);
