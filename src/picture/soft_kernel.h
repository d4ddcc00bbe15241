// The inner loops of the software renderer, one set of functions a CPU kind, and what they work on.
#pragma once

#include "picture/soft_scene.h"

enum {
    SOFT_BLOCK = 8,  // samples that are tested at once
    SOFT_TILE_SHIFT = 3,
    SOFT_TILE = 1 << SOFT_TILE_SHIFT,
};

// A picture of depths and, but for shadows, of what is seen there. Samples are stored in blocks of
// eight: 4 x 2 pixels with one sample each, or 2 x 1 pixels with four.
typedef struct soft_target {
    int width, height;  // in pixels
    int block_columns, block_rows;
    int column_shift, row_shift;  // pixels per block, as powers of two
    int samples;                  // a pixel: 1 or 4
    float lane_x[SOFT_BLOCK];     // where the samples of a block are, in subpixels
    float lane_y[SOFT_BLOCK];
    int grid_shift, grid_offset;  // samples lie on a grid: 2^shift subpixels, from this offset
    float *depth;                 // [block_rows][block_columns][8]; larger is nearer
    int32_t *seen;                // the same: item << 20 | triangle, plus one item; 0: nothing
    int32_t *dirty_low;           // [block_rows]: the columns of blocks that may have changed,
    int32_t *dirty_high;          // low .. high
    // which tiles of SOFT_TILE x SOFT_TILE blocks can be drawn into at all; NULL: all of them
    uint8_t *open;
    int tile_columns;
} soft_target;

// What of a target is drawn, in blocks: one thread's share of the rows, and the columns where there
// is something to draw. The last ones are not included.
typedef struct soft_band {
    int first_row, last_row;
    int first_column, last_column;
} soft_band;

typedef struct soft_drawing {
    const soft_shapes *shapes;
    const soft_item *item;
    int number;  // of the item, from 1
    const soft_viewpoint *viewpoint;
    soft_target *target;
    soft_band band;
} soft_drawing;

// What a lamp that casts a shadow does to fragments.
typedef struct soft_lit {
    size_t capacity;
    uint32_t *light;
    int32_t *place;  // where it is tested in the map of shadows: an index, or one of
    float *depth;    // and its depth there
} soft_lit;

enum { SOFT_SHADOW_NEVER = -1, SOFT_SHADOW_ALWAYS = -2 };

// The pieces of a picture that have a colour of their own: what one triangle is in one pixel.
typedef struct soft_fragments {
    size_t count, capacity;
    uint32_t *pixel;  // y << 16 | x
    int32_t *seen;
    uint8_t *mask;    // its samples
    uint32_t *order;  // by item; see soft_fragments_shade
    // filled in by shade: colours without the lamps that cast shadows, red in the lowest byte, and
    // what each of these lamps adds
    uint32_t *base;
    int shadows;  // of them; set before fragments are collected
    soft_lit lit[SOFT_MAX_LIGHTS];
} soft_fragments;

typedef struct soft_shading {
    const soft_shapes *shapes;
    const soft_scene *scene;
    const soft_texture *textures;
    const soft_viewpoint *viewpoint;
    bool mirror;  // what is seen in the mirror
    float dim;    // times the colour: the reflectance in the mirror
    // [scene's shadow_count]: the maps of what never moves. NULL: no shadow falls here, all lamps
    // are in the base
    const soft_target *shadows;
} soft_shading;

typedef struct soft_kernel {
    // Draws an item into its target.
    void (*draw)(const soft_drawing *drawing);
    // The same for a map of shadows: depths only, moved away from the light a little.
    void (*draw_shadow)(const soft_drawing *drawing);
    // Fills in the colours of the fragments order[0 .. count-1], all of them of one item.
    void (*shade)(const soft_shading *shading, const soft_item *item, soft_fragments *fragments,
                  const uint32_t *order, size_t count);
    // Writes to dark the numbers of the fragments that lie in the shadow of what moves, and returns
    // how many these are.
    size_t (*find_dark)(const float *map, const soft_lit *lit, size_t first, size_t last,
                        uint32_t *dark);
} soft_kernel;

extern const soft_kernel soft_portable;
#if defined(__x86_64__)
extern const soft_kernel soft_avx2;
extern const soft_kernel soft_avx512;
#endif
