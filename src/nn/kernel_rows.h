// Loops over rows, simple enough for the compiler to vectorize.
#include <math.h>

// exp(x) - 1 for x <= 0, accurate to the last bits also near 0
ALWAYS float expm1_below(float x) {
    x = x < -80.0f ? -80.0f : x;
    float shifted = x * 1.44269504f + 12582912.0f;  // 1.5 * 2^23: rounds to an integer
    float whole = shifted - 12582912.0f;
    float rest = x - whole * 0.693145752f - whole * 1.42860677e-6f;
    float series = 1.0f / 5040;
    series = series * rest + 1.0f / 720;
    series = series * rest + 1.0f / 120;
    series = series * rest + 1.0f / 24;
    series = series * rest + 1.0f / 6;
    series = series * rest + 0.5f;
    series = series * rest * rest + rest;
    // 2^whole: the low bits of `shifted` are that integer; NaN gives some other one, and stays NaN
    union {
        float value;
        uint32_t bits;
    } power = {.value = shifted};
    power.bits = (power.bits - 0x4B400000u + 127u) << 23;
    return power.value * series + (power.value - 1.0f);
}

ALWAYS float tanh_of(float x) {
    float below = expm1_below(-2.0f * fabsf(x));
    return copysignf(-below / (2.0f + below), x);
}

enum { DOT_SUMS = 4 };  // vector accumulators

ALWAYS float dot_of(int64_t depth, const float *a, const float *b) {
    enum { STEP = DOT_SUMS * LANES };
    vec sums[DOT_SUMS] = {0};
    int64_t k = 0;
    for (; k + STEP <= depth; k += STEP) {
        UNROLL
        for (int s = 0; s < DOT_SUMS; s++) {
            sums[s] += *(const vec *)(a + k + s * LANES) * *(const vec *)(b + k + s * LANES);
        }
    }
    vec sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    float total = 0;
    for (; k < depth; k++) {
        total += a[k] * b[k];
    }
    for (int s = 0; s < LANES; s++) {
        total += sum[s];
    }
    return total;
}

static void dot_rows(const nn_dots *dots) {
    for (int64_t i = 0; i < dots->rows; i++) {
        for (int64_t j = 0; j < dots->columns; j++) {
            float value = dot_of(dots->depth, dots->x + i * dots->x_stride,
                                 dots->weight + j * dots->weight_stride);
            value += dots->bias != NULL ? dots->bias[j] : 0;
            dots->c[i * dots->c_stride + j] = dots->relu && value < 0 ? 0 : value;
        }
    }
}

static void tanh_rows(int64_t rows, int64_t columns, int64_t stride, float *y) {
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < columns; j++) {
            y[i * stride + j] = tanh_of(y[i * stride + j]);
        }
    }
}

static void sum_rows(const nn_gate *gate) {
    float *restrict sums = gate->sums;
    for (int64_t i = 0; i < gate->rows; i++) {
        const float *restrict dy = gate->dy + i * gate->stride;
        for (int64_t j = 0; j < gate->columns; j++) {
            sums[j] += dy[j];
        }
    }
}

static void gate_numbers(int64_t count, const float *restrict y, const float *restrict dy,
                         float *restrict out) {
    for (int64_t k = 0; k < count; k++) {
        out[k] = y[k] > 0 ? dy[k] : 0;
    }
}

static void gate_relu(const nn_gate *gate) {
    float *restrict sums = gate->sums;
    for (int64_t i = 0; i < gate->rows; i++) {
        const float *restrict y = gate->y + i * gate->stride;
        float *restrict dy = gate->dy + i * gate->stride;
        if (sums == NULL) {
            for (int64_t j = 0; j < gate->columns; j++) {
                dy[j] = y[j] > 0 ? dy[j] : 0;
            }
        } else {
            for (int64_t j = 0; j < gate->columns; j++) {
                dy[j] = y[j] > 0 ? dy[j] : 0;
                sums[j] += dy[j];
            }
        }
    }
}

static void gate_tanh(const nn_gate *gate) {
    for (int64_t i = 0; i < gate->rows; i++) {
        const float *restrict y = gate->y + i * gate->stride;
        float *restrict dy = gate->dy + i * gate->stride;
        for (int64_t j = 0; j < gate->columns; j++) {
            dy[j] *= 1 - y[j] * y[j];
        }
    }
    if (gate->sums != NULL) {
        sum_rows(gate);
    }
}

enum { SUMS = 8 };  // independent accumulators: a single one would be limited by its latency

ALWAYS double add_up(const double *sums) {
    return ((sums[0] + sums[4]) + (sums[2] + sums[6])) +
           ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

// Sum of x, in double.
ALWAYS double sum_of(int64_t count, const float *x) {
    double sums[SUMS] = {0};
    int64_t k = 0;
    for (; k + SUMS <= count; k += SUMS) {
        UNROLL
        for (int s = 0; s < SUMS; s++) {
            sums[s] += (double)x[k + s];
        }
    }
    for (int s = 0; k < count; k++, s++) {
        sums[s] += (double)x[k];
    }
    return add_up(sums);
}

// Sum of (x - off)^2, in double.
ALWAYS double squares_of(int64_t count, const float *x, float off) {
    double sums[SUMS] = {0};
    int64_t k = 0;
    for (; k + SUMS <= count; k += SUMS) {
        UNROLL
        for (int s = 0; s < SUMS; s++) {
            double far = (double)(x[k + s] - off);
            sums[s] += far * far;
        }
    }
    for (int s = 0; k < count; k++, s++) {
        double far = (double)(x[k] - off);
        sums[s] += far * far;
    }
    return add_up(sums);
}

static void norm_rows(const nn_norm *norm) {
    int64_t columns = norm->columns;
    for (int64_t i = 0; i < norm->rows; i++) {
        float *restrict normal = norm->normal + i * columns;
        float *restrict y = norm->y + i * norm->y_stride;
        float mean = (float)(sum_of(columns, normal) / (double)columns);
        double squares = squares_of(columns, normal, mean);
        float inverse = (float)(1 / sqrt(squares / (double)columns + 1e-5));
        norm->inverse[i] = inverse;
        if (norm->relu) {
            for (int64_t j = 0; j < columns; j++) {
                normal[j] = (normal[j] - mean) * inverse;
                float z = normal[j] * norm->gain[j] + norm->offset[j];
                y[j] = z < 0 ? 0 : z;  // NaN is kept
            }
            continue;
        }
        for (int64_t j = 0; j < columns; j++) {
            normal[j] = (normal[j] - mean) * inverse;
            y[j] = tanh_of(normal[j] * norm->gain[j] + norm->offset[j]);
        }
    }
}

static void norm_rows_gradient(const nn_norm_gradient *norm) {
    int64_t columns = norm->columns;
    for (int64_t i = 0; i < norm->rows; i++) {
        const float *restrict normal = norm->normal + i * columns;
        const float *restrict y = norm->y + i * norm->stride;
        float *restrict dy = norm->dy + i * norm->stride;
        if (norm->relu) {
            for (int64_t j = 0; j < columns; j++) {
                dy[j] = y[j] > 0 ? dy[j] : 0;
            }
        } else {
            for (int64_t j = 0; j < columns; j++) {
                dy[j] *= 1 - y[j] * y[j];
            }
        }
        for (int64_t j = 0; norm->offset_sums != NULL && j < columns; j++) {
            norm->offset_sums[j] += dy[j];
        }
        for (int64_t j = 0; norm->gain_sums != NULL && j < columns; j++) {
            norm->gain_sums[j] += dy[j] * normal[j];
        }
        double sum = 0;
        double along = 0;
        for (int64_t j = 0; j < columns; j++) {
            dy[j] *= norm->gain[j];
            sum += (double)dy[j];
            along += (double)(dy[j] * normal[j]);
        }
        float mean = (float)(sum / (double)columns);
        float mean_along = (float)(along / (double)columns);
        for (int64_t j = 0; j < columns; j++) {
            dy[j] = norm->inverse[i] * (dy[j] - mean - normal[j] * mean_along);
        }
    }
}

static void adam_piece(const nn_adam_piece *piece) {
    float *restrict parameters = piece->parameters;
    const float *restrict gradients = piece->gradients;
    float *restrict first = piece->first;
    float *restrict second = piece->second;
    float *restrict target = piece->target;
    float rate = piece->rate;
    float root = piece->root;
    float keep = piece->keep;
    float tau = piece->tau;
    if (keep != 1) {
        for (int64_t k = 0; k < piece->count; k++) {
            parameters[k] *= keep;
        }
    }
    if (target == NULL) {
        for (int64_t k = 0; k < piece->count; k++) {
            float gradient = gradients[k];
            first[k] += 0.1f * (gradient - first[k]);
            second[k] = 0.999f * second[k] + 0.001f * gradient * gradient;
            parameters[k] -= rate * (first[k] / (sqrtf(second[k]) / root + 1e-8f));
        }
        return;
    }
    for (int64_t k = 0; k < piece->count; k++) {
        float gradient = gradients[k];
        first[k] += 0.1f * (gradient - first[k]);
        second[k] = 0.999f * second[k] + 0.001f * gradient * gradient;
        parameters[k] -= rate * (first[k] / (sqrtf(second[k]) / root + 1e-8f));
        target[k] += tau * (parameters[k] - target[k]);
    }
}

static void follow(int64_t count, float *restrict target, const float *restrict source, float tau) {
    for (int64_t k = 0; k < count; k++) {
        target[k] += tau * (source[k] - target[k]);
    }
}
