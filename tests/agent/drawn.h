// Agents and batches with values generated from their names, as in make_fixtures.py.
#pragma once

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <temporalot/agent.h>

#include "owned.h"

OWNER(tot_agent)
OWNER(tot_pool)

// Builds whose vector code is some hundred times slower train and check less.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SLOW_BUILD 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SLOW_BUILD 1
#endif
#if !defined(SLOW_BUILD)
#define SLOW_BUILD 0
#endif

typedef struct drawn_case {
    const char *name;
    tot_replay_shape sees;
    int64_t feature;
    int64_t hidden;
    int64_t batch;
    int64_t shift;
    int64_t probes;
    int layer_norm;
    double weight_decay;
} drawn_case;

static const drawn_case drawn_cases[] = {
    {"tiny", {.width = 3}, 4, 6, 8, 0, 10000, 0, 0},
    {"state", {.width = 39}, 50, 64, 32, 0, 7, 0, 0},
    {"small-pixels", {.pixels = 20}, 12, 16, 6, 2, 7, 0, 0},
    {"pixels", {.pixels = 84}, 50, 32, 3, 4, 7, 0, 0},
    {"tiny-normed", {.width = 3}, 4, 6, 8, 0, 10000, 1, 0},
    {"normed", {.width = 35}, 50, 64, 32, 0, 7, 1, 0},
    {"normed-pixels", {.pixels = 20}, 12, 16, 6, 2, 7, 1, 0},
    {"tiny-decayed", {.width = 3}, 4, 6, 8, 0, 10000, 1, 100},
    {"decayed-pixels", {.pixels = 20}, 12, 16, 6, 2, 7, 0, 10},
};

enum { DRAWN_CASES = sizeof drawn_cases / sizeof *drawn_cases };

static inline const drawn_case *drawn_case_of(const char *name) {
    for (size_t k = 0; k < DRAWN_CASES; k++) {
        if (strcmp(drawn_cases[k].name, name) == 0) {
            return &drawn_cases[k];
        }
    }
    return NULL;
}

static inline uint32_t drawn_seed(const char *owner, const char *name) {
    char text[128];
    uint32_t seed = 2166136261u;
    snprintf(text, sizeof text, "%s %s", owner, name);
    for (const char *letter = text; *letter != '\0'; letter++) {
        seed = (seed ^ (uint8_t)*letter) * 16777619u;
    }
    return seed;
}

// In -1 .. 1.
static inline float drawn(uint32_t seed, int64_t k) {
    uint32_t x = seed + (uint32_t)k * 0x9E3779B9u;
    x ^= x >> 16;
    x *= 0x85EBCA6Bu;
    x ^= x >> 13;
    x *= 0xC2B2AE35u;
    x ^= x >> 16;
    return (float)(x >> 8) * 0x1p-23f - 1.0f;
}

static inline tot_agent_config drawn_config(const drawn_case *from) {
    tot_agent_config config;
    tot_agent_defaults(&config);
    config.hidden = from->hidden;
    config.feature = from->feature;
    config.batch = from->batch;
    config.clone_batch = from->batch;
    config.shift = from->shift;
    config.layer_norm = from->layer_norm;
    config.weight_decay = from->weight_decay;
    return config;
}

static inline tot_array drawn_find(tot_agent *agent, const char *name) {
    for (size_t k = 0; k < tot_agent_tensor_count(agent); k++) {
        if (strcmp(tot_agent_tensor_name(agent, k), name) == 0) {
            return tot_agent_tensor(agent, k);
        }
    }
    return (tot_array){0};
}

// Writes the weights: tensors are writable views.
static inline void drawn_weights(tot_agent *agent, const drawn_case *from) {
    for (size_t k = 0; k < tot_agent_tensor_count(agent); k++) {
        const char *name = tot_agent_tensor_name(agent, k);
        tot_array array = tot_agent_tensor(agent, k);
        if (strstr(name, ".adam.") != NULL) {
            continue;
        }
        const char *source = strncmp(name, "target_", 7) == 0 ? name + 7 : name;
        uint32_t seed = drawn_seed(from->name, source);
        int64_t count = tot_array_count(&array);
        float scale = 0.125f;
        const char *last = strrchr(name, '.');
        // layer norm gains are the only one-dimensional weights
        float centre = array.dimensions == 1 && strcmp(last, ".weight") == 0 ? 1.0f : 0.0f;
        if (array.dimensions > 1) {
            scale = (float)sqrt(3.0 / (double)(count / array.shape[0]));
        }
        for (int64_t i = 0; i < count; i++) {
            ((float *)array.data)[i] = drawn(seed, i) * scale + centre;
        }
    }
}

static inline void drawn_numbers(const drawn_case *from, int step, const char *what, float scale,
                                 int64_t count, float *numbers) {
    char name[64];
    snprintf(name, sizeof name, "%d %s", step, what);
    uint32_t seed = drawn_seed(from->name, name);
    for (int64_t k = 0; k < count; k++) {
        numbers[k] = drawn(seed, k) * scale;
    }
}

static inline void drawn_pictures(const drawn_case *from, int step, const char *what, int64_t count,
                                  uint8_t *pictures, int8_t *shifts) {
    char name[64];
    int64_t stack = (int64_t)TOT_STACK * 3 * from->sees.pixels * from->sees.pixels;
    snprintf(name, sizeof name, "%d %s pictures", step, what);
    uint32_t seed = drawn_seed(from->name, name);
    for (int64_t k = 0; k < count * stack; k++) {
        pictures[k] = (uint8_t)((drawn(seed, k) + 1) * 128);
    }
    snprintf(name, sizeof name, "%d %s shifts", step, what);
    seed = drawn_seed(from->name, name);
    for (int64_t k = 0; k < 2 * count; k++) {
        shifts[k] = (int8_t)((drawn(seed, k) + 1) / 2 * (float)(2 * from->shift + 1));
    }
}

// The batch of update `step`, counted from 1.
static inline void drawn_batch(const drawn_case *from, int step, tot_batch *batch) {
    int64_t count = batch->count;
    int64_t numbers = count * from->sees.width;
    if (from->sees.pixels > 0) {
        drawn_pictures(from, step, "now", count, batch->pictures, batch->shifts);
        drawn_pictures(from, step, "following", count, batch->next_pictures, batch->next_shifts);
    } else {
        drawn_numbers(from, step, "now observations", 1, numbers, batch->observations);
        drawn_numbers(from, step, "following observations", 1, numbers, batch->next_observations);
    }
    drawn_numbers(from, step, "noise", 4, 4 * count, batch->noise);
    drawn_numbers(from, step, "noise_actor", 4, 4 * count, batch->noise_actor);
    drawn_numbers(from, step, "actions", 1, 4 * count, batch->actions);
    drawn_numbers(from, step, "rewards", 1, count, batch->rewards);
    for (int64_t k = 0; k < count; k++) {
        batch->discounts[k] = 0.729f;
    }
}

// The batch with the next observations as the current ones.
static inline tot_batch drawn_later(const tot_batch *batch) {
    tot_batch later = *batch;
    later.observations = batch->next_observations;
    later.pictures = batch->next_pictures;
    later.shifts = batch->next_shifts;
    return later;
}
