#include "reward/demos.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

// the product of two step counts fits in 64 bits
static const int64_t most_steps = INT32_MAX;

tot_embeddings tot_embeddings_f32(const float *data, int64_t steps, int64_t width) {
    return (tot_embeddings){data, TOT_F32, steps, width};
}

tot_embeddings tot_embeddings_f64(const double *data, int64_t steps, int64_t width) {
    return (tot_embeddings){data, TOT_F64, steps, width};
}

tot_status tot_embeddings_of(tot_embeddings *view, const tot_array *array, const char *name) {
    BASE_NEED(view, array, name);
    BASE_FAIL_IF(array->type != TOT_F32 && array->type != TOT_F64, TOT_E_SHAPE,
                 "%s: holds %s; embeddings are float32 or float64", name,
                 tot_type_text(array->type));
    BASE_FAIL_IF(array->dimensions < 2, TOT_E_SHAPE,
                 "%s: has %d dimension%s; embeddings are steps x width", name, array->dimensions,
                 array->dimensions == 1 ? "" : "s");
    const bool colours_last = array->dimensions == 4 && array->shape[3] == 3;
    BASE_FAIL_IF(colours_last || (array->dimensions == 4 && array->shape[1] == 3), TOT_E_SHAPE,
                 "%s: looks like pictures of %s; pictures are uint8, 0 .. 255, steps x "
                 "height x width x 3: convert 0 .. 1 with (255 * a).round().astype('uint8')"
                 "%s, or reshape to steps x width to compare the numbers themselves",
                 name, tot_type_text(array->type), colours_last ? "" : ".transpose(0, 2, 3, 1)");
    int64_t width = 1;
    for (int k = 1; k < array->dimensions; k++) {
        width *= array->shape[k];
    }
    *view = (tot_embeddings){array->data, array->type, array->shape[0], width};
    return reward_embeddings_check(view, name);
}

tot_status reward_embeddings_check(const tot_embeddings *frames, const char *name) {
    BASE_FAIL_IF(frames->type != TOT_F32 && frames->type != TOT_F64, TOT_E_SHAPE,
                 "%s: embeddings are float32 or float64", name);
    BASE_FAIL_IF(frames->steps < 1 || frames->width < 1, TOT_E_SHAPE,
                 "%s: %lld steps of width %lld; at least one of each is needed", name,
                 (long long)frames->steps, (long long)frames->width);
    BASE_FAIL_IF(frames->steps > most_steps, TOT_E_SHAPE,
                 "%s: %lld steps; at most %lld can be compared", name, (long long)frames->steps,
                 (long long)most_steps);
    BASE_FAIL_IF(frames->data == NULL, TOT_E_ARGUMENT, "%s: no numbers are given", name);
    return TOT_OK;
}

tot_status reward_embeddings_refuse(const tot_embeddings *frames, int64_t step, const char *name) {
    for (int64_t i = 0; i < frames->steps; i++) {
        for (int64_t k = 0; k < frames->width; k++) {
            double value = reward_value_at(frames, i, k);
            BASE_FAIL_IF(!isfinite(value), TOT_E_VALUE, "%s: step %lld, column %lld is %s", name,
                         (long long)i, (long long)k, isnan(value) ? "NaN" : "infinite");
        }
    }
    return base_fail(TOT_E_VALUE, "%s: step %lld has values too large to compare", name,
                     (long long)step);
}

void reward_pack_row(void *out, const tot_embeddings *frames, int64_t step, int64_t column,
                     bool exact) {
    size_t length = reward_pack_length(frames->width, exact);
    size_t left = (size_t)(frames->width - column);
    size_t count = left < length ? left : length;
    size_t at = (size_t)step * (size_t)frames->width + (size_t)column;
    size_t size = exact ? sizeof(double) : sizeof(float);
    if (exact && frames->type == TOT_F32) {
        const float *from = (const float *)frames->data + at;
        double *to = out;
        for (size_t k = 0; k < count; k++) {
            to[k] = (double)from[k];
        }
    } else {
        memcpy(out, (const char *)frames->data + at * size, count * size);
    }
    memset((char *)out + count * size, 0, (length - count) * size);
}

tot_status tot_demos_create(tot_demos **demos) {
    BASE_NEED(demos);
    BASE_ALLOC_ZERO(*demos, 1, "demonstrations");
    atomic_init(&(*demos)->users, 1);
    return TOT_OK;
}

tot_demos *reward_demos_use(const tot_demos *demos) {
    tot_demos *used = (tot_demos *)demos;  // only the reference count changes
    atomic_fetch_add(&used->users, 1);
    return used;
}

static tot_status measure(reward_demo *demo, const tot_embeddings *frames, const char *name) {
    demo->zero_step = -1;
    demo->narrow = true;
    for (int64_t i = 0; i < frames->steps; i++) {
        double square = 0;
        for (int64_t k = 0; k < frames->width; k++) {
            double value = reward_value_at(frames, i, k);
            square += value * value;
        }
        if (!isfinite(square)) {
            return reward_embeddings_refuse(frames, i, name);
        }
        demo->norms[i] = sqrt(square);
        demo->narrow = demo->narrow && reward_norm_is_narrow(demo->norms[i]);
        if (square == 0 && demo->zero_step < 0) {
            demo->zero_step = i;
        }
    }
    return TOT_OK;
}

// Packs the frames in the layout the products read, so that labelling never packs a demonstration.
static void pack(reward_demo *demo, const tot_embeddings *frames) {
    char *out = demo->packed;
    for (int64_t column = 0; column < frames->width; column += (int64_t)demo->length) {
        for (int64_t i = 0; i < frames->steps; i++, out += demo->row_bytes) {
            reward_pack_row(out, frames, i, column, demo->exact);
        }
    }
    memset(out, 0, REWARD_TILE_COLS * demo->row_bytes);
}

static void demo_free(reward_demo *demo) {
    BASE_RELEASE(demo->packed, demo->norms, demo->name);
}

static tot_status demo_create(reward_demo *demo, const tot_embeddings *frames, const char *name) {
    *demo = (reward_demo){.steps = frames->steps,
                          .width = frames->width,
                          .exact = frames->type == TOT_F64 || frames->width < REWARD_EXACT_WIDTH,
                          .single = frames->type == TOT_F32};
    demo->length = reward_pack_length(frames->width, demo->exact);
    demo->row_bytes = demo->length * (demo->exact ? sizeof(double) : sizeof(float));
    size_t chunks = ((size_t)frames->width + demo->length - 1) / demo->length;
    size_t rows;
    BASE_FAIL_IF(__builtin_mul_overflow(chunks, (size_t)frames->steps, &rows), TOT_E_SHAPE,
                 "%s: %lld steps of width %lld are too many numbers", name,
                 (long long)frames->steps, (long long)frames->width);
    demo->packed = base_alloc(rows + REWARD_TILE_COLS, demo->row_bytes, "demonstration");
    demo->norms = base_alloc((size_t)frames->steps, sizeof *demo->norms, "demonstration");
    demo->name = base_copy_text(name);
    BASE_HAVE(demo->packed, demo->norms, demo->name);
    BASE_TRY(measure(demo, frames, name));
    pack(demo, frames);
    return TOT_OK;
}

tot_status tot_demos_add(tot_demos *demos, tot_embeddings frames, const char *name) {
    BASE_NEED(demos, name);
    BASE_TRY(reward_embeddings_check(&frames, name));
    BASE_FAIL_IF(atomic_load(&demos->users) > 1, TOT_E_ARGUMENT,
                 "%s: demonstrations cannot be added while a labeler uses them", name);
    BASE_FAIL_IF(demos->count > 0 && demos->items[0].width != frames.width, TOT_E_SHAPE,
                 "%s: width %lld, but %s has %lld", name, (long long)frames.width,
                 demos->items[0].name, (long long)demos->items[0].width);
    BASE_GROW(demos->items, demos->capacity, demos->count, demos->count + 1, "demonstrations");
    reward_demo *demo = &demos->items[demos->count];
    tot_status status = demo_create(demo, &frames, name);
    if (status != TOT_OK) {
        demo_free(demo);
        return status;
    }
    demos->count++;
    return TOT_OK;
}

BASE_GETTER(int64_t, tot_demos_count, tot_demos, demos, 0, (int64_t)demos->count)

BASE_GETTER(int64_t, tot_demos_width, tot_demos, demos, 0,
            demos->count > 0 ? demos->items[0].width : 0)

int64_t tot_demos_steps(const tot_demos *demos, int64_t index) {
    BASE_NEED_OR(0, demos);
    return index >= 0 && index < (int64_t)demos->count ? demos->items[index].steps : 0;
}

void tot_demos_free(tot_demos *demos) {
    if (demos == NULL || atomic_fetch_sub(&demos->users, 1) > 1) {
        return;
    }
    for (size_t k = 0; k < demos->count; k++) {
        demo_free(&demos->items[k]);
    }
    BASE_RELEASE(demos->items, demos);
}
