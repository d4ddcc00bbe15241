// Flat API: the table of tasks.

#include <temporalot/world.h>

#include "base/base.h"
#include "flat/flat.h"

const char *tot_flat_task(size_t index) {
    return index < tot_task_count() ? tot_task_at(index)->name : NULL;
}

const char *tot_flat_family(size_t index) {
    return index < tot_family_count() ? tot_family_at(index)->name : NULL;
}

const char *tot_flat_family_task(const char *family, size_t index) {
    const tot_family *found = flat_family_find(family);
    return found != NULL && index < found->count ? found->tasks[index] : NULL;
}

const tot_family *flat_family_find(const char *name) {
    for (size_t k = 0; name != NULL && k < tot_family_count(); k++) {
        if (strcmp(tot_family_at(k)->name, name) == 0) {
            return tot_family_at(k);
        }
    }
    return NULL;
}

tot_status tot_flat_task_text(const char *task, const char *name, const char **text) {
    static const char *const names[] = {"camera", "scene"};
    const tot_task_info *info = NULL;
    BASE_NEED(task, name);
    BASE_TRY(tot_task_find(&info, task));
    if (strcmp(name, "camera") == 0) {
        *text = info->camera;
    } else if (strcmp(name, "scene") == 0) {
        *text = info->scene;
    } else {
        return base_fail_unknown(name, names, 2, "task: '%s' is not a text of a task", name);
    }
    return TOT_OK;
}

tot_status tot_flat_task_numbers(const char *task, const char *name, double *numbers, int capacity,
                                 int *count) {
    const tot_task_info *info = NULL;
    BASE_NEED(task, name);
    BASE_TRY(tot_task_find(&info, task));
    const double horizon = info->horizon, hold = info->hold, length = info->draw_length;
    const struct row {
        const char *name;
        const double *values;
        int count;
    } table[] = {
        {"horizon", &horizon, 1},
        {"hold", &hold, 1},
        {"draw_length", &length, 1},
        {"draw_distance", &info->draw_distance, 1},
        {"draw_low", info->draw_low, info->draw_length},
        {"draw_high", info->draw_high, info->draw_length},
    };
    const struct row *row = BASE_FIND_ROW("number of a task", name, table);
    if (row == NULL) {
        return TOT_E_ARGUMENT;
    }
    BASE_FAIL_IF(capacity < row->count, TOT_E_SHAPE, "%s: has %d numbers, and there is room for %d",
                 name, row->count, capacity);
    memcpy(numbers, row->values, (size_t)row->count * sizeof *numbers);
    *count = row->count;
    return TOT_OK;
}
