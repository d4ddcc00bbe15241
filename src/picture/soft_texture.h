// Textures of the software renderer: pyramids of ever smaller pictures, read between the texels and
// between the levels as OpenGL does.
#ifndef TOT_PICTURE_SOFT_TEXTURE_H
#define TOT_PICTURE_SOFT_TEXTURE_H

#include <temporalot/base.h>

#include "world/mujoco.h"

enum { TOT_MAX_LEVELS = 16 };

typedef struct tot_texture {
    bool cube;   // six faces, looked up by a direction; else one, repeated
    int levels;  // at least 1
    int32_t width[TOT_MAX_LEVELS];
    int32_t height[TOT_MAX_LEVELS];
    uint32_t *texels;               // all levels; red in the lowest byte
    int32_t first[TOT_MAX_LEVELS];  // where a level, with all its faces, begins in texels
} tot_texture;

// texture is zeroed by the caller; free it also after a failure.
tot_status tot_texture_make(tot_texture *texture, const mjModel *model, int number);

void tot_texture_free(tot_texture *texture);

// Where a texture is looked up, in s, t (flat) or as a direction (cube), at a pixel and one pixel
// to the right of and below it; these two say how much the texture shrinks.
typedef struct tot_texture_point {
    float here[3], right[3], below[3];
} tot_texture_point;

// rgb: 0 .. 1, written.
void tot_texture_read(const tot_texture *texture, const tot_texture_point *point, float rgb[3]);

#endif
