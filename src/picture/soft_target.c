#include "picture/soft_target.h"

#include "base/base.h"

// --- targets -----------------------------------------------------------------------------------

// The sample positions of OpenGL drivers with four samples, in sixteenths of a pixel from the upper
// left.
static const int four_x[4] = {6, 14, 2, 10}, four_y[4] = {14, 10, 6, 2};

static void place_lanes(soft_target *target) {
    for (int lane = 0; lane < SOFT_BLOCK; lane++) {
        int x, y;
        if (target->samples == 4) {
            x = lane / 4 * SOFT_SUBPIXELS + four_x[lane % 4] * SOFT_SUBPIXELS / 16;
            y = four_y[lane % 4] * SOFT_SUBPIXELS / 16;
        } else {
            x = lane % 4 * SOFT_SUBPIXELS + SOFT_SUBPIXELS / 2;
            y = lane / 4 * SOFT_SUBPIXELS + SOFT_SUBPIXELS / 2;
        }
        target->lane_x[lane] = (float)x;
        target->lane_y[lane] = (float)y;
    }
    // four samples lie on the lines 1/8, 3/8, 5/8 and 7/8
    target->grid_shift = target->samples == 4 ? 4 : 6;
    target->grid_offset = target->samples == 4 ? SOFT_SUBPIXELS / 8 : SOFT_SUBPIXELS / 2;
}

static tot_status fill(soft_target *target, int width, int height, int samples) {
    target->width = width;
    target->height = height;
    target->samples = samples;
    target->column_shift = samples == 4 ? 1 : 2;
    target->row_shift = samples == 4 ? 0 : 1;
    target->block_columns = (width + (1 << target->column_shift) - 1) >> target->column_shift;
    target->block_rows = (height + (1 << target->row_shift) - 1) >> target->row_shift;
    target->tile_columns = (target->block_columns + SOFT_TILE - 1) >> SOFT_TILE_SHIFT;
    place_lanes(target);
    const size_t rows = (size_t)target->block_rows;
    const size_t lanes = SOFT_BLOCK * rows * (size_t)target->block_columns;
    target->depth = base_alloc(lanes, sizeof(float), "a picture's depths");
    target->dirty_low = base_alloc(rows, sizeof(int32_t), "a picture's rows");
    target->dirty_high = base_alloc(rows, sizeof(int32_t), "a picture's rows");
    BASE_HAVE(target->depth, target->dirty_low, target->dirty_high);
    if (samples > 0) {
        BASE_ALLOC(target->seen, lanes, "a picture's samples");
    }
    soft_target_clear(target);
    return TOT_OK;
}

tot_status soft_target_make(soft_target *target, int width, int height, int samples) {
    if (target->depth != NULL) {
        return TOT_OK;
    }
    const tot_status status = fill(target, width, height, samples);
    if (status != TOT_OK) {
        soft_target_free(target);
    }
    return status;
}

tot_status soft_target_close(soft_target *target) {
    const size_t rows = ((size_t)target->block_rows + SOFT_TILE - 1) >> SOFT_TILE_SHIFT;
    const size_t tiles = rows * (size_t)target->tile_columns;
    if (target->open == NULL) {
        target->open = base_alloc(tiles, 1, "a picture's tiles");
    }
    BASE_HAVE(target->open);
    memset(target->open, 0, tiles);
    return TOT_OK;
}

void soft_target_free(soft_target *target) {
    BASE_RELEASE(target->depth, target->seen, target->dirty_low, target->dirty_high, target->open);
    *target = (soft_target){0};
}

static void forget_dirt(soft_target *target, int row) {
    target->dirty_low[row] = target->block_columns;
    target->dirty_high[row] = -1;
}

void soft_target_clear(soft_target *target) {
    const size_t lanes = SOFT_BLOCK * (size_t)target->block_rows * (size_t)target->block_columns;
    memset(target->depth, 0, lanes * sizeof(float));
    if (target->seen != NULL) {
        memset(target->seen, 0, lanes * sizeof(int32_t));
    }
    for (int row = 0; row < target->block_rows; row++) {
        forget_dirt(target, row);
    }
}

soft_band soft_target_band(const soft_target *target, int index, int count) {
    return (soft_band){(int)((int64_t)target->block_rows * index / count),
                       (int)((int64_t)target->block_rows * (index + 1) / count), 0,
                       target->block_columns};
}

void soft_target_restore(soft_target *target, const soft_target *fixed, const soft_band *band) {
    for (int row = band->first_row; row < band->last_row; row++) {
        const int low = target->dirty_low[row], high = target->dirty_high[row];
        forget_dirt(target, row);
        if (low > high) {
            continue;
        }
        const size_t place =
            SOFT_BLOCK * ((size_t)row * (size_t)target->block_columns + (size_t)low);
        const size_t bytes = SOFT_BLOCK * (size_t)(high - low + 1) * sizeof(float);
        if (fixed == NULL) {
            memset(target->depth + place, 0, bytes);
        } else {
            memcpy(target->depth + place, fixed->depth + place, bytes);
        }
        if (target->seen != NULL && fixed == NULL) {
            memset(target->seen + place, 0, bytes);
        } else if (target->seen != NULL) {
            memcpy(target->seen + place, fixed->seen + place, bytes);
        }
    }
}

// --- fragments ---------------------------------------------------------------------------------

void soft_fragments_free(soft_fragments *fragments) {
    BASE_RELEASE(fragments->pixel, fragments->seen, fragments->mask, fragments->order,
                 fragments->base);
    for (int k = 0; k < SOFT_MAX_LIGHTS; k++) {
        BASE_RELEASE(fragments->lit[k].light, fragments->lit[k].place, fragments->lit[k].depth);
    }
    *fragments = (soft_fragments){0};
}

static tot_status reserve_lit(soft_lit *lit, size_t used, size_t wanted) {
    if (lit->capacity >= wanted) {
        return TOT_OK;
    }
    size_t capacity = lit->capacity;
    BASE_GROW(lit->light, capacity, used, wanted, "a picture's shadows");
    capacity = lit->capacity;
    BASE_GROW(lit->place, capacity, used, wanted, "a picture's shadows");
    capacity = lit->capacity;
    BASE_GROW(lit->depth, capacity, used, wanted, "a picture's shadows");
    lit->capacity = capacity;
    return TOT_OK;
}

static tot_status reserve(soft_fragments *fragments, size_t count) {
    // kernels read eight at a time
    const size_t wanted = count + SOFT_BLOCK;
    for (int k = 0; k < fragments->shadows; k++) {
        BASE_TRY(reserve_lit(&fragments->lit[k], fragments->count, wanted));
    }
    if (fragments->capacity >= wanted) {
        return TOT_OK;
    }
    size_t capacity = 0;
#define GROW_ARRAY(name)            \
    capacity = fragments->capacity; \
    BASE_GROW(fragments->name, capacity, fragments->count, wanted, "a picture's fragments")
    GROW_ARRAY(pixel);
    GROW_ARRAY(seen);
    GROW_ARRAY(mask);
    GROW_ARRAY(order);
    GROW_ARRAY(base);
#undef GROW_ARRAY
    fragments->capacity = capacity;
    return TOT_OK;
}

static void add_fragment(soft_fragments *fragments, uint32_t pixel, int32_t seen, unsigned mask) {
    const size_t k = fragments->count++;
    fragments->pixel[k] = pixel;
    fragments->seen[k] = seen;
    fragments->mask[k] = (uint8_t)mask;
    fragments->base[k] = 0;
    for (int j = 0; j < fragments->shadows; j++) {
        fragments->lit[j].light[k] = 0;
        fragments->lit[j].place[k] = SOFT_SHADOW_NEVER;
        fragments->lit[j].depth[k] = 0;
    }
}

// The fragments of one pixel: samples of the same triangle are merged.
static void add_pixel(soft_fragments *fragments, uint32_t pixel, const int32_t *seen,
                      unsigned wanted, int samples) {
    for (int k = 0; k < samples; k++) {
        if (!(wanted >> k & 1)) {
            continue;
        }
        unsigned mask = 1U << k;
        for (int j = k + 1; j < samples; j++) {
            mask |= seen[j] == seen[k] && (wanted >> j & 1) ? 1U << j : 0U;
        }
        wanted &= ~mask;
        add_fragment(fragments, pixel, seen[k], mask);
    }
}

static inline bool same_block(const int32_t *a, const int32_t *b) {
    int32_t difference = 0;
    for (int lane = 0; lane < SOFT_BLOCK; lane++) {
        difference |= a[lane] ^ b[lane];
    }
    return difference == 0;
}

tot_status soft_fragments_collect(soft_fragments *fragments, const soft_target *target,
                                  const soft_target *fixed, int row, int low, int high,
                                  bool empty) {
    if (low > high) {
        return TOT_OK;
    }
    BASE_TRY(reserve(fragments, fragments->count + SOFT_BLOCK * (size_t)(high - low + 1)));
    for (int column = low; column <= high; column++) {
        const size_t place =
            SOFT_BLOCK * ((size_t)row * (size_t)target->block_columns + (size_t)column);
        const int32_t *seen = target->seen + place;
        if (fixed != NULL && same_block(seen, fixed->seen + place)) {
            continue;
        }
        unsigned wanted = 0;
        for (int lane = 0; lane < SOFT_BLOCK; lane++) {
            const bool differs = fixed == NULL ? empty || seen[lane] != 0
                                               : seen[lane] != fixed->seen[place + (size_t)lane];
            wanted |= (unsigned)differs << lane;
        }
        const int samples = target->samples;
        for (int lane = 0; wanted != 0 && lane < SOFT_BLOCK; lane += samples) {
            const uint32_t pixel = soft_block_pixel(target, row, column, lane);
            const unsigned here = wanted >> lane & ((1U << samples) - 1);
            if (here != 0 && (int)(pixel & 0xFFFF) < target->width &&
                (int)(pixel >> 16) < target->height) {
                add_pixel(fragments, pixel, seen + lane, here, samples);
            }
        }
    }
    return TOT_OK;
}

void soft_fragments_shade(soft_fragments *fragments, const soft_shading *shading,
                          const soft_kernel *kernel, uint32_t *counts) {
    const int items = shading->scene->count;
    memset(counts, 0, (size_t)(items + 2) * sizeof *counts);
    for (size_t k = 0; k < fragments->count; k++) {
        counts[(fragments->seen[k] >> SOFT_TRIANGLE_BITS) + 1]++;
    }
    for (int k = 1; k < items + 2; k++) {
        counts[k] += counts[k - 1];
    }
    for (size_t k = 0; k < fragments->count; k++) {
        fragments->order[counts[fragments->seen[k] >> SOFT_TRIANGLE_BITS]++] = (uint32_t)k;
    }
    // now counts[k] is the end of item k, counted from 1; 0 is nothing
    for (int k = 1; k <= items; k++) {
        const uint32_t first = counts[k - 1];
        if (counts[k] > first) {
            kernel->shade(shading, &shading->scene->items[k - 1], fragments,
                          fragments->order + first, counts[k] - first);
        }
    }
}
