// The inside of tot_demos: what the cost needs of a demonstration, computed once.
#pragma once

#include <stdatomic.h>

#include <temporalot/reward.h>

#include "reward/product.h"

typedef struct reward_demo {
    int64_t steps;
    int64_t width;
    bool exact;     // packed as float64: the input was, or it is narrow enough to be cheap
    bool single;    // the input was float32
    size_t length;  // numbers in a packed row
    size_t row_bytes;
    char *packed;       // [chunks][steps] packed rows, see product.h, and a few zero rows behind
    double *norms;      // [steps]
    int64_t zero_step;  // first all-zero frame, or -1
    bool narrow;        // norms are within what float32 sums can hold
    char *name;
} reward_demo;

struct tot_demos {
    atomic_int users;  // who has still to call tot_demos_free: the caller, and every labeler
    reward_demo *items;
    size_t count;
    size_t capacity;
};

// Holds the demonstrations until tot_demos_free, and keeps others from being added.
tot_demos *reward_demos_use(const tot_demos *demos);

// Below this width float64 is cheap, and the error of float32 sums would show.
enum { REWARD_EXACT_WIDTH = 32768 };

// The packed rows of the chunk that begins with this column, `row` first.
static inline const char *reward_demo_rows(const reward_demo *demo, int64_t column, int64_t row) {
    size_t chunk = (size_t)column / demo->length;
    return demo->packed + (chunk * (size_t)demo->steps + (size_t)row) * demo->row_bytes;
}

// Norms whose squares a sum in float32 neither overflows nor loses.
static inline bool reward_norm_is_narrow(double norm) {
    return norm > 1e-10 && norm < 1e10;
}

// One number of a trajectory.
static inline double reward_value_at(const tot_embeddings *frames, int64_t step, int64_t column) {
    const size_t at = (size_t)step * (size_t)frames->width + (size_t)column;
    return frames->type == TOT_F32 ? (double)((const float *)frames->data)[at]
                                   : ((const double *)frames->data)[at];
}

// One packed row: the numbers of a step from `column` on, as float64 when exact (else the frames
// are float32), the rest of the row zero.
void reward_pack_row(void *out, const tot_embeddings *frames, int64_t step, int64_t column,
                     bool exact);

// Whether frames are changed before they are compared: centred, or made of several views.
bool reward_prepares(const tot_reward_config *config);

// A copy of the demonstrations made ready, and what is taken from every frame: [width], from
// base_alloc; zeros where the config does not centre.
tot_status reward_prepare_demos(tot_demos **prepared, double **center, const tot_demos *demos,
                                const tot_reward_config *config);

// frame: [width], made ready in place.
void reward_prepare_frame(double *frame, int64_t width, const double *center,
                          const tot_reward_config *config);

// The first NaN or infinity of the trajectory as a TOT_E_VALUE that names step and column; where
// there is none, a norm overflowed: TOT_E_VALUE that names `step`.
tot_status reward_embeddings_refuse(const tot_embeddings *frames, int64_t step, const char *name);

// TOT_E_SHAPE for no steps, no width, a type that is not read, or too many steps.
tot_status reward_embeddings_check(const tot_embeddings *frames, const char *name);
