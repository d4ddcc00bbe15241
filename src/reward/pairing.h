// One episode paired with one demonstration: the input and output of every reward method.
#pragma once

#include "reward/demos.h"
#include "reward/shape.h"
#include "reward/sinkhorn.h"

typedef struct reward_pairing {
    const reward_demo *demo;
    reward_shape shape;  // entries of cost and plan
    reward_shape base;   // entries of the frame-to-frame cost that the context cost needs
    double *sums;        // [slices][base entries] products; slice 0 becomes the frame-to-frame cost
    double *cost;        // [shape entries] context cost
    double *plan;        // [shape entries], transport methods only
    double *table;       // dtw [shape entries], soft-dtw [2][shape entries], orca [cols]
    double *rewards;     // [rows]
    size_t sums_capacity;
    size_t cost_capacity;
    size_t plan_capacity;
    size_t table_capacity;
    size_t rewards_capacity;
    reward_shape mask;  // columns inside the causal or dynamic mask (shape is dense then)
    bool masked;        // mask is in use
    reward_sinkhorn sinkhorn;
    tot_label_info info;
} reward_pairing;

// Context cost at (i, j), infinite outside the mask, for methods with a hard mask.
double reward_pairing_cost(const reward_pairing *pairing, int64_t i, int64_t j);

void reward_pairing_free(reward_pairing *pairing);
