#include "agent/workspace.h"

#include "base/memory.h"

enum { LINE = 16 };  // floats of 64 bytes

static size_t lines_of(const agent_workspace_array *room) {
    return ((size_t)room->rows * (size_t)room->width + LINE - 1) / LINE;
}

float *agent_workspace_alloc(const agent_workspace_array *rooms, size_t count, const char *what) {
    size_t lines = 0;
    for (size_t k = 0; k < count; k++) {
        lines += lines_of(&rooms[k]);
    }
    float *block = base_alloc(lines, LINE * sizeof *block, what);
    float *next = block;
    for (size_t k = 0; block != NULL && k < count; k++) {
        *rooms[k].array = next;
        next += LINE * lines_of(&rooms[k]);
    }
    return block;
}
