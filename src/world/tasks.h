// The table of tasks. To add one, create a file in tasks/ that ends with its definition, and add a
// line here.
#pragma once

#include "world/sawyer.h"

// Sorted by name.
#define WORLD_TASKS(X)           \
    X(assembly)                  \
    X(basketball)                \
    X(bin_picking)               \
    X(box_close)                 \
    X(button_press)              \
    X(button_press_topdown)      \
    X(button_press_topdown_wall) \
    X(button_press_wall)         \
    X(coffee_button)             \
    X(coffee_pull)               \
    X(coffee_push)               \
    X(dial_turn)                 \
    X(disassemble)               \
    X(door_close)                \
    X(door_lock)                 \
    X(door_open)                 \
    X(door_unlock)               \
    X(drawer_close)              \
    X(drawer_open)               \
    X(faucet_close)              \
    X(faucet_open)               \
    X(hammer)                    \
    X(hand_insert)               \
    X(handle_press)              \
    X(handle_press_side)         \
    X(handle_pull)               \
    X(handle_pull_side)          \
    X(lever_pull)                \
    X(peg_insert_side)           \
    X(peg_unplug_side)           \
    X(pick_out_of_hole)          \
    X(pick_place)                \
    X(pick_place_wall)           \
    X(plate_slide)               \
    X(plate_slide_back)          \
    X(plate_slide_back_side)     \
    X(plate_slide_side)          \
    X(push)                      \
    X(push_back)                 \
    X(push_wall)                 \
    X(reach)                     \
    X(reach_wall)                \
    X(shelf_place)               \
    X(soccer)                    \
    X(stick_pull)                \
    X(stick_push)                \
    X(sweep)                     \
    X(sweep_into)                \
    X(window_close)              \
    X(window_open)

#define WORLD_TASK_DECLARATION(name) extern const world_task_definition world_task_##name;
WORLD_TASKS(WORLD_TASK_DECLARATION)
#undef WORLD_TASK_DECLARATION

// NULL, with the error message set, if there is no task of that name.
const world_task_definition *world_task_definition_find(const char *name);
