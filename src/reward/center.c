// Demonstrations without their mean frame: what all pictures have in common, the scene, says
// nothing about progress and makes every cosine nearly 1.

#include "base/memory.h"
#include "reward/demos.h"

// A demonstration's frames out of their packed rows: [steps][width].
static void unpack(double *out, const tot_demo *demo) {
    for (int64_t step = 0; step < demo->steps; step++) {
        for (int64_t k = 0; k < demo->width; k++) {
            const void *row = tot_demo_rows(demo, k, step);
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
    *out = tot_alloc((size_t)*steps, width * sizeof **out, "centred demonstrations");
    double *next = *out;
    for (size_t k = 0; *out != NULL && k < demos->count; k++) {
        unpack(next, &demos->items[k]);
        next += (size_t)demos->items[k].steps * width;
    }
    return *out != NULL ? TOT_OK : TOT_E_MEMORY;
}

static void take_mean(double *center, double *frames, int64_t steps, int64_t width) {
    for (int64_t step = 0; step < steps; step++) {
        for (int64_t k = 0; k < width; k++) {
            center[k] += frames[step * width + k] / (double)steps;
        }
    }
    for (int64_t step = 0; step < steps; step++) {
        for (int64_t k = 0; k < width; k++) {
            frames[step * width + k] -= center[k];
        }
    }
}

tot_status tot_demos_center(tot_demos **centered, double **center, const tot_demos *demos) {
    const int64_t width = tot_demos_width(demos);
    double *frames = NULL;
    int64_t steps = 0;
    *centered = NULL;
    *center = tot_alloc_zero((size_t)width, sizeof **center, "centre of the demonstrations");
    tot_status status = *center != NULL ? unpack_all(&frames, demos, &steps) : TOT_E_MEMORY;
    status = status != TOT_OK ? status : tot_demos_create(centered);
    if (status == TOT_OK) {
        take_mean(*center, frames, steps, width);
    }
    const double *next = frames;
    for (size_t k = 0; status == TOT_OK && k < demos->count; k++) {
        const tot_demo *demo = &demos->items[k];
        status = tot_demos_add(*centered, tot_embeddings_f64(next, demo->steps, width), demo->name);
        next += demo->steps * width;
    }
    tot_free(frames);
    return status;
}
