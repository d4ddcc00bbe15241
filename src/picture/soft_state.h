// State of the software renderer, and the steps of drawing a picture.
//
// A picture consists of layers: the camera's, and the one in the mirror. A layer stores for every
// sample which triangle is visible. Static items are drawn and shaded once; a picture starts from
// them, draws the moving items, and shades only the pixels where something moves, casts a shadow,
// or is reflected.
#pragma once

#include "picture/renderer.h"
#include "picture/soft_target.h"

enum { SOFT_REACH = 16 };  // fragments that are tested as a group

// Blocks of the shadow map that contain certain fragments.
typedef struct soft_reach {
    int16_t left, right, top, bottom;
} soft_reach;

typedef struct soft_layer {
    soft_target fixed;         // static items
    soft_target target;        // with moving items
    soft_fragments fragments;  // static, by rows of blocks
    uint32_t *row_first;       // [block_rows + 1]: index of a row's first fragment
    uint32_t *first;           // [pixels]: index of a pixel's first fragment,
    uint8_t *count;            // and their number
    uint8_t *dark;             // [fragments]: shadows of moving items on it, one bit per light
    size_t dark_capacity;
    soft_reach *reaches;  // [shadows][fragments / SOFT_REACH, rounded up]
    size_t reach_capacity;
    // moving fragments of a pixel, in the list of its band; 0 if there are none
    uint32_t *moving_first;
    uint8_t *moving_count;
    soft_band window;  // where there is something to draw
} soft_layer;

// Workspace of a thread for its rows.
typedef struct soft_band_work {
    soft_fragments moving;         // in the camera's layer
    soft_fragments moving_mirror;  // and in the mirror's
    soft_fragments transparent;    // of a transparent item
    uint32_t *dark;                // indices of the fragments in shadow
    size_t dark_capacity, dark_count;
    uint8_t *moving_dark;  // [moving]: one bit per light
    size_t moving_dark_capacity;
    uint32_t *queue;  // pixels to recolour; capacity for the whole band
    size_t queue_count;
    uint32_t *counts;  // [SOFT_MAX_ITEMS + 2]
} soft_band_work;

typedef struct soft_renderer {
    picture_view view;  // of the part drawn at once: large pictures are drawn in several parts
    int height;         // of the whole picture
    tot_pool *pool;
    const soft_kernel *kernel;
    soft_shapes shapes;
    soft_texture *textures;
    int texture_count;
    int sky;  // texture of the sky, -1: none
    soft_scene scene;
    soft_scene_request request;
    int samples;

    soft_layer camera;
    soft_layer mirror;  // its targets are created when something reflects
    // one per light; created when there is one
    soft_target shadow_fixed[SOFT_MAX_LIGHTS], shadow_moving[SOFT_MAX_LIGHTS];
    // [pixels]: mean colours of static items in the mirror, where it is visible
    uint32_t *mirror_fixed;
    uint32_t *mirror_now;     // and of this picture
    uint8_t *fixed_rgb;       // the picture of static items, already rotated
    uint8_t *queued;          // [pixels]: already in a queue
    soft_target transparent;  // for transparent items; created when there are any

    uint8_t *rgb;  // the part of the picture being drawn

    soft_band_work *work;  // [bands]
    int bands;

    // what the static layers were drawn from
    soft_item *drawn;
    int *still_count;  // [SOFT_MAX_ITEMS]: for how many pictures an item has been still
    soft_scene *drawn_scene;
    bool valid;
} soft_renderer;

// --- soft_fixed.c ------------------------------------------------------------------------------

// Decides what is static, and redraws it if something has changed.
tot_status soft_refresh(soft_renderer *soft);

// Draws the static or the moving items into a part of a target: a layer, or a shadow map.
// Transparent items are not drawn in a layer, nor the mirror in its own.
void soft_draw_items(const soft_renderer *soft, const soft_viewpoint *viewpoint,
                     soft_target *target, const soft_band *band, bool fixed);

// --- soft_colour.c -----------------------------------------------------------------------------

// Shading parameters of a layer.
soft_shading soft_shading_of(const soft_renderer *soft, bool mirror);

// The samples of a pixel, one bit each, in which the mirror is visible.
unsigned soft_mirror_mask(const soft_renderer *soft, const soft_target *camera, uint32_t pixel);

// The mean colour of some samples of a pixel, red in the lowest byte, from its static and moving
// fragments. moving may be NULL.
uint32_t soft_compose(const soft_renderer *soft, const soft_layer *layer, uint32_t pixel,
                      unsigned wanted, const soft_fragments *moving, const uint8_t *moving_dark);

static inline unsigned soft_all_samples(const soft_renderer *soft) {
    return (1U << soft->samples) - 1;
}

// The colour of the sky in a pixel.
uint32_t soft_sky(const soft_renderer *soft, uint32_t pixel);

// Writes a pixel of a picture, rotated if the view requires it.
void soft_put(const soft_renderer *soft, uint8_t *rgb, uint32_t pixel, uint32_t colour);

static inline size_t soft_index(const soft_renderer *soft, uint32_t pixel) {
    return (size_t)(pixel >> 16) * (size_t)soft->view.width + (pixel & 0xFFFF);
}

// Queues a pixel for recolouring.
static inline void soft_queue(soft_renderer *soft, soft_band_work *work, uint32_t pixel) {
    const size_t index = soft_index(soft, pixel);
    if (!soft->queued[index]) {
        soft->queued[index] = 1;
        work->queue[work->queue_count++] = pixel;
    }
}

// --- soft_transparent.c ------------------------------------------------------------------------

// Draws transparent items over these rows of the finished picture or, if rgb is NULL, of the
// mirror's layer, whose pixels are queued.
tot_status soft_draw_transparent(soft_renderer *soft, int band, uint8_t *rgb);
