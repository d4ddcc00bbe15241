// What the software renderer holds, and the steps of a picture.
//
// A picture is made of layers: the camera's, and the one behind the mirror. A layer knows for every
// sample which triangle is seen there. What never moves is drawn, and coloured, once; a picture
// then starts from it, draws what moves, and colours only the pixels where something moves, casts
// its shadow, or is reflected.
#pragma once

#include "picture/renderer.h"
#include "picture/soft_target.h"

enum { SOFT_REACH = 16 };  // fragments that are looked at together

// The blocks of the map of shadows in which some fragments lie.
typedef struct soft_reach {
    int16_t left, right, top, bottom;
} soft_reach;

typedef struct soft_layer {
    soft_target fixed;         // what never moves
    soft_target target;        // with what moves
    soft_fragments fragments;  // of what never moves, row by row of blocks
    uint32_t *row_first;       // [block_rows + 1]: where the fragments of a row begin
    uint32_t *first;           // [pixels]: where the fragments of a pixel begin,
    uint8_t *count;            // and how many they are
    uint8_t *dark;             // [fragments]: in which shadows of what moves, one bit a lamp
    size_t dark_capacity;
    soft_reach *reaches;  // [shadows][fragments / SOFT_REACH, rounded up]
    size_t reach_capacity;
    // the fragments of what moves in a pixel, in the list of its band; 0 where nothing does
    uint32_t *moving_first;
    uint8_t *moving_count;
    soft_band window;  // where there is something to draw
} soft_layer;

// What a thread needs for its rows.
typedef struct soft_band_work {
    soft_fragments moving;         // of the camera's layer
    soft_fragments moving_mirror;  // and of the mirror's
    soft_fragments transparent;    // of something transparent
    uint32_t *dark;                // numbers of fragments that lie in the shadow
    size_t dark_capacity, dark_count;
    uint8_t *moving_dark;  // [moving]: one bit a lamp
    size_t moving_dark_capacity;
    uint32_t *queue;  // pixels that are coloured anew; room for all of the band's
    size_t queue_count;
    uint32_t *counts;  // [SOFT_MAX_ITEMS + 2]
} soft_band_work;

typedef struct soft_renderer {
    picture_view view;  // of the part that is drawn at once: large pictures are drawn in several
    int height;         // of the whole picture
    tot_pool *pool;
    const soft_kernel *kernel;
    soft_shapes shapes;
    soft_texture *textures;
    int texture_count;
    int sky;  // its texture, -1: none
    soft_scene scene;
    soft_scene_request request;
    int samples;

    soft_layer camera;
    soft_layer mirror;  // its targets are made when something reflects
    // one a lamp; made when there is one
    soft_target shadow_fixed[SOFT_MAX_LIGHTS], shadow_moving[SOFT_MAX_LIGHTS];
    // [pixels]: mean colours in the mirror where it is seen, of what never moves
    uint32_t *mirror_fixed;
    uint32_t *mirror_now;     // and of this picture
    uint8_t *fixed_rgb;       // the picture of what never moves, turned already
    uint8_t *queued;          // [pixels]: in a queue
    soft_target transparent;  // for what is transparent; made when something is

    soft_band_work *work;  // [bands]
    int bands;

    // what the fixed layers were drawn from
    soft_item *drawn;
    int *still_count;  // [SOFT_MAX_ITEMS]: for how many pictures an item has stood still
    soft_scene *drawn_scene;
    bool valid;
} soft_renderer;

// --- soft_fixed.c ------------------------------------------------------------------------------

// Decides what is drawn once, and draws it anew where something of it changed.
tot_status soft_refresh(soft_renderer *soft);

// --- soft_colour.c -----------------------------------------------------------------------------

// How the fragments of a layer are coloured.
soft_shading soft_shading_of(const soft_renderer *soft, bool mirror);

// The samples of a pixel, one bit each, in which the mirror is seen.
unsigned soft_mirror_mask(const soft_renderer *soft, const soft_target *camera, uint32_t pixel);

// The mean colour of some samples of a pixel, red in the lowest byte, from its fixed fragments and
// those that move. moving may be NULL.
uint32_t soft_compose(const soft_renderer *soft, const soft_layer *layer, uint32_t pixel,
                      unsigned wanted, const soft_fragments *moving, const uint8_t *moving_dark);

static inline unsigned soft_all_samples(const soft_renderer *soft) {
    return (1U << soft->samples) - 1;
}

// The colour of the sky in a pixel.
uint32_t soft_sky(const soft_renderer *soft, uint32_t pixel);

// Writes a pixel into a picture, turned where the view says so.
void soft_put(const soft_renderer *soft, uint8_t *rgb, uint32_t pixel, uint32_t colour);

static inline size_t soft_index(const soft_renderer *soft, uint32_t pixel) {
    return (size_t)(pixel >> 16) * (size_t)soft->view.width + (pixel & 0xFFFF);
}

// Has a pixel coloured anew.
static inline void soft_queue(soft_renderer *soft, soft_band_work *work, uint32_t pixel) {
    const size_t index = soft_index(soft, pixel);
    if (!soft->queued[index]) {
        soft->queued[index] = 1;
        work->queue[work->queue_count++] = pixel;
    }
}

// --- soft_veil.c -------------------------------------------------------------------------------

// Draws what is transparent over these rows of the finished picture or, where rgb is NULL, of what
// is seen in the mirror, whose pixels are queued.
tot_status soft_draw_transparent(soft_renderer *soft, int band, uint8_t *rgb);
