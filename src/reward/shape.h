// Which entries of an N x M matrix are there: for every row one run of columns. A band takes
// N (2 k_m + 1) numbers, a dense matrix N M; everything after the mask works on either.
#ifndef TOT_REWARD_SHAPE_H
#define TOT_REWARD_SHAPE_H

#include <temporalot/reward.h>

typedef struct tot_shape {
    int64_t rows;     // N, agent steps
    int64_t cols;     // M, demonstration steps
    int64_t *first;   // [rows] first column of a row
    int64_t *last;    // [rows] last column
    size_t *offset;   // [rows + 1] where a row's numbers begin
    size_t capacity;  // rows there is room for
} tot_shape;

static inline size_t tot_shape_entries(const tot_shape *shape) {
    return shape->offset[shape->rows];
}

// Where entry (i, j) stands; j must be inside row i's run.
static inline size_t tot_shape_at(const tot_shape *shape, int64_t i, int64_t j) {
    return shape->offset[i] + (size_t)(j - shape->first[i]);
}

static inline bool tot_shape_has(const tot_shape *shape, int64_t i, int64_t j) {
    return j >= shape->first[i] && j <= shape->last[i];
}

// Every pair.
tot_status tot_shape_dense(tot_shape *shape, int64_t rows, int64_t cols);

// |j - i M / N| <= width, in exact integers. TOT_E_INFEASIBLE, naming the row or column, when one
// of them has no entry.
tot_status tot_shape_band(tot_shape *shape, int64_t rows, int64_t cols, int64_t width);

// Can a plan with uniform marginals live on a band? TOT_E_INFEASIBLE names the first row that
// cannot get rid of its mass.
tot_status tot_shape_carries(const tot_shape *shape, int64_t width);

// What must be known of the frame-to-frame cost to form a context cost of this length on `shape`:
// entry (i, j) looks at (i + h, j + h), clamped to the last frames.
tot_status tot_shape_context(tot_shape *base, const tot_shape *shape, int64_t context);

void tot_shape_free(tot_shape *shape);

#endif
