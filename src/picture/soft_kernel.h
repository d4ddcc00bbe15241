// The inner loops of the software renderer, one set of functions per instruction set, and their
// data structures.
#pragma once

#include "picture/soft_scene.h"

enum {
    SOFT_BLOCK = 8,  // samples that are tested at once
    SOFT_TILE_SHIFT = 3,
    SOFT_TILE = 1 << SOFT_TILE_SHIFT,
};

// A depth buffer and, except for shadow maps, a buffer of what is visible. Samples are stored in
// blocks of eight: 4 x 2 pixels with one sample each, or 2 x 1 pixels with four.
typedef struct soft_target {
    int width, height;  // in pixels
    int block_columns, block_rows;
    int column_shift, row_shift;  // pixels per block, as powers of two
    int samples;                  // per pixel: 1 or 4
    float lane_x[SOFT_BLOCK];     // positions of the samples of a block, in subpixels
    float lane_y[SOFT_BLOCK];
    int grid_shift, grid_offset;  // samples are on a grid: 2^shift subpixels, starting at this
                                  // offset
    float *depth;                 // [block_rows][block_columns][8]; larger is closer
    int32_t *seen;                // same layout: item << 20 | triangle, plus one item; 0: nothing
    int32_t *dirty_low;           // [block_rows]: columns of blocks that may have changed,
    int32_t *dirty_high;          // low .. high
    // which tiles of SOFT_TILE x SOFT_TILE blocks can be drawn to; NULL: all of them
    uint8_t *open;
    int tile_columns;
} soft_target;

// The part of a target to draw, in blocks: one thread's rows, and the columns with something to
// draw. The last ones are exclusive.
typedef struct soft_band {
    int first_row, last_row;
    int first_column, last_column;
} soft_band;

typedef struct soft_drawing {
    const soft_shapes *shapes;
    const soft_item *item;
    int number;  // index of the item, starting at 1
    const soft_viewpoint *viewpoint;
    soft_target *target;
    soft_band band;
} soft_drawing;

// Contribution of a shadow-casting light to fragments.
typedef struct soft_lit {
    size_t capacity;
    uint32_t *light;
    int32_t *place;  // index in the shadow map, or SOFT_SHADOW_NEVER or SOFT_SHADOW_ALWAYS
    float *depth;    // depth in the shadow map
} soft_lit;

enum { SOFT_SHADOW_NEVER = -1, SOFT_SHADOW_ALWAYS = -2 };

// Fragments: the part of one triangle in one pixel.
typedef struct soft_fragments {
    size_t count, capacity;
    uint32_t *pixel;  // y << 16 | x
    int32_t *seen;
    uint8_t *mask;    // its samples
    uint32_t *order;  // sorted by item; see soft_fragments_shade
    // set by shade: colours without the shadow-casting lights, red in the lowest byte; `lit` is
    // what each of these lights adds
    uint32_t *base;
    int shadows;  // number of shadow-casting lights; set before fragments are collected
    soft_lit lit[SOFT_MAX_LIGHTS];
} soft_fragments;

typedef struct soft_shading {
    const soft_shapes *shapes;
    const soft_scene *scene;
    const soft_texture *textures;
    const soft_viewpoint *viewpoint;
    bool mirror;  // for the layer in the mirror
    float dim;    // factor for the colour: the reflectance in the mirror
    // [scene's shadow_count]: the static shadow maps. NULL: no shadows, all lights are in the base
    const soft_target *shadows;
} soft_shading;

typedef struct soft_kernel {
    // Draws an item to its target.
    void (*draw)(const soft_drawing *drawing);
    // The same for a shadow map: depths only, with an offset away from the light.
    void (*draw_shadow)(const soft_drawing *drawing);
    // Computes the colours of the fragments order[0 .. count-1], all of one item.
    void (*shade)(const soft_shading *shading, const soft_item *item, soft_fragments *fragments,
                  const uint32_t *order, size_t count);
    // Writes the indices of the fragments in the shadow of moving items to dark, and returns their
    // number.
    size_t (*find_dark)(const float *map, const soft_lit *lit, size_t first, size_t last,
                        uint32_t *dark);
} soft_kernel;

extern const soft_kernel soft_portable;
#if defined(__x86_64__)
extern const soft_kernel soft_avx2;
extern const soft_kernel soft_avx512;
#endif
