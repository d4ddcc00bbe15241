// The inner loops of sinkhorn.h, written once with the compiler's vector types. The including file
// defines SINKHORN_TABLE. Vectors hold four doubles: a band of 21 columns takes six or seven.
#include <math.h>
#include <string.h>

#include "base/kernels.h"
#include "reward/sinkhorn.h"

typedef double vector __attribute__((vector_size(32)));
typedef int64_t integers __attribute__((vector_size(32)));

static const double extreme = 1e60;

static inline bool is_extreme(double factor) {
    // also true for NaN
    return !(factor > 1 / extreme && factor < extreme);
}

static inline vector load(const double *from) {
    return *(const vector *)from;
}

static inline void store(double *to, vector value) {
    *(vector *)to = value;
}

static inline double sum(vector x) {
    return (x[0] + x[2]) + (x[1] + x[3]);
}

static inline vector broadcast(double x) {
    return (vector){x, x, x, x};
}

static inline vector select(integers mask, vector yes, vector no) {
    return (vector)((mask & (integers)yes) | (~mask & (integers)no));
}

static inline vector vector_max(vector x, vector y) {
    return select(x > y, x, y);
}

// exp for x <= 700; returns 0 below -700. Relative error below 4e-16: x = n log 2 + r, |r| <= 0.35,
// with the Taylor series of exp(r) up to r^13.
static inline vector vector_exp(vector x) {
    const double log2_e = 1.4426950408889634074;
    const double log_2_high = 6.93147180369123816490e-01;
    const double log_2_low = 1.90821492927058770002e-10;
    const double round_bits = 0x1.8p52;  // adding it leaves the nearest integer in the low bits
    integers tiny = x < broadcast(-700);
    vector held = select(tiny, broadcast(-700), x);
    vector shifted = held * log2_e + round_bits;
    vector n = shifted - round_bits;
    vector r = held - n * log_2_high - n * log_2_low;
    vector p = broadcast(1.0 / 6227020800);
    p = p * r + 1.0 / 479001600;
    p = p * r + 1.0 / 39916800;
    p = p * r + 1.0 / 3628800;
    p = p * r + 1.0 / 362880;
    p = p * r + 1.0 / 40320;
    p = p * r + 1.0 / 5040;
    p = p * r + 1.0 / 720;
    p = p * r + 1.0 / 120;
    p = p * r + 1.0 / 24;
    p = p * r + 1.0 / 6;
    p = p * r + 0.5;
    p = p * r + 1.0;
    p = p * r + 1.0;
    integers power = ((integers)shifted + 1023) << 52;
    return select(tiny, broadcast(0), p * (vector)power);
}

static bool update_rows(reward_sinkhorn *s) {
    double target = 1.0 / (double)s->rows;
    memset(s->column, 0, (size_t)(s->cols + 3) / 4 * 4 * sizeof(double));
    bool fine = true;
    for (size_t g = 0; g < s->groups; g++) {
        const reward_sinkhorn_group *group = &s->group[g];
        int64_t width = group->width;
        const double *k0 = s->kernel + group->offset;
        const double *k1 = k0 + width;
        const double *k2 = k1 + width;
        const double *k3 = k2 + width;
        const double *b = s->b + group->first;
        vector t0 = {0}, t1 = {0}, t2 = {0}, t3 = {0};
        for (int64_t j = 0; j < width; j += 4) {
            vector bj = load(b + j);
            t0 += load(k0 + j) * bj;
            t1 += load(k1 + j) * bj;
            t2 += load(k2 + j) * bj;
            t3 += load(k3 + j) * bj;
        }
        double t[4] = {sum(t0), sum(t1), sum(t2), sum(t3)};
        double *factors = s->next_a + g * REWARD_SINKHORN_ROWS;
        int64_t left = s->rows - (int64_t)g * REWARD_SINKHORN_ROWS;
        for (int64_t r = 0; r < 4; r++) {
            factors[r] = r < left ? target / t[r] : 0;
            fine = fine && (r >= left || !is_extreme(factors[r]));
        }
        double *column = s->column + group->first;
        vector a0 = broadcast(factors[0]), a1 = broadcast(factors[1]);
        vector a2 = broadcast(factors[2]), a3 = broadcast(factors[3]);
        for (int64_t j = 0; j < width; j += 4) {
            vector low = load(k0 + j) * a0 + load(k1 + j) * a1;
            vector high = load(k2 + j) * a2 + load(k3 + j) * a3;
            store(column + j, load(column + j) + (low + high));
        }
    }
    return fine;
}

static bool update_columns(reward_sinkhorn *s) {
    double target = 1.0 / (double)s->cols;
    bool fine = true;
    for (int64_t j = 0; j < s->cols; j++) {
        s->b[j] = target / s->column[j];
        fine = fine && !is_extreme(s->b[j]);
    }
    return fine;
}

// v_j = -log M - log sum_i exp(L_ij + u_i)
static void log_columns(reward_sinkhorn *s) {
    size_t padded = (size_t)(s->cols + 3) / 4 * 4;
    double *most = s->scratch;
    double *total = s->column;
    for (size_t j = 0; j < padded; j++) {
        most[j] = -INFINITY;
        total[j] = 0;
    }
    for (size_t g = 0; g < s->groups; g++) {
        const reward_sinkhorn_group *group = &s->group[g];
        const double *row = s->log_kernel + group->offset;
        for (int64_t r = 0; r < REWARD_SINKHORN_ROWS; r++, row += group->width) {
            vector u = broadcast(s->u[g * REWARD_SINKHORN_ROWS + (size_t)r]);
            double *at = most + group->first;
            for (int64_t j = 0; j < group->width; j += 4) {
                store(at + j, vector_max(load(at + j), load(row + j) + u));
            }
        }
    }
    // padding columns have no entries: avoid -inf - -inf = NaN
    for (size_t j = (size_t)s->cols; j < padded; j++) {
        most[j] = 0;
    }
    for (size_t g = 0; g < s->groups; g++) {
        const reward_sinkhorn_group *group = &s->group[g];
        const double *row = s->log_kernel + group->offset;
        for (int64_t r = 0; r < REWARD_SINKHORN_ROWS; r++, row += group->width) {
            vector u = broadcast(s->u[g * REWARD_SINKHORN_ROWS + (size_t)r]);
            const double *m = most + group->first;
            double *at = total + group->first;
            for (int64_t j = 0; j < group->width; j += 4) {
                store(at + j, load(at + j) + vector_exp(load(row + j) + u - load(m + j)));
            }
        }
    }
    double log_cols = log((double)s->cols);
    for (int64_t j = 0; j < s->cols; j++) {
        s->v[j] = -log_cols - (most[j] + log(total[j]));
    }
}

// u_i = -log N - log sum_j exp(L_ij + v_j)
static void log_rows(reward_sinkhorn *s) {
    double log_rows_count = log((double)s->rows);
    for (int64_t i = 0; i < s->rows; i++) {
        const reward_sinkhorn_group *group = &s->group[i / REWARD_SINKHORN_ROWS];
        const double *row =
            s->log_kernel + group->offset + (size_t)((i % REWARD_SINKHORN_ROWS) * group->width);
        const double *v = s->v + group->first;
        vector most4 = broadcast(-INFINITY);
        for (int64_t j = 0; j < group->width; j += 4) {
            most4 = vector_max(most4, load(row + j) + load(v + j));
        }
        double most = fmax(fmax(most4[0], most4[1]), fmax(most4[2], most4[3]));
        vector total = {0};
        for (int64_t j = 0; j < group->width; j += 4) {
            total += vector_exp(load(row + j) + load(v + j) - broadcast(most));
        }
        s->u[i] = -log_rows_count - (most + log(sum(total)));
    }
}

static void absorb(reward_sinkhorn *s) {
    log_columns(s);
    log_rows(s);
    size_t padded = (size_t)(s->cols + 3) / 4 * 4;
    memset(s->column, 0, padded * sizeof(double));
    for (size_t j = 0; j < padded; j++) {
        s->b[j] = (int64_t)j < s->cols ? 1 : 0;
    }
    for (size_t g = 0; g < s->groups; g++) {
        const reward_sinkhorn_group *group = &s->group[g];
        for (int64_t r = 0; r < REWARD_SINKHORN_ROWS; r++) {
            size_t i = g * REWARD_SINKHORN_ROWS + (size_t)r;
            s->a[i] = (int64_t)i < s->rows ? 1 : 0;
            size_t at = group->offset + (size_t)(r * group->width);
            vector u = broadcast(s->u[i]);
            double *column = s->column + group->first;
            const double *v = s->v + group->first;
            for (int64_t j = 0; j < group->width; j += 4) {
                vector k = vector_exp(load(s->log_kernel + at + j) + u + load(v + j));
                store(s->kernel + at + j, k);
                store(column + j, load(column + j) + k);
            }
        }
    }
}

const reward_sinkhorn_loops SINKHORN_TABLE = {BASE_KERNEL_KIND, update_rows, update_columns,
                                              absorb};
