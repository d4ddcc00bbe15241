// Entropic optimal transport between uniform marginals on a band or a dense matrix.
//
// The iteration is the log-domain one of the reference, v before u, run in scaling form: the kernel
// K = exp(L + u + v) contains the potentials absorbed so far, and an iteration is one pass of
// multiplications over K. When a factor leaves 1e-60 .. 1e60, the iteration is repeated in the log
// domain and the potentials are absorbed again, so nothing under- or overflows for any epsilon.
#pragma once

#include "reward/shape.h"

// Rows in groups of four that share a run of columns, so that one pass processes four rows at once.
// A group's entries are (4, width); entries outside the shape have log-kernel -infinity.
typedef struct reward_sinkhorn_group {
    int64_t first;  // first column, a multiple of 4
    int64_t width;  // columns, a multiple of 4
    size_t offset;  // index of the group's first entry
} reward_sinkhorn_group;

enum { REWARD_SINKHORN_ROWS = 4 };

typedef struct reward_sinkhorn {
    int64_t rows;
    int64_t cols;
    size_t groups;
    reward_sinkhorn_group *group;  // [groups]
    double *log_kernel;            // L, for all groups
    double *kernel;                // K = exp(L + u + v)
    double *u;                     // [rows padded] log potentials absorbed into K
    double *v;                     // [cols padded]
    double *a;                     // [rows padded] unabsorbed scaling factors; 0 for padding rows
    double *next_a;                // [rows padded] the factors computed by the current iteration
    double *b;                     // [cols padded]
    double *column;                // [cols padded] column sums of diag(a) K
    double *scratch;               // [cols padded]
    double *by_entry, *by_row, *by_col;  // the memory of these arrays, by their length
    size_t group_capacity;
    size_t entry_capacity;
    size_t row_capacity;
    size_t col_capacity;

    // set by reward_sinkhorn_solve
    int64_t iterations;
    double marginal_error;
    bool converged;
} reward_sinkhorn;

// Lays out the groups for a shape and sets the log-kernel to -cost / epsilon. mask, if not NULL,
// gives the columns inside the mask for every row; entries outside it get -1e6.
tot_status reward_sinkhorn_prepare(reward_sinkhorn *sinkhorn, const reward_shape *shape,
                                   const double *cost, double epsilon, const reward_shape *mask);

// Cannot fail: on a shape with a feasible plan, or with a finite kernel, every iteration is
// defined.
void reward_sinkhorn_solve(reward_sinkhorn *sinkhorn, int64_t iterations, double tolerance);

// plan: [shape entries], written.
void reward_sinkhorn_plan(const reward_sinkhorn *sinkhorn, const reward_shape *shape, double *plan);

void reward_sinkhorn_free(reward_sinkhorn *sinkhorn);

// --- one set of inner loops per CPU kind ---------------------------------------------------------

typedef struct reward_sinkhorn_loops {
    const char *kind;  // CPU kind: BASE_KERNEL_KIND
    // row sums -> next_a, and the column sums of diag(next_a) K; false if a factor is extreme
    bool (*rows)(reward_sinkhorn *sinkhorn);
    // column sums -> b; false if a factor is extreme
    bool (*columns)(reward_sinkhorn *sinkhorn);
    // v and u from the log-kernel and u, then K and its column sums, with a = b = 1
    void (*absorb)(reward_sinkhorn *sinkhorn);
} reward_sinkhorn_loops;

extern const reward_sinkhorn_loops reward_sinkhorn_portable;
#if defined(__x86_64__)
extern const reward_sinkhorn_loops reward_sinkhorn_avx2;
#endif

// The functions for this CPU.
const reward_sinkhorn_loops *reward_sinkhorn_loops_get(void);
