// The trunk: a dense layer, layer norm, tanh or ReLU.
#include "nn/nn.h"
#include "base/base.h"

typedef struct norm_context {
    tot_nn *nn;
    nn_norm norm;
    int64_t jobs;
} norm_context;

static tot_status norm_some_rows(void *context, size_t index, int worker) {
    (void)worker;
    const norm_context *all = context;
    int64_t row = nn_cut(all->norm.rows, 1, all->jobs, (int64_t)index);
    int64_t end = nn_cut(all->norm.rows, 1, all->jobs, (int64_t)index + 1);
    nn_norm some = all->norm;
    some.rows = end - row;
    some.normal += row * some.columns;
    some.inverse += row;
    some.y += row * some.y_stride;
    all->nn->kernels->norm(&some);
    return TOT_OK;
}

static tot_dense dense_of(const tot_trunk *trunk, int64_t y_stride) {
    return (tot_dense){
        .inputs = trunk->inputs,
        .outputs = trunk->outputs,
        .weight = trunk->weight,
        .bias = trunk->bias,
        .x_stride = trunk->x_stride,
        .y_stride = y_stride,
    };
}

void tot_trunk_forward(tot_nn *nn, const tot_trunk *trunk, int64_t batch, const float *x, float *y,
                       const tot_trunk_saved *saved) {
    BASE_NEED_OR(, nn, trunk, x, y, saved);
    if (batch < 1) {
        return;
    }
    tot_dense dense = dense_of(trunk, trunk->outputs);
    tot_dense_forward(nn, &dense, batch, x, saved->normal);
    norm_context all = {
        .nn = nn,
        .norm = {.rows = batch,
                 .columns = trunk->outputs,
                 .y_stride = trunk->y_stride > 0 ? trunk->y_stride : trunk->outputs,
                 .relu = trunk->activation == TOT_RELU,
                 .gain = trunk->gain,
                 .offset = trunk->offset,
                 .normal = saved->normal,
                 .inverse = saved->inverse,
                 .y = y},
        .jobs = nn_jobs(nn, batch, 64),
    };
    nn_run(nn, (size_t)all.jobs, norm_some_rows, &all);
}

static void clear_unless(bool keep, float *sums, int64_t count) {
    if (sums != NULL && !keep) {
        memset(sums, 0, (size_t)count * sizeof *sums);
    }
}

void tot_trunk_backward(tot_nn *nn, const tot_trunk *trunk, int64_t batch, const float *x,
                        const float *y, const tot_trunk_saved *saved, float *dy,
                        const tot_trunk_gradient *gradient) {
    BASE_NEED_OR(, nn, trunk, saved, dy, gradient);
    clear_unless(gradient->accumulate, gradient->gain, trunk->outputs);
    clear_unless(gradient->accumulate, gradient->offset, trunk->outputs);
    int64_t stride = trunk->y_stride > 0 ? trunk->y_stride : trunk->outputs;
    nn_norm_gradient norm = {
        .rows = batch,
        .columns = trunk->outputs,
        .stride = stride,
        .relu = trunk->activation == TOT_RELU,
        .gain = trunk->gain,
        .normal = saved->normal,
        .inverse = saved->inverse,
        .y = y,
        .dy = dy,
        .gain_sums = gradient->gain,
        .offset_sums = gradient->offset,
    };
    nn->kernels->norm_gradient(&norm);
    tot_dense dense = dense_of(trunk, stride);
    tot_dense_gradient wanted = {
        .weight = gradient->weight,
        .bias = gradient->bias,
        .x = gradient->x,
        .accumulate = gradient->accumulate,
        .accumulate_x = gradient->accumulate_x,
    };
    tot_dense_backward(nn, &dense, batch, x, NULL, dy, &wanted);
}
