// The replay buffer in memory: a queue of whole episodes, and sampling of batches.
#include "agent/replay.h"

#include "base/base.h"

// --- episodes ----------------------------------------------------------------------------------

static size_t picture_bytes(const tot_replay_shape *shape) {
    return 3 * (size_t)shape->pixels * (size_t)shape->pixels;
}

bool agent_replay_payload(const tot_replay_shape *shape, int64_t steps, size_t *bytes) {
    const int64_t most = INT64_C(1) << 40;
    if (steps < 1 || steps > most) {
        return false;
    }
    size_t a_frame = sizeof(float) * (size_t)shape->width + picture_bytes(shape);
    size_t a_step = sizeof(float) * (AGENT_ACTIONS + 1);
    size_t frames;
    return !__builtin_mul_overflow((size_t)steps + 1, a_frame, &frames) &&
           !__builtin_add_overflow(frames, (size_t)steps * a_step, bytes);
}

agent_stored_episode *agent_replay_take(const tot_replay_shape *shape, int64_t steps) {
    size_t payload;
    if (!agent_replay_payload(shape, steps, &payload) || payload > PTRDIFF_MAX / 2) {
        base_fail(TOT_E_MEMORY, "episode: %lld steps are more than memory can hold",
                  (long long)steps);
        return NULL;
    }
    agent_stored_episode *episode = base_alloc(1, sizeof *episode + payload, "episode");
    if (episode == NULL) {
        return NULL;
    }
    episode->steps = steps;
    episode->payload = payload;
    episode->observations = (float *)(episode + 1);
    episode->actions = episode->observations + (steps + 1) * shape->width;
    episode->rewards = episode->actions + steps * AGENT_ACTIONS;
    episode->pictures = (uint8_t *)(episode->rewards + steps);
    return episode;
}

static tot_status check_numbers(const char *name, const char *what, const float *numbers,
                                int64_t count, int64_t a_step) {
    for (int64_t k = 0; k < count; k++) {
        BASE_FAIL_IF(!isfinite(numbers[k]), TOT_E_VALUE, "%s: %s: %g in step %lld", name, what,
                     (double)numbers[k], (long long)(k / a_step));
    }
    return TOT_OK;
}

tot_status agent_replay_check(const tot_replay *replay, const tot_episode *episode,
                              const char *name) {
    int64_t width = replay->shape.width;
    BASE_TRY(check_numbers(name, "observations", episode->observations,
                           (episode->steps + 1) * width, width > 0 ? width : 1));
    BASE_TRY(check_numbers(name, "actions", episode->actions, episode->steps * AGENT_ACTIONS,
                           AGENT_ACTIONS));
    return check_numbers(name, "rewards", episode->rewards, episode->steps, 1);
}

// --- queue -------------------------------------------------------------------------------------

tot_status tot_replay_create(tot_replay **out, const tot_replay_shape *shape, int64_t capacity,
                             size_t bytes) {
    BASE_NEED(out, shape);
    *out = NULL;
    const int64_t most_width = 1 << 24;
    const int most_pixels = 8192;
    BASE_FAIL_IF(shape->width < 0 || shape->width > most_width, TOT_E_ARGUMENT,
                 "replay: width: %lld is not in 0 .. %lld", (long long)shape->width,
                 (long long)most_width);
    BASE_FAIL_IF(shape->pixels < 0 || shape->pixels > most_pixels, TOT_E_ARGUMENT,
                 "replay: pixels: %d is not in 0 .. %d", shape->pixels, most_pixels);
    BASE_FAIL_IF(shape->width == 0 && shape->pixels == 0, TOT_E_ARGUMENT,
                 "replay: observations of neither numbers nor pictures");
    BASE_FAIL_IF(capacity < 1, TOT_E_ARGUMENT, "replay: capacity: %lld is below 1",
                 (long long)capacity);
    BASE_NEW(tot_replay, replay, "replay");
    replay->shape = *shape;
    replay->capacity = capacity;
    replay->most_bytes = bytes > 0 ? bytes : SIZE_MAX;
    *out = replay;
    return TOT_OK;
}

static void evict_oldest(tot_replay *replay) {
    agent_stored_episode *oldest = replay->episodes[replay->first];
    replay->transitions -= oldest->steps;
    replay->bytes -= oldest->payload;
    replay->first++;
    replay->count--;
    base_free(oldest);
}

void agent_replay_clear(tot_replay *replay) {
    while (replay->count > 0) {
        evict_oldest(replay);
    }
    replay->first = 0;
    replay->added = 0;
}

// Makes room for one more episode at the end.
static tot_status reserve_episode(tot_replay *replay) {
    if (replay->first > 0 && replay->first + replay->count == replay->episode_capacity) {
        memmove(replay->episodes, replay->episodes + replay->first,
                replay->count * sizeof *replay->episodes);
        replay->first = 0;
    }
    size_t used = replay->first + replay->count;
    return base_grow((void **)&replay->episodes, &replay->episode_capacity, used, used + 1,
                     sizeof *replay->episodes, "replay");
}

tot_status agent_replay_keep(tot_replay *replay, agent_stored_episode *episode) {
    BASE_FAIL_IF(episode->steps > replay->capacity, TOT_E_SHAPE,
                 "replay: an episode of %lld steps, capacity %lld", (long long)episode->steps,
                 (long long)replay->capacity);
    BASE_FAIL_IF(episode->payload > replay->most_bytes, TOT_E_SHAPE,
                 "replay: an episode of %zu bytes, of %zu in all", episode->payload,
                 replay->most_bytes);
    BASE_TRY(reserve_episode(replay));
    episode->sum = 0;
    for (int64_t k = 0; k < episode->steps; k++) {
        episode->sum += (double)episode->rewards[k];
    }
    while (replay->transitions > replay->capacity - episode->steps ||
           replay->bytes > replay->most_bytes - episode->payload) {
        evict_oldest(replay);
    }
    replay->episodes[replay->first + replay->count] = episode;
    replay->count++;
    replay->transitions += episode->steps;
    replay->bytes += episode->payload;
    replay->added++;
    return TOT_OK;
}

static tot_status check_given(const tot_replay *replay, const tot_episode *episode) {
    BASE_FAIL_IF(episode->steps < 1, TOT_E_SHAPE, "replay: an episode of %lld steps",
                 (long long)episode->steps);
    BASE_FAIL_IF(episode->steps > replay->capacity, TOT_E_SHAPE,
                 "replay: an episode of %lld steps, capacity %lld", (long long)episode->steps,
                 (long long)replay->capacity);
    const char *missing = episode->actions == NULL   ? "actions"
                          : episode->rewards == NULL ? "rewards"
                          : replay->shape.width > 0 && episode->observations == NULL
                              ? "observations"
                          : replay->shape.pixels > 0 && episode->pictures == NULL ? "pictures"
                                                                                  : NULL;
    BASE_FAIL_IF(missing != NULL, TOT_E_ARGUMENT, "replay: an episode without %s", missing);
    return agent_replay_check(replay, episode, "episode");
}

tot_status tot_replay_add(tot_replay *replay, const tot_episode *episode) {
    BASE_NEED(replay, episode);
    BASE_TRY(check_given(replay, episode));
    const tot_replay_shape *shape = &replay->shape;
    agent_stored_episode *copy = agent_replay_take(shape, episode->steps);
    BASE_HAVE(copy);
    size_t steps = (size_t)episode->steps;
    if (shape->width > 0) {
        memcpy(copy->observations, episode->observations,
               (steps + 1) * (size_t)shape->width * sizeof(float));
    }
    if (shape->pixels > 0) {
        memcpy(copy->pictures, episode->pictures, (steps + 1) * picture_bytes(shape));
    }
    memcpy(copy->actions, episode->actions, steps * AGENT_ACTIONS * sizeof(float));
    memcpy(copy->rewards, episode->rewards, steps * sizeof(float));
    tot_status status = agent_replay_keep(replay, copy);
    if (status != TOT_OK) {
        base_free(copy);
    }
    return status;
}

BASE_GETTER(int64_t, tot_replay_transitions, tot_replay, replay, 0, replay->transitions)
BASE_GETTER(int64_t, tot_replay_episodes, tot_replay, replay, 0, (int64_t)replay->count)
BASE_GETTER(int64_t, tot_replay_added, tot_replay, replay, 0, replay->added)

int64_t agent_replay_oldest(const tot_replay *replay) {
    return replay->added - (int64_t)replay->count;
}

tot_status tot_replay_episode(const tot_replay *replay, int64_t number, tot_episode *episode) {
    BASE_NEED(replay, episode);
    int64_t oldest = agent_replay_oldest(replay);
    if (number < oldest || number >= replay->added) {
        *episode = (tot_episode){0};
        return base_fail(TOT_E_ARGUMENT, "replay: episode %lld: %lld .. %lld are kept",
                         (long long)number, (long long)oldest, (long long)replay->added - 1);
    }
    const agent_stored_episode *found = replay->episodes[replay->first + (size_t)(number - oldest)];
    *episode = (tot_episode){
        .steps = found->steps,
        .observations = replay->shape.width > 0 ? found->observations : NULL,
        .pictures = replay->shape.pixels > 0 ? found->pictures : NULL,
        .actions = found->actions,
        .rewards = found->rewards,
    };
    return TOT_OK;
}

void tot_replay_free(tot_replay *replay) {
    BASE_UNLESS_NULL(replay);
    agent_replay_clear(replay);
    BASE_RELEASE(replay->episodes, replay->segments, replay->folder, replay);
}

// --- sampling ----------------------------------------------------------------------------------

// The frame stack that ends with picture t, padded with the first picture.
static void put_stack(const agent_stored_episode *episode, int side, int64_t t, uint8_t *stack) {
    int64_t points = (int64_t)side * side;
    for (int64_t k = 0; k < TOT_STACK; k++) {
        int64_t from = t - (TOT_STACK - 1) + k;
        const uint8_t *rgb = episode->pictures + 3 * points * (from > 0 ? from : 0);
        agent_planes(rgb, points, stack + 3 * points * k);
    }
}

static void put_frame(const tot_batch *batch, const agent_stored_episode *episode, int64_t t,
                      int64_t sample, float *observations, uint8_t *pictures) {
    size_t width = (size_t)batch->shape.width;
    if (width > 0) {
        memcpy(observations + (size_t)sample * width, episode->observations + (size_t)t * width,
               width * sizeof(float));
    }
    if (batch->shape.pixels > 0) {
        size_t stack = TOT_STACK * picture_bytes(&batch->shape);
        put_stack(episode, batch->shape.pixels, t, pictures + (size_t)sample * stack);
    }
}

// The n-step transition from step t.
static void put_transition(const tot_batch *batch, const agent_stored_episode *episode, int64_t t,
                           int64_t n, double discount, int64_t sample) {
    double sum = 0;
    double power = 1;
    for (int64_t k = 0; k < n; k++) {
        sum += power * (double)episode->rewards[t + k];
        power *= discount;
    }
    batch->rewards[sample] = (float)sum;
    batch->discounts[sample] = (float)power;
    memcpy(batch->actions + sample * AGENT_ACTIONS, episode->actions + t * AGENT_ACTIONS,
           AGENT_ACTIONS * sizeof(float));
    put_frame(batch, episode, t, sample, batch->observations, batch->pictures);
    put_frame(batch, episode, t + n, sample, batch->next_observations, batch->next_pictures);
}

static void put_noise(const tot_batch *batch, tot_random *random, int64_t shift, int64_t sample) {
    for (int64_t k = sample * AGENT_ACTIONS; k < (sample + 1) * AGENT_ACTIONS; k++) {
        batch->noise[k] = (float)tot_random_normal(random);
        batch->noise_actor[k] = (float)tot_random_normal(random);
    }
    for (int64_t k = 2 * sample; batch->shape.pixels > 0 && k < 2 * (sample + 1); k++) {
        batch->shifts[k] = (int8_t)tot_random_below(random, (uint64_t)(2 * shift + 1));
        batch->next_shifts[k] = (int8_t)tot_random_below(random, (uint64_t)(2 * shift + 1));
    }
}

tot_status tot_replay_set_sampling(tot_replay *replay, const tot_replay_sampling *sampling) {
    BASE_NEED(replay, sampling);
    BASE_FAIL_IF(!(sampling->best_share >= 0 && sampling->best_share <= 1), TOT_E_ARGUMENT,
                 "replay: best_share: %g is not in 0 .. 1", sampling->best_share);
    BASE_FAIL_IF(sampling->best_share > 0 && sampling->best_of < 1, TOT_E_ARGUMENT,
                 "replay: best_of: %lld is below 1", (long long)sampling->best_of);
    replay->sampling = *sampling;
    return TOT_OK;
}

// Draws an episode uniformly; with probability best_share, the best of several uniform draws.
static const agent_stored_episode *draw_episode(const tot_replay *replay, tot_random *random) {
    const double share = replay->sampling.best_share;
    const bool prefers = share > 0 && tot_random_uniform(random) < share;
    const agent_stored_episode *best = NULL;
    for (int64_t k = 0; k < (prefers ? replay->sampling.best_of : 1); k++) {
        const size_t which = (size_t)tot_random_below(random, replay->count);
        const agent_stored_episode *drawn = replay->episodes[replay->first + which];
        best = best == NULL || drawn->sum > best->sum ? drawn : best;
    }
    return best;
}

tot_status tot_replay_sample(const tot_replay *replay, tot_random *random, int64_t n_step,
                             double discount, int64_t shift, tot_batch *batch) {
    BASE_NEED(replay, random, batch);
    const int64_t most_shift = 63;  // twice this fits in an int8_t
    BASE_FAIL_IF(replay->count == 0, TOT_E_ARGUMENT, "replay: nothing to draw from: it is empty");
    BASE_FAIL_IF(n_step < 1, TOT_E_ARGUMENT, "replay: n_step: %lld is below 1", (long long)n_step);
    BASE_FAIL_IF(!(discount >= 0 && discount <= 1), TOT_E_ARGUMENT,
                 "replay: discount: %g is not in 0 .. 1", discount);
    BASE_FAIL_IF(shift < 0 || shift > most_shift, TOT_E_ARGUMENT,
                 "replay: shift: %lld is not in 0 .. %lld", (long long)shift,
                 (long long)most_shift);
    BASE_FAIL_IF(
        batch->shape.width != replay->shape.width || batch->shape.pixels != replay->shape.pixels,
        TOT_E_SHAPE, "replay: a batch of width %lld and %d pixels; kept are %lld and %d",
        (long long)batch->shape.width, batch->shape.pixels, (long long)replay->shape.width,
        replay->shape.pixels);
    for (int64_t sample = 0; sample < batch->count; sample++) {
        const agent_stored_episode *episode = draw_episode(replay, random);
        int64_t n = n_step < episode->steps ? n_step : episode->steps;
        const int64_t starts = replay->sampling.ends ? episode->steps : episode->steps - n + 1;
        const int64_t t = (int64_t)tot_random_below(random, (uint64_t)starts);
        n = n < episode->steps - t ? n : episode->steps - t;
        put_transition(batch, episode, t, n, discount, sample);
        if (replay->sampling.ends && t + n == episode->steps) {
            batch->discounts[sample] = 0;
        }
        put_noise(batch, random, shift, sample);
    }
    return TOT_OK;
}
