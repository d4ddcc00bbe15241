// Scenes of several tasks hold the same robot and the same textures. Pages of memory that are equal
// in several models exist once: they are mapped where each model wants them.
#pragma once

#include "world/mujoco.h"

enum { WORLD_MOST_MAPPINGS = 24 };

// What was mapped for one model.
typedef struct world_mappings {
    struct {
        void *address;
        size_t size;
    } each[WORLD_MOST_MAPPINGS];
    int count;
} world_mappings;

// Moves the model's big arrays to shared pages, which are read only, and gives back the memory they
// had. Where the system does not let it, the model stays as it is. Not for two threads at a time.
void world_pages_share(mjModel *model, world_mappings *mappings);

// Before the model is deleted. When no model is left, the pages are given back.
void world_pages_release(world_mappings *mappings);
