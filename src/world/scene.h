// Scenes: loaded once, however many tasks play in them.
#pragma once

#include "world/mujoco.h"

typedef struct world_scene world_scene;

// Loads the scene at path, with the welds as Meta-world sets them, or counts one more user of it.
// TOT_E_MISSING when it is not there, TOT_E_FORMAT when MuJoCo cannot read it. Threads may load
// scenes at once.
tot_status world_scene_open(world_scene **scene, const char *path);

// Never written to by its users.
mjModel *world_scene_model(const world_scene *scene);

// scene may be NULL.
void world_scene_close(world_scene *scene);
