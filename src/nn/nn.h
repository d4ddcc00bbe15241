// The station's own view of a tot_nn: the pool, the vector code for this CPU, and a worker's
// memory.
#ifndef TOT_NN_NN_H
#define TOT_NN_NN_H

#include <temporalot/nn.h>

#include "nn/kernels.h"

// A packed block of a (TOT_BLOCK_ROWS x TOT_BLOCK_DEPTH) stays in the second level cache while the
// panels of b go past it, each of which stays in the first level for all rows of the block.
enum {
    TOT_BLOCK_DEPTH = 384,
    TOT_BLOCK_COLUMNS = 1024,
    TOT_BLOCK_ROWS = 240,
};

typedef struct tot_nn_worker {
    float *a;  // [TOT_BLOCK_ROWS][TOT_BLOCK_DEPTH], packed
    float *b;  // [TOT_BLOCK_COLUMNS / TOT_PANEL][TOT_BLOCK_DEPTH][TOT_PANEL], packed
} tot_nn_worker;

struct tot_nn {
    tot_pool *pool;
    int threads;
    const tot_kernels *kernels;
    tot_nn_worker *workers;  // [threads]
    float *memory;           // of all workers
};

// tot_multiply with what may follow it: c = max(0, a b + bias). bias: [columns] or NULL.
void tot_multiply_then(tot_nn *nn, const tot_matmul *product, const float *bias, bool relu);

// dy is made the gradient before the activation; bias (may be NULL) gets its sum over the batch.
void tot_activation_backward(tot_nn *nn, tot_activation activation, int64_t batch, int64_t columns,
                             int64_t stride, const float *y, float *dy, float *bias,
                             bool accumulate);

// Runs a job that cannot fail.
void tot_nn_run(tot_nn *nn, size_t count, tot_job job, void *context);

// Cuts length into `parts` pieces that are multiples of unit, but for the last: where piece k
// begins. parts itself ends the last one.
int64_t tot_nn_cut(int64_t length, int64_t unit, int64_t parts, int64_t k);

// In how many jobs work of this length is cut: one when a job would be smaller than `least`.
int64_t tot_nn_jobs(const tot_nn *nn, int64_t length, int64_t least);

#endif
