// Entropic transport between uniform marginals on a band or a dense matrix.
//
// The iteration is the log-domain one of the reference, v before u. It runs in scaling form: the
// kernel K = exp(L + u + v) holds the potentials absorbed so far, and a step is one pass of
// multiplications over K. When a factor leaves 1e-60 .. 1e60 the step is done again in the log
// domain and the potentials are absorbed anew, so nothing under- or overflows for any epsilon.
#ifndef TOT_REWARD_SINKHORN_H
#define TOT_REWARD_SINKHORN_H

#include "reward/shape.h"

// Rows in groups of four that share a run of columns, so that one pass serves four rows at a time.
// A group's numbers are (4, width); what is outside the shape has log-kernel -infinity.
typedef struct tot_sinkhorn_group {
    int64_t first;  // first column, a multiple of 4
    int64_t width;  // columns, a multiple of 4
    size_t offset;  // where the group's numbers begin
} tot_sinkhorn_group;

enum { TOT_SINKHORN_ROWS = 4 };

typedef struct tot_sinkhorn {
    int64_t rows;
    int64_t cols;
    size_t groups;
    tot_sinkhorn_group *group;  // [groups]
    double *log_kernel;         // L, all groups
    double *kernel;             // K = exp(L + u + v)
    double *u;                  // [rows padded] log potentials absorbed in K
    double *v;                  // [cols padded]
    double *a;                  // [rows padded] factors on top of them; 0 for rows that pad
    double *next_a;             // [rows padded] the factors a step is making
    double *b;                  // [cols padded]
    double *column;             // [cols padded] column sums of K a
    double *room;               // [cols padded]
    size_t group_capacity;
    size_t entry_capacity;
    size_t row_capacity;
    size_t col_capacity;

    // after tot_sinkhorn_solve
    int64_t iterations;
    double marginal_error;
    bool converged;
} tot_sinkhorn;

// Lays out the groups for a shape and takes the log-kernel -cost / epsilon there. mask, when not
// NULL, says for every row which columns are inside; what is outside gets -1e6.
tot_status tot_sinkhorn_prepare(tot_sinkhorn *sinkhorn, const tot_shape *shape, const double *cost,
                                double epsilon, const tot_shape *mask);

// Cannot fail: a shape that carries the marginals, or a finite kernel, always has a next step.
void tot_sinkhorn_solve(tot_sinkhorn *sinkhorn, int64_t iterations, double tolerance);

// plan: [shape entries], written.
void tot_sinkhorn_plan(const tot_sinkhorn *sinkhorn, const tot_shape *shape, double *plan);

void tot_sinkhorn_free(tot_sinkhorn *sinkhorn);

// --- one set of inner loops a CPU kind ---------------------------------------------------------

typedef struct tot_sinkhorn_loops {
    // row sums -> next_a, and the column sums of K next_a; false when a factor is extreme
    bool (*rows)(tot_sinkhorn *sinkhorn);
    // column sums -> b; false when a factor is extreme
    bool (*columns)(tot_sinkhorn *sinkhorn);
    // v and u from the log-kernel and u, then K and its column sums, with a = b = 1
    void (*absorb)(tot_sinkhorn *sinkhorn);
} tot_sinkhorn_loops;

extern const tot_sinkhorn_loops tot_sinkhorn_portable;
#if defined(__x86_64__)
extern const tot_sinkhorn_loops tot_sinkhorn_avx2;
#endif

#endif
