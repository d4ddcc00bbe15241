// Workspace arrays in a single allocation: huge pages for all of them, and one free.
#pragma once

#include <temporalot/base.h>

typedef struct agent_workspace_array {
    float **array;
    int64_t rows;
    int64_t width;
} agent_workspace_array;

// Sets the array pointers, each aligned to 64 bytes; the memory is uninitialised. Returns the
// allocation, or NULL if out of memory.
float *agent_workspace_alloc(const agent_workspace_array *arrays, size_t count, const char *what);

// Rows for what a layer saves.
#define AGENT_SAVED(layer, rows)                                           \
    {&(layer).saved.normal, rows, (layer).normed ? (layer).outputs : 0}, { \
        &(layer).saved.inverse, rows, (layer).normed ? 1 : 0               \
    }
