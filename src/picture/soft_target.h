// Making, clearing and reading targets, and lists of fragments.
#ifndef TOT_PICTURE_SOFT_TARGET_H
#define TOT_PICTURE_SOFT_TARGET_H

#include "picture/soft_kernel.h"

// samples: 4, 1, or 0 for a map of shadows, which has depths only. target is zeroed by the caller;
// free it also after a failure.
tot_status tot_target_make(tot_target *target, int width, int height, int samples);

// Closes all tiles; they are opened one by one in target->open.
tot_status tot_target_close(tot_target *target);

void tot_target_free(tot_target *target);

// Everything infinitely far away.
void tot_target_clear(tot_target *target);

// All of a target, or its index-th part of count, in rows.
tot_band tot_target_band(const tot_target *target, int index, int count);

// Puts back what changed in these rows: from fixed, or where that is NULL to nothing.
void tot_target_restore(tot_target *target, const tot_target *fixed, const tot_band *band);

// The pixel of a lane of a block, as y << 16 | x; may lie outside, to the right and below.
static inline uint32_t tot_block_pixel(const tot_target *target, int row, int column, int lane) {
    if (target->samples == 4) {
        return (uint32_t)row << 16 | (uint32_t)(2 * column + lane / 4);
    }
    return (uint32_t)(2 * row + lane / 4) << 16 | (uint32_t)(4 * column + lane % 4);
}

void tot_fragments_free(tot_fragments *fragments);

// Adds the fragments of a row of blocks, from column low to high: what differs from fixed or, where
// that is NULL, everything. The fragments of a pixel stand together. Nothing seen gives a fragment
// when `empty` is set.
tot_status tot_fragments_collect(tot_fragments *fragments, const tot_target *target,
                                 const tot_target *fixed, int row, int low, int high, bool empty);

// Colours all fragments that show an item. counts is [TOT_MAX_ITEMS + 2], for sorting.
void tot_fragments_shade(tot_fragments *fragments, const tot_shading *shading,
                         const tot_soft_kernel *kernel, uint32_t *counts);

#endif
