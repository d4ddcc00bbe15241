// Observations and pictures of worlds, and embeddings of synthetic frames.

#include "golden/golden.h"

#include <temporalot/encoder.h>
#include <temporalot/picture.h>

enum { FRAMES = 3, STEPS = 40, SIZE = 96 };

static void check_encoder(tot_weights *weights, const char *name, int size, bool pool) {
    tot_encoder_settings settings;
    tot_encoder *encoder = NULL;
    tot_random random;
    tot_encoder_defaults(&settings);
    settings.size = size;
    settings.pool = pool;
    assert_ok(tot_encoder_create(&encoder, weights, &settings, NULL));
    const size_t bytes = (size_t)(size * size * 3);
    const size_t width = (size_t)tot_encoder_width(encoder);
    uint8_t *rgb = malloc(FRAMES * bytes);
    float *rows = malloc(FRAMES * width * sizeof *rows);
    assert_true(rgb != NULL && rows != NULL);
    tot_random_init(&random, 16, "frames");
    for (size_t k = 0; k < FRAMES * bytes; k++) {
        rgb[k] = (uint8_t)(k / 7 + (tot_random_word(&random) & 31));
    }
    assert_ok(tot_encode(encoder, rgb, FRAMES, rows));
    golden_check(name, golden_add(GOLDEN_EMPTY, rows, FRAMES * width * sizeof *rows));
    free(rgb);
    free(rows);
    tot_encoder_free(encoder);
}

void golden_embeddings(void **state) {
    (void)state;
    const tot_weights_settings cut = {.stride = 16};
    tot_weights *whole = NULL;
    tot_weights *part = NULL;
    if (tot_weights_load(&whole, NULL, NULL) != TOT_OK) {
        print_message("skipped: %s\n", tot_error());
        return;
    }
    assert_ok(tot_weights_load(&part, NULL, &cut));
    check_encoder(whole, "embedding-mobilenetv2-224", 224, false);
    check_encoder(whole, "embedding-mobilenetv2-96-pooled", 96, true);
    check_encoder(part, "embedding-mobilenetv2-cut-64", 64, false);
    tot_weights_free(whole);
    tot_weights_free(part);
}

static void check_picture(const tot_task *task, const tot_world *world, const char *task_name,
                          tot_quality quality) {
    static uint8_t rgb[SIZE * SIZE * 3];
    char name[96];
    tot_picture_settings settings;
    tot_renderer *renderer = NULL;
    tot_picture_defaults(&settings);
    settings.quality = quality;
    settings.width = SIZE;
    settings.height = SIZE;
    assert_ok(tot_renderer_create(&renderer, task, &settings, NULL));
    assert_ok(tot_renderer_draw(renderer, world, rgb));
    snprintf(name, sizeof name, "picture-%s-%s", quality == TOT_QUALITY_FULL ? "full" : "fast",
             task_name);
    golden_check(name, golden_add(GOLDEN_EMPTY, rgb, sizeof rgb));
    tot_renderer_free(renderer);
}

static void check_world(const char *task_name) {
    char name[96];
    tot_task *task = NULL;
    tot_world *world = NULL;
    uint64_t hash = GOLDEN_EMPTY;
    assert_ok(tot_task_load(&task, task_name, NULL));
    assert_ok(tot_world_create(&world, task, NULL));
    assert_ok(tot_world_reset(world, 16, 3));
    for (int step = 0; step < STEPS; step++) {
        float action[TOT_ACTION];
        tot_world_expert(world, action);
        assert_ok(tot_world_step(world, action));
        hash = golden_add(hash, tot_world_observation(world), TOT_OBSERVATION * sizeof(double));
    }
    snprintf(name, sizeof name, "observation-%s", task_name);
    golden_check(name, hash);
    check_picture(task, world, task_name, TOT_QUALITY_FULL);
    check_picture(task, world, task_name, TOT_QUALITY_FAST);
    tot_world_free(world);
    tot_task_free(task);
}

void golden_worlds(void **state) {
    (void)state;
    static const char *const tasks[] = {"door-open", "window-open", "button-press-topdown",
                                        "basketball"};
    if (tot_mujoco_check(NULL, NULL) != TOT_OK || tot_scenes_check(NULL) != TOT_OK) {
        print_message("skipped: %s\n", tot_error());
        return;
    }
    for (size_t k = 0; k < sizeof tasks / sizeof *tasks; k++) {
        check_world(tasks[k]);
    }
}
