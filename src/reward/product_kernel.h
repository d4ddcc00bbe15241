// The functions of product.h, written once with the compiler's vector types. The including file
// sets PRODUCT_TABLE (the name of its table) and PRODUCT_BYTES (the size of a vector register).
#include <string.h>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "reward/product.h"

enum { FLUSH_VECTORS = 64 };

#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 4")
#endif

// Three functions per element type and measure: NAME_tile computes a 4 x 3 tile, NAME_full does the
// same for full-length packed rows, where the constant length saves registers, and NAME loops over
// the rows of b.
#define DEFINE_PRODUCT(NAME, TYPE, VECTOR, FULL, ACCUMULATE)                                       \
    __attribute__((always_inline)) static inline void NAME##_tile(                                 \
        const TYPE *a, const TYPE *b, double *out, size_t stride, size_t length,                   \
        const char *next_a, const char *next_b) {                                                  \
        enum { LANES = (int)(sizeof(VECTOR) / sizeof(TYPE)) };                                     \
        doubles4 totals[REWARD_TILE_COLS] = {{0}};                                                 \
        for (size_t start = 0; start < length; start += (size_t)FLUSH_VECTORS * LANES) {           \
            size_t end = start + (size_t)FLUSH_VECTORS * LANES;                                    \
            end = end < length ? end : length;                                                     \
            VECTOR sums[REWARD_TILE_ROWS][REWARD_TILE_COLS] = {{{0}}};                             \
            for (size_t k = start; k < end; k += LANES) {                                          \
                __builtin_prefetch(next_a + k * sizeof(TYPE) / 2, 0, 2);                           \
                __builtin_prefetch(next_b + k * sizeof(TYPE) / 2, 0, 2);                           \
                VECTOR y[REWARD_TILE_COLS];                                                        \
                UNROLL                                                                             \
                for (size_t c = 0; c < REWARD_TILE_COLS; c++) {                                    \
                    y[c] = *(const VECTOR *)(b + c * length + k);                                  \
                }                                                                                  \
                UNROLL                                                                             \
                for (size_t r = 0; r < REWARD_TILE_ROWS; r++) {                                    \
                    VECTOR x = *(const VECTOR *)(a + r * length + k);                              \
                    UNROLL                                                                         \
                    for (size_t c = 0; c < REWARD_TILE_COLS; c++) {                                \
                        ACCUMULATE(sums[r][c], x, y[c]);                                           \
                    }                                                                              \
                }                                                                                  \
            }                                                                                      \
            UNROLL                                                                                 \
            for (size_t c = 0; c < REWARD_TILE_COLS; c++) {                                        \
                totals[c] += sum_##TYPE(sums[0][c], sums[1][c], sums[2][c], sums[3][c]);           \
            }                                                                                      \
        }                                                                                          \
        for (size_t row = 0; row < REWARD_TILE_ROWS; row++) {                                      \
            for (size_t c = 0; c < REWARD_TILE_COLS; c++) {                                        \
                out[row * stride + c] = totals[c][row];                                            \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    __attribute__((noinline)) static void NAME##_full(const TYPE *a, const TYPE *b, double *out,   \
                                                      size_t stride, const char *next_a,           \
                                                      const char *next_b) {                        \
        NAME##_tile(a, b, out, stride, FULL, next_a, next_b);                                      \
    }                                                                                              \
                                                                                                   \
    static void NAME(const TYPE *a, const TYPE *b, size_t cols, size_t length, double *out,        \
                     const reward_prefetch *ahead) {                                               \
        for (size_t j = 0; j < cols; j += REWARD_TILE_COLS) {                                      \
            size_t tile = j / REWARD_TILE_COLS;                                                    \
            const char *next_a =                                                                   \
                ahead->episode[tile < REWARD_PREFETCH ? tile : REWARD_PREFETCH - 1];               \
            const char *next_b = ahead->demo[tile < REWARD_PREFETCH ? tile : REWARD_PREFETCH - 1]; \
            if (length == FULL) {                                                                  \
                NAME##_full(a, b + j * FULL, out + j, cols, next_a, next_b);                       \
            } else {                                                                               \
                NAME##_tile(a, b + j * length, out + j, cols, length, next_a, next_b);             \
            }                                                                                      \
        }                                                                                          \
    }

#define DEFINE_SQUARE(NAME, TYPE, VECTOR)                                             \
    static double NAME(const TYPE *a, size_t length) {                                \
        enum { LANES = (int)(sizeof(VECTOR) / sizeof(TYPE)) };                        \
        double total = 0;                                                             \
        for (size_t start = 0; start < length; start += 4 * LANES) {                  \
            VECTOR s = {0};                                                           \
            for (size_t k = start; k < start + 4 * LANES && k < length; k += LANES) { \
                VECTOR x = *(const VECTOR *)(a + k);                                  \
                ADD_PRODUCT(s, x, x);                                                 \
            }                                                                         \
            total += sum_##TYPE(s, s, s, s)[0];                                       \
        }                                                                             \
        return total;                                                                 \
    }

#define ADD_PRODUCT(sum, x, y)            ((sum) += (x) * (y))
#define ADD_SQUARED_DIFFERENCE(sum, x, y) ((sum) += ((x) - (y)) * ((x) - (y)))

typedef float vector_f32 __attribute__((vector_size(PRODUCT_BYTES)));
typedef double vector_f64 __attribute__((vector_size(PRODUCT_BYTES)));
typedef double doubles4 __attribute__((vector_size(32)));

// sum_TYPE: the horizontal sums of four vectors, in float64.
#if defined(__AVX2__)
#if defined(__AVX512F__)
static inline __m256d fold_halves(__m512d x) {
    return _mm256_add_pd(_mm512_castpd512_pd256(x), _mm512_extractf64x4_pd(x, 1));
}

static inline __m256d fold_double(vector_f64 x) {
    return fold_halves((__m512d)x);
}

static inline __m256d fold_float(vector_f32 x) {
    __m512 lanes = (__m512)x;
    return fold_halves(_mm512_add_pd(_mm512_cvtps_pd(_mm512_castps512_ps256(lanes)),
                                     _mm512_cvtps_pd(_mm512_extractf32x8_ps(lanes, 1))));
}
#else
static inline __m256d fold_double(vector_f64 x) {
    return (__m256d)x;
}

static inline __m256d fold_float(vector_f32 x) {
    __m256 lanes = (__m256)x;
    return _mm256_add_pd(_mm256_cvtps_pd(_mm256_castps256_ps128(lanes)),
                         _mm256_cvtps_pd(_mm256_extractf128_ps(lanes, 1)));
}
#endif

static inline doubles4 sum_folded(__m256d a, __m256d b, __m256d c, __m256d d) {
    __m256d ab = _mm256_hadd_pd(a, b);
    __m256d cd = _mm256_hadd_pd(c, d);
    return (doubles4)_mm256_add_pd(_mm256_permute2f128_pd(ab, cd, 0x20),
                                   _mm256_permute2f128_pd(ab, cd, 0x31));
}

static inline doubles4 sum_float(vector_f32 a, vector_f32 b, vector_f32 c, vector_f32 d) {
    return sum_folded(fold_float(a), fold_float(b), fold_float(c), fold_float(d));
}

static inline doubles4 sum_double(vector_f64 a, vector_f64 b, vector_f64 c, vector_f64 d) {
    return sum_folded(fold_double(a), fold_double(b), fold_double(c), fold_double(d));
}
#else
#define DEFINE_SUM(TYPE, VECTOR)                                                               \
    static inline double lanes_##TYPE(VECTOR x) {                                              \
        double total = 0;                                                                      \
        for (size_t k = 0; k < sizeof x / sizeof(TYPE); k++) {                                 \
            total += (double)x[k];                                                             \
        }                                                                                      \
        return total;                                                                          \
    }                                                                                          \
    static inline doubles4 sum_##TYPE(VECTOR a, VECTOR b, VECTOR c, VECTOR d) {                \
        return (doubles4){lanes_##TYPE(a), lanes_##TYPE(b), lanes_##TYPE(c), lanes_##TYPE(d)}; \
    }
DEFINE_SUM(float, vector_f32)
DEFINE_SUM(double, vector_f64)
#endif

DEFINE_PRODUCT(dot_f32, float, vector_f32, REWARD_PACK_F32, ADD_PRODUCT)
DEFINE_PRODUCT(dot_f64, double, vector_f64, REWARD_PACK_F64, ADD_PRODUCT)
DEFINE_PRODUCT(distance_f32, float, vector_f32, REWARD_PACK_F32, ADD_SQUARED_DIFFERENCE)
DEFINE_PRODUCT(distance_f64, double, vector_f64, REWARD_PACK_F64, ADD_SQUARED_DIFFERENCE)
DEFINE_SQUARE(square_f32, float, vector_f32)
DEFINE_SQUARE(square_f64, double, vector_f64)

const reward_product PRODUCT_TABLE = {BASE_KERNEL_KIND, dot_f32,    dot_f64,   distance_f32,
                                      distance_f64,     square_f32, square_f64};
