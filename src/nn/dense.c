#include "nn/nn.h"
#include "base/base.h"

// --- activations -------------------------------------------------------------------------------

typedef struct activation_context {
    tot_nn *nn;
    tot_activation activation;
    int64_t batch, columns, stride;
    const float *y;
    float *dy;
    float *bias;
    bool accumulate;
    int64_t jobs;
} activation_context;

// A range of columns of all rows, so that each sum over the batch is done by one thread.
static tot_status activation_columns(void *context, size_t index, int worker) {
    (void)worker;
    const activation_context *all = context;
    const nn_kernels *kernels = all->nn->kernels;
    int64_t column = nn_cut(all->columns, NN_PANEL, all->jobs, (int64_t)index);
    int64_t end = nn_cut(all->columns, NN_PANEL, all->jobs, (int64_t)index + 1);
    nn_gate gate = {
        .rows = all->batch,
        .columns = end - column,
        .stride = all->stride,
        .y = all->y != NULL ? all->y + column : NULL,
        .dy = all->dy + column,
        .sums = all->bias != NULL ? all->bias + column : NULL,
    };
    if (gate.sums != NULL && !all->accumulate) {
        memset(gate.sums, 0, (size_t)gate.columns * sizeof *gate.sums);
    }
    switch (all->activation) {
        case TOT_RELU:
            kernels->gate_relu(&gate);
            break;
        case TOT_TANH:
            kernels->gate_tanh(&gate);
            break;
        case TOT_LINEAR:
            kernels->sum_rows(&gate);
            break;
    }
    return TOT_OK;
}

void nn_activation_backward(tot_nn *nn, tot_activation activation, int64_t batch, int64_t columns,
                            int64_t stride, const float *y, float *dy, float *bias,
                            bool accumulate) {
    if (activation == TOT_LINEAR && bias == NULL) {
        return;
    }
    activation_context all = {
        .nn = nn,
        .activation = activation,
        .batch = batch,
        .columns = columns,
        .stride = stride,
        .y = y,
        .dy = dy,
        .bias = bias,
        .accumulate = accumulate,
        .jobs = batch * columns > 16384 ? nn_jobs(nn, columns, 2 * NN_PANEL) : 1,
    };
    nn_run(nn, (size_t)all.jobs, activation_columns, &all);
}

// --- the layer ---------------------------------------------------------------------------------

void tot_dense_forward(tot_nn *nn, const tot_dense *layer, int64_t batch, const float *x,
                       float *y) {
    BASE_NEED_OR(, nn, layer, x, y);
    if (batch < 1) {
        return;
    }
    int64_t y_stride = layer->y_stride > 0 ? layer->y_stride : layer->outputs;
    tot_matmul product = {
        .rows = batch,
        .columns = layer->outputs,
        .depth = layer->inputs,
        .a = x,
        .a_stride = layer->x_stride > 0 ? layer->x_stride : layer->inputs,
        .b = layer->weight,
        .b_stride = layer->inputs,
        .b_transposed = true,
        .c = y,
        .c_stride = y_stride,
    };
    nn_multiply_then(nn, &product, layer->bias, layer->activation == TOT_RELU);
    if (layer->activation == TOT_TANH) {
        nn->kernels->tanh_rows(batch, layer->outputs, y_stride, y);
    }
}

// Gradients of an empty batch: zero, unless accumulated.
static void clear_gradient(const tot_dense *layer, const tot_dense_gradient *gradient) {
    size_t outputs = (size_t)layer->outputs;
    if (gradient->weight != NULL && !gradient->accumulate) {
        memset(gradient->weight, 0, outputs * (size_t)layer->inputs * sizeof(float));
    }
    if (gradient->bias != NULL && !gradient->accumulate) {
        memset(gradient->bias, 0, outputs * sizeof(float));
    }
}

void tot_dense_backward(tot_nn *nn, const tot_dense *layer, int64_t batch, const float *x,
                        const float *y, float *dy, const tot_dense_gradient *gradient) {
    BASE_NEED_OR(, nn, layer, gradient);
    if (batch < 1) {
        clear_gradient(layer, gradient);
        return;
    }
    BASE_NEED_OR(, dy);
    int64_t x_stride = layer->x_stride > 0 ? layer->x_stride : layer->inputs;
    int64_t y_stride = layer->y_stride > 0 ? layer->y_stride : layer->outputs;
    nn_activation_backward(nn, layer->activation, batch, layer->outputs, y_stride, y, dy,
                           gradient->bias, gradient->accumulate);
    if (gradient->weight != NULL) {
        tot_matmul product = {
            .rows = layer->outputs,
            .columns = layer->inputs,
            .depth = batch,
            .a = dy,
            .a_stride = y_stride,
            .a_transposed = true,
            .b = x,
            .b_stride = x_stride,
            .c = gradient->weight,
            .c_stride = layer->inputs,
            .accumulate = gradient->accumulate,
        };
        tot_multiply(nn, &product);
    }
    if (gradient->x != NULL) {
        tot_matmul product = {
            .rows = batch,
            .columns = layer->inputs,
            .depth = layer->outputs,
            .a = dy,
            .a_stride = y_stride,
            .b = layer->weight,
            .b_stride = layer->inputs,
            .c = gradient->x,
            .c_stride = x_stride,
            .accumulate = gradient->accumulate_x,
        };
        tot_multiply(nn, &product);
    }
}
