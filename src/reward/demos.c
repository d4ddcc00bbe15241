#include "reward/demos.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

// both lengths multiply in 64 bits
static const int64_t most_steps = INT32_MAX;

tot_embeddings tot_embeddings_f32(const float *data, int64_t steps, int64_t width) {
    return (tot_embeddings){data, TOT_F32, steps, width};
}

tot_embeddings tot_embeddings_f64(const double *data, int64_t steps, int64_t width) {
    return (tot_embeddings){data, TOT_F64, steps, width};
}

tot_status tot_embeddings_of(tot_embeddings *view, const tot_array *array, const char *name) {
    if (array->type != TOT_F32 && array->type != TOT_F64) {
        return tot_fail(TOT_E_SHAPE, "%s: holds %s; embeddings are float32 or float64", name,
                        tot_type_text(array->type));
    }
    if (array->dimensions < 2) {
        return tot_fail(TOT_E_SHAPE, "%s: has %d dimension%s; embeddings are steps x width", name,
                        array->dimensions, array->dimensions == 1 ? "" : "s");
    }
    int64_t width = 1;
    for (int k = 1; k < array->dimensions; k++) {
        width *= array->shape[k];
    }
    *view = (tot_embeddings){array->data, array->type, array->shape[0], width};
    return tot_embeddings_check(view, name);
}

tot_status tot_embeddings_check(const tot_embeddings *frames, const char *name) {
    if (frames->type != TOT_F32 && frames->type != TOT_F64) {
        return tot_fail(TOT_E_SHAPE, "%s: embeddings are float32 or float64", name);
    }
    if (frames->steps < 1 || frames->width < 1) {
        return tot_fail(TOT_E_SHAPE, "%s: %lld steps of width %lld; at least one of each is needed",
                        name, (long long)frames->steps, (long long)frames->width);
    }
    if (frames->steps > most_steps) {
        return tot_fail(TOT_E_SHAPE, "%s: %lld steps; at most %lld can be compared", name,
                        (long long)frames->steps, (long long)most_steps);
    }
    return TOT_OK;
}

static double value_at(const tot_embeddings *frames, int64_t step, int64_t column) {
    size_t at = (size_t)step * (size_t)frames->width + (size_t)column;
    return frames->type == TOT_F32 ? (double)((const float *)frames->data)[at]
                                   : ((const double *)frames->data)[at];
}

tot_status tot_embeddings_refuse(const tot_embeddings *frames, int64_t step, const char *name) {
    for (int64_t i = 0; i < frames->steps; i++) {
        for (int64_t k = 0; k < frames->width; k++) {
            double value = value_at(frames, i, k);
            if (!isfinite(value)) {
                return tot_fail(TOT_E_VALUE, "%s: step %lld, column %lld is %s", name, (long long)i,
                                (long long)k, isnan(value) ? "NaN" : "infinite");
            }
        }
    }
    return tot_fail(TOT_E_VALUE, "%s: step %lld has values too large to compare", name,
                    (long long)step);
}

tot_status tot_demos_create(tot_demos **demos) {
    *demos = tot_alloc_zero(1, sizeof **demos, "demonstrations");
    return *demos != NULL ? TOT_OK : TOT_E_MEMORY;
}

static tot_status measure(tot_demo *demo, const char *name) {
    demo->zero_step = -1;
    demo->narrow = true;
    for (int64_t i = 0; i < demo->frames.steps; i++) {
        double square = 0;
        for (int64_t k = 0; k < demo->frames.width; k++) {
            double value = value_at(&demo->frames, i, k);
            square += value * value;
        }
        if (!isfinite(square)) {
            return tot_embeddings_refuse(&demo->frames, i, name);
        }
        demo->norms[i] = sqrt(square);
        demo->narrow = demo->narrow && tot_norm_is_narrow(demo->norms[i]);
        if (square == 0 && demo->zero_step < 0) {
            demo->zero_step = i;
        }
    }
    return TOT_OK;
}

static void demo_free(tot_demo *demo) {
    tot_free((void *)demo->frames.data);
    tot_free(demo->norms);
    tot_free(demo->name);
}

tot_status tot_demos_add(tot_demos *demos, tot_embeddings frames, const char *name) {
    TOT_TRY(tot_embeddings_check(&frames, name));
    if (demos->count > 0 && demos->items[0].frames.width != frames.width) {
        return tot_fail(TOT_E_SHAPE, "%s: width %lld, but %s has %lld", name,
                        (long long)frames.width, demos->items[0].name,
                        (long long)demos->items[0].frames.width);
    }
    void *items = demos->items;
    TOT_TRY(tot_grow(&items, &demos->capacity, demos->count, demos->count + 1, sizeof *demos->items,
                     "demonstrations"));
    demos->items = items;

    size_t size = tot_type_size(frames.type);
    size_t numbers;
    if (__builtin_mul_overflow((size_t)frames.steps, (size_t)frames.width, &numbers)) {
        return tot_fail(TOT_E_SHAPE, "%s: %lld steps of width %lld are too many numbers", name,
                        (long long)frames.steps, (long long)frames.width);
    }
    tot_demo demo = {.frames = frames};
    void *copy = tot_alloc(numbers, size, "demonstration");
    demo.frames.data = copy;
    demo.norms = tot_alloc((size_t)frames.steps, sizeof *demo.norms, "demonstration");
    demo.name = tot_copy_text(name);
    tot_status status = TOT_E_MEMORY;
    if (copy != NULL && demo.norms != NULL && demo.name != NULL) {
        memcpy(copy, frames.data, numbers * size);
        status = measure(&demo, name);
    }
    if (status != TOT_OK) {
        demo_free(&demo);
        return status;
    }
    demos->items[demos->count++] = demo;
    return TOT_OK;
}

int64_t tot_demos_count(const tot_demos *demos) {
    return (int64_t)demos->count;
}

int64_t tot_demos_width(const tot_demos *demos) {
    return demos->count > 0 ? demos->items[0].frames.width : 0;
}

int64_t tot_demos_steps(const tot_demos *demos, int64_t index) {
    return demos->items[index].frames.steps;
}

void tot_demos_free(tot_demos *demos) {
    if (demos == NULL) {
        return;
    }
    for (size_t k = 0; k < demos->count; k++) {
        demo_free(&demos->items[k]);
    }
    tot_free(demos->items);
    tot_free(demos);
}
