// Scenes of several tasks contain the same robot and textures. Memory pages that are equal in
// several models are stored once and mapped into each model.
#pragma once

#include "world/mujoco.h"

enum { WORLD_MOST_MAPPINGS = 24 };

// The mappings of one model.
typedef struct world_mappings {
    struct {
        void *address;
        size_t size;
    } each[WORLD_MOST_MAPPINGS];
    int count;
} world_mappings;

// Moves the model's large arrays to shared read-only pages, and frees their original memory. If the
// system does not allow it, the model is unchanged. Not thread-safe.
void world_pages_share(mjModel *model, world_mappings *mappings);

// Call it before the model is deleted. The pages are freed with the last model.
void world_pages_release(world_mappings *mappings);
