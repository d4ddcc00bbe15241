// Transparent items: drawn last, over the finished picture, and before that over the mirror's
// layer.
#include "base/base.h"
#include "picture/soft_state.h"

enum { MOST_TRANSPARENT = 256 };  // transparent items per picture; further ones are not drawn

typedef struct transparent_item {
    int item;
    float distance;
} transparent_item;

static int by_distance(const void *a, const void *b) {
    const transparent_item *one = a, *two = b;
    if (one->distance != two->distance) {
        return one->distance < two->distance ? -1 : 1;
    }
    return one->item - two->item;
}

// Radius of a geom around its centre, as defined by MuJoCo.
static float size_of(const mjvGeom *geom) {
    const float *size = geom->size;
    if (geom->objtype == mjOBJ_GEOM) {
        return geom->modelrbound;
    }
    switch (geom->type) {
        case mjGEOM_SPHERE:
            return size[0];
        case mjGEOM_CAPSULE:
            return size[0] + size[2];
        case mjGEOM_CYLINDER:
            return hypotf(size[0], size[2]);
        case mjGEOM_BOX:
            return sqrtf(size[0] * size[0] + size[1] * size[1] + size[2] * size[2]);
        default:
            return fmaxf(size[0], fmaxf(size[1], size[2]));
    }
}

// Transparent items, closest first.
static int list_transparent(const soft_renderer *soft, transparent_item list[MOST_TRANSPARENT]) {
    int count = 0;
    for (int k = 0; k < soft->scene.count && count < MOST_TRANSPARENT; k++) {
        const soft_item *item = &soft->scene.items[k];
        if (!item->transparent) {
            continue;
        }
        const mjvGeom *geom = &soft->scene.mujoco.geoms[item->geom];
        float away = 0;
        for (int j = 0; j < 3; j++) {
            const float d = geom->pos[j] - soft->scene.viewpoint.position[j];
            away += d * d;
        }
        list[count++] =
            (transparent_item){k, geom->type == mjGEOM_PLANE ? 1e10F : sqrtf(away) - size_of(geom)};
    }
    qsort(list, (size_t)count, sizeof *list, by_distance);
    return count;
}

static uint8_t mix(uint32_t there, uint32_t colour, float part) {
    return (uint8_t)((float)there + part * ((float)colour - (float)there) + 0.5F);
}

static void blend(soft_renderer *soft, uint8_t *rgb, const soft_fragments *fragments, size_t k,
                  float alpha) {
    const size_t pixels = (size_t)soft->view.width * (size_t)soft->view.height;
    const size_t index = soft_index(soft, fragments->pixel[k]);
    const uint32_t colour = fragments->base[k];
    unsigned seen = soft_all_samples(soft);
    if (rgb == NULL) {
        seen = soft_mirror_mask(soft, &soft->camera.target, fragments->pixel[k]);
    }
    if (seen == 0) {
        return;
    }
    const float part = alpha * (float)__builtin_popcount(fragments->mask[k] & seen) /
                       (float)__builtin_popcount(seen);
    if (rgb == NULL) {
        const uint32_t there = soft->mirror_now[index];
        uint32_t mixed = 0;
        for (int shift = 0; shift < 24; shift += 8) {
            mixed |= (uint32_t)mix(there >> shift & 255, colour >> shift & 255, part) << shift;
        }
        soft->mirror_now[index] = mixed;
        return;
    }
    uint8_t *to = rgb + 3 * (soft->view.turned ? pixels - 1 - index : index);
    for (int j = 0; j < 3; j++) {
        to[j] = mix(to[j], colour >> (8 * j) & 255, part);
    }
}

static tot_status draw_transparent(soft_renderer *soft, int band, int number, uint8_t *rgb) {
    const bool mirror = rgb == NULL;
    const soft_target *solid = mirror ? &soft->mirror.target : &soft->camera.target;
    soft_target *target = &soft->transparent;
    const soft_band rows = soft_target_band(target, band, soft->bands);
    const size_t width = SOFT_BLOCK * (size_t)target->block_columns;
    const size_t place = width * (size_t)rows.first_row;
    const size_t lanes = width * (size_t)(rows.last_row - rows.first_row);
    memcpy(target->depth + place, solid->depth + place, lanes * sizeof(float));
    memset(target->seen + place, 0, lanes * sizeof(int32_t));
    const soft_item *item = &soft->scene.items[number];
    const soft_viewpoint *viewpoint =
        mirror ? &soft->scene.mirror_viewpoint : &soft->scene.viewpoint;
    const soft_drawing drawing = {&soft->shapes, item, number + 1, viewpoint, target, rows};
    soft->kernel->draw(&drawing);
    soft_band_work *work = &soft->work[band];
    soft_fragments *fragments = &work->transparent;
    fragments->count = 0;
    for (int row = rows.first_row; row < rows.last_row; row++) {
        BASE_TRY(soft_fragments_collect(fragments, target, NULL, row, target->dirty_low[row],
                                        target->dirty_high[row], false));
        target->dirty_low[row] = target->block_columns;
        target->dirty_high[row] = -1;
    }
    soft_shading shading = soft_shading_of(soft, mirror);
    // shadows only fall on opaque items
    shading.shadows = NULL;
    soft_fragments_shade(fragments, &shading, soft->kernel, work->counts);
    const float alpha = fminf(fmaxf(item->colour[3], 0), 1);  // NaN: 0
    for (size_t k = 0; k < fragments->count; k++) {
        if (mirror) {
            soft_queue(soft, work, fragments->pixel[k]);
        }
        blend(soft, rgb, fragments, k, alpha);
    }
    return TOT_OK;
}

tot_status soft_draw_transparent(soft_renderer *soft, int band, uint8_t *rgb) {
    transparent_item list[MOST_TRANSPARENT];
    const int count = list_transparent(soft, list);
    // front to back and back to front, as in MuJoCo
    for (int k = 0; k < count; k++) {
        BASE_TRY(draw_transparent(soft, band, list[k].item, rgb));
    }
    for (int k = count - 1; k >= 0; k--) {
        BASE_TRY(draw_transparent(soft, band, list[k].item, rgb));
    }
    return TOT_OK;
}
