// Embeddings in which that counts for less which random motion changes anyway. The arm fills most
// of a picture, and where things lie differs from episode to episode: directions in which the
// embeddings of random episodes vary are shrunk, so that what such episodes never do (a window that
// opens, a stick that is carried) shows. From task, views and settings alone, not from the agent.
#pragma once

#include <stdint.h>

#include <temporalot/base.h>

enum { TRAIN_WHITENING_RANK = 64 };

// Of embeddings whose width is that of one view.
typedef struct train_whitening {
    int64_t width;
    int rank;           // directions that are shrunk
    float *mean;        // [width]
    float *directions;  // [rank][width], orthonormal
    float *gains;       // [rank], 0 .. 1: what is left of each
} train_whitening;

// From count embeddings [count][width], count >= 2. floor: a direction whose
// variance is this share of the largest one is shrunk to 1 / sqrt(2).
tot_status train_whitening_fit(train_whitening *whitening, const float *embeddings, int64_t count,
                               int64_t width, double floor);

// Changes count embeddings in place; they stand stride numbers apart.
void train_whitening_apply(const train_whitening *whitening, float *embeddings, int64_t count,
                           int64_t stride);

// whitening may be {0}.
void train_whitening_free(train_whitening *whitening);
