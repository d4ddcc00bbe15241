#include "agent/workspace.h"

#include "base/memory.h"

enum { LINE = 16 };  // floats per 64 bytes

static size_t lines_of(const agent_workspace_array *array) {
    return ((size_t)array->rows * (size_t)array->width + LINE - 1) / LINE;
}

float *agent_workspace_alloc(const agent_workspace_array *arrays, size_t count, const char *what) {
    size_t lines = 0;
    for (size_t k = 0; k < count; k++) {
        lines += lines_of(&arrays[k]);
    }
    float *block = base_alloc(lines, LINE * sizeof *block, what);
    float *next = block;
    for (size_t k = 0; block != NULL && k < count; k++) {
        *arrays[k].array = next;
        next += LINE * lines_of(&arrays[k]);
    }
    return block;
}
