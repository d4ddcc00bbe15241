// Internals of a tot_nn: the pool, the vector code for this CPU, and the workers' memory.
#pragma once

#include <temporalot/nn.h>

#include "nn/kernels.h"

// A packed block of a (NN_BLOCK_ROWS x NN_BLOCK_DEPTH) stays in the L2 cache while the panels of b
// are streamed; each panel stays in the L1 cache for all rows of the block.
enum {
    NN_BLOCK_DEPTH = 384,
    NN_BLOCK_COLUMNS = 1024,
    NN_BLOCK_ROWS = 240,
};

typedef struct nn_worker {
    float *a;  // [NN_BLOCK_ROWS][NN_BLOCK_DEPTH], packed
    float *b;  // [NN_BLOCK_COLUMNS / NN_PANEL][NN_BLOCK_DEPTH][NN_PANEL], packed
} nn_worker;

struct tot_nn {
    tot_pool *pool;
    int threads;
    const nn_kernels *kernels;
    nn_worker *workers;  // [threads]
    float *memory;       // of all workers
};

// tot_multiply with an epilogue: c = max(0, a b + bias). bias: [columns] or NULL.
void nn_multiply_then(tot_nn *nn, const tot_matmul *product, const float *bias, bool relu);

// dy is overwritten with the gradient before the activation; bias (may be NULL) receives its sum
// over the batch.
void nn_activation_backward(tot_nn *nn, tot_activation activation, int64_t batch, int64_t columns,
                            int64_t stride, const float *y, float *dy, float *bias,
                            bool accumulate);

// Runs a job that cannot fail.
void nn_run(tot_nn *nn, size_t count, tot_job job, void *context);

// Splits length into `parts` pieces that are multiples of unit, except the last: returns the start
// of piece k. k = parts is the end of the last one.
int64_t nn_cut(int64_t length, int64_t unit, int64_t parts, int64_t k);

// Number of jobs for work of this length: one if a job would be smaller than `least`.
int64_t nn_jobs(const tot_nn *nn, int64_t length, int64_t least);
