// Orthogonal initialisation: normal random values, orthogonalised row by row (Gram-Schmidt, every
// row twice; in blocks of rows, so that most of the work is matrix products). This is the Q of a QR
// decomposition whose R has a positive diagonal, so the result is uniform over orthogonal matrices.
#include "base/base.h"
#include "nn/nn.h"

enum {
    SUMS = 8,    // accumulators of a dot product, so that the compiler can vectorize it
    BLOCK = 32,  // rows at a time
    ROUNDS = 2,  // a single pass leaves rounding errors; two are enough
};

static double dot(int64_t count, const float *restrict a, const float *restrict b) {
    double sums[SUMS] = {0};
    int64_t whole = count / SUMS * SUMS;
    for (int64_t k = 0; k < whole; k += SUMS) {
        for (int s = 0; s < SUMS; s++) {
            sums[s] += (double)a[k + s] * (double)b[k + s];
        }
    }
    for (int64_t k = whole; k < count; k++) {
        sums[0] += (double)a[k] * (double)b[k];
    }
    double total = 0;
    for (int s = 0; s < SUMS; s++) {
        total += sums[s];
    }
    return total;
}

static void subtract(int64_t count, double factor, const float *restrict from, float *restrict to) {
    for (int64_t k = 0; k < count; k++) {
        to[k] -= (float)factor * from[k];
    }
}

// rows: [count][length] -= their projection onto others [before][length], which are orthonormal
static void remove_others(tot_nn *nn, int64_t count, int64_t before, int64_t length,
                          const float *others, float *rows, float *parts) {
    tot_matmul product = {
        .rows = count,
        .columns = before,
        .depth = length,
        .a = rows,
        .a_stride = length,
        .b = others,
        .b_stride = length,
        .b_transposed = true,
        .c = parts,
        .c_stride = before,
    };
    tot_multiply(nn, &product);
    for (int64_t k = 0; k < count * before; k++) {
        parts[k] = -parts[k];
    }
    tot_matmul back = {
        .rows = count,
        .columns = length,
        .depth = before,
        .a = parts,
        .a_stride = before,
        .b = others,
        .b_stride = length,
        .c = rows,
        .c_stride = length,
        .accumulate = true,
    };
    tot_multiply(nn, &back);
}

// The same for one row, which is then normalised.
static void finish_row(int64_t before, int64_t length, const float *others, float *row) {
    for (int round = 0; round < ROUNDS; round++) {
        for (int64_t k = 0; k < before; k++) {
            subtract(length, dot(length, others + k * length, row), others + k * length, row);
        }
    }
    double size = sqrt(dot(length, row, row));
    for (int64_t k = 0; k < length; k++) {
        row[k] = (float)((double)row[k] / size);
    }
}

// vectors: [count][length], count <= length; parts: [BLOCK][count]
static void make_orthogonal(tot_nn *nn, tot_random *random, int64_t count, int64_t length,
                            float *vectors, float *parts) {
    for (int64_t k = 0; k < count * length; k++) {
        vectors[k] = (float)tot_random_normal(random);
    }
    for (int64_t start = 0; start < count; start += BLOCK) {
        int64_t end = start + BLOCK < count ? start + BLOCK : count;
        float *block = vectors + start * length;
        for (int round = 0; start > 0 && round < ROUNDS; round++) {
            remove_others(nn, end - start, start, length, vectors, block, parts);
        }
        for (int64_t k = start; k < end; k++) {
            finish_row(k - start, length, block, vectors + k * length);
        }
    }
}

static void write_weight(int64_t rows, int64_t columns, double gain, const float *vectors,
                         float *weight) {
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < columns; j++) {
            double value =
                (double)(rows < columns ? vectors[i * columns + j] : vectors[j * rows + i]);
            weight[i * columns + j] = (float)(gain * value);
        }
    }
}

tot_status tot_orthogonal(tot_random *random, int64_t rows, int64_t columns, double gain,
                          float *weight) {
    BASE_NEED(random, weight);
    BASE_FAIL_IF(rows < 1 || columns < 1, TOT_E_SHAPE,
                 "orthogonal: a matrix of %lld x %lld numbers", (long long)rows,
                 (long long)columns);
    int64_t count = rows < columns ? rows : columns;
    int64_t length = rows < columns ? columns : rows;
    tot_nn *nn = NULL;
    float *vectors = base_alloc((size_t)count * (size_t)length, sizeof *vectors, "weights");
    float *parts = base_alloc((size_t)count, BLOCK * sizeof *parts, "weights");
    tot_status status = vectors != NULL && parts != NULL ? tot_nn_create(&nn, NULL) : TOT_E_MEMORY;
    if (status == TOT_OK) {
        make_orthogonal(nn, random, count, length, vectors, parts);
        write_weight(rows, columns, gain, vectors, weight);
    }
    tot_nn_free(nn);
    BASE_RELEASE(parts, vectors);
    return status;
}
