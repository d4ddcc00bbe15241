// SIMD vectors of eight elements for the kernels of the software renderer: compiler vectors, and
// intrinsics for instructions that the compiler does not find by itself.
#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

enum { LANES = 8 };

typedef float lanes __attribute__((vector_size(32)));
typedef int32_t lanes_i __attribute__((vector_size(32)));
typedef double lanes_d __attribute__((vector_size(64)));
typedef int64_t lanes_l __attribute__((vector_size(64)));

static inline lanes lanes_all(float value) {
    return (lanes){value, value, value, value, value, value, value, value};
}

static inline lanes_i lanes_all_i(int32_t value) {
    return (lanes_i){value, value, value, value, value, value, value, value};
}

static inline lanes_d lanes_all_d(double value) {
    return (lanes_d){value, value, value, value, value, value, value, value};
}

static inline lanes lanes_load(const float *from) {
    lanes value;
    memcpy(&value, from, sizeof value);
    return value;
}

static inline lanes_i lanes_load_i(const void *from) {
    lanes_i value;
    memcpy(&value, from, sizeof value);
    return value;
}

static inline void lanes_store(float *to, lanes value) {
    memcpy(to, &value, sizeof value);
}

static inline void lanes_store_i(void *to, lanes_i value) {
    memcpy(to, &value, sizeof value);
}

static inline lanes lanes_from_i(lanes_i value) {
    return __builtin_convertvector(value, lanes);
}

// a where the mask is set (all bits of a lane, or none), else b.
static inline lanes lanes_pick(lanes_i mask, lanes a, lanes b) {
#if defined(__AVX2__)
    return (lanes)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)mask);
#else
    return (lanes)((mask & (lanes_i)a) | (~mask & (lanes_i)b));
#endif
}

static inline lanes_i lanes_pick_i(lanes_i mask, lanes_i a, lanes_i b) {
    return (lanes_i)lanes_pick(mask, (lanes)a, (lanes)b);
}

static inline lanes lanes_least(lanes a, lanes b) {
#if defined(__AVX2__)
    return (lanes)_mm256_min_ps((__m256)a, (__m256)b);
#else
    return lanes_pick(a < b, a, b);
#endif
}

static inline lanes lanes_most(lanes a, lanes b) {
#if defined(__AVX2__)
    return (lanes)_mm256_max_ps((__m256)a, (__m256)b);
#else
    return lanes_pick(a > b, a, b);
#endif
}

static inline lanes lanes_size(lanes a) {
    return (lanes)((lanes_i)a & lanes_all_i(INT32_MAX));
}

// One bit per lane: its sign bit.
static inline int lanes_bits(lanes_i mask) {
#if defined(__AVX2__)
    return _mm256_movemask_ps((__m256)mask);
#else
    int bits = 0;
    for (int k = 0; k < LANES; k++) {
        bits |= (mask[k] < 0) << k;
    }
    return bits;
#endif
}

static inline lanes lanes_root(lanes a) {
#if defined(__AVX2__)
    return (lanes)_mm256_sqrt_ps((__m256)a);
#else
    for (int k = 0; k < LANES; k++) {
        a[k] = sqrtf(a[k]);
    }
    return a;
#endif
}

static inline lanes lanes_floor(lanes a) {
#if defined(__AVX2__)
    return (lanes)_mm256_floor_ps((__m256)a);
#else
    for (int k = 0; k < LANES; k++) {
        a[k] = floorf(a[k]);
    }
    return a;
#endif
}

// Rounds to nearest. NaN and values out of range give INT32_MIN.
static inline lanes_i lanes_round_i(lanes a) {
#if defined(__AVX2__)
    return (lanes_i)_mm256_cvtps_epi32((__m256)a);
#else
    lanes_i whole;
    for (int k = 0; k < LANES; k++) {
        whole[k] = a[k] > -2e9F && a[k] < 2e9F ? (int32_t)lrintf(a[k]) : INT32_MIN;
    }
    return whole;
#endif
}

// from[index]; every index must be valid.
static inline lanes lanes_gather(const float *from, lanes_i index) {
#if defined(__AVX2__)
    return (lanes)_mm256_i32gather_ps(from, (__m256i)index, 4);
#else
    lanes value;
    for (int k = 0; k < LANES; k++) {
        value[k] = from[index[k]];
    }
    return value;
#endif
}

static inline lanes_i lanes_gather_i(const int32_t *from, lanes_i index) {
#if defined(__AVX2__)
    return (lanes_i)_mm256_i32gather_epi32(from, (__m256i)index, 4);
#else
    lanes_i value;
    for (int k = 0; k < LANES; k++) {
        value[k] = from[index[k]];
    }
    return value;
#endif
}

// Eight bytes to eight integers.
static inline lanes_i lanes_bytes(const uint8_t *from) {
#if defined(__AVX2__)
    return (lanes_i)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)from));
#else
    lanes_i value;
    for (int k = 0; k < LANES; k++) {
        value[k] = from[k];
    }
    return value;
#endif
}

// Reads eight records of eight floats and transposes them.
static inline void lanes_transpose(const float *const from[LANES], lanes column[LANES]) {
#if defined(__AVX2__)
    __m256 r[8], s[8];
    for (int k = 0; k < 8; k += 2) {
        const __m256 a = _mm256_loadu_ps(from[k]), b = _mm256_loadu_ps(from[k + 1]);
        r[k] = _mm256_unpacklo_ps(a, b);
        r[k + 1] = _mm256_unpackhi_ps(a, b);
    }
    for (int k = 0; k < 8; k += 4) {
        s[k] = _mm256_shuffle_ps(r[k], r[k + 2], 0x44);
        s[k + 1] = _mm256_shuffle_ps(r[k], r[k + 2], 0xEE);
        s[k + 2] = _mm256_shuffle_ps(r[k + 1], r[k + 3], 0x44);
        s[k + 3] = _mm256_shuffle_ps(r[k + 1], r[k + 3], 0xEE);
    }
    for (int k = 0; k < 4; k++) {
        column[k] = (lanes)_mm256_permute2f128_ps(s[k], s[k + 4], 0x20);
        column[k + 4] = (lanes)_mm256_permute2f128_ps(s[k], s[k + 4], 0x31);
    }
#else
    for (int k = 0; k < LANES; k++) {
        for (int j = 0; j < LANES; j++) {
            column[j][k] = from[k][j];
        }
    }
#endif
}

// 2^a, and log2(a) for positive a, with a relative error of about 1e-5: far below the resolution of
// an 8-bit colour.
static inline lanes lanes_exp2(lanes a) {
    a = lanes_least(lanes_most(a, lanes_all(-126)), lanes_all(126));
    const lanes whole = lanes_floor(a);
    const lanes part = a - whole;
    const lanes scale = (lanes)((lanes_round_i(whole) + 127) << 23);
    lanes curve = 0.01368647F * part + 0.05175228F;
    curve = curve * part + 0.2415656F;
    curve = curve * part + 0.69299566F;
    curve = curve * part + 1;
    return curve * scale;
}

static inline lanes lanes_log2(lanes a) {
    const lanes_i bits = (lanes_i)a;
    const lanes exponent = lanes_from_i((bits >> 23) - 127);
    const lanes part = (lanes)((bits & 0x7FFFFF) | 0x3F800000) - 1;
    lanes curve = -0.02512557F * part + 0.11938141F;
    curve = curve * part - 0.27483232F;
    curve = curve * part + 0.45574293F;
    curve = curve * part - 0.71766813F;
    curve = curve * part + 1.44250168F;
    return exponent + curve * part;
}

// a^b for a >= 0. 0^0 is 1, as in OpenGL.
static inline lanes lanes_power(lanes a, float b) {
    return lanes_exp2(lanes_all(b) * lanes_log2(lanes_most(a, lanes_all(1e-30F))));
}
