// Which entries of an N x M matrix are there: for every row one run of columns. A band takes
// N (2 k_m + 1) numbers, a dense matrix N M; everything after the mask works on either.
#pragma once

#include <temporalot/reward.h>

typedef struct reward_shape {
    int64_t rows;     // N, agent steps
    int64_t cols;     // M, demonstration steps
    int64_t *first;   // [rows] first column of a row
    int64_t *last;    // [rows] last column
    size_t *offset;   // [rows + 1] where a row's numbers begin
    size_t capacity;  // rows there is room for
} reward_shape;

static inline size_t reward_shape_entries(const reward_shape *shape) {
    return shape->offset[shape->rows];
}

// Where entry (i, j) stands; j must be inside row i's run.
static inline size_t reward_shape_at(const reward_shape *shape, int64_t i, int64_t j) {
    return shape->offset[i] + (size_t)(j - shape->first[i]);
}

static inline bool reward_shape_has(const reward_shape *shape, int64_t i, int64_t j) {
    return j >= shape->first[i] && j <= shape->last[i];
}

// Every pair.
tot_status reward_shape_dense(reward_shape *shape, int64_t rows, int64_t cols);

// |j - i M / N| <= width, in exact integers. TOT_E_INFEASIBLE, naming the row or column, when one
// of them has no entry.
tot_status reward_shape_band(reward_shape *shape, int64_t rows, int64_t cols, int64_t width);

// Can a plan with uniform marginals live on a band? TOT_E_INFEASIBLE names the first row that
// cannot get rid of its mass.
tot_status reward_shape_carries(const reward_shape *shape, int64_t width);

// What must be known of the frame-to-frame cost to form a context cost of this length on `shape`:
// entry (i, j) looks at (i + h, j + h), clamped to the last frames.
tot_status reward_shape_context(reward_shape *base, const reward_shape *shape, int64_t context);

void reward_shape_free(reward_shape *shape);
