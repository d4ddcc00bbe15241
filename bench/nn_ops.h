// An operation of nn_ops.def, ready to run: its arrays, forward and backward pass.
#ifndef BENCH_NN_OPS_H
#define BENCH_NN_OPS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <temporalot/nn.h>

enum { check = 1, fixture = 2, bench = 4 };
enum { OP_MOST_ARRAYS = 8 };

// An input or output. The gradient of a weighted sum of the outputs is checked.
typedef struct op_array {
    const char *name;
    int64_t count;
    float *data;
    float *gradient;  // of an input: NULL if it has none; of an output: passed to backward
} op_array;

typedef struct op op;
struct op {
    const char *kind;
    int uses;
    int64_t size[5];
    tot_nn *nn;
    op_array in[OP_MOST_ARRAYS];
    op_array out[OP_MOST_ARRAYS];
    int ins, outs;
    void (*forward)(op *self);
    void (*backward)(op *self);  // NULL if it has none
    double flops;                // of forward; backward takes twice as many
    // saved by forward for backward
    float *scratch;
    float *out_gradient;  // a copy that backward may overwrite
    uint8_t *pictures;
    int8_t *shifts;
    tot_conv *conv;
    bool failed;
};

typedef struct op_row {
    int uses;
    const char *kind;
    int64_t size[5];
} op_row;

static const op_row op_rows[] = {
#define OP(uses, kind, a, b, c, d, e) {uses, #kind, {a, b, c, d, e}},
#include "nn_ops.def"
#undef OP
};
enum { OP_ROWS = sizeof op_rows / sizeof *op_rows };

// --- numbers that Python generates, too --------------------------------------------------------

// The index-th number of an array; identical in make_fixtures.py.
static inline uint32_t op_word(uint32_t array, uint64_t index) {
    uint64_t x = ((uint64_t)array << 40) + index + 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)(x >> 32);
}

// in [-1, 1), with 24 bits, so exactly representable as a float
static inline float op_number(uint32_t array, uint64_t index) {
    return (float)((double)(op_word(array, index) >> 8) / (double)(1 << 23) - 1);
}

// --- building ----------------------------------------------------------------------------------

static inline void *op_memory(op *self, size_t count, size_t size) {
    void *memory = calloc(count > 0 ? count : 1, size);
    self->failed = self->failed || memory == NULL;
    return memory;
}

// scale: values are in -scale .. scale
static inline float *op_in(op *self, const char *name, int64_t count, double scale, bool learns) {
    op_array *array = &self->in[self->ins];
    *array = (op_array){name, count, op_memory(self, (size_t)count, sizeof(float)), NULL};
    if (learns) {
        array->gradient = op_memory(self, (size_t)count, sizeof(float));
    }
    for (int64_t k = 0; array->data != NULL && k < count; k++) {
        array->data[k] = (float)scale * op_number((uint32_t)self->ins, (uint64_t)k);
    }
    self->ins++;
    return array->data;
}

static inline float *op_out(op *self, const char *name, int64_t count, bool has_gradient) {
    op_array *array = &self->out[self->outs];
    *array = (op_array){name, count, op_memory(self, (size_t)count, sizeof(float)), NULL};
    if (has_gradient) {
        array->gradient = op_memory(self, (size_t)count, sizeof(float));
    }
    for (int64_t k = 0; array->gradient != NULL && k < count; k++) {
        array->gradient[k] = op_number(100 + (uint32_t)self->outs, (uint64_t)k);
    }
    self->outs++;
    return array->data;
}

// --- matmul ------------------------------------------------------------------------------------

static inline tot_matmul op_matmul_of(const op *self, const float *a, const float *b, float *c,
                                      bool accumulate) {
    const int64_t *size = self->size;
    bool a_turned = (size[3] & 1) != 0;
    bool b_turned = (size[3] & 2) != 0;
    return (tot_matmul){.rows = size[0],
                        .columns = size[1],
                        .depth = size[2],
                        .a = a,
                        .b = b,
                        .c = c,
                        .a_stride = a_turned ? size[0] : size[2],
                        .b_stride = b_turned ? size[2] : size[1],
                        .c_stride = size[1],
                        .a_transposed = a_turned,
                        .b_transposed = b_turned,
                        .accumulate = accumulate};
}

static inline void op_matmul_forward(op *self) {
    if (self->size[4] != 0) {
        memcpy(self->out[0].data, self->in[2].data, (size_t)self->out[0].count * sizeof(float));
    }
    tot_matmul product = op_matmul_of(self, self->in[0].data, self->in[1].data, self->out[0].data,
                                      self->size[4] != 0);
    tot_multiply(self->nn, &product);
}

static inline void op_matmul_make(op *self) {
    const int64_t *size = self->size;
    op_in(self, "a", size[0] * size[2], 1, false);
    op_in(self, "b", size[2] * size[1], 1, false);
    op_in(self, "c", size[0] * size[1], 1, false);
    op_out(self, "product", size[0] * size[1], false);
    self->forward = op_matmul_forward;
    self->flops = 2.0 * (double)size[0] * (double)size[1] * (double)size[2];
}

// --- dense -------------------------------------------------------------------------------------

static inline tot_dense op_dense_of(const op *self) {
    const int64_t *size = self->size;
    return (tot_dense){.inputs = size[1],
                       .outputs = size[2],
                       .activation = (tot_activation)size[3],
                       .weight = self->in[1].data,
                       .bias = self->in[2].data,
                       .x_stride = size[4] > 0 ? size[1] + size[4] : 0,
                       .y_stride = size[4] > 0 ? size[2] + size[4] : 0};
}

static inline void op_dense_forward(op *self) {
    tot_dense layer = op_dense_of(self);
    tot_dense_forward(self->nn, &layer, self->size[0], self->in[0].data, self->out[0].data);
}

static inline void op_dense_backward(op *self) {
    tot_dense layer = op_dense_of(self);
    memcpy(self->out_gradient, self->out[0].gradient, (size_t)self->out[0].count * sizeof(float));
    tot_dense_gradient gradient = {
        .x = self->in[0].gradient, .weight = self->in[1].gradient, .bias = self->in[2].gradient};
    tot_dense_backward(self->nn, &layer, self->size[0], self->in[0].data, self->out[0].data,
                       self->out_gradient, &gradient);
}

static inline void op_dense_make(op *self) {
    const int64_t *size = self->size;
    op_in(self, "x", size[0] * (size[1] + size[4]), 1, true);
    op_in(self, "weight", size[1] * size[2], size[1] > 100 ? 0.1 : 0.3, true);
    op_in(self, "bias", size[2], 0.5, true);
    op_out(self, "y", size[0] * (size[2] + size[4]), true);
    self->out_gradient = op_memory(self, (size_t)self->out[0].count, sizeof(float));
    self->forward = op_dense_forward;
    self->backward = op_dense_backward;
    self->flops = 2.0 * (double)size[0] * (double)size[1] * (double)size[2];
}

// --- trunk -------------------------------------------------------------------------------------

static inline tot_trunk op_trunk_of(const op *self) {
    const int64_t *size = self->size;
    return (tot_trunk){.inputs = size[1],
                       .outputs = size[2],
                       .weight = self->in[1].data,
                       .bias = self->in[2].data,
                       .gain = self->in[3].data,
                       .offset = self->in[4].data,
                       .activation = size[4] == 1 ? TOT_RELU : TOT_TANH,
                       .x_stride = size[3] > 0 ? size[1] + size[3] : 0,
                       .y_stride = size[3] > 0 ? size[2] + size[3] : 0};
}

static inline tot_trunk_saved op_trunk_saved_of(const op *self) {
    return (tot_trunk_saved){.normal = self->scratch,
                             .inverse = self->scratch + self->size[0] * self->size[2]};
}

static inline void op_trunk_forward(op *self) {
    tot_trunk trunk = op_trunk_of(self);
    tot_trunk_saved saved = op_trunk_saved_of(self);
    tot_trunk_forward(self->nn, &trunk, self->size[0], self->in[0].data, self->out[0].data, &saved);
}

static inline void op_trunk_backward(op *self) {
    tot_trunk trunk = op_trunk_of(self);
    tot_trunk_saved saved = op_trunk_saved_of(self);
    memcpy(self->out_gradient, self->out[0].gradient, (size_t)self->out[0].count * sizeof(float));
    tot_trunk_gradient gradient = {.x = self->in[0].gradient,
                                   .weight = self->in[1].gradient,
                                   .bias = self->in[2].gradient,
                                   .gain = self->in[3].gradient,
                                   .offset = self->in[4].gradient};
    tot_trunk_backward(self->nn, &trunk, self->size[0], self->in[0].data, self->out[0].data, &saved,
                       self->out_gradient, &gradient);
}

static inline void op_trunk_make(op *self) {
    const int64_t *size = self->size;
    op_in(self, "x", size[0] * (size[1] + size[3]), 1, true);
    op_in(self, "weight", size[1] * size[2], 0.5, true);
    op_in(self, "bias", size[2], 0.5, true);
    op_in(self, "gain", size[2], 1, true);
    op_in(self, "offset", size[2], 0.5, true);
    op_out(self, "y", size[0] * (size[2] + size[3]), true);
    self->scratch = op_memory(self, (size_t)(size[0] * (size[2] + 1)), sizeof(float));
    self->out_gradient = op_memory(self, (size_t)self->out[0].count, sizeof(float));
    self->forward = op_trunk_forward;
    self->backward = op_trunk_backward;
    self->flops = 2.0 * (double)size[0] * (double)size[1] * (double)size[2];
}

// --- conv --------------------------------------------------------------------------------------

static inline tot_conv_shape op_conv_shape(const op *self) {
    const int64_t *size = self->size;
    return (tot_conv_shape){.batch = size[0],
                            .size = size[1],
                            .channels = size[2],
                            .layers = size[3],
                            .filters = size[4],
                            .shift = 4};
}

static inline void op_conv_forward(op *self) {
    tot_conv_forward(self->conv, self->in[0].data, self->size[0], self->pictures, self->shifts,
                     self->out[0].data, true);
}

static inline void op_conv_backward(op *self) {
    tot_conv_backward(self->conv, self->in[0].data, self->size[0], self->pictures, self->shifts,
                      self->out[0].data, self->out[0].gradient, self->in[0].gradient, false);
}

static inline void op_conv_make(op *self) {
    const int64_t *size = self->size;
    tot_conv_shape shape = op_conv_shape(self);
    op_in(self, "parameters", tot_conv_parameters(&shape), 0.2, true);
    op_out(self, "features", size[0] * tot_conv_features(&shape), true);
    int64_t pixels = size[0] * size[2] * size[1] * size[1];
    self->pictures = op_memory(self, (size_t)pixels, 1);
    self->shifts = op_memory(self, (size_t)size[0] * 2, 1);
    for (int64_t k = 0; !self->failed && k < pixels; k++) {
        self->pictures[k] = (uint8_t)(op_word(200, (uint64_t)k) & 255);
    }
    for (int64_t k = 0; !self->failed && k < 2 * size[0]; k++) {
        self->shifts[k] = (int8_t)(op_word(201, (uint64_t)k) % 9);
    }
    self->failed = self->failed || tot_conv_create(&self->conv, &shape, true, self->nn) != TOT_OK;
    self->forward = op_conv_forward;
    self->backward = op_conv_backward;
    int64_t side = (size[1] - 3) / 2 + 1;
    for (int64_t k = 0, channels = size[2]; k < size[3]; k++, side -= 2, channels = size[4]) {
        self->flops += 18.0 * (double)(size[0] * side * side * channels * size[4]);
    }
}

// --- losses ------------------------------------------------------------------------------------

// out is the scalar loss; backward writes the gradient of the loss for an incoming gradient of 1
static inline void op_loss_out(op *self) {
    op_out(self, "loss", 1, true);
    if (!self->failed) {
        self->out[0].gradient[0] = 1;
    }
}

static inline void op_mse_forward(op *self) {
    self->out[0].data[0] =
        (float)tot_mse(self->size[0], self->in[0].data, self->in[1].data, self->in[0].gradient);
}

static inline void op_nothing(op *self) {
    (void)self;
}

static inline void op_mse_make(op *self) {
    op_in(self, "values", self->size[0], 1, true);
    op_in(self, "targets", self->size[0], 1, false);
    op_loss_out(self);
    self->forward = op_mse_forward;
    self->backward = op_nothing;
}

static inline void op_least_forward(op *self) {
    self->out[0].data[0] = (float)tot_least(self->size[0], self->in[0].data, self->in[1].data,
                                            self->in[0].gradient, self->in[1].gradient);
    tot_minimum(self->size[0], self->in[0].data, self->in[1].data, self->out[1].data);
}

static inline void op_least_make(op *self) {
    op_in(self, "first", self->size[0], 1, true);
    op_in(self, "second", self->size[0], 1, true);
    op_loss_out(self);
    op_out(self, "lowest", self->size[0], false);
    self->forward = op_least_forward;
    self->backward = op_nothing;
}

static inline void op_bce_forward(op *self) {
    self->out[0].data[0] = (float)tot_bce(self->size[0], self->in[0].data, self->size[1] != 0,
                                          1.0 / 16, self->in[0].gradient);
    for (int64_t k = 0; k < self->size[0]; k++) {
        self->out[1].data[k] = tot_log_sigmoid(self->in[0].data[k]);
    }
}

static inline void op_bce_make(op *self) {
    op_in(self, "logits", self->size[0], 12, true);
    op_loss_out(self);
    op_out(self, "log_sigmoid", self->size[0], false);
    self->forward = op_bce_forward;
    self->backward = op_nothing;
}

// --- penalty -----------------------------------------------------------------------------------

static inline void op_penalty_forward(op *self) {
    tot_mlp mlp = {.inputs = self->size[1], .hidden = self->size[2]};
    tot_mlp gradient = mlp;
    for (int k = 0; k < 3; k++) {
        op_array *weight = &self->in[1 + 2 * k];
        mlp.weight[k] = weight->data;
        mlp.bias[k] = self->in[2 + 2 * k].data;
        gradient.weight[k] = weight->gradient;
        memset(weight->gradient, 0, (size_t)weight->count * sizeof(float));
    }
    self->out[0].data[0] = (float)tot_penalty(self->nn, &mlp, self->size[0], self->in[0].data,
                                              10.0 / 256, &gradient, self->scratch);
}

static inline void op_penalty_make(op *self) {
    const int64_t *size = self->size;
    int64_t hidden = size[2];
    op_in(self, "x", size[0] * size[1], 1, false);
    op_in(self, "weight0", hidden * size[1], 0.4, true);
    op_in(self, "bias0", hidden, 0.5, false);
    op_in(self, "weight1", hidden * hidden, 0.4, true);
    op_in(self, "bias1", hidden, 0.5, false);
    op_in(self, "weight2", hidden, 0.4, true);
    op_in(self, "bias2", 1, 0.5, false);
    op_loss_out(self);
    self->scratch =
        op_memory(self, (size_t)tot_penalty_scratch(size[0], size[1], hidden), sizeof(float));
    self->forward = op_penalty_forward;
    self->backward = op_nothing;
    // two products with each weight in the forward pass, three in the backward pass
    self->flops =
        2.0 * (double)size[0] * (double)hidden * (4.0 * (double)hidden + 4.0 * (double)size[1]);
}

// --- optimizer ---------------------------------------------------------------------------------

// Resets the state; skipped when only a step is timed.
static inline void op_adam_restart(op *self) {
    size_t bytes = (size_t)self->size[0] * sizeof(float);
    memcpy(self->out[0].data, self->in[0].data, bytes);
    memset(self->out[1].data, 0, bytes);
    memset(self->out[2].data, 0, bytes);
    memcpy(self->out[3].data, self->in[1].data, bytes);
}

static inline void op_adam_forward(op *self) {
    int64_t count = self->size[0];
    if ((self->uses & bench) == 0) {
        op_adam_restart(self);
    }
    for (int64_t step = 1; step <= self->size[1]; step++) {
        tot_adam adam = {.count = count,
                         .parameters = self->out[0].data,
                         .gradients = self->scratch + (step - 1) * count,
                         .first = self->out[1].data,
                         .second = self->out[2].data,
                         .learning_rate = 1e-2,
                         .step = step,
                         .target = self->size[2] != 0 ? self->out[3].data : NULL,
                         .tau = 0.05};
        tot_adam_step(self->nn, &adam);
    }
}

static inline void op_adam_make(op *self) {
    int64_t count = self->size[0];
    op_in(self, "parameters", count, 1, false);
    op_in(self, "target", count, 1, false);
    op_out(self, "parameters", count, false);
    op_out(self, "first", count, false);
    op_out(self, "second", count, false);
    op_out(self, "target", count, false);
    self->scratch = op_memory(self, (size_t)(count * self->size[1]), sizeof(float));
    for (int64_t k = 0; !self->failed && k < count * self->size[1]; k++) {
        self->scratch[k] = op_number(301 + (uint32_t)(k / count), (uint64_t)(k % count));
    }
    self->forward = op_adam_forward;
}

static inline void op_follow_forward(op *self) {
    if ((self->uses & bench) == 0) {
        memcpy(self->out[0].data, self->in[0].data, (size_t)self->size[0] * sizeof(float));
    }
    tot_soft_update(self->nn, self->size[0], self->out[0].data, self->in[1].data, 0.005);
}

static inline void op_follow_make(op *self) {
    op_in(self, "target", self->size[0], 1, false);
    op_in(self, "source", self->size[0], 1, false);
    op_out(self, "target", self->size[0], false);
    self->forward = op_follow_forward;
}

// --- all operations ----------------------------------------------------------------------------

static inline void op_free(op *self) {
    for (int k = 0; k < OP_MOST_ARRAYS; k++) {
        free(self->in[k].data);
        free(self->in[k].gradient);
        free(self->out[k].data);
        free(self->out[k].gradient);
    }
    free(self->scratch);
    free(self->out_gradient);
    free(self->pictures);
    free(self->shifts);
    tot_conv_free(self->conv);
}

// False if out of memory. Call op_free in any case.
static inline bool op_make(op *self, const op_row *row, tot_nn *nn) {
    static const struct {
        const char *kind;
        void (*make)(op *self);
    } makers[] = {{"matmul", op_matmul_make}, {"dense", op_dense_make},
                  {"trunk", op_trunk_make},   {"conv", op_conv_make},
                  {"mse", op_mse_make},       {"least", op_least_make},
                  {"bce", op_bce_make},       {"penalty", op_penalty_make},
                  {"adam", op_adam_make},     {"follow", op_follow_make}};
    *self = (op){.kind = row->kind, .uses = row->uses, .nn = nn};
    memcpy(self->size, row->size, sizeof self->size);
    for (size_t k = 0; k < sizeof makers / sizeof *makers; k++) {
        if (strcmp(makers[k].kind, row->kind) == 0) {
            makers[k].make(self);
            return !self->failed;
        }
    }
    return false;
}

static inline void op_name(const op_row *row, char *text, size_t size) {
    snprintf(text, size, "%s %lld %lld %lld %lld %lld", row->kind, (long long)row->size[0],
             (long long)row->size[1], (long long)row->size[2], (long long)row->size[3],
             (long long)row->size[4]);
}

#endif
