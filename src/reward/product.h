// Products of packed rows: the inner loops of the cost, one set of functions per CPU kind.
//
// Packed rows stand behind each other, `length` numbers each: REWARD_PACK_F32 or REWARD_PACK_F64 (2
// KB), or for frames that are narrower the width rounded up to 16; the rest of a short row is zero.
// float32 sums are handed over to float64 every 64 vectors, so that the error of a sum stays near
// 1e-9 of its size and does not grow with the width.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    REWARD_PACK_BYTES = 2048,  // the longest packed row
    REWARD_PACK_F32 = 512,
    REWARD_PACK_F64 = 256,
    REWARD_TILE_ROWS = 4,  // rows of a that a call takes
    REWARD_TILE_COLS = 3,  // the number of rows of b is a multiple of this
    REWARD_PREFETCH = 8,
};

// Numbers in a packed row of frames of this width, as float64 when exact.
static inline size_t reward_pack_length(int64_t width, bool exact) {
    size_t most = exact ? REWARD_PACK_F64 : REWARD_PACK_F32;
    return width < (int64_t)most ? ((size_t)width + 15) / 16 * 16 : most;
}

// What will be packed next, fetched into the cache while tiles are multiplied: tile t of a call
// fetches 1024 bytes at episode[t] and at demo[t]; tiles past the last repeat it.
typedef struct reward_prefetch {
    const char *episode[REWARD_PREFETCH];
    const char *demo[REWARD_PREFETCH];
} reward_prefetch;

typedef struct reward_product {
    const char *kind;  // of CPU: BASE_KERNEL_KIND
    // out is (4, cols): the products of four rows of a with every row of b
    void (*dot_f32)(const float *a, const float *b, size_t cols, size_t length, double *out,
                    const reward_prefetch *ahead);
    void (*dot_f64)(const double *a, const double *b, size_t cols, size_t length, double *out,
                    const reward_prefetch *ahead);
    // the same with the sum of squared differences
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

// Those of this CPU.
const reward_product *reward_product_get(void);
