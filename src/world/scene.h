// Scenes, loaded once however many tasks use them.
#pragma once

#include "world/mujoco.h"

typedef struct world_scene world_scene;

// Loads the scene at path, with the welds as set by Meta-world, or adds a user to a loaded one.
// TOT_E_MISSING if it does not exist, TOT_E_FORMAT if MuJoCo cannot read it. Thread-safe; scenes
// are loaded in parallel. The model must not be modified.
tot_status world_scene_open(world_scene **scene, mjModel **model, const char *path);

// scene may be NULL.
void world_scene_close(world_scene *scene);
