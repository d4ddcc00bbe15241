// What is transparent: drawn last, over the finished picture.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "picture/soft_state.h"

enum { MOST_VEILS = 256 };  // transparent items in one picture; more of them are not drawn

typedef struct veil {
    int item;
    float distance;
} veil;

static int by_distance(const void *a, const void *b) {
    const veil *one = a, *two = b;
    if (one->distance != two->distance) {
        return one->distance < two->distance ? -1 : 1;
    }
    return one->item - two->item;
}

// Transparent items, the nearest first.
static int list_veils(const tot_soft *soft, veil list[MOST_VEILS]) {
    int count = 0;
    for (int k = 0; k < soft->scene.count && count < MOST_VEILS; k++) {
        const tot_item *item = &soft->scene.items[k];
        if (!item->transparent) {
            continue;
        }
        float away = 0;
        for (int j = 0; j < 3; j++) {
            const float d = item->place[j][3] - soft->scene.eye.position[j];
            away += d * d;
        }
        const bool plane = soft->scene.mujoco.geoms[item->geom].type == mjGEOM_PLANE;
        list[count++] = (veil){k, plane ? 1e10F : sqrtf(away)};
    }
    qsort(list, (size_t)count, sizeof *list, by_distance);
    return count;
}

static void blend(const tot_soft *soft, uint8_t *rgb, const tot_fragments *fragments, size_t k,
                  float alpha) {
    const size_t pixels = (size_t)soft->view.width * (size_t)soft->view.height;
    const size_t index = tot_soft_index(soft, fragments->pixel[k]);
    uint8_t *to = rgb + 3 * (soft->view.turned ? pixels - 1 - index : index);
    const float part = alpha * (float)__builtin_popcount(fragments->mask[k]) / (float)soft->samples;
    for (int j = 0; j < 3; j++) {
        const float colour = (float)(fragments->base[k] >> (8 * j) & 255);
        to[j] = (uint8_t)((float)to[j] + part * (colour - (float)to[j]) + 0.5F);
    }
}

static tot_status draw_veil(tot_soft *soft, int band, int number, uint8_t *rgb) {
    const tot_target *camera = &soft->camera.target;
    tot_target *target = &soft->veil;
    const tot_band rows = tot_target_band(target, band, soft->bands);
    const size_t width = TOT_BLOCK * (size_t)target->block_columns;
    const size_t place = width * (size_t)rows.first_row;
    const size_t lanes = width * (size_t)(rows.last_row - rows.first_row);
    memcpy(target->depth + place, camera->depth + place, lanes * sizeof(float));
    memset(target->seen + place, 0, lanes * sizeof(int32_t));
    const tot_item *item = &soft->scene.items[number];
    const tot_drawing drawing = {&soft->shapes, item, number + 1, &soft->scene.eye, target, rows};
    soft->kernel->draw(&drawing);
    tot_band_work *work = &soft->work[band];
    tot_fragments *fragments = &work->moving;
    fragments->count = 0;
    for (int row = rows.first_row; row < rows.last_row; row++) {
        TOT_TRY(tot_fragments_collect(fragments, target, NULL, row, target->dirty_low[row],
                                      target->dirty_high[row], false));
        target->dirty_low[row] = target->block_columns;
        target->dirty_high[row] = -1;
    }
    tot_shading shading = tot_soft_shading(soft, false);
    shading.all_lamps = true;
    tot_fragments_shade(fragments, &shading, soft->kernel, work->counts);
    for (size_t k = 0; k < fragments->count; k++) {
        blend(soft, rgb, fragments, k, item->colour[3]);
    }
    return TOT_OK;
}

tot_status tot_soft_veil(tot_soft *soft, int band, uint8_t *rgb) {
    veil list[MOST_VEILS];
    const int count = list_veils(soft, list);
    // front to back and back to front, as MuJoCo does
    for (int k = 0; k < count; k++) {
        TOT_TRY(draw_veil(soft, band, list[k].item, rgb));
    }
    for (int k = count - 1; k >= 0; k--) {
        TOT_TRY(draw_veil(soft, band, list[k].item, rgb));
    }
    return TOT_OK;
}
