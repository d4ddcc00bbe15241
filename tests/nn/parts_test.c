// What the table of operations does not cover: gradients that are omitted or accumulated, empty
// batches, shifts, initial values, wrong shapes and lack of memory.
#include <math.h>

#include "asserts.h"
#include "failing_memory.h"
#include "bench/nn_ops.h"

static float *numbers(uint32_t seed, int64_t count) {
    float *made = calloc((size_t)count, sizeof *made);
    assert_non_null(made);
    for (int64_t k = 0; k < count; k++) {
        made[k] = op_number(seed, (uint64_t)k);
    }
    return made;
}

// --- dense -------------------------------------------------------------------------------------

enum { BATCH = 9, INPUTS = 21, OUTPUTS = 19 };

typedef struct layer_bed {
    tot_nn *nn;
    tot_dense layer;
    float *weight, *bias, *x, *dy;
    float y[BATCH * OUTPUTS];
    float dweight[OUTPUTS * INPUTS], dbias[OUTPUTS], dx[BATCH * INPUTS];
} layer_bed;

static int layer_set_up(void **state) {
    layer_bed *bed = calloc(1, sizeof *bed);
    assert_non_null(bed);
    assert_ok(tot_nn_create(&bed->nn, NULL));
    bed->weight = numbers(1, OUTPUTS * INPUTS);
    bed->bias = numbers(2, OUTPUTS);
    bed->x = numbers(3, BATCH * INPUTS);
    bed->dy = numbers(4, BATCH * OUTPUTS);
    bed->layer = (tot_dense){.inputs = INPUTS,
                             .outputs = OUTPUTS,
                             .activation = TOT_RELU,
                             .weight = bed->weight,
                             .bias = bed->bias};
    tot_dense_forward(bed->nn, &bed->layer, BATCH, bed->x, bed->y);
    tot_dense_gradient all = {.weight = bed->dweight, .bias = bed->dbias, .x = bed->dx};
    tot_dense_backward(bed->nn, &bed->layer, BATCH, bed->x, bed->y, bed->dy, &all);
    *state = bed;
    return 0;
}

static int layer_tear_down(void **state) {
    layer_bed *bed = *state;
    tot_nn_free(bed->nn);
    free(bed->weight);
    free(bed->bias);
    free(bed->x);
    free(bed->dy);
    free(bed);
    return 0;
}

TEST_EACH(layer_set_up, layer_tear_down)

// Each gradient requested alone equals the one computed together with the others.
TEST(test_one_part_at_a_time) {
    layer_bed *bed = *state;
    float dweight[OUTPUTS * INPUTS];
    float dbias[OUTPUTS];
    float dx[BATCH * INPUTS];
    const tot_dense_gradient requests[] = {{.weight = dweight}, {.bias = dbias}, {.x = dx}};
    for (size_t k = 0; k < sizeof requests / sizeof *requests; k++) {
        float *dy = numbers(4, BATCH * OUTPUTS);
        tot_dense_backward(bed->nn, &bed->layer, BATCH, bed->x, bed->y, dy, &requests[k]);
        free(dy);
    }
    assert_memory_equal(dweight, bed->dweight, sizeof dweight);
    assert_memory_equal(dbias, bed->dbias, sizeof dbias);
    assert_memory_equal(dx, bed->dx, sizeof dx);
}

static void assert_twice(const float *twice, const float *once, size_t count) {
    for (size_t k = 0; k < count; k++) {
        assert_true(fabsf(twice[k] - 2 * once[k]) <= 1e-5f);
    }
}

TEST(test_accumulate) {
    layer_bed *bed = *state;
    float dweight[OUTPUTS * INPUTS];
    float dbias[OUTPUTS];
    float dx[BATCH * INPUTS];
    memcpy(dweight, bed->dweight, sizeof dweight);
    memcpy(dbias, bed->dbias, sizeof dbias);
    memcpy(dx, bed->dx, sizeof dx);
    float *dy = numbers(4, BATCH * OUTPUTS);
    tot_dense_gradient added = {
        .weight = dweight, .bias = dbias, .x = dx, .accumulate = true, .accumulate_x = true};
    tot_dense_backward(bed->nn, &bed->layer, BATCH, bed->x, bed->y, dy, &added);
    free(dy);
    assert_twice(dweight, bed->dweight, OUTPUTS * INPUTS);
    assert_twice(dbias, bed->dbias, OUTPUTS);
    assert_twice(dx, bed->dx, BATCH * INPUTS);
}

// Leaves y, dx and the accumulated gradients unchanged.
TEST(test_empty_batch) {
    layer_bed *bed = *state;
    float before[BATCH * OUTPUTS];
    memcpy(before, bed->y, sizeof before);
    tot_dense_forward(bed->nn, &bed->layer, 0, NULL, NULL);
    float dweight[OUTPUTS * INPUTS] = {1};
    float dbias[OUTPUTS] = {1};
    tot_dense_gradient all = {.weight = dweight, .bias = dbias, .accumulate = true};
    tot_dense_backward(bed->nn, &bed->layer, 0, NULL, NULL, NULL, &all);
    assert_memory_equal(before, bed->y, sizeof before);
    assert_true(dweight[0] == 1 && dbias[0] == 1);
    // without accumulation, the gradients are zeroed
    all.accumulate = false;
    tot_dense_backward(bed->nn, &bed->layer, 0, NULL, NULL, NULL, &all);
    assert_true(dweight[0] == 0 && dbias[0] == 0);
}

// --- trunk -------------------------------------------------------------------------------------

typedef struct trunk_gradients {
    float weight[OUTPUTS * INPUTS], bias[OUTPUTS], gain[OUTPUTS], offset[OUTPUTS];
    float x[BATCH * INPUTS];
} trunk_gradients;

static void trunk_gradients_of(const layer_bed *bed, float y[BATCH * OUTPUTS],
                               trunk_gradients *gradients, bool weights, bool added) {
    static float gain[OUTPUTS], offset[OUTPUTS], normal[BATCH * OUTPUTS], inverse[BATCH];
    for (uint64_t k = 0; k < OUTPUTS; k++) {
        gain[k] = op_number(5, k);
        offset[k] = op_number(6, k);
    }
    const tot_trunk trunk = {.inputs = INPUTS,
                             .outputs = OUTPUTS,
                             .weight = bed->weight,
                             .bias = bed->bias,
                             .gain = gain,
                             .offset = offset,
                             .activation = TOT_RELU};
    tot_trunk_saved saved = {.normal = normal, .inverse = inverse};
    tot_trunk_gradient gradient = {.x = gradients->x, .accumulate = added, .accumulate_x = added};
    if (weights) {
        gradient.weight = gradients->weight;
        gradient.bias = gradients->bias;
        gradient.gain = gradients->gain;
        gradient.offset = gradients->offset;
    }
    float *dy = numbers(4, BATCH * OUTPUTS);
    tot_trunk_forward(bed->nn, &trunk, BATCH, bed->x, y, &saved);
    tot_trunk_backward(bed->nn, &trunk, BATCH, bed->x, y, &saved, dy, &gradient);
    free(dy);
}

// The gradient of x alone equals the one computed with the others; accumulated, each is doubled.
TEST(test_trunk_parts) {
    layer_bed *bed = *state;
    static trunk_gradients all, alone, twice;
    float y[BATCH * OUTPUTS];
    trunk_gradients_of(bed, y, &all, true, false);
    trunk_gradients_of(bed, y, &alone, false, false);
    assert_memory_equal(alone.x, all.x, sizeof all.x);
    assert_true(alone.weight[0] == 0 && alone.gain[0] == 0);
    twice = all;
    trunk_gradients_of(bed, y, &twice, true, true);
    assert_twice(twice.weight, all.weight, OUTPUTS * INPUTS);
    assert_twice(twice.bias, all.bias, OUTPUTS);
    assert_twice(twice.gain, all.gain, OUTPUTS);
    assert_twice(twice.offset, all.offset, OUTPUTS);
    assert_twice(twice.x, all.x, BATCH * INPUTS);
    assert_true(twice.x[0] != all.x[0]);
}

// Divergence must be detectable: NaN propagates through ReLU and the minimum of two.
TEST(test_nan_is_seen) {
    layer_bed *bed = *state;
    bed->x[0] = NAN;
    tot_dense_forward(bed->nn, &bed->layer, BATCH, bed->x, bed->y);
    assert_true(isnan(bed->y[0]) && isnan(bed->y[OUTPUTS - 1]) && !isnan(bed->y[OUTPUTS]));
    static trunk_gradients gradients;
    float y[BATCH * OUTPUTS];
    trunk_gradients_of(bed, y, &gradients, true, false);
    assert_true(isnan(y[0]) && isnan(y[OUTPUTS - 1]) && !isnan(y[OUTPUTS]));
    float values[2] = {NAN, 1};
    float others[2] = {0, 0};
    assert_true(isnan(tot_least(2, values, others, NULL, NULL)));
    assert_true(isnan(tot_least(2, others, values, NULL, NULL)));
    assert_true(isnan(tot_mse(2, values, others, NULL)));
    assert_true(isnan(tot_bce(2, values, true, 1, NULL)));
}

// --- tanh and sigmoid --------------------------------------------------------------------------

TEST(test_tanh_everywhere) {
    layer_bed *bed = *state;
    float weight[1] = {1};
    tot_dense layer = {.inputs = 1, .outputs = 1, .activation = TOT_TANH, .weight = weight};
    enum { POINTS = 4001 };
    static float x[POINTS];
    static float y[POINTS];
    for (int k = 0; k < POINTS; k++) {
        float t = (float)(2 * k - POINTS + 1) / (POINTS - 1);
        x[k] = 12 * t * t * t;
    }
    x[0] = -1e30f;
    x[POINTS - 1] = 1e30f;
    tot_dense_forward(bed->nn, &layer, POINTS, x, y);
    for (int k = 0; k < POINTS; k++) {
        double off = fabs((double)y[k] - tanh((double)x[k]));
        if (!(off <= 2.5e-7 * fabs(tanh((double)x[k])))) {
            print_error("tanh(%g) is %.9g\n", (double)x[k], (double)y[k]);
        }
        assert_true(off <= 2.5e-7 * fabs(tanh((double)x[k])));
    }
}

TEST(test_log_sigmoid_far_out) {
    assert_true(tot_log_sigmoid(1000) == 0);
    assert_true(tot_log_sigmoid(-1000) == -1000);
    assert_true(fabsf(tot_log_sigmoid(0) + 0.693147181f) < 1e-7f);
    // exp(-20) is lost when added to 1, but it is the result
    assert_true(fabs((double)tot_log_sigmoid(20) + 2.0611536e-9) < 1e-15);
    float far[2] = {500, -500};
    float gradient[2];
    assert_true(fabs(tot_bce(2, far, true, 0.5, gradient) - 250) < 1e-4);
    assert_true(gradient[0] == 0 && gradient[1] == -0.5f);
}

TEST(test_equal_values_share) {
    float first[3] = {1, 2, 3};
    float second[3] = {1, 3, 2};
    float left[3];
    float right[3];
    assert_true(fabs(tot_least(3, first, second, left, right) + 5.0 / 3) < 1e-12);
    float third = -1.0f / 3;
    assert_true(left[0] == third / 2 && right[0] == third / 2);
    assert_true(left[1] == third && right[1] == 0);
    assert_true(left[2] == 0 && right[2] == third);
}

// --- convolutions ------------------------------------------------------------------------------

typedef struct picture_bed {
    tot_nn *nn;
    tot_conv *conv;
    tot_conv_shape shape;
    float *parameters, *features, *again;
    uint8_t *pictures;
    int64_t count;  // number of features
} picture_bed;

static int picture_set_up(void **state) {
    picture_bed *bed = calloc(1, sizeof *bed);
    assert_non_null(bed);
    bed->shape = (tot_conv_shape){
        .channels = 3, .size = 17, .filters = 16, .layers = 3, .shift = 4, .batch = 5};
    assert_ok(tot_nn_create(&bed->nn, NULL));
    assert_ok(tot_conv_create(&bed->conv, &bed->shape, true, bed->nn));
    bed->parameters = numbers(7, tot_conv_parameters(&bed->shape));
    bed->count = 5 * tot_conv_features(&bed->shape);
    bed->features = numbers(8, bed->count);
    bed->again = numbers(9, bed->count);
    bed->pictures = calloc(5 * 3 * 17 * 17, 1);
    assert_non_null(bed->pictures);
    for (uint64_t k = 0; k < 5 * 3 * 17 * 17; k++) {
        bed->pictures[k] = (uint8_t)op_word(10, k);
    }
    *state = bed;
    return 0;
}

static int picture_tear_down(void **state) {
    picture_bed *bed = *state;
    tot_conv_free(bed->conv);
    tot_nn_free(bed->nn);
    free(bed->parameters);
    free(bed->features);
    free(bed->again);
    free(bed->pictures);
    free(bed);
    return 0;
}

TEST_EACH(picture_set_up, picture_tear_down)

TEST(test_middle_shift_is_none) {
    picture_bed *bed = *state;
    int8_t shifts[10] = {4, 4, 4, 4, 4, 4, 4, 4, 4, 4};
    tot_conv_forward(bed->conv, bed->parameters, 5, bed->pictures, NULL, bed->features, false);
    tot_conv_forward(bed->conv, bed->parameters, 5, bed->pictures, shifts, bed->again, false);
    assert_memory_equal(bed->features, bed->again, (size_t)bed->count * sizeof(float));
    shifts[0] = 5;
    tot_conv_forward(bed->conv, bed->parameters, 5, bed->pictures, shifts, bed->again, false);
    assert_memory_not_equal(bed->features, bed->again, (size_t)bed->count / 5 * sizeof(float));
    assert_memory_equal(bed->features + bed->count / 5, bed->again + bed->count / 5,
                        (size_t)bed->count / 5 * 4 * sizeof(float));
}

// A forward pass without keep and with a smaller batch in between does not change the gradient;
// accumulating it doubles it.
TEST(test_kept_survives) {
    picture_bed *bed = *state;
    int64_t parameters = tot_conv_parameters(&bed->shape);
    float *first = numbers(11, parameters);
    float *second = numbers(12, parameters);
    float *out_gradient = numbers(13, bed->count);
    tot_conv_forward(bed->conv, bed->parameters, 5, bed->pictures, NULL, bed->features, true);
    tot_conv_backward(bed->conv, bed->parameters, 5, bed->pictures, NULL, bed->features,
                      out_gradient, first, false);
    tot_conv_forward(bed->conv, bed->parameters, 3, bed->pictures + 3 * 17 * 17, NULL, bed->again,
                     false);
    tot_conv_backward(bed->conv, bed->parameters, 5, bed->pictures, NULL, bed->features,
                      out_gradient, second, false);
    assert_memory_equal(first, second, (size_t)parameters * sizeof(float));
    tot_conv_backward(bed->conv, bed->parameters, 5, bed->pictures, NULL, bed->features,
                      out_gradient, second, true);
    for (int64_t k = 0; k < parameters; k++) {
        assert_true(second[k] == 2 * first[k]);
    }
    free(first);
    free(second);
    free(out_gradient);
}

TEST(test_layout) {
    tot_conv_shape shape = {
        .channels = 9, .size = 84, .filters = 32, .layers = 4, .shift = 4, .batch = 512};
    assert_int_equal(tot_conv_features(&shape), 39200);
    assert_int_equal(tot_conv_weight_at(&shape, 0), 0);
    assert_int_equal(tot_conv_bias_at(&shape, 0), 32 * 81);
    assert_int_equal(tot_conv_weight_at(&shape, 1), 32 * 82);
    assert_int_equal(tot_conv_bias_at(&shape, 3), 32 * 82 + 2 * 32 * 289 + 32 * 288);
    assert_int_equal(tot_conv_parameters(&shape), 32 * 82 + 3 * 32 * 289);
}

TEST(test_bad_shapes) {
    picture_bed *bed = *state;
    const struct {
        tot_conv_shape shape;
        const char *word;
    } bad[] = {
        {{.channels = 0, .size = 84, .filters = 32, .layers = 4, .batch = 1}, "channels: 0"},
        {{.channels = 9, .size = 2, .filters = 32, .layers = 4, .batch = 1}, "size: 2"},
        {{.channels = 9, .size = 84, .filters = 24, .layers = 4, .batch = 1}, "filters: 24"},
        {{.channels = 9, .size = 84, .filters = 0, .layers = 4, .batch = 1}, "filters: 0"},
        {{.channels = 9, .size = 84, .filters = 32, .layers = 0, .batch = 1}, "layers: 0"},
        {{.channels = 9, .size = 84, .filters = 32, .layers = 17, .batch = 1}, "layers: 17"},
        {{.channels = 9, .size = 84, .filters = 32, .layers = 4, .batch = 0}, "batch: 0"},
        {{.channels = 9, .size = 84, .filters = 32, .layers = 4, .batch = 1, .shift = 64},
         "shift: 64"},
        {{.channels = 9, .size = 10, .filters = 32, .layers = 4, .batch = 1}, "10 pixels"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        tot_conv *conv = NULL;
        assert_fails(tot_conv_create(&conv, &bad[k].shape, true, bed->nn), TOT_E_ARGUMENT,
                     bad[k].word);
        assert_null(conv);
    }
}

// --- initial values ----------------------------------------------------------------------------

static void check_orthogonal(int64_t rows, int64_t columns, double gain) {
    tot_random random;
    tot_random_init(&random, 5, "agent");
    float *weight = calloc((size_t)(rows * columns), sizeof *weight);
    assert_non_null(weight);
    assert_ok(tot_orthogonal(&random, rows, columns, gain, weight));
    bool wide = rows < columns;
    int64_t count = wide ? rows : columns;
    int64_t length = wide ? columns : rows;
    for (int64_t i = 0; i < count; i++) {
        for (int64_t j = 0; j <= i; j++) {
            double sum = 0;
            for (int64_t k = 0; k < length; k++) {
                sum += wide ? (double)weight[i * columns + k] * (double)weight[j * columns + k]
                            : (double)weight[k * columns + i] * (double)weight[k * columns + j];
            }
            assert_true(fabs(sum - (i == j ? gain * gain : 0)) < 2e-6);
        }
    }
    free(weight);
}

TEST(test_orthogonal) {
    check_orthogonal(50, 39, 1);
    check_orthogonal(130, 210, 1);
    check_orthogonal(33, 33, 1);
    check_orthogonal(32, 288, sqrt(2));
    check_orthogonal(1, 1, 1);
    check_orthogonal(1, 64, 1);
    tot_random random;
    tot_random_init(&random, 5, "agent");
    float weight[1];
    assert_fails(tot_orthogonal(&random, 0, 4, 1, weight), TOT_E_SHAPE, "0 x 4");
}

// The same stream gives the same matrix, the next draw another one; both signs occur.
TEST(test_orthogonal_draws) {
    tot_random random;
    tot_random_init(&random, 6, "agent");
    tot_random same = random;
    float first[12];
    float second[12];
    float third[12];
    assert_ok(tot_orthogonal(&random, 3, 4, 1, first));
    assert_ok(tot_orthogonal(&random, 3, 4, 1, second));
    assert_ok(tot_orthogonal(&same, 3, 4, 1, third));
    assert_memory_equal(first, third, sizeof first);
    assert_memory_not_equal(first, second, sizeof first);
    int positive = 0;
    for (int k = 0; k < 200; k++) {
        float one[1];
        assert_ok(tot_orthogonal(&random, 1, 1, 1, one));
        positive += one[0] > 0 ? 1 : 0;
    }
    assert_true(positive > 60 && positive < 140);
}

// --- memory ------------------------------------------------------------------------------------

static tot_status make_all(void) {
    tot_nn *nn = NULL;
    tot_conv *conv = NULL;
    tot_conv_shape shape = {.channels = 3, .size = 17, .filters = 16, .layers = 3, .batch = 2};
    tot_random random;
    tot_random_init(&random, 5, "agent");
    float weight[6];
    tot_status status = tot_nn_create(&nn, NULL);
    status = status != TOT_OK ? status : tot_conv_create(&conv, &shape, true, nn);
    status = status != TOT_OK ? status : tot_orthogonal(&random, 2, 3, 1, weight);
    tot_conv_free(conv);
    tot_nn_free(nn);
    return status;
}

TEST(test_missing_memory) {
    assert_survives_no_memory(make_all());
}

TEST_MAIN(NULL, NULL)
