// Variables that are freed at the end of their block.
#pragma once

// An object: `OWNED(tot_batch) batch = {0};` ends with tot_batch_free(&batch).
#define OWNED(type) __attribute__((cleanup(type##_free))) type

// A pointer: `OWNED_PTR(tot_world) world = NULL;` ends with tot_world_free(world). OWNER(tot_world)
// must stand before the first one.
#define OWNED_PTR(type) __attribute__((cleanup(type##_release))) type *
#define OWNER(type)                                   \
    static inline void type##_release(type **owned) { \
        type##_free(*owned);                          \
    }
