#include "world/tasks.h"

#include "base/base.h"

static const world_task_definition *const tasks[] = {
#define ENTRY(name) &world_task_##name,
    WORLD_TASKS(ENTRY)
#undef ENTRY
};

enum { TASK_COUNT = sizeof tasks / sizeof tasks[0] };

size_t tot_task_count(void) {
    return TASK_COUNT;
}

const tot_task_info *tot_task_at(size_t index) {
    return index < TASK_COUNT ? &tasks[index]->info : NULL;
}

const world_task_definition *world_task_definition_find(const char *name) {
    const char *names[TASK_COUNT];
    for (size_t k = 0; k < TASK_COUNT; k++) {
        names[k] = tasks[k]->info.name;
        if (strcmp(names[k], name) == 0) {
            return tasks[k];
        }
    }
    base_fail_unknown(name, names, TASK_COUNT, "task: '%s' is not known", name);
    return NULL;
}

tot_status tot_task_find(const tot_task_info **info, const char *name) {
    BASE_NEED(info, name);
    const world_task_definition *definition = world_task_definition_find(name);
    if (definition == NULL) {
        return TOT_E_ARGUMENT;
    }
    *info = &definition->info;
    return TOT_OK;
}
