// The internals of tot_demos: per-demonstration data that the cost needs, computed once.
#pragma once

#include <stdatomic.h>

#include <temporalot/reward.h>

#include "reward/product.h"

typedef struct reward_demo {
    int64_t steps;
    int64_t width;
    bool exact;     // packed as float64: float64 input, or narrow enough for float64 to be cheap
    bool single;    // the input was float32
    size_t length;  // elements per packed row
    size_t row_bytes;
    char *packed;       // [chunks][steps] packed rows (see product.h), then one tile of zero rows
    double *norms;      // [steps]
    int64_t zero_step;  // first all-zero frame, or -1
    bool narrow;        // all norms are in the range that float32 sums can represent
    char *name;
} reward_demo;

struct tot_demos {
    atomic_int users;  // reference count: the caller and every labeler; see tot_demos_free
    reward_demo *items;
    size_t count;
    size_t capacity;
};

// Takes a reference, released by tot_demos_free. No demonstration can be added while it is held.
tot_demos *reward_demos_use(const tot_demos *demos);

// Below this width float64 is cheap, and the error of float32 sums would be noticeable.
enum { REWARD_EXACT_WIDTH = 32768 };

// Pointer to packed row `row` of the chunk that contains `column`; the chunk's next rows follow.
static inline const char *reward_demo_rows(const reward_demo *demo, int64_t column, int64_t row) {
    size_t chunk = (size_t)column / demo->length;
    return demo->packed + (chunk * (size_t)demo->steps + (size_t)row) * demo->row_bytes;
}

// Whether the square of this norm neither overflows nor underflows in a float32 sum.
static inline bool reward_norm_is_narrow(double norm) {
    return norm > 1e-10 && norm < 1e10;
}

// One element of a trajectory as float64.
static inline double reward_value_at(const tot_embeddings *frames, int64_t step, int64_t column) {
    const size_t at = (size_t)step * (size_t)frames->width + (size_t)column;
    return frames->type == TOT_F32 ? (double)((const float *)frames->data)[at]
                                   : ((const double *)frames->data)[at];
}

// Writes one packed row: elements of `step` starting at `column`, as float64 if exact, otherwise as
// float32 (the frames must then be float32). The rest of the row is zero-padded.
void reward_pack_row(void *out, const tot_embeddings *frames, int64_t step, int64_t column,
                     bool exact);

// Whether frames are transformed before comparison: centred, or split into several views.
bool reward_prepares(const tot_reward_config *config);

// prepared: transformed copy of the demonstrations. center: [width], subtracted from every frame,
// allocated with base_alloc; all zero when the config does not centre.
tot_status reward_prepare_demos(tot_demos **prepared, double **center, const tot_demos *demos,
                                const tot_reward_config *config);

// Transforms frame ([width]) in place.
void reward_prepare_frame(double *frame, int64_t width, const double *center,
                          const tot_reward_config *config);

// Fails with TOT_E_VALUE naming the step and column of the first NaN or infinity. If all values are
// finite, a norm overflowed: TOT_E_VALUE naming `step`.
tot_status reward_embeddings_refuse(const tot_embeddings *frames, int64_t step, const char *name);

// TOT_E_SHAPE for zero steps, zero width, an unsupported type or too many steps.
tot_status reward_embeddings_check(const tot_embeddings *frames, const char *name);
