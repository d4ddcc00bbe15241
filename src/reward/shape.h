// The sparsity pattern of an N x M matrix: one contiguous run of columns per row. A band stores
// N (2 k_m + 1) numbers, a dense matrix N M; all code after the mask handles both.
#pragma once

#include <temporalot/reward.h>

// Minimum and maximum of two step counts.
static inline int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static inline int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

typedef struct reward_shape {
    int64_t rows;    // N, agent steps
    int64_t cols;    // M, demonstration steps
    int64_t *first;  // [rows] first column of each row
    int64_t *last;   // [rows] last column, in the memory behind first
    size_t *offset;  // [rows + 1] index of each row's first entry
    size_t first_capacity, offset_capacity;
} reward_shape;

static inline size_t reward_shape_entries(const reward_shape *shape) {
    return shape->offset[shape->rows];
}

// Index of entry (i, j); j must be inside the run of row i.
static inline size_t reward_shape_at(const reward_shape *shape, int64_t i, int64_t j) {
    return shape->offset[i] + (size_t)(j - shape->first[i]);
}

static inline bool reward_shape_has(const reward_shape *shape, int64_t i, int64_t j) {
    return j >= shape->first[i] && j <= shape->last[i];
}

// All entries.
tot_status reward_shape_dense(reward_shape *shape, int64_t rows, int64_t cols);

// |j - i M / N| <= width, in exact integer arithmetic. TOT_E_INFEASIBLE, naming the row or column,
// if one of them has no entry.
tot_status reward_shape_band(reward_shape *shape, int64_t rows, int64_t cols, int64_t width);

// Whether a plan with uniform marginals exists on a band. TOT_E_INFEASIBLE, naming the first row
// whose mass cannot be transported.
tot_status reward_shape_carries(const reward_shape *shape, int64_t width);

// The entries of the frame-to-frame cost needed for a context cost of this length on `shape`: entry
// (i, j) averages over (i + h, j + h), clamped to the last frames.
tot_status reward_shape_context(reward_shape *base, const reward_shape *shape, int64_t context);

void reward_shape_free(reward_shape *shape);
