// Textures of the software renderer: mipmaps with trilinear filtering, as in OpenGL.
#pragma once

#include <temporalot/base.h>

#include "world/mujoco.h"

enum { SOFT_MAX_LEVELS = 16 };

typedef struct soft_texture {
    bool cube;   // six faces, looked up by a direction; else one, repeated
    int levels;  // at least 1
    int32_t width[SOFT_MAX_LEVELS];
    int32_t height[SOFT_MAX_LEVELS];
    uint32_t *texels;                // all levels; red in the lowest byte
    int32_t first[SOFT_MAX_LEVELS];  // offset of a level, with all its faces, in texels
} soft_texture;

// texture must be zeroed by the caller; free it also after a failure.
tot_status soft_texture_make(soft_texture *texture, const mjModel *model, int number);

void soft_texture_free(soft_texture *texture);

// Directions at a pixel and one pixel to the right of and below it; these two determine the mipmap
// level.
typedef struct soft_texture_point {
    float here[3], right[3], below[3];
} soft_texture_point;

// The colour of a cube in a direction. rgb: 0 .. 1, written.
void soft_texture_read_cube(const soft_texture *texture, const soft_texture_point *point,
                            float rgb[3]);
