// Scratch arrays in one block of memory: huge pages for all of them, and a single free.
#pragma once

#include <temporalot/base.h>

typedef struct agent_workspace_array {
    float **array;
    int64_t rows;
    int64_t width;
} agent_workspace_array;

// Sets the arrays, each at a multiple of 64 bytes; not cleared. Returns the block that holds them,
// or NULL when there is no memory.
float *agent_workspace_alloc(const agent_workspace_array *arrays, size_t count, const char *what);
