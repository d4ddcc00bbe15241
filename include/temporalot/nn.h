// temporalot/nn.h - what networks are made of: dense layers, layer norm, 3x3 convolutions, losses
// and Adam, each with its gradient, in float32.
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
// Arrays are row-major and the batch comes first. Memory is the caller's; what a call needs beside
// it was taken when the tot_nn (or tot_conv) was made, so nothing is allocated by an operation and
// none can fail. Sizes are taken on trust: 1 or more each, and a batch of 0 gives gradients of 0.
// Two calls with the same tot_nn may not run at once. The bytes of a result do not depend on the
// number of threads; they do on the kind of CPU (tot_cpu).
#ifndef TEMPORALOT_NN_H
#define TEMPORALOT_NN_H

#include <temporalot/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tot_nn tot_nn;

// pool (may be NULL: the caller's thread alone) shares the work and must outlive nn.
TOT_API tot_status tot_nn_create(tot_nn **nn, tot_pool *pool);

// nn may be NULL.
TOT_API void tot_nn_free(tot_nn *nn);

// --- matrix product ----------------------------------------------------------------------------

// c (rows x columns) = a (rows x depth) times b (depth x columns), each row-major with as many
// floats from one row to the next as its stride says; transposed: the memory holds the transpose,
// and the stride is from one row of that to the next.
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

// x: [batch][inputs]; y: [batch][outputs], written. They may not overlap.
TOT_API void tot_dense_forward(tot_nn *nn, const tot_dense *layer, int64_t batch, const float *x,
                               float *y);

// What of the gradient is wanted, and where it goes.
typedef struct tot_dense_gradient {
    float *weight;    // [outputs][inputs]; NULL: not wanted
    float *bias;      // [outputs]; NULL: not wanted
    float *x;         // [batch][inputs], rows as those of x; NULL: not wanted
    bool accumulate;  // weight and bias are added to what stands there
    bool accumulate_x;
} tot_dense_gradient;

// dy: the gradient of the loss for y. It is made the gradient before the activation on the way
// (for TOT_LINEAR it stays as it is). x and y: what forward saw and gave; y is not read for
// TOT_LINEAR, x only for the gradient of the weight.
TOT_API void tot_dense_backward(tot_nn *nn, const tot_dense *layer, int64_t batch, const float *x,
                                const float *y, float *dy, const tot_dense_gradient *gradient);

// --- trunk: dense, layer norm, tanh or ReLU ----------------------------------------------------

// y = activation(gain * normal + offset), normal = (z - mean) / sqrt(variance + 1e-5) of every row
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

// What backward needs of forward: the caller's arrays, written by forward.
typedef struct tot_trunk_saved {
    float *normal;   // [batch][outputs]
    float *inverse;  // [batch], 1 / sqrt(variance + 1e-5)
} tot_trunk_saved;

// x: [batch][inputs]; y: [batch][outputs], written.
TOT_API void tot_trunk_forward(tot_nn *nn, const tot_trunk *trunk, int64_t batch, const float *x,
                               float *y, const tot_trunk_saved *saved);

typedef struct tot_trunk_gradient {
    float *weight;  // each: NULL when not wanted
    float *bias;
    float *gain;
    float *offset;
    float *x;         // [batch][inputs], rows as those of x
    bool accumulate;  // the first four are added to what stands there
    bool accumulate_x;
} tot_trunk_gradient;

// dy: [batch][outputs], overwritten.
TOT_API void tot_trunk_backward(tot_nn *nn, const tot_trunk *trunk, int64_t batch, const float *x,
                                const float *y, const tot_trunk_saved *saved, float *dy,
                                const tot_trunk_gradient *gradient);

// --- convolutions over pictures ----------------------------------------------------------------

// The encoder of DrQ-v2: pictures of uint8 made x / 255 - 0.5 and shifted, then `layers` 3x3
// convolutions without padding, the first with stride 2 and the others with stride 1, each followed
// by ReLU.
typedef struct tot_conv_shape {
    int64_t channels;  // of a picture: 9
    int64_t size;      // a side of a picture: 84
    int64_t filters;   // of every layer: 32. A multiple of 16
    int64_t layers;    // 4
    int64_t shift;     // most pixels a picture is shifted by, each way: 4
    int64_t batch;     // the most pictures in a call
} tot_conv_shape;

typedef struct tot_conv tot_conv;

// Takes the memory that forward and backward need (0.7 MB per picture for 84x84). learns: backward
// will be called. nn must outlive conv. TOT_E_ARGUMENT names what cannot be.
TOT_API tot_status tot_conv_create(tot_conv **conv, const tot_conv_shape *shape, bool learns,
                                   tot_nn *nn);

// conv may be NULL.
TOT_API void tot_conv_free(tot_conv *conv);

// Numbers in a picture's features: filters * side * side, 39,200 for the defaults above.
TOT_API int64_t tot_conv_features(const tot_conv_shape *shape);

// Floats in all weights and biases. They lie one behind the other: for every layer its weight
// [filters][channels or filters][3][3], as PyTorch's Conv2d, then its bias [filters].
TOT_API int64_t tot_conv_parameters(const tot_conv_shape *shape);

// Where a layer's weight and bias begin among them.
TOT_API int64_t tot_conv_weight_at(const tot_conv_shape *shape, int64_t layer);
TOT_API int64_t tot_conv_bias_at(const tot_conv_shape *shape, int64_t layer);

// pictures: [batch][channels][size][size]; shifts: [batch][2], 0 .. 2 shift in x and y, the corner
// at which the picture is cut out of itself padded by `shift` with its edge; NULL: not shifted.
// features: [batch][filters][side][side], written. keep: backward may follow (needs `learns`); a
// call without it leaves what an earlier one kept.
TOT_API void tot_conv_forward(tot_conv *conv, const float *parameters, int64_t batch,
                              const uint8_t *pictures, const int8_t *shifts, float *features,
                              bool keep);

// After a forward that kept, with the same parameters, batch, pictures, shifts and features.
// dfeatures: [batch][filters][side][side], the gradient for the features. gradient: laid out as the
// parameters, written, or added to what stands there.
TOT_API void tot_conv_backward(tot_conv *conv, const float *parameters, int64_t batch,
                               const uint8_t *pictures, const int8_t *shifts, const float *features,
                               const float *dfeatures, float *gradient, bool accumulate);

// --- losses ------------------------------------------------------------------------------------

// Returns the mean over count of (value - target)^2; gradient (may be NULL): [count], written.
TOT_API double tot_mse(int64_t count, const float *values, const float *targets, float *gradient);

// The loss -mean(min(first, second)), which is returned; gradients (each may be NULL): [count],
// written. Equal values share it half and half, as in PyTorch.
TOT_API double tot_least(int64_t count, const float *first, const float *second,
                         float *gradient_first, float *gradient_second);

// lowest[k] = min(first[k], second[k])
TOT_API void tot_minimum(int64_t count, const float *first, const float *second, float *lowest);

// log(1 / (1 + exp(-x))), without overflow and exact for small and large x.
TOT_API float tot_log_sigmoid(float x);

// Returns scale * sum of the binary cross-entropy of logits that should all be 1 (label true) or 0;
// gradient (may be NULL): [count], written.
TOT_API double tot_bce(int64_t count, const float *logits, bool label, double scale,
                       float *gradient);

// --- gradient penalty --------------------------------------------------------------------------

// A network inputs-hidden-hidden-1 with ReLU after the first two layers: PyTorch's layout.
typedef struct tot_mlp {
    int64_t inputs, hidden;
    float *weight[3];  // [hidden][inputs], [hidden][hidden], [1][hidden]
    float *bias[3];    // [hidden], [hidden], [1]
} tot_mlp;

// Floats that tot_penalty needs to work in.
TOT_API int64_t tot_penalty_scratch(int64_t batch, int64_t inputs, int64_t hidden);

// Returns scale * sum over the batch of (|d output / d x| - 1)^2. gradient: its gradient for the
// three weights is added to gradient->weight; the biases, which have none, are not looked at.
// x: [batch][inputs]; scratch: tot_penalty_scratch() floats.
TOT_API double tot_penalty(tot_nn *nn, const tot_mlp *mlp, int64_t batch, const float *x,
                           double scale, const tot_mlp *gradient, float *scratch);

// --- learning ----------------------------------------------------------------------------------

// Adam and AdamW as in PyTorch (beta 0.9 and 0.999, epsilon 1e-8), over one flat array of
// parameters.
typedef struct tot_adam {
    int64_t count;
    float *parameters;       // [count]
    const float *gradients;  // [count]
    float *first;            // [count], moments; zero before the first step
    float *second;           // [count]
    double learning_rate;
    double weight_decay;  // 0: Adam
    int64_t step;         // 1 for the first
    // a soft target update in the same pass: target += tau * (parameters - target); NULL: none
    float *target;  // [count]
    double tau;
} tot_adam;

TOT_API void tot_adam_step(tot_nn *nn, const tot_adam *adam);

// target += tau * (source - target)
TOT_API void tot_soft_update(tot_nn *nn, int64_t count, float *target, const float *source,
                             double tau);

// --- starting values ---------------------------------------------------------------------------

// weight: [rows][columns], written: rows or columns (whichever are fewer) orthogonal to each other,
// of length gain; uniform among such matrices, drawn from the stream. A convolution's weight has
// its filters as rows and 9 * channels columns; its gain for ReLU is sqrt(2).
TOT_API tot_status tot_orthogonal(tot_random *random, int64_t rows, int64_t columns, double gain,
                                  float *weight);

#ifdef __cplusplus
}
#endif
#endif
