// The directions are computed by a randomised singular value decomposition (Halko, Martinsson and
// Tropp, 2011): power iterations with the Gram matrix give a basis, whose projected rows are
// orthogonalised by rotations (one-sided Jacobi).
#include "train/whitening.h"

#include <math.h>
#include <string.h>

#include "base/base.h"

enum { LANES = 16, POWERS = 4, MOST_SWEEPS = 30 };

static const double least_share = 1e-9;  // of the largest variance; below this is rounding error

// --- products ----------------------------------------------------------------------------------

static double dot(const double *a, const double *b, int64_t count) {
    double lanes[LANES] = {0};
    double sum = 0;
    int64_t k = 0;
    for (; k + LANES <= count; k += LANES) {
        for (int lane = 0; lane < LANES; lane++) {
            lanes[lane] += a[k + lane] * b[k + lane];
        }
    }
    for (; k < count; k++) {
        sum += a[k] * b[k];
    }
    for (int lane = 0; lane < LANES; lane++) {
        sum += lanes[lane];
    }
    return sum;
}

static void add_scaled(double *to, const double *from, double factor, int64_t count) {
    for (int64_t k = 0; k < count; k++) {
        to[k] += factor * from[k];
    }
}

// --- decomposition -----------------------------------------------------------------------------

typedef struct decomposition {
    int64_t count;
    int64_t width;
    int rank;
    double *rows;   // [count][width], centred
    double *gram;   // [count][count]
    double *basis;  // [rank][count]
    double *next;   // [rank][count]
    double *found;  // [rank][width]: finally singular values times directions
} decomposition;

static tot_status allocate(decomposition *work) {
    const size_t count = (size_t)work->count;
    const size_t width = (size_t)work->width;
    const size_t rank = (size_t)work->rank;
    work->rows = base_alloc(count * width, sizeof *work->rows, "embeddings");
    work->gram = base_alloc(count * count, sizeof *work->gram, "Gram matrix");
    work->basis = base_alloc(rank * count, sizeof *work->basis, "basis");
    work->next = base_alloc(rank * count, sizeof *work->next, "basis");
    work->found = base_alloc_zero(rank * width, sizeof *work->found, "directions");
    BASE_HAVE(work->rows, work->gram, work->basis, work->next, work->found);
    return TOT_OK;
}

static void center(decomposition *work, const float *embeddings, float *mean) {
    for (int64_t k = 0; k < work->width; k++) {
        double sum = 0;
        for (int64_t n = 0; n < work->count; n++) {
            sum += (double)embeddings[n * work->width + k];
        }
        mean[k] = (float)(sum / (double)work->count);
        for (int64_t n = 0; n < work->count; n++) {
            const int64_t at = n * work->width + k;
            work->rows[at] = (double)embeddings[at] - (double)mean[k];
        }
    }
}

static void make_gram(decomposition *work) {
    for (int64_t a = 0; a < work->count; a++) {
        for (int64_t b = 0; b <= a; b++) {
            const double value =
                dot(work->rows + a * work->width, work->rows + b * work->width, work->width);
            work->gram[a * work->count + b] = value;
            work->gram[b * work->count + a] = value;
        }
    }
}

// Gram-Schmidt, twice for accuracy; a linearly dependent row becomes 0.
static void orthonormalise(double *basis, int rank, int64_t count) {
    for (int k = 0; k < rank; k++) {
        double *row = basis + k * count;
        const double before = sqrt(dot(row, row, count));
        for (int pass = 0; pass < 2; pass++) {
            for (int j = 0; j < k; j++) {
                const double *other = basis + j * count;
                add_scaled(row, other, -dot(row, other, count), count);
            }
        }
        const double length = sqrt(dot(row, row, count));
        const double factor = length > 1e-12 * before ? 1 / length : 0;
        for (int64_t n = 0; n < count; n++) {
            row[n] *= factor;
        }
    }
}

// A basis of the dominant subspace of the rows.
static void find_basis(decomposition *work) {
    tot_random random;
    tot_random_init(&random, 0, "whitening");
    for (int64_t k = 0; k < work->rank * work->count; k++) {
        work->basis[k] = 2 * tot_random_uniform(&random) - 1;
    }
    for (int power = 0; power < POWERS; power++) {
        orthonormalise(work->basis, work->rank, work->count);
        for (int k = 0; k < work->rank; k++) {
            for (int64_t n = 0; n < work->count; n++) {
                work->next[k * work->count + n] =
                    dot(work->gram + n * work->count, work->basis + k * work->count, work->count);
            }
        }
        double *swap = work->basis;
        work->basis = work->next;
        work->next = swap;
    }
    orthonormalise(work->basis, work->rank, work->count);
    for (int k = 0; k < work->rank; k++) {
        for (int64_t n = 0; n < work->count; n++) {
            add_scaled(work->found + k * work->width, work->rows + n * work->width,
                       work->basis[k * work->count + n], work->width);
        }
    }
}

// Rotates rows a and b to be orthogonal. Returns whether they were not.
static bool rotate(double *a, double *b, int64_t width) {
    const double aa = dot(a, a, width);
    const double bb = dot(b, b, width);
    const double ab = dot(a, b, width);
    if (fabs(ab) <= 1e-12 * sqrt(aa * bb)) {
        return false;
    }
    const double slope = (bb - aa) / (2 * ab);
    const double tangent = (slope >= 0 ? 1 : -1) / (fabs(slope) + sqrt(1 + slope * slope));
    const double cosine = 1 / sqrt(1 + tangent * tangent);
    const double sine = cosine * tangent;
    for (int64_t k = 0; k < width; k++) {
        const double old = a[k];
        a[k] = cosine * old - sine * b[k];
        b[k] = sine * old + cosine * b[k];
    }
    return true;
}

static void make_orthogonal(decomposition *work) {
    bool turned = true;
    for (int sweep = 0; turned && sweep < MOST_SWEEPS; sweep++) {
        turned = false;
        for (int a = 0; a < work->rank; a++) {
            for (int b = a + 1; b < work->rank; b++) {
                turned |= rotate(work->found + a * work->width, work->found + b * work->width,
                                 work->width);
            }
        }
    }
}

// --- fitting and applying ----------------------------------------------------------------------

static void keep(train_whitening *whitening, const decomposition *work, double floor) {
    double variances[TRAIN_WHITENING_RANK];
    double largest = 0;
    for (int k = 0; k < work->rank; k++) {
        const double *row = work->found + k * work->width;
        variances[k] = dot(row, row, work->width);
        largest = fmax(largest, variances[k]);
    }
    for (int k = 0; k < work->rank; k++) {
        if (variances[k] <= least_share * largest) {
            continue;
        }
        const int kept = whitening->rank++;
        const double length = sqrt(variances[k]);
        whitening->gains[kept] = (float)sqrt(floor * largest / (variances[k] + floor * largest));
        for (int64_t n = 0; n < work->width; n++) {
            whitening->directions[kept * work->width + n] =
                (float)(work->found[k * work->width + n] / length);
        }
    }
}

tot_status train_whitening_fit(train_whitening *whitening, const float *embeddings, int64_t count,
                               int64_t width, double floor) {
    const int64_t most = count - 1 < width ? count - 1 : width;
    decomposition work = {.count = count, .width = width};
    work.rank = most < TRAIN_WHITENING_RANK ? (int)most : TRAIN_WHITENING_RANK;
    *whitening = (train_whitening){.width = width};
    whitening->mean = base_alloc((size_t)width, sizeof *whitening->mean, "mean");
    whitening->directions =
        base_alloc((size_t)work.rank * (size_t)width, sizeof *whitening->directions, "directions");
    whitening->gains = base_alloc((size_t)work.rank, sizeof *whitening->gains, "gains");
    tot_status status = allocate(&work);
    if (whitening->mean == NULL || whitening->directions == NULL || whitening->gains == NULL) {
        status = TOT_E_MEMORY;
    }
    if (status == TOT_OK) {
        center(&work, embeddings, whitening->mean);
        make_gram(&work);
        find_basis(&work);
        make_orthogonal(&work);
        keep(whitening, &work, floor);
    } else {
        train_whitening_free(whitening);
    }
    BASE_RELEASE(work.rows, work.gram, work.basis, work.next, work.found);
    return status;
}

// Projection of x - mean onto a direction.
static float project(const train_whitening *whitening, const float *x, const float *direction) {
    float lanes[LANES] = {0};
    float sum = 0;
    int64_t k = 0;
    for (; k + LANES <= whitening->width; k += LANES) {
        for (int lane = 0; lane < LANES; lane++) {
            lanes[lane] += (x[k + lane] - whitening->mean[k + lane]) * direction[k + lane];
        }
    }
    for (; k < whitening->width; k++) {
        sum += (x[k] - whitening->mean[k]) * direction[k];
    }
    for (int lane = 0; lane < LANES; lane++) {
        sum += lanes[lane];
    }
    return sum;
}

// The directions are orthogonal, so they can be applied one after another.
void train_whitening_apply(const train_whitening *whitening, float *embeddings, int64_t count,
                           int64_t stride) {
    for (int64_t n = 0; n < count; n++) {
        float *x = embeddings + n * stride;
        for (int k = 0; k < whitening->rank; k++) {
            const float *direction = whitening->directions + k * whitening->width;
            const float factor = (whitening->gains[k] - 1) * project(whitening, x, direction);
            for (int64_t at = 0; at < whitening->width; at++) {
                x[at] += factor * direction[at];
            }
        }
    }
}

void train_whitening_apply_views(const train_whitening *whitening, int views, float *embeddings,
                                 int64_t count) {
    for (int k = 0; k < views; k++) {
        train_whitening_apply(&whitening[k], embeddings + k * whitening[k].width, count,
                              views * whitening[k].width);
    }
}

void train_whitening_free(train_whitening *whitening) {
    BASE_RELEASE(whitening->mean, whitening->directions, whitening->gains);
    *whitening = (train_whitening){0};
}
