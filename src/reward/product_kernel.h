// The functions of product.h, written once with the compiler's vector types. The including file
// sets PRODUCT_TABLE (the name of its table) and PRODUCT_BYTES (the size of a vector register).
#include <string.h>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "reward/product.h"

enum { FLUSH_VECTORS = 32 };

// One pair of functions for each number type and measure:
// TILE computes a 4 x 3 tile, the function around it walks over the rows of b.
#define DEFINE_PRODUCT(NAME, TYPE, VECTOR, LENGTH, ACCUMULATE)                                   \
    __attribute__((noinline)) static void NAME##_tile(const TYPE *a, const TYPE *b, double *out, \
                                                      size_t stride, const char *next_a,         \
                                                      const char *next_b) {                      \
        enum { LANES = (int)(sizeof(VECTOR) / sizeof(TYPE)) };                                   \
        double total[TOT_TILE_ROWS][TOT_TILE_COLS] = {{0}};                                      \
        for (size_t start = 0; start < LENGTH; start += (size_t)FLUSH_VECTORS * LANES) {         \
            size_t end = start + (size_t)FLUSH_VECTORS * LANES;                                  \
            if (end > LENGTH) {                                                                  \
                end = LENGTH;                                                                    \
            }                                                                                    \
            VECTOR s00 = {0}, s01 = {0}, s02 = {0}, s10 = {0}, s11 = {0}, s12 = {0};             \
            VECTOR s20 = {0}, s21 = {0}, s22 = {0}, s30 = {0}, s31 = {0}, s32 = {0};             \
            for (size_t k = start; k < end; k += LANES) {                                        \
                __builtin_prefetch(next_a + k * sizeof(TYPE) / 2, 0, 2);                         \
                __builtin_prefetch(next_b + k * sizeof(TYPE) / 2, 0, 2);                         \
                VECTOR b0 = *(const VECTOR *)(b + k);                                            \
                VECTOR b1 = *(const VECTOR *)(b + LENGTH + k);                                   \
                VECTOR b2 = *(const VECTOR *)(b + 2 * LENGTH + k);                               \
                VECTOR x = *(const VECTOR *)(a + k);                                             \
                ACCUMULATE(s00, x, b0);                                                          \
                ACCUMULATE(s01, x, b1);                                                          \
                ACCUMULATE(s02, x, b2);                                                          \
                x = *(const VECTOR *)(a + LENGTH + k);                                           \
                ACCUMULATE(s10, x, b0);                                                          \
                ACCUMULATE(s11, x, b1);                                                          \
                ACCUMULATE(s12, x, b2);                                                          \
                x = *(const VECTOR *)(a + 2 * LENGTH + k);                                       \
                ACCUMULATE(s20, x, b0);                                                          \
                ACCUMULATE(s21, x, b1);                                                          \
                ACCUMULATE(s22, x, b2);                                                          \
                x = *(const VECTOR *)(a + 3 * LENGTH + k);                                       \
                ACCUMULATE(s30, x, b0);                                                          \
                ACCUMULATE(s31, x, b1);                                                          \
                ACCUMULATE(s32, x, b2);                                                          \
            }                                                                                    \
            total[0][0] += sum_##TYPE(s00);                                                      \
            total[0][1] += sum_##TYPE(s01);                                                      \
            total[0][2] += sum_##TYPE(s02);                                                      \
            total[1][0] += sum_##TYPE(s10);                                                      \
            total[1][1] += sum_##TYPE(s11);                                                      \
            total[1][2] += sum_##TYPE(s12);                                                      \
            total[2][0] += sum_##TYPE(s20);                                                      \
            total[2][1] += sum_##TYPE(s21);                                                      \
            total[2][2] += sum_##TYPE(s22);                                                      \
            total[3][0] += sum_##TYPE(s30);                                                      \
            total[3][1] += sum_##TYPE(s31);                                                      \
            total[3][2] += sum_##TYPE(s32);                                                      \
        }                                                                                        \
        for (size_t row = 0; row < TOT_TILE_ROWS; row++) {                                       \
            memcpy(out + row * stride, total[row], sizeof total[row]);                           \
        }                                                                                        \
    }                                                                                            \
                                                                                                 \
    static void NAME(const TYPE *a, const TYPE *b, size_t cols, double *out,                     \
                     const tot_ahead *ahead) {                                                   \
        for (size_t j = 0; j < cols; j += TOT_TILE_COLS) {                                       \
            size_t next = j / TOT_TILE_COLS < TOT_AHEAD ? j / TOT_TILE_COLS : TOT_AHEAD - 1;     \
            NAME##_tile(a, b + j * LENGTH, out + j, cols, ahead->episode[next],                  \
                        ahead->demo[next]);                                                      \
        }                                                                                        \
    }

#define DEFINE_SQUARE(NAME, TYPE, VECTOR, LENGTH)                       \
    static double NAME(const TYPE *a) {                                 \
        enum { LANES = (int)(sizeof(VECTOR) / sizeof(TYPE)) };          \
        double total = 0;                                               \
        for (size_t start = 0; start < LENGTH; start += 4 * LANES) {    \
            VECTOR s = {0};                                             \
            for (size_t k = start; k < start + 4 * LANES; k += LANES) { \
                VECTOR x = *(const VECTOR *)(a + k);                    \
                ADD_PRODUCT(s, x, x);                                   \
            }                                                           \
            total += sum_##TYPE(s);                                     \
        }                                                               \
        return total;                                                   \
    }

#define ADD_PRODUCT(sum, x, y)            ((sum) += (x) * (y))
#define ADD_SQUARED_DIFFERENCE(sum, x, y) ((sum) += ((x) - (y)) * ((x) - (y)))

typedef float vector_f32 __attribute__((vector_size(PRODUCT_BYTES)));
typedef double vector_f64 __attribute__((vector_size(PRODUCT_BYTES)));
typedef float half_f32 __attribute__((vector_size(PRODUCT_BYTES / 2)));

static inline double sum_double(vector_f64 lanes) {
    enum { LANES = (int)(sizeof lanes / sizeof(double)) };
    double total = 0;
    for (int k = 0; k < LANES; k++) {
        total += lanes[k];
    }
    return total;
}

#if defined(__AVX2__)
// the compiler's own conversion goes through memory
static inline double sum_float(vector_f32 lanes) {
    double total = 0;
    for (size_t part = 0; part < sizeof lanes / 32; part++) {
        __m256 eight;
        memcpy(&eight, (const char *)&lanes + 32 * part, sizeof eight);
        __m256d four = _mm256_add_pd(_mm256_cvtps_pd(_mm256_castps256_ps128(eight)),
                                     _mm256_cvtps_pd(_mm256_extractf128_ps(eight, 1)));
        __m128d two = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
        total += _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
    }
    return total;
}
#else
static inline double sum_float(vector_f32 lanes) {
    half_f32 low, high;
    memcpy(&low, &lanes, sizeof low);
    memcpy(&high, (const char *)&lanes + sizeof low, sizeof high);
    return sum_double(__builtin_convertvector(low, vector_f64) +
                      __builtin_convertvector(high, vector_f64));
}
#endif

DEFINE_PRODUCT(dot_f32, float, vector_f32, TOT_PACK_F32, ADD_PRODUCT)
DEFINE_PRODUCT(dot_f64, double, vector_f64, TOT_PACK_F64, ADD_PRODUCT)
DEFINE_PRODUCT(distance_f32, float, vector_f32, TOT_PACK_F32, ADD_SQUARED_DIFFERENCE)
DEFINE_PRODUCT(distance_f64, double, vector_f64, TOT_PACK_F64, ADD_SQUARED_DIFFERENCE)
DEFINE_SQUARE(square_f32, float, vector_f32, TOT_PACK_F32)
DEFINE_SQUARE(square_f64, double, vector_f64, TOT_PACK_F64)

const tot_product PRODUCT_TABLE = {dot_f32,      dot_f64,    distance_f32,
                                   distance_f64, square_f32, square_f64};
