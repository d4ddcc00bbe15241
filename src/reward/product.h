// Products of packed rows: the inner loops of the cost, one set of functions per CPU kind.
//
// Packed rows are contiguous, `length` elements each: REWARD_PACK_F32 or REWARD_PACK_F64 (2 KB),
// or, for narrower frames, the width rounded up to a multiple of 16. Short rows are zero-padded.
// Partial float32 sums are added to a float64 accumulator every 64 vectors, which keeps the
// relative error of a sum near 1e-9, independent of the width.
#pragma once

#include "base/kernels.h"

enum {
    REWARD_PACK_BYTES = 2048,  // the longest packed row
    REWARD_PACK_F32 = 512,
    REWARD_PACK_F64 = 256,
    REWARD_TILE_ROWS = 4,  // rows of a per call
    REWARD_TILE_COLS = 3,  // the number of rows of b must be a multiple of this
    REWARD_PREFETCH = 8,
};

// Elements per packed row for frames of this width; exact selects float64.
static inline size_t reward_pack_length(int64_t width, bool exact) {
    size_t most = exact ? REWARD_PACK_F64 : REWARD_PACK_F32;
    return width < (int64_t)most ? ((size_t)width + 15) / 16 * 16 : most;
}

// Data to be packed next, prefetched into the cache while tiles are multiplied: tile t of a call
// prefetches 1024 bytes at episode[t] and at demo[t]; tiles past the last repeat it.
typedef struct reward_prefetch {
    const char *episode[REWARD_PREFETCH];
    const char *demo[REWARD_PREFETCH];
} reward_prefetch;

typedef struct reward_product {
    const char *kind;  // CPU kind: BASE_KERNEL_KIND
    // out is (4, cols): dot products of four rows of a with every row of b
    void (*dot_f32)(const float *a, const float *b, size_t cols, size_t length, double *out,
                    const reward_prefetch *ahead);
    void (*dot_f64)(const double *a, const double *b, size_t cols, size_t length, double *out,
                    const reward_prefetch *ahead);
    // same, with sums of squared differences
    void (*distance_f32)(const float *a, const float *b, size_t cols, size_t length, double *out,
                         const reward_prefetch *ahead);
    void (*distance_f64)(const double *a, const double *b, size_t cols, size_t length, double *out,
                         const reward_prefetch *ahead);
    // sum of squares of one row
    double (*square_f32)(const float *a, size_t length);
    double (*square_f64)(const double *a, size_t length);
} reward_product;

extern const reward_product reward_product_portable;
#if defined(__x86_64__)
extern const reward_product reward_product_avx2;
extern const reward_product reward_product_avx512;
#endif

// The functions for this CPU.
static inline const reward_product *reward_product_get(void) {
    return BASE_KERNELS_GET(reward_product);
}
