#include "reward/shape.h"

#include "base/error.h"
#include "base/memory.h"

static tot_status reserve(reward_shape *shape, int64_t rows, int64_t cols) {
    BASE_RESERVE(shape->first, shape->first_capacity, 2 * (size_t)rows, "mask");
    BASE_RESERVE(shape->offset, shape->offset_capacity, (size_t)rows + 1, "mask");
    shape->last = shape->first + rows;
    shape->rows = rows;
    shape->cols = cols;
    return TOT_OK;
}

static void count_entries(reward_shape *shape) {
    shape->offset[0] = 0;
    for (int64_t i = 0; i < shape->rows; i++) {
        size_t count = (size_t)(shape->last[i] - shape->first[i] + 1);
        shape->offset[i + 1] = shape->offset[i] + count;
    }
}

tot_status reward_shape_dense(reward_shape *shape, int64_t rows, int64_t cols) {
    BASE_TRY(reserve(shape, rows, cols));
    for (int64_t i = 0; i < rows; i++) {
        shape->first[i] = 0;
        shape->last[i] = cols - 1;
    }
    count_entries(shape);
    return TOT_OK;
}

static tot_status fail_column(const reward_shape *shape, int64_t width, int64_t column) {
    return base_fail(TOT_E_INFEASIBLE,
                     "mask band %lld: column %lld of %lld demonstration steps has no entry among "
                     "%lld agent steps; use a wider band",
                     (long long)width, (long long)column, (long long)shape->cols,
                     (long long)shape->rows);
}

tot_status reward_shape_band(reward_shape *shape, int64_t rows, int64_t cols, int64_t width) {
    BASE_TRY(reserve(shape, rows, cols));
    int64_t reach = smaller(width, larger(rows, cols));
    int64_t covered = -1;  // last column covered by any row so far
    for (int64_t i = 0; i < rows; i++) {
        // j N >= i M - width N and j N <= i M + width N
        int64_t centre = i * cols / rows;
        int64_t centre_up = centre + (i * cols % rows != 0 ? 1 : 0);
        shape->first[i] = larger(centre_up - reach, 0);
        shape->last[i] = smaller(centre + reach, cols - 1);
        BASE_FAIL_IF(shape->first[i] > shape->last[i], TOT_E_INFEASIBLE,
                     "mask band %lld: row %lld of %lld agent steps has no entry among %lld "
                     "demonstration steps; use a wider band",
                     (long long)width, (long long)i, (long long)rows, (long long)cols);
        if (shape->first[i] > covered + 1) {
            return fail_column(shape, width, covered + 1);
        }
        covered = shape->last[i];
    }
    if (covered < cols - 1) {
        return fail_column(shape, width, covered + 1);
    }
    count_entries(shape);
    return TOT_OK;
}

tot_status reward_shape_carries(const reward_shape *shape, int64_t width) {
    // Rows 0 .. i only reach columns up to last[i], rows from i on only columns from first[i] on.
    // Both must be able to hold the rows' mass; for a band whose ends never decrease with i, this
    // is also sufficient.
    for (int64_t i = 0; i < shape->rows; i++) {
        int64_t needs_first = i * shape->cols / shape->rows;
        int64_t needs_last = ((i + 1) * shape->cols - 1) / shape->rows;
        BASE_FAIL_IF(shape->first[i] > needs_first || shape->last[i] < needs_last, TOT_E_INFEASIBLE,
                     "mask band %lld is too narrow for %lld agent and %lld demonstration "
                     "steps: row %lld must reach columns %lld to %lld and has %lld to %lld",
                     (long long)width, (long long)shape->rows, (long long)shape->cols, (long long)i,
                     (long long)needs_first, (long long)needs_last, (long long)shape->first[i],
                     (long long)shape->last[i]);
    }
    return TOT_OK;
}

tot_status reward_shape_context(reward_shape *base, const reward_shape *shape, int64_t context) {
    int64_t rows = shape->rows;
    int64_t cols = shape->cols;
    BASE_TRY(reserve(base, rows, cols));
    for (int64_t i = 0; i < rows; i++) {
        base->first[i] = cols;
        base->last[i] = -1;
    }
    // beyond the longer of the two, both indices are clamped to the last frame
    int64_t reach = smaller(context, larger(rows, cols));
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t h = 0; h < reach; h++) {
            int64_t row = smaller(i + h, rows - 1);
            base->first[row] = smaller(base->first[row], smaller(shape->first[i] + h, cols - 1));
            base->last[row] = larger(base->last[row], smaller(shape->last[i] + h, cols - 1));
        }
    }
    count_entries(base);
    return TOT_OK;
}

void reward_shape_free(reward_shape *shape) {
    BASE_RELEASE(shape->first, shape->offset);
    *shape = (reward_shape){0};
}
