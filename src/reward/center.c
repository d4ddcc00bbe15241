// Transforms frames before they are compared. The mean frame of the demonstrations can be
// subtracted: what all images share, the scene, says nothing about progress and makes every cosine
// nearly 1. If a frame concatenates several views, each view is scaled to norm sqrt(weight): the
// cosine of the whole frame is then the weighted mean of the views' cosines, and its chord the root
// of the weighted mean of their squared chords.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "reward/demos.h"

// Unpacks a demonstration's frames into out, [steps][width].
static void unpack(double *out, const reward_demo *demo) {
    for (int64_t step = 0; step < demo->steps; step++) {
        for (int64_t k = 0; k < demo->width; k++) {
            const void *row = reward_demo_rows(demo, k, step);
            const size_t at = (size_t)k % demo->length;
            *out++ = demo->exact ? ((const double *)row)[at] : (double)((const float *)row)[at];
        }
    }
}

static tot_status unpack_all(double **out, const tot_demos *demos, int64_t *steps) {
    *steps = 0;
    for (size_t k = 0; k < demos->count; k++) {
        *steps += demos->items[k].steps;
    }
    const size_t width = (size_t)tot_demos_width(demos);
    *out = base_alloc((size_t)*steps, width * sizeof **out, "centred demonstrations");
    double *next = *out;
    for (size_t k = 0; *out != NULL && k < demos->count; k++) {
        unpack(next, &demos->items[k]);
        next += (size_t)demos->items[k].steps * width;
    }
    return *out != NULL ? TOT_OK : TOT_E_MEMORY;
}

static void take_mean(double *center, const double *frames, int64_t steps, int64_t width) {
    for (int64_t step = 0; step < steps; step++) {
        for (int64_t k = 0; k < width; k++) {
            center[k] += frames[step * width + k] / (double)steps;
        }
    }
}

static double weight_of(const tot_reward_config *config, int64_t view) {
    if (config->first_view == 0) {
        return 1 / (double)config->views;
    }
    return view == 0 ? config->first_view : (1 - config->first_view) / (double)(config->views - 1);
}

void reward_prepare_frame(double *frame, int64_t width, const double *center,
                          const tot_reward_config *config) {
    for (int64_t k = 0; k < width; k++) {
        frame[k] -= center[k];
    }
    const int64_t part = width / config->views;
    for (int64_t view = 0; config->views > 1 && view < config->views; view++) {
        double *numbers = frame + view * part;
        double square = 0;
        for (int64_t k = 0; k < part; k++) {
            square += numbers[k] * numbers[k];
        }
        const double factor = square > 0 ? sqrt(weight_of(config, view) / square) : 0;
        for (int64_t k = 0; k < part; k++) {
            numbers[k] *= factor;
        }
    }
}

bool reward_prepares(const tot_reward_config *config) {
    return config->center == TOT_CENTER_DEMOS || config->views > 1;
}

static tot_status check(int64_t width, const tot_reward_config *config) {
    BASE_FAIL_IF(config->views > 1 && config->cost == TOT_COST_EUCLIDEAN, TOT_E_ARGUMENT,
                 "views: several views need the cost cosine or chord, not euclidean");
    BASE_FAIL_IF(width % config->views != 0, TOT_E_SHAPE,
                 "views: frames of %lld numbers do not hold %lld views", (long long)width,
                 (long long)config->views);
    return TOT_OK;
}

tot_status reward_prepare_demos(tot_demos **prepared, double **center, const tot_demos *demos,
                                const tot_reward_config *config) {
    const int64_t width = tot_demos_width(demos);
    BASE_TRY(check(width, config));
    double *frames = NULL;
    int64_t steps = 0;
    *prepared = NULL;
    *center = base_alloc_zero((size_t)width, sizeof **center, "centre of the demonstrations");
    tot_status status = *center != NULL ? unpack_all(&frames, demos, &steps) : TOT_E_MEMORY;
    BASE_THEN(status, tot_demos_create(prepared));
    if (status == TOT_OK && config->center == TOT_CENTER_DEMOS) {
        take_mean(*center, frames, steps, width);
    }
    for (int64_t step = 0; status == TOT_OK && step < steps; step++) {
        reward_prepare_frame(frames + step * width, width, *center, config);
    }
    const double *next = frames;
    for (size_t k = 0; status == TOT_OK && k < demos->count; k++) {
        const reward_demo *demo = &demos->items[k];
        status = tot_demos_add(*prepared, tot_embeddings_f64(next, demo->steps, width), demo->name);
        next += demo->steps * width;
    }
    base_free(frames);
    return status;
}
