// temporalot/nn.h - building blocks of neural networks: dense layers, layer norm, 3x3 convolutions,
// losses and Adam, with gradients, in float32.
//
//     #include <stdio.h>
//     #include <temporalot/nn.h>
//
//     int main(void) {
//         float weight[2 * 3] = {1, 0, 2, 0, 1, -1}, bias[2] = {0.5f, 0}, x[3] = {1, 2, 3}, y[2];
//         tot_dense layer = {.inputs = 3, .outputs = 2, .activation = TOT_RELU,
//                            .weight = weight, .bias = bias};
//         tot_nn *nn = NULL;
//         if (tot_nn_create(&nn, NULL) != TOT_OK) {
//             fprintf(stderr, "%s\n", tot_error());
//             return 1;
//         }
//         tot_dense_forward(nn, &layer, 1, x, y);
//         printf("%g %g\n", y[0], y[1]);
//         tot_nn_free(nn);
//         return 0;
//     }
//
// Arrays are row-major and the batch comes first. Memory is the caller's. Workspace is allocated
// when the tot_nn (or tot_conv) is created, so operations allocate nothing and cannot fail. Sizes
// are not checked: each must be 1 or more, but a batch of 0 gives gradients of 0. A tot_nn is not
// thread-safe. Results are bitwise independent of the number of threads, but depend on the
// instruction set (tot_cpu).
#ifndef TEMPORALOT_NN_H
#define TEMPORALOT_NN_H

#include <temporalot/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tot_nn tot_nn;

// pool (may be NULL: the calling thread only) runs the work and must outlive nn.
TOT_API tot_status tot_nn_create(tot_nn **nn, tot_pool *pool);

// nn may be NULL.
TOT_API void tot_nn_free(tot_nn *nn);

// --- matrix product ----------------------------------------------------------------------------

// c (rows x columns) = a (rows x depth) times b (depth x columns). Each is row-major; its stride is
// the number of floats from one row to the next. transposed: the matrix is stored transposed, and
// the stride is between the rows of what is stored.
typedef struct tot_matmul {
    int64_t rows, columns, depth;
    const float *a;
    const float *b;
    float *c;
    int64_t a_stride, b_stride, c_stride;
    bool a_transposed, b_transposed;
    bool accumulate;  // c += a b
} tot_matmul;

TOT_API void tot_multiply(tot_nn *nn, const tot_matmul *product);

// --- dense layer -------------------------------------------------------------------------------

typedef enum tot_activation { TOT_LINEAR, TOT_RELU, TOT_TANH } tot_activation;

// y = activation(x weight^T + bias)
typedef struct tot_dense {
    int64_t inputs, outputs;
    tot_activation activation;
    const float *weight;  // [outputs][inputs], as PyTorch's Linear
    const float *bias;    // [outputs]; NULL: none
    int64_t x_stride;     // floats between rows of x and of dx; 0: inputs
    int64_t y_stride;     // floats between rows of y and of dy; 0: outputs
} tot_dense;

// x: [batch][inputs]; y: [batch][outputs], written. They must not overlap.
TOT_API void tot_dense_forward(tot_nn *nn, const tot_dense *layer, int64_t batch, const float *x,
                               float *y);

// Which gradients to compute, and where to store them.
typedef struct tot_dense_gradient {
    float *weight;    // [outputs][inputs]; NULL: not needed
    float *bias;      // [outputs]; NULL: not needed
    float *x;         // [batch][inputs], with the row stride of x; NULL: not needed
    bool accumulate;  // add to the existing weight and bias gradients
    bool accumulate_x;
} tot_dense_gradient;

// dy: gradient of the loss with respect to y. It is overwritten with the gradient before the
// activation (unchanged for TOT_LINEAR). x and y: input and output of the forward pass; y is not
// read for TOT_LINEAR, x only for the gradient of the weight.
TOT_API void tot_dense_backward(tot_nn *nn, const tot_dense *layer, int64_t batch, const float *x,
                                const float *y, float *dy, const tot_dense_gradient *gradient);

// --- trunk: dense, layer norm, tanh or ReLU ----------------------------------------------------

// y = activation(gain * normal + offset), normal = (z - mean) / sqrt(variance + 1e-5) for every row
// of z = x weight^T + bias.
typedef struct tot_trunk {
    int64_t inputs, outputs;
    const float *weight;        // [outputs][inputs]
    const float *bias;          // [outputs]
    const float *gain;          // [outputs], PyTorch's LayerNorm.weight
    const float *offset;        // [outputs], PyTorch's LayerNorm.bias
    tot_activation activation;  // TOT_TANH or TOT_RELU
    int64_t x_stride;           // floats between rows of x and of dx; 0: inputs
    int64_t y_stride;           // floats between rows of y and of dy; 0: outputs
} tot_trunk;

// Saved by forward for backward, in the caller's arrays.
typedef struct tot_trunk_saved {
    float *normal;   // [batch][outputs]
    float *inverse;  // [batch], 1 / sqrt(variance + 1e-5)
} tot_trunk_saved;

// x: [batch][inputs]; y: [batch][outputs], written.
TOT_API void tot_trunk_forward(tot_nn *nn, const tot_trunk *trunk, int64_t batch, const float *x,
                               float *y, const tot_trunk_saved *saved);

typedef struct tot_trunk_gradient {
    float *weight;  // each may be NULL: not needed
    float *bias;
    float *gain;
    float *offset;
    float *x;         // [batch][inputs], with the row stride of x
    bool accumulate;  // add to the existing gradients of the first four
    bool accumulate_x;
} tot_trunk_gradient;

// dy: [batch][outputs], overwritten.
TOT_API void tot_trunk_backward(tot_nn *nn, const tot_trunk *trunk, int64_t batch, const float *x,
                                const float *y, const tot_trunk_saved *saved, float *dy,
                                const tot_trunk_gradient *gradient);

// --- convolutions over pictures ----------------------------------------------------------------

// The encoder of DrQ-v2: uint8 pictures are mapped to x / 255 - 0.5 and randomly shifted, then
// `layers` 3x3 convolutions without padding, the first with stride 2 and the others with stride 1,
// each followed by ReLU.
typedef struct tot_conv_shape {
    int64_t channels;  // of a picture: 9
    int64_t size;      // pixels per side of a picture: 84
    int64_t filters;   // per layer: 32. A multiple of 16
    int64_t layers;    // 4
    int64_t shift;     // maximum shift of a picture in pixels, in each direction: 4
    int64_t batch;     // maximum number of pictures per call
} tot_conv_shape;

typedef struct tot_conv tot_conv;

// Allocates the memory for forward and backward (0.7 MB per picture for 84x84). learns: backward
// will be called. nn must outlive conv. TOT_E_ARGUMENT: the message names the invalid size.
TOT_API tot_status tot_conv_create(tot_conv **conv, const tot_conv_shape *shape, bool learns,
                                   tot_nn *nn);

// conv may be NULL.
TOT_API void tot_conv_free(tot_conv *conv);

// Features per picture: filters * side * side, 39,200 for the defaults above.
TOT_API int64_t tot_conv_features(const tot_conv_shape *shape);

// Number of weights and biases. They are stored contiguously: for every layer its weight
// [filters][channels or filters][3][3], as PyTorch's Conv2d, then its bias [filters].
TOT_API int64_t tot_conv_parameters(const tot_conv_shape *shape);

// Offsets of a layer's weight and bias in the parameters.
TOT_API int64_t tot_conv_weight_at(const tot_conv_shape *shape, int64_t layer);
TOT_API int64_t tot_conv_bias_at(const tot_conv_shape *shape, int64_t layer);

// pictures: [batch][channels][size][size]; shifts: [batch][2], 0 .. 2 shift in x and y, the corner
// of the crop from the picture padded by `shift` with replicated edges; NULL: no shift. features:
// [batch][filters][side][side], written. keep: save activations for backward (needs `learns`); a
// call without it leaves those of an earlier call intact.
TOT_API void tot_conv_forward(tot_conv *conv, const float *parameters, int64_t batch,
                              const uint8_t *pictures, const int8_t *shifts, float *features,
                              bool keep);

// Call after a forward with keep, with the same parameters, batch, pictures, shifts and features.
// dfeatures: [batch][filters][side][side], gradient with respect to the features. gradient: same
// layout as the parameters; written, or added to if accumulate is set.
TOT_API void tot_conv_backward(tot_conv *conv, const float *parameters, int64_t batch,
                               const uint8_t *pictures, const int8_t *shifts, const float *features,
                               const float *dfeatures, float *gradient, bool accumulate);

// --- losses ------------------------------------------------------------------------------------

// Returns the mean over count of (value - target)^2; gradient (may be NULL): [count], written.
TOT_API double tot_mse(int64_t count, const float *values, const float *targets, float *gradient);

// Returns the loss -mean(min(first, second)); gradients (each may be NULL): [count], written. On
// ties the gradient is split equally, as in PyTorch.
TOT_API double tot_least(int64_t count, const float *first, const float *second,
                         float *gradient_first, float *gradient_second);

// lowest[k] = min(first[k], second[k])
TOT_API void tot_minimum(int64_t count, const float *first, const float *second, float *lowest);

// log(1 / (1 + exp(-x))), without overflow and accurate for small and large x.
TOT_API float tot_log_sigmoid(float x);

// Returns scale * sum of the binary cross-entropy of logits that all have the target 1 (label true)
// or 0; gradient (may be NULL): [count], written.
TOT_API double tot_bce(int64_t count, const float *logits, bool label, double scale,
                       float *gradient);

// --- gradient penalty --------------------------------------------------------------------------

// An MLP inputs-hidden-hidden-1 with ReLU after the first two layers, in PyTorch's layout.
typedef struct tot_mlp {
    int64_t inputs, hidden;
    float *weight[3];  // [hidden][inputs], [hidden][hidden], [1][hidden]
    float *bias[3];    // [hidden], [hidden], [1]
} tot_mlp;

// Floats of workspace that tot_penalty needs.
TOT_API int64_t tot_penalty_scratch(int64_t batch, int64_t inputs, int64_t hidden);

// Returns scale * sum over the batch of (|d output / d x| - 1)^2. Its gradient with respect to the
// three weights is added to gradient->weight; gradient->bias is not accessed, as that gradient is
// zero. x: [batch][inputs]; scratch: tot_penalty_scratch() floats.
TOT_API double tot_penalty(tot_nn *nn, const tot_mlp *mlp, int64_t batch, const float *x,
                           double scale, const tot_mlp *gradient, float *scratch);

// --- optimizer ---------------------------------------------------------------------------------

// Adam and AdamW as in PyTorch (betas 0.9 and 0.999, epsilon 1e-8) on one flat array of parameters.
typedef struct tot_adam {
    int64_t count;
    float *parameters;       // [count]
    const float *gradients;  // [count]
    float *first;            // [count], first moments; zero before the first step
    float *second;           // [count], second moments
    double learning_rate;
    double weight_decay;  // 0: Adam
    int64_t step;         // 1 on the first call
    // soft target update in the same pass: target += tau * (parameters - target); NULL: none
    float *target;  // [count]
    double tau;
} tot_adam;

TOT_API void tot_adam_step(tot_nn *nn, const tot_adam *adam);

// target += tau * (source - target)
TOT_API void tot_soft_update(tot_nn *nn, int64_t count, float *target, const float *source,
                             double tau);

// --- initialisation ----------------------------------------------------------------------------

// weight: [rows][columns], written: rows or columns (whichever are fewer) are mutually orthogonal
// with norm gain; uniformly distributed over such matrices, drawn from random. For a convolution,
// the filters are the rows and there are 9 * channels columns; the gain for ReLU is sqrt(2).
TOT_API tot_status tot_orthogonal(tot_random *random, int64_t rows, int64_t columns, double gain,
                                  float *weight);

#ifdef __cplusplus
}
#endif
#endif
