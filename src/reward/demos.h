// The inside of tot_demos: what the cost needs of a demonstration, computed once.
#ifndef TOT_REWARD_DEMOS_H
#define TOT_REWARD_DEMOS_H

#include <temporalot/reward.h>

typedef struct tot_demo {
    tot_embeddings frames;  // data is owned
    double *norms;          // [steps]
    int64_t zero_step;      // first all-zero frame, or -1
    bool narrow;            // norms are within what float32 sums can hold
    char *name;
} tot_demo;

struct tot_demos {
    tot_demo *items;
    size_t count;
    size_t capacity;
};

// Norms whose squares a sum in float32 neither overflows nor loses.
static inline bool tot_norm_is_narrow(double norm) {
    return norm > 1e-10 && norm < 1e10;
}

// The first NaN or infinity of the trajectory as a TOT_E_VALUE that names step and column; where
// there is none, a norm overflowed: TOT_E_VALUE that names `step`.
tot_status tot_embeddings_refuse(const tot_embeddings *frames, int64_t step, const char *name);

// TOT_E_SHAPE for no steps, no width, a type that is not read, or too many steps.
tot_status tot_embeddings_check(const tot_embeddings *frames, const char *name);

#endif
