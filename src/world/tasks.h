// The table of tasks. To add one: a file in tasks/ that ends in its definition, and a line here.
#ifndef TOT_WORLD_TASKS_H
#define TOT_WORLD_TASKS_H

#include "world/sawyer.h"

// In the order of their names.
#define TOT_TASKS(X)        \
    X(basketball)           \
    X(button_press_topdown) \
    X(door_lock)            \
    X(door_open)            \
    X(door_unlock)          \
    X(hand_insert)          \
    X(lever_pull)           \
    X(push)                 \
    X(stick_push)           \
    X(window_open)

#define TOT_TASK_DECLARATION(name) extern const tot_task_definition tot_task_##name;
TOT_TASKS(TOT_TASK_DECLARATION)
#undef TOT_TASK_DECLARATION

// NULL with the error text set when there is none of that name.
const tot_task_definition *tot_task_definition_find(const char *name);

#endif
