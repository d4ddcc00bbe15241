// Losses and their gradients, on short arrays, summed in double.

#include <temporalot/nn.h>

#include "base/base.h"

double tot_mse(int64_t count, const float *values, const float *targets, float *gradient) {
    BASE_NEED_OR(0, values, targets);
    double sum = 0;
    float scale = 2.0f / (float)count;
    for (int64_t k = 0; k < count; k++) {
        float off = values[k] - targets[k];
        sum += (double)off * (double)off;
        if (gradient != NULL) {
            gradient[k] = scale * off;
        }
    }
    return count > 0 ? sum / (double)count : 0;
}

double tot_least(int64_t count, const float *first, const float *second, float *gradient_first,
                 float *gradient_second) {
    BASE_NEED_OR(0, first, second);
    double sum = 0;
    float scale = -1.0f / (float)count;
    for (int64_t k = 0; k < count; k++) {
        float share = first[k] < second[k] ? 1.0f : first[k] > second[k] ? 0.0f : 0.5f;
        // NaN in either gives NaN
        sum += (double)(first[k] < second[k] || first[k] != first[k] ? first[k] : second[k]);
        if (gradient_first != NULL) {
            gradient_first[k] = scale * share;
        }
        if (gradient_second != NULL) {
            gradient_second[k] = scale * (1 - share);
        }
    }
    return count > 0 ? -sum / (double)count : 0;
}

void tot_minimum(int64_t count, const float *first, const float *second, float *lowest) {
    BASE_NEED_OR(, first, second, lowest);
    for (int64_t k = 0; k < count; k++) {
        lowest[k] = first[k] < second[k] || first[k] != first[k] ? first[k] : second[k];
    }
}

float tot_log_sigmoid(float x) {
    return (x < 0 ? x : 0) - log1pf(expf(-fabsf(x)));
}

double tot_bce(int64_t count, const float *logits, bool label, double scale, float *gradient) {
    BASE_NEED_OR(0, logits);
    double sum = 0;
    for (int64_t k = 0; k < count; k++) {
        // the loss of a logit x with target 1 is that of -x with target 0
        float wrong = label ? -logits[k] : logits[k];
        sum -= (double)tot_log_sigmoid(-wrong);
        if (gradient != NULL) {
            // sigmoid(wrong), computed without overflow of exp
            double small = exp(-fabs((double)wrong));
            double sigmoid = wrong >= 0 ? 1 / (1 + small) : small / (1 + small);
            gradient[k] = (float)(label ? -scale * sigmoid : scale * sigmoid);
        }
    }
    return scale * sum;
}
