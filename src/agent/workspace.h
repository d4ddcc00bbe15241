// Many arrays in one block of memory: large pages for all, and one thing to free.
#ifndef TOT_AGENT_ROOM_H
#define TOT_AGENT_ROOM_H

#include <temporalot/base.h>

typedef struct tot_room {
    float **array;
    int64_t rows;
    int64_t width;
} tot_room;

// Sets the arrays, each at a multiple of 64 bytes; not cleared. Returns the block that holds them,
// or NULL when there is no memory.
float *tot_room_take(const tot_room *rooms, size_t count, const char *what);

#endif
