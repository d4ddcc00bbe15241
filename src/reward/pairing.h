// One episode against one demonstration: what every reward works on.
#pragma once

#include "reward/demos.h"
#include "reward/shape.h"
#include "reward/sinkhorn.h"

typedef struct reward_pairing {
    const reward_demo *demo;
    reward_shape shape;  // where cost and plan have entries
    reward_shape base;   // where the frame-to-frame cost is needed for that
    double *sums;        // [slices][base entries] products; slice 0 becomes the frame-to-frame cost
    double *cost;        // [shape entries] context cost
    double *plan;        // [shape entries] of transport methods
    double *table;       // [shape entries] of methods that fill a table (dtw, soft-dtw, orca)
    double *rewards;     // [rows]
    size_t sums_capacity;
    size_t cost_capacity;
    size_t plan_capacity;
    size_t table_capacity;
    size_t rewards_capacity;
    reward_shape mask;  // what is inside a causal or dynamic mask (the shape is dense then)
    bool masked;        // mask is in use
    reward_sinkhorn sinkhorn;
    tot_label_info info;
} reward_pairing;

// Context cost at (i, j), infinite outside the mask: for methods that must not step there.
double reward_pairing_cost(const reward_pairing *pairing, int64_t i, int64_t j);

void reward_pairing_free(reward_pairing *pairing);
