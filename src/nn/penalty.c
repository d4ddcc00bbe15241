// The gradient penalty of GAIfO's discriminator: the deviation of the norm of d output / d x from
// 1, and its gradient with respect to the weights. ReLU is piecewise linear, so the second
// derivative goes through the same gates as the first, and the biases have none.
#include "nn/nn.h"
#include "base/base.h"

int64_t tot_penalty_scratch(int64_t batch, int64_t inputs, int64_t hidden) {
    int64_t wide, own, all;
    const bool countable =
        batch >= 0 && inputs >= 0 && hidden >= 0 && !__builtin_mul_overflow(batch, hidden, &wide) &&
        !__builtin_mul_overflow(wide, 6, &wide) && !__builtin_mul_overflow(batch, inputs, &own) &&
        !__builtin_add_overflow(wide, own, &all);
    return countable ? all : 0;
}

// from (rows x depth) times weight, or its transpose: to (rows x columns)
static void times(tot_nn *nn, int64_t rows, int64_t columns, int64_t depth, const float *from,
                  const float *weight, bool transposed, float *to) {
    tot_matmul product = {
        .rows = rows,
        .columns = columns,
        .depth = depth,
        .a = from,
        .a_stride = depth,
        .b = weight,
        .b_stride = transposed ? depth : columns,
        .b_transposed = transposed,
        .c = to,
        .c_stride = columns,
    };
    tot_multiply(nn, &product);
}

// weight (rows x columns) += left^T right over the batch
static void add_outer(tot_nn *nn, int64_t batch, int64_t rows, int64_t columns, const float *left,
                      const float *right, float *weight) {
    tot_matmul product = {
        .rows = rows,
        .columns = columns,
        .depth = batch,
        .a = left,
        .a_stride = rows,
        .a_transposed = true,
        .b = right,
        .b_stride = columns,
        .c = weight,
        .c_stride = columns,
        .accumulate = true,
    };
    tot_multiply(nn, &product);
}

// Keeps what passes the ReLU with output y; sums (may be NULL) receives the sum over the batch.
static void gate(tot_nn *nn, int64_t batch, int64_t columns, const float *y, float *dy,
                 float *sums) {
    nn_activation_backward(nn, TOT_RELU, batch, columns, columns, y, dy, sums, true);
}

// Overwrites every row g, the gradient with respect to x, with the gradient of the penalty with
// respect to g.
static double penalise(int64_t batch, int64_t inputs, double scale, float *rows) {
    double sum = 0;
    for (int64_t i = 0; i < batch; i++) {
        float *g = rows + i * inputs;
        double squares = 0;
        for (int64_t j = 0; j < inputs; j++) {
            squares += (double)g[j] * (double)g[j];
        }
        double length = sqrt(squares);
        sum += (length - 1) * (length - 1);
        // the gradient of the norm of a zero row is zero, as in PyTorch
        double factor = length > 0 ? 2 * scale * (length - 1) / length : 0;
        for (int64_t j = 0; j < inputs; j++) {
            g[j] = (float)(factor * (double)g[j]);
        }
    }
    return scale * sum;
}

double tot_penalty(tot_nn *nn, const tot_mlp *mlp, int64_t batch, const float *x, double scale,
                   const tot_mlp *gradient, float *scratch) {
    BASE_NEED_OR(0, nn, mlp, x, gradient, scratch);
    if (batch < 1) {
        return 0;
    }
    BASE_NEED_OR(0, mlp->weight[0], mlp->weight[1], mlp->weight[2]);
    int64_t inputs = mlp->inputs;
    int64_t hidden = mlp->hidden;
    int64_t size = batch * hidden;
    float *first = scratch;  // outputs of the two hidden layers
    float *second = first + size;
    float *back_second = second + size;  // d output / d input of the second ReLU
    float *back_first = back_second + size;
    float *through_first = back_first + size;  // gradient of the penalty with respect to those two
    float *through_second = through_first + size;
    float *input_gradient = through_second + size;  // [batch][inputs], d output / d x

    tot_dense layer = {.inputs = inputs,
                       .outputs = hidden,
                       .activation = TOT_RELU,
                       .weight = mlp->weight[0],
                       .bias = mlp->bias[0]};
    tot_dense_forward(nn, &layer, batch, x, first);
    layer.inputs = hidden;
    layer.weight = mlp->weight[1];
    layer.bias = mlp->bias[1];
    tot_dense_forward(nn, &layer, batch, first, second);

    for (int64_t i = 0; i < batch; i++) {
        memcpy(back_second + i * hidden, mlp->weight[2], (size_t)hidden * sizeof *back_second);
    }
    gate(nn, batch, hidden, second, back_second, NULL);
    times(nn, batch, hidden, hidden, back_second, mlp->weight[1], false, back_first);
    gate(nn, batch, hidden, first, back_first, NULL);
    times(nn, batch, inputs, hidden, back_first, mlp->weight[0], false, input_gradient);

    double loss = penalise(batch, inputs, scale, input_gradient);

    add_outer(nn, batch, hidden, inputs, back_first, input_gradient, gradient->weight[0]);
    times(nn, batch, hidden, inputs, input_gradient, mlp->weight[0], true, through_first);
    gate(nn, batch, hidden, first, through_first, NULL);
    add_outer(nn, batch, hidden, hidden, back_second, through_first, gradient->weight[1]);
    times(nn, batch, hidden, hidden, through_first, mlp->weight[1], true, through_second);
    gate(nn, batch, hidden, second, through_second, gradient->weight[2]);
    return loss;
}
