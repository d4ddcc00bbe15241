#include "reward/sinkhorn.h"

#include <math.h>

#include "base/error.h"
#include "base/memory.h"

enum { TEST_EVERY = 10 };

// the reference's log-kernel outside the mask
static const double masked = -1e6;

const reward_sinkhorn_loops *reward_sinkhorn_loops_get(void) {
#if defined(__x86_64__)
    if (tot_cpu() >= TOT_CPU_AVX2) {
        return &reward_sinkhorn_avx2;
    }
#endif
    return &reward_sinkhorn_portable;
}

static tot_status lay_out(reward_sinkhorn *s, const reward_shape *shape) {
    s->rows = shape->rows;
    s->cols = shape->cols;
    s->groups = ((size_t)shape->rows + REWARD_SINKHORN_ROWS - 1) / REWARD_SINKHORN_ROWS;
    BASE_RESERVE(s->group, s->group_capacity, s->groups, "plan");
    size_t offset = 0;
    for (size_t g = 0; g < s->groups; g++) {
        int64_t low = shape->cols;
        int64_t high = -1;
        int64_t row = (int64_t)g * REWARD_SINKHORN_ROWS;
        for (int64_t i = row; i < smaller(row + REWARD_SINKHORN_ROWS, shape->rows); i++) {
            low = smaller(low, shape->first[i]);
            high = larger(high, shape->last[i]);
        }
        low = low / 4 * 4;
        int64_t width = (high + 4 - low) / 4 * 4;
        s->group[g] = (reward_sinkhorn_group){low, width, offset};
        offset += (size_t)width * REWARD_SINKHORN_ROWS;
    }
    return TOT_OK;
}

static tot_status reserve(reward_sinkhorn *s) {
    const reward_sinkhorn_group *last = &s->group[s->groups - 1];
    size_t entries = last->offset + (size_t)last->width * REWARD_SINKHORN_ROWS;
    size_t rows = s->groups * REWARD_SINKHORN_ROWS;
    size_t cols = (size_t)(s->cols + 3) / 4 * 4;
    BASE_RESERVE(s->by_entry, s->entry_capacity, 2 * entries, "kernel");
    BASE_RESERVE(s->by_row, s->row_capacity, 3 * rows, "potentials");
    BASE_RESERVE(s->by_col, s->col_capacity, 4 * cols, "potentials");
    s->log_kernel = s->by_entry;
    s->kernel = s->log_kernel + entries;
    s->u = s->by_row;
    s->a = s->u + rows;
    s->next_a = s->a + rows;
    s->v = s->by_col;
    s->b = s->v + cols;
    s->column = s->b + cols;
    s->scratch = s->column + cols;
    return TOT_OK;
}

tot_status reward_sinkhorn_prepare(reward_sinkhorn *s, const reward_shape *shape,
                                   const double *cost, double epsilon, const reward_shape *mask) {
    BASE_TRY(lay_out(s, shape));
    BASE_TRY(reserve(s));
    for (size_t i = 0; i < s->groups * REWARD_SINKHORN_ROWS; i++) {
        const reward_sinkhorn_group *group = &s->group[i / REWARD_SINKHORN_ROWS];
        double *row = s->log_kernel + group->offset +
                      (size_t)group->width * (i % REWARD_SINKHORN_ROWS) - group->first;
        int64_t end = group->first + group->width;
        bool pads = (int64_t)i >= shape->rows;
        int64_t first = pads ? end : shape->first[i];
        int64_t last = pads ? end - 1 : shape->last[i];
        for (int64_t j = group->first; j < first; j++) {
            row[j] = -INFINITY;
        }
        for (int64_t j = first; j <= last; j++) {
            row[j] = -cost[reward_shape_at(shape, (int64_t)i, j)] / epsilon;
            if (mask != NULL && !reward_shape_has(mask, (int64_t)i, j)) {
                row[j] = masked;
            }
        }
        for (int64_t j = last + 1; j < end; j++) {
            row[j] = -INFINITY;
        }
    }
    for (size_t i = 0; i < s->groups * REWARD_SINKHORN_ROWS; i++) {
        s->u[i] = 0;
        s->a[i] = (int64_t)i < s->rows ? 1 : 0;
    }
    for (size_t j = 0; j < (size_t)(s->cols + 3) / 4 * 4; j++) {
        s->v[j] = 0;
        s->b[j] = 0;
    }
    return TOT_OK;
}

static double column_error(const reward_sinkhorn *s) {
    double target = 1.0 / (double)s->cols;
    double total = 0;
    for (int64_t j = 0; j < s->cols; j++) {
        double difference = s->column[j] * s->b[j] - target;
        total += difference * difference;
    }
    return sqrt(total);
}

// One iteration, v then u. Leaves the column sums of diag(a) K in s->column.
static void step(reward_sinkhorn *s, const reward_sinkhorn_loops *loops, bool first) {
    if (!first && loops->columns(s) && loops->rows(s)) {
        double *made = s->next_a;
        s->next_a = s->a;
        s->a = made;
        return;
    }
    // repeat the iteration from its initial potentials, in the log domain
    for (int64_t i = 0; i < s->rows; i++) {
        s->u[i] += log(s->a[i]);
    }
    loops->absorb(s);
}

void reward_sinkhorn_solve(reward_sinkhorn *s, int64_t iterations, double tolerance) {
    const reward_sinkhorn_loops *loops = reward_sinkhorn_loops_get();
    s->converged = false;
    for (int64_t k = 0; k < iterations; k++) {
        step(s, loops, k == 0);
        s->iterations = k + 1;
        if (k % TEST_EVERY == 0) {
            s->marginal_error = column_error(s);
            if (s->marginal_error < tolerance) {
                s->converged = true;
                return;
            }
        }
    }
    s->marginal_error = column_error(s);
    s->converged = s->marginal_error < tolerance;
}

void reward_sinkhorn_plan(const reward_sinkhorn *s, const reward_shape *shape, double *plan) {
    for (int64_t i = 0; i < shape->rows; i++) {
        const reward_sinkhorn_group *group = &s->group[i / REWARD_SINKHORN_ROWS];
        const double *row = s->kernel + group->offset +
                            (size_t)((i % REWARD_SINKHORN_ROWS) * group->width) - group->first;
        double *out = plan + shape->offset[i] - shape->first[i];
        for (int64_t j = shape->first[i]; j <= shape->last[i]; j++) {
            out[j] = row[j] * s->a[i] * s->b[j];
        }
    }
}

void reward_sinkhorn_free(reward_sinkhorn *s) {
    BASE_RELEASE(s->group, s->by_entry, s->by_row, s->by_col);
    *s = (reward_sinkhorn){0};
}
