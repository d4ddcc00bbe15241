// Crops: identical to the same part cut from the whole picture, with both renderers; and crops
// fitted to the paths of hand and objects.
#include "rendering.h"

#include <math.h>

#include "picture/renderer.h"
#include "world/sawyer.h"

enum { WHOLE = 160 };

static void set_crop(tot_picture_settings *settings, const double crop[4]) {
    memcpy(settings->crop, crop, sizeof settings->crop);
}

static tot_picture_settings soft(int width, int height) {
    return settings_of(TOT_RENDERER_SOFT, TOT_QUALITY_FAST, width, height);
}

// --- pictures ----------------------------------------------------------------------------------

static const double crops[][4] = {
    {0.25, 0.25, 0.75, 0.75}, {0, 0.5, 0.5, 1}, {0.5, 0.1, 0.7, 0.9}, {0.1, 0.05, 0.2, 0.15}};
enum { CROPS = sizeof crops / sizeof *crops };

// The difference between a rendered crop and the same part cut out of the whole picture.
static double away_from_cut(const uint8_t *whole, tot_picture_settings settings,
                            const double crop[4]) {
    const int left = (int)lround(WHOLE * crop[0]), above = (int)lround(WHOLE * crop[1]);
    settings.width = (int)lround(WHOLE * (crop[2] - crop[0]));
    settings.height = (int)lround(WHOLE * (crop[3] - crop[1]));
    set_crop(&settings, crop);
    uint8_t *part = draw_once(&door, &settings);
    const size_t row = (size_t)settings.width * 3;
    double sum = 0;
    for (int y = 0; y < settings.height; y++) {
        const uint8_t *cut = whole + 3 * ((above + y) * WHOLE + left);
        sum += mean_difference(part + (size_t)y * row, cut, row) / settings.height;
    }
    free(part);
    return sum;
}

// A crop refers to the final picture, rotated by 180 degrees or not, zoomed or not.
static void check_cuts(const tot_picture_settings *settings, int every) {
    uint8_t *whole = draw_once(&door, settings);
    assert_true(count_colours(whole, picture_bytes(settings)) > 20);
    for (int k = 0; k < CROPS; k += every) {
        const double away = away_from_cut(whole, *settings, crops[k]);
        if (!(away < 1)) {
            fail_msg("%s, crop %d, upright %d, zoom %g: %g away from the cut", settings->camera, k,
                     settings->upright, settings->zoom, away);
        }
    }
    free(whole);
}

TEST(test_cut_of_the_whole) {
    static const struct {
        const char *camera;
        bool upright;
        double zoom;
    } cases[] = {{"corner3", true, 1}, {"corner3", false, 1.5}, {"topview", true, 1}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        tot_picture_settings settings = soft(WHOLE, WHOLE);
        settings.camera = cases[k].camera;
        settings.upright = cases[k].upright;
        settings.zoom = cases[k].zoom;
        check_cuts(&settings, 1);
    }
}

TEST(test_renderers_agree) {
    if (tot_gl_check(NULL) != TOT_OK) {
        skip();
    }
    tot_picture_settings settings = settings_of(TOT_RENDERER_GL, TOT_QUALITY_FAST, WHOLE, WHOLE);
    settings.camera = "corner3";
    check_cuts(&settings, 2);
    settings.upright = false;
    check_cuts(&settings, 2);
    for (int k = 0; k < CROPS; k++) {
        settings = soft(84, 84);
        settings.upright = k % 2 == 0;
        set_crop(&settings, crops[k]);
        uint8_t *ours = draw_once(&door, &settings);
        settings.renderer = TOT_RENDERER_GL;
        uint8_t *theirs = draw_once(&door, &settings);
        const double away = mean_difference(ours, theirs, picture_bytes(&settings));
        if (!(away < 3)) {
            fail_msg("crop %d: the renderers are %g apart", k, away);
        }
        free(ours);
        free(theirs);
    }
}

// All zeros, or everything from 0 to 1, is the whole picture, bit for bit.
TEST(test_whole) {
    tot_picture_settings settings = soft(84, 84);
    uint8_t *none = draw_once(&door, &settings);
    set_crop(&settings, (double[4]){0, 0, 1, 1});
    uint8_t *all = draw_once(&door, &settings);
    assert_memory_equal(none, all, picture_bytes(&settings));
    assert_text(&settings, "soft fast corner3 upright 84x84 aspect 1.3333");
    set_crop(&settings, (double[4]){0.1, 0.2, 0.5, 0.6});
    assert_text(&settings, "soft fast corner3 upright 84x84 aspect 1.3333 crop 0.1,0.2,0.5,0.6");
    free(none);
    free(all);
}

TEST(test_bad_crops) {
    static const double bad[][4] = {
        {-0.1, 0, 0.5, 0.5}, {0, 0, 1.01, 1},     {0.5, 0.5, 0.5, 0.9}, {0.6, 0, 0.4, 1},
        {0, 0.9, 1, 0.1},    {0, 0, 0.05, 1},     {0, 0.2, 1, 0.25},    {NAN, 0, 1, 1},
        {0, 0, 1, NAN},      {0, 0, INFINITY, 1}, {1, 1, 0, 0},         {0, 0, 0, 1},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        tot_picture_settings settings = soft(84, 84);
        tot_renderer *renderer = NULL;
        set_crop(&settings, bad[k]);
        assert_fails(tot_renderer_create(&renderer, door.task, &settings, NULL), TOT_E_ARGUMENT,
                     "crop: ");
        assert_null(renderer);
    }
}

// --- hand view ---------------------------------------------------------------------------------

// The hand is always in the centre, at the scale given by the distance of the table, with both
// renderers.
TEST(test_hand_in_the_middle) {
    tot_picture_settings settings = soft(84, 84);
    settings.around_hand = 0.2;
    picture_view view;
    assert_ok(picture_view_resolve(&view, door.task, &settings));
    assert_true(view.hand == door.task->hand && view.around_hand == 0.2);
    for (int move = 0; move < 3; move++) {
        const float action[TOT_ACTION] = {move == 0 ? 1 : 0, move == 1 ? 1 : 0, move == 2 ? 1 : 0};
        for (int k = 0; k < 10; k++) {
            assert_ok(tot_world_step(door.world, action));
        }
        mjvGLCamera camera = {.pos = {-1, -0.5F, 0.7F},
                              .forward = {0, 1, 0},
                              .up = {0, 0, 1},
                              .frustum_near = 0.01F,
                              .frustum_bottom = -0.005F,
                              .frustum_top = 0.005F};
        picture_view_aim(&view, door.world->data, &camera);
        const double *hand = tot_world_observation(door.world);
        float to[3];
        for (int k = 0; k < 3; k++) {
            to[k] = (float)hand[k] - camera.pos[k];
        }
        picture_normalize(to);
        for (int k = 0; k < 3; k++) {
            assert_float_equal(to[k], camera.forward[k], 1e-5);
        }
        // 0.2 m to either side at the centre of the table, at the camera's distance from it
        const double away = sqrt(1 + 1.18 * 1.18 + 0.56 * 0.56);
        assert_float_equal(camera.frustum_top, (float)(0.2 / away * 0.01), 1e-5);
        assert_float_equal(camera.frustum_bottom, -camera.frustum_top, 1e-7);
    }
    assert_text(&settings, "soft fast corner3 upright 84x84 aspect 1.3333 hand 0.2");
    if (tot_gl_check(NULL) == TOT_OK) {
        uint8_t *ours = draw_once(&door, &settings);
        settings.renderer = TOT_RENDERER_GL;
        uint8_t *theirs = draw_once(&door, &settings);
        assert_true(mean_difference(ours, theirs, picture_bytes(&settings)) < 3);
        free(ours);
        free(theirs);
    }
}

TEST(test_bad_hand) {
    static const double bad[] = {-0.1, 0.001, 2.5, NAN, INFINITY};
    tot_renderer *renderer = NULL;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        tot_picture_settings settings = soft(84, 84);
        settings.around_hand = bad[k];
        assert_fails(tot_renderer_create(&renderer, door.task, &settings, NULL), TOT_E_ARGUMENT,
                     "around_hand: ");
    }
    for (int k = 0; k < 4; k++) {
        tot_picture_settings settings = soft(84, 84);
        settings.around_hand = 0.2;
        settings.zoom = k == 0 ? 2 : 1;
        settings.orbit = k == 1 ? 5 : 0;
        settings.fitted = k == 2;
        if (k == 3) {
            set_crop(&settings, crops[0]);
        }
        assert_fails(tot_renderer_create(&renderer, door.task, &settings, NULL), TOT_E_ARGUMENT,
                     "one of the hand");
    }
}

// --- fitted views ------------------------------------------------------------------------------

enum { MOST_POINTS = 3 * 501 };

typedef struct track {
    double points[MOST_POINTS][3];
    size_t count;
} track;

static void note(track *it, const tot_world *world) {
    static const int places[] = {0, 4, 11};
    for (int k = 0; k < 3; k++) {
        const double *at = tot_world_observation(world) + places[k];
        if (it->count < MOST_POINTS && (at[0] != 0 || at[1] != 0 || at[2] != 0)) {
            memcpy(it->points[it->count++], at, sizeof it->points[0]);
        }
    }
}

static void follow_expert(track *it, tot_world *world, int frames) {
    it->count = 0;
    assert_ok(tot_world_reset(world, 0, 0));
    note(it, world);
    for (int k = 0; k < frames && !tot_world_done(world); k++) {
        float action[TOT_ACTION];
        tot_world_expert(world, action);
        assert_ok(tot_world_step(world, action));
        note(it, world);
    }
}

// Where a fixed camera shows a point, computed from its position and axes: fractions from the upper
// left corner of the final picture.
static void share_of(const tot_task *task, const char *name, bool upright, const double point[3],
                     double share[2]) {
    const mjModel *model = task->model;
    const int camera = world_mujoco.mj_name2id(model, mjOBJ_CAMERA, name);
    const double *from = model->cam_pos + 3 * camera, *m = model->cam_mat0 + 9 * camera;
    const double d[3] = {point[0] - from[0], point[1] - from[1], point[2] - from[2]};
    const double right = m[0] * d[0] + m[3] * d[1] + m[6] * d[2];
    const double up = m[1] * d[0] + m[4] * d[1] + m[7] * d[2];
    const double before = -(m[2] * d[0] + m[5] * d[1] + m[8] * d[2]);
    const double half = before * tan(model->cam_fovy[camera] / 2 * mjPI / 180);
    const bool turned = upright && m[7] < 0;
    share[0] = 0.5 + (turned ? -0.5 : 0.5) * right / (half * 4 / 3);
    share[1] = 0.5 - (turned ? -0.5 : 0.5) * up / half;
}

static void check_fit(const tot_task *task, const track *it, const char *camera, bool upright) {
    tot_picture_settings settings = soft(96, 96);
    tot_renderer *renderer = NULL;
    double crop[4];
    settings.camera = camera;
    settings.upright = upright;
    assert_ok(tot_view_fit(task, &settings, it->points[0], it->count, 0.05, crop));
    assert_float_equal((float)(crop[2] - crop[0]), (float)(crop[3] - crop[1]), 1e-9F);
    for (size_t k = 0; k < it->count; k++) {
        double at[2];
        share_of(task, camera, upright, it->points[k], at);
        // a point outside the whole picture cannot be in a part of it
        for (int i = 0; i < 2; i++) {
            const double held = fmin(fmax(at[i], 0), 1);
            if (!(held >= crop[i] - 1e-3 && held <= crop[2 + i] + 1e-3)) {
                fail_msg("%s, %s: a point at %g,%g is not in %g,%g,%g,%g",
                         tot_task_information(task)->name, camera, at[0], at[1], crop[0], crop[1],
                         crop[2], crop[3]);
            }
        }
    }
    set_crop(&settings, crop);
    assert_ok(tot_renderer_create(&renderer, task, &settings, NULL));
    tot_renderer_free(renderer);
}

// The hand and objects of every task stay inside the view fitted to them.
TEST(test_fits_all_tasks) {
    static track it;
    for (size_t k = 0; k < tot_task_count(); k += FEW ? 5 : 1) {
        scene one;
        open_scene(&one, tot_task_at(k)->name, 0);
        follow_expert(&it, one.world, 80);
        check_fit(one.task, &it, tot_task_at(k)->camera, true);
        check_fit(one.task, &it, tot_task_at(k)->camera, false);
        close_scene(&one);
    }
}

// A smaller box gives a closer view, a margin enlarges it, and no crop is smaller than the largest
// zoom.
TEST(test_margins) {
    const tot_picture_settings settings = soft(96, 96);
    double points[2][3] = {{0, 0.7, 0.15}, {0.02, 0.7, 0.15}};
    double crop[4];
    double last = 0;
    for (int k = 0; k < 8; k++) {
        assert_ok(tot_view_fit(door.task, &settings, points[0], 2, 0.001 + 0.05 * k, crop));
        assert_true(crop[2] - crop[0] >= last && crop[2] - crop[0] >= 0.1 - 1e-9);
        assert_true(crop[0] >= 0 && crop[1] >= 0 && crop[2] <= 1 && crop[3] <= 1);
        last = crop[2] - crop[0];
    }
    assert_true(last > 0.3);
    // far more than the camera sees: the whole picture
    assert_ok(tot_view_fit(door.task, &settings, points[0], 2, 0.6, crop));
    assert_true(crop[0] == 0 && crop[1] == 0 && crop[2] == 1 && crop[3] == 1);
}

// At the edge of the picture a crop stays inside it, despite rounding.
TEST(test_edges) {
    tot_picture_settings settings = soft(96, 96);
    int fitted = 0;
    for (int k = 0; k < 2000; k++) {
        double points[2][3] = {{-0.6 + 0.0006 * k, 0.2 + 0.0004 * k, 0.1}, {0}};
        memcpy(points[1], points[0], sizeof points[0]);
        points[1][0] += 0.02 + 0.0001 * (k % 97);
        double crop[4];
        if (tot_view_fit(door.task, &settings, points[0], 2, 0.01, crop) == TOT_OK) {
            picture_view view;
            fitted++;
            set_crop(&settings, crop);
            assert_ok(picture_view_resolve(&view, door.task, &settings));
            memset(settings.crop, 0, sizeof settings.crop);
        }
    }
    assert_true(fitted > 500);
}

TEST(test_fit_refuses) {
    tot_picture_settings settings = soft(96, 96);
    double still[3][3] = {{0, 0.7, 0.15}, {0.004, 0.7, 0.15}, {0, 0.7, 0.15}};
    double crop[4];
    assert_fails(tot_view_fit(door.task, &settings, still[0], 3, 0.05, crop), TOT_E_VALUE,
                 "nothing moves");
    assert_fails(tot_view_fit(door.task, &settings, still[0], 0, 0.05, crop), TOT_E_VALUE,
                 "nothing moves");
    // outside the picture, and behind the camera
    double away[2][3] = {{9, 0.7, 0.15}, {9.1, 0.7, 0.15}};
    assert_fails(tot_view_fit(door.task, &settings, away[0], 2, 0.05, crop), TOT_E_VALUE,
                 "does not see");
    double behind[2][3] = {{-5, -5, 3}, {-5.1, -5, 3}};
    assert_fails(tot_view_fit(door.task, &settings, behind[0], 2, 0.05, crop), TOT_E_VALUE,
                 "does not see");
    double good[2][3] = {{0, 0.7, 0.15}, {0.1, 0.7, 0.15}};
    settings.camera = "behindGripper";
    assert_fails(tot_view_fit(door.task, &settings, good[0], 2, 0.05, crop), TOT_E_ARGUMENT,
                 "behindGripper moves");
    settings.camera = "none";
    assert_fails(tot_view_fit(door.task, &settings, good[0], 2, 0.05, crop), TOT_E_ARGUMENT,
                 "'none'");
    settings.camera = NULL;
    good[1][2] = NAN;
    assert_fails(tot_view_fit(door.task, &settings, good[0], 2, 0.05, crop), TOT_E_VALUE, "nan");
    good[1][2] = 0.15;
    settings.zoom = 2.5;
    assert_fails(tot_view_fit(door.task, &settings, good[0], 2, 0.05, crop), TOT_E_ARGUMENT,
                 "zoom");
}

TEST_MAIN(open_door, close_door)
