// Memory of a batch.
#include "agent/replay.h"
#include "base/base.h"

void tot_batch_free(tot_batch *batch) {
    BASE_UNLESS_NULL(batch);
    BASE_RELEASE(batch->observations, batch->next_observations, batch->pictures,
                 batch->next_pictures, batch->actions, batch->rewards, batch->discounts,
                 batch->noise, batch->noise_actor, batch->shifts, batch->next_shifts);
    *batch = (tot_batch){0};
}

// Allocates an array with a_sample elements per sample; NULL if a_sample is 0.
static bool take(void *part, size_t count, size_t a_sample, size_t size) {
    void **pointer = part;
    *pointer = a_sample > 0 ? base_alloc_zero(count, a_sample * size, "batch") : NULL;
    return a_sample == 0 || *pointer != NULL;
}

tot_status tot_batch_create(tot_batch *batch, const tot_replay_shape *shape, int64_t count) {
    BASE_NEED(batch, shape);
    *batch = (tot_batch){0};
    BASE_FAIL_IF(count < 1 || shape->width < 0 || shape->pixels < 0 || shape->pixels > 8192,
                 TOT_E_ARGUMENT, "batch: %lld samples of %lld numbers and pictures of %d pixels",
                 (long long)count, (long long)shape->width, shape->pixels);
    size_t width = (size_t)shape->width;
    size_t stack = TOT_STACK * 3 * (size_t)shape->pixels * (size_t)shape->pixels;
    size_t shifts = shape->pixels > 0 ? 2 : 0;
    size_t n = (size_t)count;
    batch->count = count;
    batch->shape = *shape;
    bool good = take(&batch->observations, n, width, sizeof(float)) &&
                take(&batch->next_observations, n, width, sizeof(float)) &&
                take(&batch->pictures, n, stack, 1) && take(&batch->next_pictures, n, stack, 1) &&
                take(&batch->actions, n, AGENT_ACTIONS, sizeof(float)) &&
                take(&batch->rewards, n, 1, sizeof(float)) &&
                take(&batch->discounts, n, 1, sizeof(float)) &&
                take(&batch->noise, n, AGENT_ACTIONS, sizeof(float)) &&
                take(&batch->noise_actor, n, AGENT_ACTIONS, sizeof(float)) &&
                take(&batch->shifts, n, shifts, 1) && take(&batch->next_shifts, n, shifts, 1);
    if (!good) {
        tot_batch_free(batch);
        return TOT_E_MEMORY;
    }
    return TOT_OK;
}
