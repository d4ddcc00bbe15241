// Demonstrations with pictures: one before each kept action, also after subsampling.
#include "recordings.h"

enum { SIDE = 24, PICTURE = SIDE * SIDE * 3 };

static tot_picture_settings small(void) {
    tot_picture_settings settings;
    tot_picture_defaults(&settings);
    settings.quality = TOT_QUALITY_FAST;
    settings.width = SIDE;
    settings.height = SIDE;
    return settings;
}

// Replays the expert up to each observation; the rendered world must match the recorded picture.
static void check_pictures(const tot_task *task, const tot_recording *demos, int64_t every) {
    const tot_picture_settings settings = small();
    OWNED_PTR(tot_world) world = NULL;
    tot_renderer *renderer = NULL;
    assert_ok(tot_world_create(&world, task, NULL));
    assert_ok(tot_renderer_create(&renderer, task, &settings, NULL));
    for (size_t d = 0; d < demos->count; d++) {
        const tot_trajectory *one = &demos->trajectories[d];
        assert_int_equal(one->frames.shape[0], one->steps);
        assert_int_equal(one->frames.shape[1], SIDE);
        assert_ok(tot_world_reset(world, (uint64_t)one->seed, (uint64_t)one->episode));
        for (int64_t k = 0; k < one->steps * every && !tot_world_done(world); k++) {
            if (k % every == 0) {
                uint8_t rgb[PICTURE];
                assert_memory_equal(tot_world_observation(world),
                                    one->observations + k / every * TOT_OBSERVATION,
                                    TOT_OBSERVATION * sizeof(double));
                assert_ok(tot_renderer_draw(renderer, world, rgb));
                assert_memory_equal(rgb, (uint8_t *)one->frames.data + k / every * PICTURE,
                                    PICTURE);
            }
            float action[TOT_ACTION];
            tot_world_expert(world, action);
            demo_clip_action(action);
            assert_ok(tot_world_step(world, action));
        }
    }
    tot_renderer_free(renderer);
}

TEST_EACH(NULL, empty_test_folder)

TEST(test_collect) {
    const tot_picture_settings pictures = small();
    tot_collect_settings settings;
    OWNED_PTR(tot_task) task = NULL;
    OWNED(tot_recording) demos = {0};
    assert_ok(tot_task_load(&task, "button-press-topdown", NULL));
    tot_collect_defaults(&settings);
    settings.hold = TOT_HOLD_OFF;
    settings.pictures = &pictures;
    for (settings.speed = 1; settings.speed < 4; settings.speed += 2) {
        assert_ok(tot_collect(&demos, task, &settings));
        assert_string_equal(demos.meta.renderer, "soft fast corner upright 24x24 aspect 1.3333");
        assert_false(demos.meta.frames_after);
        assert_true(demos.meta.upright);
        check_pictures(task, &demos, TOT_DEMO_REPEAT * settings.speed);
    }
}

// A fitted view covers the paths of hand and objects, is recorded in the metadata, and is
// reproducible.
TEST(test_fitted) {
    tot_picture_settings pictures = small();
    tot_collect_settings settings;
    OWNED_PTR(tot_task) task = NULL;
    OWNED(tot_recording) demos = {0};
    assert_ok(tot_task_load(&task, "button-press-topdown", NULL));
    tot_collect_defaults(&settings);
    pictures.fitted = true;
    settings.pictures = &pictures;
    assert_ok(tot_collect(&demos, task, &settings));
    const double *crop = demos.meta.crop[0];
    char text[64];
    snprintf(text, sizeof text, " crop %g,%g,%g,%g", crop[0], crop[1], crop[2], crop[3]);
    assert_non_null(strstr(demos.meta.renderer, text));
    assert_true(crop[2] - crop[0] > 0.1 && crop[2] - crop[0] < 0.9);
    pictures.fitted = false;
    memcpy(pictures.crop, crop, sizeof pictures.crop);
    OWNED(tot_recording) again = {0};
    assert_ok(tot_collect(&again, task, &settings));
    assert_memory_equal(again.trajectories[0].frames.data, demos.trajectories[0].frames.data,
                        (size_t)tot_array_count(&demos.trajectories[0].frames));
    assert_string_equal(again.meta.renderer, demos.meta.renderer);
    // a camera on the hand has a different view at every step
    pictures = small();
    pictures.fitted = true;
    pictures.camera = "behindGripper";
    assert_fails(tot_collect(&again, task, &settings), TOT_E_ARGUMENT, "behindGripper");
}

TEST(test_describe) {
    tot_picture_settings settings = small();
    OWNED_PTR(tot_task) task = NULL;
    tot_renderer *renderer = NULL;
    tot_recording_meta meta;
    assert_ok(tot_task_load(&task, "push", NULL));
    settings.camera = "topview";
    settings.upright = false;
    assert_ok(tot_renderer_create(&renderer, task, &settings, NULL));
    assert_ok(tot_recording_describe(&meta, task, NULL, "random"));
    assert_false(meta.frames_after);
    tot_recording_describe_pictures(&meta, &settings, renderer, true);
    assert_string_equal(meta.camera, "topview");
    assert_string_equal(meta.renderer, "soft fast topview unturned 24x24 aspect 1.3333");
    assert_true(meta.frames_after && !meta.upright);
    tot_renderer_free(renderer);
}

TEST(test_refused) {
    tot_picture_settings pictures = small();
    tot_collect_settings settings;
    OWNED_PTR(tot_task) task = NULL;
    tot_recording demos = {0};
    assert_ok(tot_task_load(&task, "push", NULL));
    tot_collect_defaults(&settings);
    settings.pictures = &pictures;
    pictures.camera = "none";
    assert_fails(tot_collect(&demos, task, &settings), TOT_E_ARGUMENT, "'none'");
    assert_int_equal(demos.count, 0);
}

// frames_after and crop survive a round trip; older files lack them.
TEST(test_round_trip) {
    for (int after = 0; after < 2; after++) {
        OWNED(tot_recording) saved = {0};
        OWNED(tot_recording) loaded = {0};
        make_up_recording(&saved, 1, true);
        saved.meta.frames_after = after == 1;
        snprintf(saved.meta.renderer, sizeof saved.meta.renderer, "soft");
        const double crop[4] = {0.125, 0.25, 0.375, 0.501};
        if (after == 1) {
            memcpy(saved.meta.crop[0], crop, sizeof crop);
        }
        assert_ok(tot_recording_save(&saved, in_folder("r.npz")));
        assert_ok(tot_recording_load(&loaded, in_folder("r.npz")));
        assert_int_equal(loaded.meta.frames_after, after == 1);
        assert_memory_equal(loaded.meta.crop, saved.meta.crop, sizeof saved.meta.crop);
        assert_true((loaded.meta.crop[0][3] == 0.501) == (after == 1));
        assert_int_equal(tot_recording_differences(&loaded.meta, &saved.meta, NULL, 0), 0);
    }
}

TEST_MAIN(make_test_folder, remove_test_folder)
