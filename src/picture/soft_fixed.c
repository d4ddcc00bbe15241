// Static content: finding it, and drawing it only once.
#include "base/base.h"
#include "picture/soft_state.h"

enum {
    STILL_PICTURES = 8,  // pictures without movement before an item counts as static again
};

// --- static items ------------------------------------------------------------------------------

static bool same_item(const soft_item *a, const soft_item *b) {
    soft_item copy = *a;
    copy.fixed = b->fixed;
    return memcmp(&copy, b, sizeof copy) == 0;
}

// Everything except the items: camera and lights.
static bool same_view(const soft_scene *a, const soft_scene *b) {
    return memcmp(&a->viewpoint, &b->viewpoint, sizeof a->viewpoint) == 0 &&
           a->lamp_count == b->lamp_count &&
           memcmp(a->lamps, b->lamps, (size_t)a->lamp_count * sizeof *a->lamps) == 0 &&
           a->shadow_count == b->shadow_count && a->mirror == b->mirror &&
           a->reflectance == b->reflectance &&
           (a->mirror < 0 ||
            memcmp(&a->mirror_viewpoint, &b->mirror_viewpoint, sizeof a->mirror_viewpoint) == 0) &&
           memcmp(a->shadow_viewpoints, b->shadow_viewpoints,
                  (size_t)a->shadow_count * sizeof *a->shadow_viewpoints) == 0;
}

// Determines the static items; returns whether the static layers are still valid. Bodies attached
// to the world do not move except by a reset: those that moved are drawn as moving items until they
// have been still for some pictures, so that a renderer that alternates between several worlds
// keeps what they have in common. A reflective item counts as static even if it moves, and then
// everything is redrawn, because the mirror's layer depends on where the mirror is visible.
static bool choose_fixed(soft_renderer *soft) {
    soft_scene *scene = &soft->scene;
    const soft_scene *before = soft->drawn_scene;
    bool valid = soft->valid && scene->count == before->count && same_view(scene, before);
    bool settled = false;
    for (int k = 0; k < scene->count; k++) {
        soft_item *item = &scene->items[k];
        const bool mirror = k == scene->mirror;
        const bool could = (item->fixed || mirror) && !item->transparent;
        const bool known = soft->valid && k < before->count;
        const bool same = known && same_item(item, &soft->drawn[k]);
        soft->still_count[k] = !same                                   ? 0
                               : soft->still_count[k] < STILL_PICTURES ? soft->still_count[k] + 1
                                                                       : STILL_PICTURES;
        soft->still_count[k] = !known || mirror ? STILL_PICTURES : soft->still_count[k];
        settled |=
            could && soft->still_count[k] == STILL_PICTURES && known && !soft->drawn[k].fixed;
        if (known && soft->drawn[k].fixed && !(same && could)) {
            valid = false;
        }
        item->fixed = could;
    }
    valid = valid && !settled;
    for (int k = 0; k < scene->count; k++) {
        soft_item *item = &scene->items[k];
        item->fixed =
            valid ? soft->drawn[k].fixed : item->fixed && soft->still_count[k] == STILL_PICTURES;
    }
    return valid;
}

// --- drawing -----------------------------------------------------------------------------------

void soft_draw_items(const soft_renderer *soft, const soft_viewpoint *viewpoint,
                     soft_target *target, const soft_band *band, bool fixed) {
    const bool shadow = target->seen == NULL;
    const int except = viewpoint == &soft->scene.mirror_viewpoint ? soft->scene.mirror : -1;
    for (int k = 0; k < soft->scene.count; k++) {
        const soft_item *item = &soft->scene.items[k];
        const bool drawn = shadow ? item->casts : !item->transparent;
        if (item->fixed != fixed || !drawn || k == except) {
            continue;
        }
        const soft_drawing drawing = {&soft->shapes, item, k + 1, viewpoint, target, *band};
        if (shadow) {
            soft->kernel->draw_shadow(&drawing);
        } else {
            soft->kernel->draw(&drawing);
        }
    }
}

static void copy_target(soft_target *to, const soft_target *from) {
    const size_t lanes = SOFT_BLOCK * (size_t)from->block_rows * (size_t)from->block_columns;
    memcpy(to->depth, from->depth, lanes * sizeof(float));
    memcpy(to->seen, from->seen, lanes * sizeof(int32_t));
}

static void find_reaches_of(const soft_renderer *soft, const soft_lit *lit, size_t fragments,
                            soft_reach *reaches) {
    for (size_t k = 0; k < fragments; k++) {
        soft_reach *reach = &reaches[k / SOFT_REACH];
        if (lit->place[k] < 0) {
            continue;
        }
        const int block = lit->place[k] / SOFT_BLOCK;
        const int16_t column = (int16_t)(block % soft->shadow_fixed[0].block_columns);
        const int16_t row = (int16_t)(block / soft->shadow_fixed[0].block_columns);
        reach->left = column < reach->left ? column : reach->left;
        reach->right = column > reach->right ? column : reach->right;
        reach->top = row < reach->top ? row : reach->top;
        reach->bottom = row > reach->bottom ? row : reach->bottom;
    }
}

// Positions of the fragments in the shadow maps, so that only those near a moving shadow are
// tested.
static tot_status find_reaches(const soft_renderer *soft, soft_layer *layer) {
    const soft_fragments *fragments = &layer->fragments;
    const size_t count = (fragments->count + SOFT_REACH - 1) / SOFT_REACH;
    const size_t all = count * (size_t)fragments->shadows;
    BASE_RESERVE(layer->reaches, layer->reach_capacity, all, "a picture's shadows");
    for (size_t k = 0; k < all; k++) {
        layer->reaches[k] = (soft_reach){INT16_MAX, -1, INT16_MAX, -1};
    }
    for (int k = 0; k < fragments->shadows; k++) {
        find_reaches_of(soft, &fragments->lit[k], fragments->count,
                        layer->reaches + (size_t)k * count);
    }
    return TOT_OK;
}

// Collects and shades the static fragments of a layer.
static tot_status colour_fixed(soft_renderer *soft, soft_layer *layer) {
    const bool mirror = layer == &soft->mirror;
    soft_fragments *fragments = &layer->fragments;
    fragments->count = 0;
    fragments->shadows = mirror ? 0 : soft->scene.shadow_count;
    memset(layer->count, 0, (size_t)soft->view.width * (size_t)soft->view.height);
    for (int row = 0; row < layer->fixed.block_rows; row++) {
        layer->row_first[row] = (uint32_t)fragments->count;
        BASE_TRY(soft_fragments_collect(fragments, &layer->fixed, NULL, row, 0,
                                        layer->fixed.block_columns - 1, !mirror));
    }
    layer->row_first[layer->fixed.block_rows] = (uint32_t)fragments->count;
    const soft_shading shading = soft_shading_of(soft, mirror);
    soft_fragments_shade(fragments, &shading, soft->kernel, soft->work[0].counts);
    for (size_t k = 0; k < fragments->count; k++) {
        const size_t index = soft_index(soft, fragments->pixel[k]);
        if (layer->count[index]++ == 0) {
            layer->first[index] = (uint32_t)k;
        }
        if (fragments->seen[k] == 0) {
            fragments->base[k] = soft_sky(soft, fragments->pixel[k]);
        }
    }
    BASE_RESERVE(layer->dark, layer->dark_capacity, fragments->count, "a picture's shadows");
    memset(layer->dark, 0, fragments->count);
    return mirror ? TOT_OK : find_reaches(soft, layer);
}

// The mirror's layer is open only where the mirror itself is visible.
static tot_status open_mirror(soft_renderer *soft) {
    const soft_target *seen = &soft->camera.fixed;
    soft_target *mirror = &soft->mirror.fixed;
    soft_band *window = &soft->mirror.window;
    *window = (soft_band){seen->block_rows, 0, seen->block_columns, 0};
    soft_target_clear(mirror);
    BASE_TRY(soft_target_close(mirror));
    BASE_TRY(soft_target_close(&soft->mirror.target));
    for (int row = 0; row < seen->block_rows; row++) {
        for (int column = 0; column < seen->block_columns; column++) {
            const size_t place =
                SOFT_BLOCK * ((size_t)row * (size_t)seen->block_columns + (size_t)column);
            bool open = false;
            for (size_t k = place; k < place + SOFT_BLOCK; k++) {
                const bool here = seen->seen[k] >> SOFT_TRIANGLE_BITS == soft->scene.mirror + 1;
                mirror->depth[k] = here ? 0 : 2;
                open |= here;
            }
            if (open) {
                const int tile =
                    (row >> SOFT_TILE_SHIFT) * mirror->tile_columns + (column >> SOFT_TILE_SHIFT);
                mirror->open[tile] = soft->mirror.target.open[tile] = 1;
                window->first_row = row < window->first_row ? row : window->first_row;
                window->last_row = row + 1;
                window->first_column =
                    column < window->first_column ? column : window->first_column;
                window->last_column =
                    column + 1 > window->last_column ? column + 1 : window->last_column;
            }
        }
    }
    return TOT_OK;
}

// After an out-of-memory error a later picture tries again.
static tot_status make_targets(soft_renderer *soft) {
    for (int k = 0; k < soft->scene.shadow_count; k++) {
        const int size = soft->request.shadow_size;
        BASE_TRY(soft_target_make(&soft->shadow_fixed[k], size, size, 0));
        BASE_TRY(soft_target_make(&soft->shadow_moving[k], size, size, 0));
    }
    const int width = soft->view.width, height = soft->view.height;
    if (soft->scene.mirror >= 0) {
        BASE_TRY(soft_target_make(&soft->mirror.fixed, width, height, soft->samples));
        BASE_TRY(soft_target_make(&soft->mirror.target, width, height, soft->samples));
    }
    return TOT_OK;
}

static tot_status draw_mirror(soft_renderer *soft) {
    soft_layer *mirror = &soft->mirror;
    BASE_TRY(open_mirror(soft));
    soft_draw_items(soft, &soft->scene.mirror_viewpoint, &mirror->fixed, &mirror->window, true);
    soft_target_clear(&mirror->target);
    copy_target(&mirror->target, &mirror->fixed);
    BASE_TRY(colour_fixed(soft, mirror));
    for (int y = 0; y < soft->view.height; y++) {
        for (int x = 0; x < soft->view.width; x++) {
            const uint32_t pixel = (uint32_t)y << 16 | (uint32_t)x;
            const size_t index = soft_index(soft, pixel);
            const unsigned seen = soft_mirror_mask(soft, &soft->camera.fixed, pixel);
            soft->mirror_fixed[index] = soft_compose(soft, mirror, pixel, seen, NULL, NULL);
            soft->mirror_now[index] = soft->mirror_fixed[index];
        }
    }
    return TOT_OK;
}

static tot_status draw_all(soft_renderer *soft) {
    BASE_TRY(make_targets(soft));
    soft_layer *camera = &soft->camera;
    const soft_band all = soft_target_band(&camera->fixed, 0, 1);
    camera->window = all;
    soft_target_clear(&camera->fixed);
    soft_target_clear(&camera->target);
    soft_draw_items(soft, &soft->scene.viewpoint, &camera->fixed, &all, true);
    copy_target(&camera->target, &camera->fixed);
    for (int k = 0; k < soft->scene.shadow_count; k++) {
        soft_target *shadow = &soft->shadow_fixed[k];
        const soft_band map = soft_target_band(shadow, 0, 1);
        soft_target_clear(shadow);
        soft_draw_items(soft, &soft->scene.shadow_viewpoints[k], shadow, &map, true);
    }
    if (soft->scene.mirror >= 0) {
        BASE_TRY(draw_mirror(soft));
    }
    BASE_TRY(colour_fixed(soft, camera));
    for (int y = 0; y < soft->view.height; y++) {
        for (int x = 0; x < soft->view.width; x++) {
            const uint32_t pixel = (uint32_t)y << 16 | (uint32_t)x;
            soft_put(soft, soft->fixed_rgb, pixel,
                     soft_compose(soft, camera, pixel, soft_all_samples(soft), NULL, NULL));
        }
    }
    return TOT_OK;
}

tot_status soft_refresh(soft_renderer *soft) {
    if (!choose_fixed(soft)) {
        soft->valid = false;
        BASE_TRY(draw_all(soft));
        *soft->drawn_scene = soft->scene;
        soft->valid = true;
    }
    // also keeps track of which items are still
    memcpy(soft->drawn, soft->scene.items, (size_t)soft->scene.count * sizeof *soft->drawn);
    return TOT_OK;
}
