// The inner loops of the software renderer, one set of functions a CPU kind, and what they work on.
#ifndef TOT_PICTURE_SOFT_KERNEL_H
#define TOT_PICTURE_SOFT_KERNEL_H

#include "picture/soft_scene.h"

enum {
    TOT_BLOCK = 8,  // samples that are tested at once
    TOT_TILE_SHIFT = 3,
    TOT_TILE = 1 << TOT_TILE_SHIFT,
};

// A picture of depths and, but for shadows, of what is seen there. Samples are stored in blocks of
// eight: 4 x 2 pixels with one sample each, or 2 x 1 pixels with four.
typedef struct tot_target {
    int width, height;  // in pixels
    int block_columns, block_rows;
    int column_shift, row_shift;  // pixels a block, as powers of two
    int samples;                  // a pixel: 1 or 4
    float lane_x[TOT_BLOCK];      // where the samples of a block are, in subpixels
    float lane_y[TOT_BLOCK];
    int grid_shift, grid_offset;  // samples lie on a grid: 2^shift subpixels, from this offset
    float *depth;                 // [block_rows][block_columns][8]; larger is nearer
    int32_t *seen;                // the same: item << 20 | triangle, plus one item; 0: nothing
    int32_t *dirty_low;           // [block_rows]: the columns of blocks that may have changed,
    int32_t *dirty_high;          // low .. high
    // which tiles of TOT_TILE x TOT_TILE blocks can be drawn into at all; NULL: all of them
    uint8_t *open;
    int tile_columns;
} tot_target;

// What of a target is drawn, in blocks: one thread's share of the rows, and the columns where there
// is something to draw. The last ones are not included.
typedef struct tot_band {
    int first_row, last_row;
    int first_column, last_column;
} tot_band;

typedef struct tot_drawing {
    const tot_shapes *shapes;
    const tot_item *item;
    int number;  // of the item, from 1
    const tot_eye *eye;
    tot_target *target;
    tot_band band;
} tot_drawing;

// What a lamp that casts a shadow does to fragments.
typedef struct tot_lit {
    size_t room;
    uint32_t *light;
    int32_t *place;  // where it is tested in the map of shadows: an index, or one of
    float *depth;    // and its depth there
} tot_lit;

enum { TOT_SHADOW_NEVER = -1, TOT_SHADOW_ALWAYS = -2 };

// The pieces of a picture that have a colour of their own: what one triangle is in one pixel.
typedef struct tot_fragments {
    size_t count, room;
    uint32_t *pixel;  // y << 16 | x
    int32_t *seen;
    uint8_t *mask;    // its samples
    uint32_t *order;  // by item; see tot_fragments_shade
    // filled in by shade: colours without the lamps that cast shadows, red in the lowest byte, and
    // what each of these lamps adds
    uint32_t *base;
    int shadows;  // of them; set before fragments are collected
    tot_lit lit[TOT_MAX_LIGHTS];
} tot_fragments;

typedef struct tot_shading {
    const tot_shapes *shapes;
    const tot_scene *scene;
    const tot_texture *textures;
    const tot_eye *eye;
    bool mirror;  // what is seen in the mirror
    float dim;    // times the colour: the reflectance in the mirror
    // [scene's shadow_count]: the maps of what never moves. NULL: no shadow falls here, all lamps
    // are in the base
    const tot_target *shadows;
} tot_shading;

typedef struct tot_soft_kernel {
    // Draws an item into its target.
    void (*draw)(const tot_drawing *drawing);
    // The same for a map of shadows: depths only, moved away from the light a little.
    void (*draw_shadow)(const tot_drawing *drawing);
    // Fills in the colours of the fragments order[0 .. count-1], all of them of one item.
    void (*shade)(const tot_shading *shading, const tot_item *item, tot_fragments *fragments,
                  const uint32_t *order, size_t count);
    // Writes to dark the numbers of the fragments that lie in the shadow of what moves, and returns
    // how many these are.
    size_t (*find_dark)(const float *map, const tot_lit *lit, size_t first, size_t last,
                        uint32_t *dark);
} tot_soft_kernel;

extern const tot_soft_kernel tot_soft_portable;
#if defined(__x86_64__)
extern const tot_soft_kernel tot_soft_avx2;
extern const tot_soft_kernel tot_soft_avx512;
#endif

#endif
