// What never moves: finding it, and drawing it once.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "picture/soft_state.h"

enum {
    CALM = 8,  // pictures that an item which moved must stand still before it is fixed again
};

// --- what is fixed -----------------------------------------------------------------------------

static bool same_item(const tot_item *a, const tot_item *b) {
    tot_item copy = *a;
    copy.fixed = b->fixed;
    return memcmp(&copy, b, sizeof copy) == 0;
}

// Everything but the items: where the camera stands, and the lights.
static bool same_view(const tot_scene *a, const tot_scene *b) {
    return memcmp(&a->eye, &b->eye, sizeof a->eye) == 0 && a->lamp_count == b->lamp_count &&
           memcmp(a->lamps, b->lamps, (size_t)a->lamp_count * sizeof *a->lamps) == 0 &&
           a->shadow_count == b->shadow_count && a->mirror == b->mirror &&
           a->reflectance == b->reflectance &&
           (a->mirror < 0 || memcmp(&a->mirror_eye, &b->mirror_eye, sizeof a->mirror_eye) == 0) &&
           memcmp(a->shadow_eyes, b->shadow_eyes,
                  (size_t)a->shadow_count * sizeof *a->shadow_eyes) == 0;
}

// Sets which items are fixed; returns whether the fixed layers can stay as they are. Bodies that
// hang on the world stand still but for a reset, which moves some: these are drawn with what moves
// until they have stood still for a while, so that a painter that draws several worlds in turn
// keeps what they have in common. What reflects counts as fixed even when it moves, and all is
// drawn anew: the mirror's layer is made of where it is seen.
static bool choose_fixed(tot_soft *soft) {
    tot_scene *scene = &soft->scene;
    const tot_scene *before = soft->drawn_scene;
    bool valid = soft->valid && scene->count == before->count && same_view(scene, before);
    bool calmed = false;
    for (int k = 0; k < scene->count; k++) {
        tot_item *item = &scene->items[k];
        const bool mirror = k == scene->mirror;
        const bool could = (item->fixed || mirror) && !item->transparent;
        const bool known = soft->valid && k < before->count;
        const bool same = known && same_item(item, &soft->drawn[k]);
        soft->calm[k] = !same ? 0 : soft->calm[k] < CALM ? soft->calm[k] + 1 : CALM;
        soft->calm[k] = !known || mirror ? CALM : soft->calm[k];
        calmed |= could && soft->calm[k] == CALM && known && !soft->drawn[k].fixed;
        if (known && soft->drawn[k].fixed && !(same && could)) {
            valid = false;
        }
        item->fixed = could;
    }
    valid = valid && !calmed;
    for (int k = 0; k < scene->count; k++) {
        tot_item *item = &scene->items[k];
        item->fixed = valid ? soft->drawn[k].fixed : item->fixed && soft->calm[k] == CALM;
    }
    return valid;
}

static void remember(tot_soft *soft) {
    memcpy(soft->drawn, soft->scene.items, (size_t)soft->scene.count * sizeof *soft->drawn);
    *soft->drawn_scene = soft->scene;
    soft->valid = true;
}

// --- drawing it --------------------------------------------------------------------------------

static void draw_fixed(tot_soft *soft, const tot_eye *eye, tot_target *target,
                       const tot_band *window, bool shadow, int except) {
    for (int k = 0; k < soft->scene.count; k++) {
        const tot_item *item = &soft->scene.items[k];
        if (!item->fixed || k == except || (shadow && !item->casts)) {
            continue;
        }
        const tot_drawing drawing = {&soft->shapes, item, k + 1, eye, target, *window};
        if (shadow) {
            soft->kernel->draw_shadow(&drawing);
        } else {
            soft->kernel->draw(&drawing);
        }
    }
}

static void copy_target(tot_target *to, const tot_target *from) {
    const size_t lanes = TOT_BLOCK * (size_t)from->block_rows * (size_t)from->block_columns;
    memcpy(to->depth, from->depth, lanes * sizeof(float));
    memcpy(to->seen, from->seen, lanes * sizeof(int32_t));
}

static void find_reaches_of(const tot_soft *soft, const tot_lit *lit, size_t fragments,
                            tot_reach *reaches) {
    for (size_t k = 0; k < fragments; k++) {
        tot_reach *reach = &reaches[k / TOT_REACH];
        if (lit->place[k] < 0) {
            continue;
        }
        const int block = lit->place[k] / TOT_BLOCK;
        const int16_t column = (int16_t)(block % soft->shadow_fixed[0].block_columns);
        const int16_t row = (int16_t)(block / soft->shadow_fixed[0].block_columns);
        reach->left = column < reach->left ? column : reach->left;
        reach->right = column > reach->right ? column : reach->right;
        reach->top = row < reach->top ? row : reach->top;
        reach->bottom = row > reach->bottom ? row : reach->bottom;
    }
}

// Where the fragments lie in the maps of shadows, so that only those near a shadow that moved are
// looked at.
static tot_status find_reaches(const tot_soft *soft, tot_layer *layer) {
    const tot_fragments *fragments = &layer->fragments;
    const size_t count = (fragments->count + TOT_REACH - 1) / TOT_REACH;
    const size_t all = count * (size_t)fragments->shadows;
    void *array = layer->reaches;
    const tot_status status =
        tot_reserve(&array, &layer->reach_room, all, sizeof *layer->reaches, "a picture's shadows");
    layer->reaches = array;
    TOT_TRY(status);
    for (size_t k = 0; k < all; k++) {
        layer->reaches[k] = (tot_reach){INT16_MAX, -1, INT16_MAX, -1};
    }
    for (int k = 0; k < fragments->shadows; k++) {
        find_reaches_of(soft, &fragments->lit[k], fragments->count,
                        layer->reaches + (size_t)k * count);
    }
    return TOT_OK;
}

// Lists and colours the fragments of a layer, where nothing moves.
static tot_status colour_fixed(tot_soft *soft, tot_layer *layer) {
    const bool mirror = layer == &soft->mirror;
    tot_fragments *fragments = &layer->fragments;
    fragments->count = 0;
    fragments->shadows = mirror ? 0 : soft->scene.shadow_count;
    memset(layer->count, 0, (size_t)soft->view.width * (size_t)soft->view.height);
    for (int row = 0; row < layer->fixed.block_rows; row++) {
        layer->row_first[row] = (uint32_t)fragments->count;
        TOT_TRY(tot_fragments_collect(fragments, &layer->fixed, NULL, row, 0,
                                      layer->fixed.block_columns - 1, !mirror));
    }
    layer->row_first[layer->fixed.block_rows] = (uint32_t)fragments->count;
    const tot_shading shading = tot_soft_shading(soft, mirror);
    tot_fragments_shade(fragments, &shading, soft->kernel, soft->work[0].counts);
    for (size_t k = 0; k < fragments->count; k++) {
        const size_t index = tot_soft_index(soft, fragments->pixel[k]);
        if (layer->count[index]++ == 0) {
            layer->first[index] = (uint32_t)k;
        }
        if (fragments->seen[k] == 0) {
            fragments->base[k] = tot_soft_sky(soft, fragments->pixel[k]);
        }
    }
    void *dark = layer->dark;
    const tot_status status =
        tot_reserve(&dark, &layer->dark_room, fragments->count, 1, "a picture's shadows");
    layer->dark = dark;
    TOT_TRY(status);
    memset(layer->dark, 0, fragments->count);
    return mirror ? TOT_OK : find_reaches(soft, layer);
}

// The mirror's layer is open only where the mirror itself is seen.
static tot_status open_mirror(tot_soft *soft) {
    const tot_target *seen = &soft->camera.fixed;
    tot_target *mirror = &soft->mirror.fixed;
    tot_band *window = &soft->mirror.window;
    *window = (tot_band){seen->block_rows, 0, seen->block_columns, 0};
    tot_target_clear(mirror);
    TOT_TRY(tot_target_close(mirror));
    TOT_TRY(tot_target_close(&soft->mirror.target));
    for (int row = 0; row < seen->block_rows; row++) {
        for (int column = 0; column < seen->block_columns; column++) {
            const size_t place =
                TOT_BLOCK * ((size_t)row * (size_t)seen->block_columns + (size_t)column);
            bool open = false;
            for (size_t k = place; k < place + TOT_BLOCK; k++) {
                const bool here = seen->seen[k] >> TOT_TRIANGLE_BITS == soft->scene.mirror + 1;
                mirror->depth[k] = here ? 0 : 2;
                open |= here;
            }
            if (open) {
                const int tile =
                    (row >> TOT_TILE_SHIFT) * mirror->tile_columns + (column >> TOT_TILE_SHIFT);
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

// Makes a target that is not there yet; a later picture tries again where there was no memory.
static tot_status make_target(tot_target *target, int width, int height, int samples) {
    if (target->depth != NULL) {
        return TOT_OK;
    }
    const tot_status status = tot_target_make(target, width, height, samples);
    if (status != TOT_OK) {
        tot_target_free(target);
    }
    return status;
}

static tot_status make_targets(tot_soft *soft) {
    for (int k = 0; k < soft->scene.shadow_count; k++) {
        const int size = soft->request.shadow_size;
        TOT_TRY(make_target(&soft->shadow_fixed[k], size, size, 0));
        TOT_TRY(make_target(&soft->shadow_moving[k], size, size, 0));
    }
    const int width = soft->view.width, height = soft->view.height;
    if (soft->scene.mirror >= 0) {
        TOT_TRY(make_target(&soft->mirror.fixed, width, height, soft->samples));
        TOT_TRY(make_target(&soft->mirror.target, width, height, soft->samples));
    }
    return TOT_OK;
}

static tot_status draw_mirror(tot_soft *soft) {
    tot_layer *mirror = &soft->mirror;
    TOT_TRY(open_mirror(soft));
    draw_fixed(soft, &soft->scene.mirror_eye, &mirror->fixed, &mirror->window, false,
               soft->scene.mirror);
    tot_target_clear(&mirror->target);
    copy_target(&mirror->target, &mirror->fixed);
    TOT_TRY(colour_fixed(soft, mirror));
    for (int y = 0; y < soft->view.height; y++) {
        for (int x = 0; x < soft->view.width; x++) {
            const uint32_t pixel = (uint32_t)y << 16 | (uint32_t)x;
            const size_t index = tot_soft_index(soft, pixel);
            const unsigned seen = tot_soft_mirror_mask(soft, &soft->camera.fixed, pixel);
            soft->mirror_fixed[index] = tot_soft_compose(soft, mirror, pixel, seen, NULL, NULL);
            soft->mirror_now[index] = soft->mirror_fixed[index];
        }
    }
    return TOT_OK;
}

static tot_status draw_all(tot_soft *soft) {
    TOT_TRY(make_targets(soft));
    tot_layer *camera = &soft->camera;
    const tot_band all = tot_target_band(&camera->fixed, 0, 1);
    camera->window = all;
    tot_target_clear(&camera->fixed);
    tot_target_clear(&camera->target);
    draw_fixed(soft, &soft->scene.eye, &camera->fixed, &all, false, -1);
    copy_target(&camera->target, &camera->fixed);
    for (int k = 0; k < soft->scene.shadow_count; k++) {
        tot_target *shadow = &soft->shadow_fixed[k];
        const tot_band map = tot_target_band(shadow, 0, 1);
        tot_target_clear(shadow);
        draw_fixed(soft, &soft->scene.shadow_eyes[k], shadow, &map, true, -1);
    }
    if (soft->scene.mirror >= 0) {
        TOT_TRY(draw_mirror(soft));
    }
    TOT_TRY(colour_fixed(soft, camera));
    for (int y = 0; y < soft->view.height; y++) {
        for (int x = 0; x < soft->view.width; x++) {
            const uint32_t pixel = (uint32_t)y << 16 | (uint32_t)x;
            tot_soft_put(
                soft, soft->fixed_rgb, pixel,
                tot_soft_compose(soft, camera, pixel, tot_soft_all_samples(soft), NULL, NULL));
        }
    }
    return TOT_OK;
}

tot_status tot_soft_refresh(tot_soft *soft) {
    if (choose_fixed(soft)) {
        // keep track of what stands still and what does not
        for (int k = 0; k < soft->scene.count; k++) {
            soft->drawn[k] = soft->scene.items[k];
        }
        return TOT_OK;
    }
    soft->valid = false;
    TOT_TRY(draw_all(soft));
    remember(soft);
    return TOT_OK;
}
