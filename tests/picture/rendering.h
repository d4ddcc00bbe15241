// Shared by the tests in this folder: a world to render, renderers, and comparison of pictures.
#pragma once

#include <temporalot/picture.h>

#include "asserts.h"
#include "sanitizers.h"

// With the thread sanitizer, the tests render only a few of everything.
#define FEW TEST_TSAN

// A task, and a world some frames into an expert episode.
typedef struct scene {
    tot_task *task;
    tot_world *world;
} scene;

static inline void play_scene(tot_world *world, uint64_t episode, int frames) {
    assert_ok(tot_world_reset(world, 0, episode));
    for (int k = 0; k < frames; k++) {
        float action[TOT_ACTION];
        tot_world_expert(world, action);
        assert_ok(tot_world_step(world, action));
    }
}

static inline void open_scene(scene *out, const char *name, int frames) {
    assert_ok(tot_task_load(&out->task, name, NULL));
    assert_ok(tot_world_create(&out->world, out->task, NULL));
    play_scene(out->world, 0, frames);
}

static inline void close_scene(scene *it) {
    tot_world_free(it->world);
    tot_task_free(it->task);
}

// The scene of most tests, as a group fixture.
static scene door __attribute__((unused));

static inline int open_door(void **state) {
    (void)state;
    open_scene(&door, "door-open", 20);
    return 0;
}

static inline int close_door(void **state) {
    (void)state;
    close_scene(&door);
    return 0;
}

static inline tot_picture_settings settings_of(tot_renderer_kind renderer, tot_quality quality,
                                               int width, int height) {
    tot_picture_settings settings;
    tot_picture_defaults(&settings);
    settings.renderer = renderer;
    settings.quality = quality;
    settings.width = width;
    settings.height = height;
    return settings;
}

// Renders one picture with a new renderer, to be freed with free().
static inline uint8_t *draw_once(const scene *from, const tot_picture_settings *settings) {
    tot_renderer *renderer = NULL;
    uint8_t *rgb = malloc((size_t)settings->width * (size_t)settings->height * 3);
    assert_non_null(rgb);
    assert_ok(tot_renderer_create(&renderer, from->task, settings, NULL));
    assert_ok(tot_renderer_draw(renderer, from->world, rgb));
    tot_renderer_free(renderer);
    return rgb;
}

// The description of a renderer with these settings, for the shared scene.
static inline void assert_text(const tot_picture_settings *settings, const char *expected) {
    tot_renderer *renderer = NULL;
    assert_ok(tot_renderer_create(&renderer, door.task, settings, NULL));
    assert_string_equal(tot_renderer_text(renderer), expected);
    tot_renderer_free(renderer);
}

static inline double mean_difference(const uint8_t *a, const uint8_t *b, size_t bytes) {
    double sum = 0;
    for (size_t k = 0; k < bytes; k++) {
        sum += abs(a[k] - b[k]);
    }
    return sum / (double)bytes;
}

static inline size_t picture_bytes(const tot_picture_settings *settings) {
    return (size_t)settings->width * (size_t)settings->height * 3;
}

// The number of distinct bytes: a picture of one colour has at most three.
static inline int count_colours(const uint8_t *rgb, size_t bytes) {
    bool seen[256] = {false};
    int count = 0;
    for (size_t k = 0; k < bytes; k++) {
        count += seen[rgb[k]] ? 0 : 1;
        seen[rgb[k]] = true;
    }
    return count;
}
