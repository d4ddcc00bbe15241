// Whitening: embeddings in which changes caused by random motion count less. The arm fills most of
// a picture, and object positions differ between episodes: directions in which embeddings of random
// episodes vary are shrunk, so that what such episodes never do (opening a window, carrying a
// stick) stands out. Depends only on task, views and settings, not on the agent.
#pragma once

#include <stdint.h>

#include <temporalot/base.h>

enum { TRAIN_WHITENING_RANK = 64 };

// For embeddings of one view.
typedef struct train_whitening {
    int64_t width;
    int rank;           // number of shrunk directions
    float *mean;        // [width]
    float *directions;  // [rank][width], orthonormal
    float *gains;       // [rank], 0 .. 1: factor applied to each direction
} train_whitening;

// Fits to embeddings [count][width], count >= 2. floor: a direction whose variance is this fraction
// of the largest one is scaled by 1 / sqrt(2).
tot_status train_whitening_fit(train_whitening *whitening, const float *embeddings, int64_t count,
                               int64_t width, double floor);

// Transforms count embeddings in place, stride elements apart.
void train_whitening_apply(const train_whitening *whitening, float *embeddings, int64_t count,
                           int64_t stride);

// Whitens embeddings of several views in place: [count][views][width of a view]. whitening:
// [views].
void train_whitening_apply_views(const train_whitening *whitening, int views, float *embeddings,
                                 int64_t count);

// whitening may be {0}.
void train_whitening_free(train_whitening *whitening);
