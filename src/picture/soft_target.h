// Creating, clearing and reading targets, and lists of fragments.
#pragma once

#include "picture/soft_kernel.h"

// Creates a target if it does not exist: it must be zeroed by the caller, and is zero after a
// failure. samples: 4, 1, or 0 for a shadow map, which only has depths.
tot_status soft_target_make(soft_target *target, int width, int height, int samples);

// Closes all tiles; open them individually in target->open.
tot_status soft_target_close(soft_target *target);

void soft_target_free(soft_target *target);

// Sets everything to infinitely far away.
void soft_target_clear(soft_target *target);

// All of a target, or part `index` of `count`, split by rows.
soft_band soft_target_band(const soft_target *target, int index, int count);

// Restores what changed in these rows: from fixed, or to empty if it is NULL.
void soft_target_restore(soft_target *target, const soft_target *fixed, const soft_band *band);

// The pixel of a lane of a block, as y << 16 | x; may be outside, to the right or below.
static inline uint32_t soft_block_pixel(const soft_target *target, int row, int column, int lane) {
    if (target->samples == 4) {
        return (uint32_t)row << 16 | (uint32_t)(2 * column + lane / 4);
    }
    return (uint32_t)(2 * row + lane / 4) << 16 | (uint32_t)(4 * column + lane % 4);
}

void soft_fragments_free(soft_fragments *fragments);

// Adds the fragments of a row of blocks, from column low to high: those that differ from fixed, or
// all if it is NULL. The fragments of a pixel are contiguous. With `empty` set, samples where
// nothing is visible also give a fragment.
tot_status soft_fragments_collect(soft_fragments *fragments, const soft_target *target,
                                  const soft_target *fixed, int row, int low, int high, bool empty);

// Shades all fragments that show an item. counts is [SOFT_MAX_ITEMS + 2], for sorting.
void soft_fragments_shade(soft_fragments *fragments, const soft_shading *shading,
                          const soft_kernel *kernel, uint32_t *counts);
