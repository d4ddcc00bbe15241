// The few numpy and scipy functions used by Meta-world, in their order of operations, so that
// results are bit-identical.
#pragma once

#include <math.h>

// numpy.clip
static inline double world_clip(double value, double low, double high) {
    value = value < low ? low : value;
    return value > high ? high : value;
}

// out = a + (x, y, z)
static inline void world_shift(double *out, const double *a, double x, double y, double z) {
    out[0] = a[0] + x;
    out[1] = a[1] + y;
    out[2] = a[2] + z;
}

static inline void world_copy3(double *out, const double *a) {
    out[0] = a[0];
    out[1] = a[1];
    out[2] = a[2];
}

static inline void world_set3(double *out, double x, double y, double z) {
    out[0] = x;
    out[1] = y;
    out[2] = z;
}

static inline void world_copy4(double *out, const double *a) {
    world_copy3(out, a);
    out[3] = a[3];
}

// numpy.linalg.norm of two, three and four values. It uses the dot product of OpenBLAS, which sums
// so few values in order with all kernels except those for AVX-512 (they use FMA): parity tests
// select the Haswell kernel.
static inline double world_norm2(double x, double y) {
    return sqrt(x * x + y * y);
}

static inline double world_norm3(double x, double y, double z) {
    return sqrt(x * x + y * y + z * z);
}

static inline double world_norm4(double x, double y, double z, double w) {
    return sqrt(x * x + y * y + z * z + w * w);
}

// numpy.linalg.norm(a[:2] - b[:2])
static inline double world_distance2(const double *a, const double *b) {
    return world_norm2(a[0] - b[0], a[1] - b[1]);
}

// numpy.linalg.norm(a[[0, 2]] - b[[0, 2]])
static inline double world_distance_xz(const double *a, const double *b) {
    return world_norm2(a[0] - b[0], a[2] - b[2]);
}

// numpy.linalg.norm(a - b)
static inline double world_distance3(const double *a, const double *b) {
    return world_norm3(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

// numpy.linalg.norm((a - b) * scale)
static inline double world_distance_scaled(const double *a, const double *b, const double *scale) {
    return world_norm3((a[0] - b[0]) * scale[0], (a[1] - b[1]) * scale[1],
                       (a[2] - b[2]) * scale[2]);
}

// scipy's Rotation.from_matrix(m).as_quat(): m is a rotation matrix, row-major; q is x, y, z, w.
static inline void world_quaternion(double *q, const double *m) {
    const double trace = m[0] + m[4] + m[8];
    int largest = 0;
    for (int k = 1; k < 3; k++) {
        if (m[4 * k] > m[4 * largest]) {
            largest = k;
        }
    }
    if (trace > m[4 * largest]) {
        q[0] = m[7] - m[5];
        q[1] = m[2] - m[6];
        q[2] = m[3] - m[1];
        q[3] = 1 + trace;
    } else {
        const int i = largest;
        const int j = (i + 1) % 3;
        const int k = (j + 1) % 3;
        q[i] = 1 - trace + 2 * m[4 * i];
        q[j] = m[3 * j + i] + m[3 * i + j];
        q[k] = m[3 * k + i] + m[3 * i + k];
        q[3] = m[3 * k + j] - m[3 * j + k];
    }
    const double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4; k++) {
        q[k] /= norm;
    }
}
