// Demonstrations bent to the goal, the reference episodes, their margins and the verdict on them.
#include <temporalot/study.h>

#include <math.h>

#include "asserts.h"
#include "failing_memory.h"
#include "picture/renderer.h"
#include "study/bent.h"

typedef struct stage {
    tot_task *task;
    tot_recording demos;
} stage;

static int set_up(void **state) {
    static stage all;
    tot_collect_settings collect;
    tot_collect_defaults(&collect);
    collect.count = 1;
    assert_ok(tot_task_load(&all.task, "window-open", NULL));
    assert_ok(tot_collect(&all.demos, all.task, &collect));
    *state = &all;
    return 0;
}

static int tear_down(void **state) {
    stage *all = *state;
    tot_recording_free(&all->demos);
    tot_task_free(all->task);
    return 0;
}

static double distance(const double *a, const double *b) {
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static void expect_near(double found, double wanted, double tolerance) {
    if (!(fabs(found - wanted) <= tolerance)) {
        fail_msg("%.17g, not %.17g", found, wanted);
    }
}

// --- bending -----------------------------------------------------------------------------------

// A handmade demonstration: ten frames to the object along x, ten with it along y.
static study_bent_demo straight(double *mocap) {
    study_bent_demo demo = {
        .frames = 40, .draw_length = 6, .mocap = mocap, .contact = 20, .success = 36};
    for (int k = 0; k <= 40; k++) {
        mocap[3 * k] = 0.01 * (k < 20 ? k : 20);
        mocap[3 * k + 1] = 0.01 * (k < 20 ? 0 : k - 20);
        mocap[3 * k + 2] = 0.1;
    }
    return demo;
}

TEST(paths_bend_to_object_then_goal) {
    double mocap[41 * 3], path[41 * 3];
    const study_bent_demo demo = straight(mocap);
    const double draw[6] = {0.1, 0.2, 0, -0.3, 0, 0.05};
    study_bent_path(&demo, demo.rand_vec, path);
    assert_memory_equal(path, mocap, sizeof path);
    study_bent_path(&demo, draw, path);
    for (int i = 0; i < 3; i++) {
        assert_true(path[i] == mocap[i]);  // it starts where the hand starts,
        // is at the object some frames before contact, and at the goal at the end
        expect_near(path[3 * 12 + i] - mocap[3 * 12 + i], draw[i], 1e-12);
        expect_near(path[3 * 28 + i] - mocap[3 * 28 + i], draw[i], 1e-12);
        expect_near(path[3 * 40 + i] - mocap[3 * 40 + i], draw[3 + i], 1e-12);
    }
    const double half = path[3 * 6] - mocap[3 * 6];
    expect_near(half, 0.05, 1e-12);
}

TEST(a_short_path_never_comes_near) {
    double mocap[41 * 3], path[41 * 3];
    const study_bent_demo demo = straight(mocap);
    memcpy(path, mocap, sizeof path);
    const int64_t stop = study_bent_stop_short(&demo, 0.05, path);
    assert_int_equal(stop, 16);
    for (int64_t k = 0; k <= demo.frames; k++) {
        assert_true(distance(path + 3 * k, mocap + 3 * demo.contact) > 0.0399);
    }
    assert_memory_equal(path + 3 * 40, path + 3 * 16, 3 * sizeof *path);
}

TEST(axes_are_those_of_the_picture) {
    const stage *all = *state;
    const double point[3] = {0, 0.6, 0.2};
    double axes[3][3];
    tot_picture_settings pictures;
    tot_picture_defaults(&pictures);
    assert_ok(picture_axes(all->task, &pictures, point, axes));
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            double product = 0;
            for (int k = 0; k < 3; k++) {
                product += axes[a][k] * axes[b][k];
            }
            expect_near(product, a == b, 1e-12);
        }
    }
    // upright: up in the picture is up in the world; and the camera looks down on the table
    assert_true(axes[1][2] > 0.3);
    assert_true(axes[2][2] > 0.1);
    // what is to the right is drawn to the right: a view fitted to it moves there
    double points[2][3], here[4], there[4];
    for (int k = 0; k < 3; k++) {
        points[0][k] = point[k];
        points[1][k] = point[k] + 0.05 * axes[2][k];
    }
    assert_ok(tot_view_fit(all->task, &pictures, points[0], 2, 0.02, here));
    for (int k = 0; k < 6; k++) {
        points[k / 3][k % 3] += 0.1 * axes[0][k % 3] + 0.1 * axes[1][k % 3];
    }
    assert_ok(tot_view_fit(all->task, &pictures, points[0], 2, 0.02, there));
    assert_true(there[0] > here[0]);
    assert_true(there[1] < here[1]);
    pictures.camera = "no such camera";
    assert_fails(picture_axes(all->task, &pictures, point, axes), TOT_E_ARGUMENT, "camera");
}

// --- episodes ----------------------------------------------------------------------------------

static tot_reference_settings few_goals(void) {
    tot_reference_settings settings;
    tot_reference_defaults(&settings);
    settings.goals = 2;
    return settings;
}

static size_t episodes_of(const tot_references *references, tot_reference policy) {
    size_t found = 0;
    for (size_t k = 0; k < tot_references_count(references); k++) {
        found += tot_references_at(references, k)->policy == policy;
    }
    return found;
}

TEST(what_is_played) {
    const stage *all = *state;
    const tot_reference_settings settings = few_goals();
    tot_references *references = NULL;
    assert_ok(tot_references_play(&references, all->task, &all->demos, &settings));
    assert_int_equal(tot_references_count(references), 2 * 6 + TOT_SHIFTS);
    assert_int_equal(episodes_of(references, TOT_REFERENCE_BENT), 2);
    assert_int_equal(episodes_of(references, TOT_REFERENCE_SHIFT), TOT_SHIFTS);
    for (size_t k = 0; k < tot_references_count(references); k++) {
        const tot_reference_episode *episode = tot_references_at(references, k);
        if (episode->policy == TOT_REFERENCE_BENT || episode->policy == TOT_REFERENCE_EXPERT) {
            assert_true(episode->success);
        }
        if (episode->policy == TOT_REFERENCE_SHORT || episode->policy == TOT_REFERENCE_RANDOM) {
            assert_false(episode->success);
        }
        assert_int_equal(episode->goal < 0, episode->policy == TOT_REFERENCE_SHIFT);
    }
    assert_null(tot_references_at(references, tot_references_count(references)));
    tot_references_free(references);
    tot_references_free(NULL);
}

// For a report: the returns of all kinds of episodes on given goals.
TEST(what_they_earn) {
    const stage *all = *state;
    const tot_reference_settings settings = few_goals();
    const tot_reference_view view = {0};
    tot_references *references = NULL;
    tot_reward_config configs[2];
    tot_margins margins[2], again;
    assert_ok(tot_references_play(&references, all->task, &all->demos, &settings));
    const size_t count = tot_references_count(references);
    double *sums = calloc(2 * count, sizeof *sums);
    assert_non_null(sums);
    tot_reward_defaults(&configs[0]);
    configs[0].cost = TOT_COST_EUCLIDEAN;
    configs[1] = configs[0];
    configs[1].scale = 2;
    assert_ok(tot_references_reward(references, &view, configs, 2, margins, sums));
    double bent = 0, random = 0;
    for (size_t k = 0; k < count; k++) {
        const tot_reference policy = tot_references_at(references, k)->policy;
        bent += policy == TOT_REFERENCE_BENT ? sums[k] / 2 : 0;
        random += policy == TOT_REFERENCE_RANDOM ? sums[k] / 2 : 0;
        expect_near(sums[count + k], 2 * sums[k], 1e-4 * fabs(sums[k]));
    }
    expect_near(margins[0].sum[TOT_REFERENCE_BENT], bent, 1e-9);
    expect_near(margins[0].sum[TOT_REFERENCE_RANDOM], random, 1e-9);
    assert_true(bent > random);
    // fractions have no unit, so the scale does not matter
    expect_near(margins[1].over[TOT_REFERENCE_SHORT].share,
                margins[0].over[TOT_REFERENCE_SHORT].share, 1e-4);
    assert_int_equal(margins[0].over[TOT_REFERENCE_SHORT].goals, 2);
    assert_true(margins[0].over[TOT_REFERENCE_SHORT].share > 0);
    // state observations detect every shift
    const double *shifted = sums + count - TOT_SHIFTS;
    for (int k = TOT_SHIFT_NEAR; k < TOT_SHIFTS; k++) {
        assert_int_equal(tot_references_at(references, count - TOT_SHIFTS + (size_t)k)->shift, k);
        assert_true(shifted[k] < shifted[TOT_SHIFT_NONE]);
    }
    assert_ok(tot_references_reward(references, &view, configs, 1, &again, NULL));
    assert_true(again.sum[TOT_REFERENCE_OPEN] == margins[0].sum[TOT_REFERENCE_OPEN]);
    free(sums);
    tot_references_free(references);
}

static bool stop(void *context, int64_t done, int64_t total) {
    (void)total;
    *(int64_t *)context = done;
    return done < 3;
}

TEST(bad_input) {
    stage *all = *state;
    tot_references *references = NULL;
    static const char *const bad[] = {"goals", "shift", "action_repeat"};
    for (int k = 0; k < 3; k++) {
        tot_reference_settings settings = few_goals();
        settings.goals = k == 0 ? 0 : settings.goals;
        settings.shift = k == 1 ? (double)NAN : settings.shift;
        settings.action_repeat = k == 2 ? 0 : settings.action_repeat;
        assert_fails(tot_references_play(&references, all->task, &all->demos, &settings),
                     TOT_E_ARGUMENT, bad[k]);
    }
    tot_reference_settings settings = few_goals();
    const tot_recording none = {0};
    assert_fails(tot_references_play(&references, all->task, &none, &settings), TOT_E_ARGUMENT,
                 "no demonstration");
    // an episode that was not produced by the scripted expert
    double *number = all->demos.trajectories[0].observations + 20 * TOT_OBSERVATION;
    *number += 0.01;
    assert_fails(tot_references_play(&references, all->task, &all->demos, &settings), TOT_E_VALUE,
                 "demonstration 0");
    *number -= 0.01;
    assert_null(references);
    settings.goals = 1;
    settings.shift = 0;
    assert_ok(tot_references_play(&references, all->task, &all->demos, &settings));
    int64_t done = 0;
    const tot_reference_view view = {.progress = stop, .progress_context = &done};
    tot_reward_config config;
    tot_margins margins;
    tot_reward_defaults(&config);
    assert_fails(tot_references_reward(references, &view, &config, 1, &margins, NULL),
                 TOT_E_INTERRUPTED, "stopped after 3");
    config.epsilon = -1;
    assert_fails(tot_references_reward(references, &view, &config, 1, &margins, NULL),
                 TOT_E_ARGUMENT, "epsilon");
    // a search chooses the views, and some are of the hand
    tot_search *search = NULL;
    tot_search_settings searching = {.hand_margin = 0.2};
    tot_picture_defaults(&searching.pictures);
    static const char *const named[] = {"corner:camera", "corner,corner3"};
    for (int k = 0; k < 2; k++) {
        searching.pictures.camera = named[k];
        assert_fails(tot_search_run(&search, references, &searching), TOT_E_ARGUMENT, named[k]);
    }
    searching.pictures.camera = NULL;
    searching.hand_margin = 0;
    assert_fails(tot_search_run(&search, references, &searching), TOT_E_ARGUMENT, "hand_margin");
    tot_references_free(references);
}

static tot_status short_life(const stage *all) {
    tot_reference_settings settings = few_goals();
    settings.goals = 1;
    settings.shift = 0;
    tot_references *references = NULL;
    tot_reward_config config;
    tot_margins margins;
    const tot_reference_view view = {0};
    tot_reward_defaults(&config);
    tot_status status = tot_references_play(&references, all->task, &all->demos, &settings);
    if (status == TOT_OK) {
        status = tot_references_reward(references, &view, &config, 1, &margins, NULL);
    }
    tot_references_free(references);
    return status;
}

TEST(no_memory) {
    assert_survives_no_memory(short_life(*state));
}

// --- verdicts ----------------------------------------------------------------------------------

// The margins of a good reward.
static tot_margins fine(void) {
    tot_margins margins = {.success = {[TOT_REFERENCE_BENT] = 1}, .range = 0.5};
    for (int k = TOT_REFERENCE_REPLAY; k <= TOT_REFERENCE_EXPERT; k++) {
        margins.over[k] = (tot_margin){.share = 0.3, .wins = 1, .goals = 8};
    }
    for (int k = TOT_SHIFT_NEAR; k < TOT_SHIFTS; k++) {
        margins.shift_loss[k] = 0.2;
    }
    return margins;
}

static void expect_verdict(const tot_margins *margins, const char *words) {
    char text[512];
    assert_ptr_equal(tot_margins_verdict(margins, text, sizeof text), text);
    if (strstr(text, words) == NULL) {
        fail_msg("\"%s\" is not in \"%s\"", words, text);
    }
}

TEST(verdicts) {
    tot_margins margins = fine();
    expect_verdict(&margins, "worth training");
    expect_near(tot_margins_score(&margins), 0.2, 1e-12);
    margins.over[TOT_REFERENCE_OPEN].share = NAN;  // an open hand solves the task everywhere
    expect_verdict(&margins, "worth training");
    expect_near(tot_margins_score(&margins), 0.2, 1e-12);
    margins.shift_loss[TOT_SHIFT_NEAR] = 0.1;
    margins.shift_loss[TOT_SHIFT_FAR] = -0.1;
    expect_verdict(&margins, "hardly sees depth");
    expect_near(tot_margins_score(&margins), 0, 1e-12);
    margins.over[TOT_REFERENCE_SHORT].share = 0.01;
    expect_verdict(&margins, "hardly more than stopping short");
    margins.over[TOT_REFERENCE_OPEN].share = -0.1;
    expect_verdict(&margins, "less than the same path with open fingers");
    margins.over[TOT_REFERENCE_REPLAY].share = -0.2;
    expect_verdict(&margins, "less than replaying a demonstration");
    expect_near(tot_margins_score(&margins), -0.2, 1e-12);
    margins.range = 0;
    expect_verdict(&margins, "no more than random");
    assert_true(tot_margins_score(&margins) == -INFINITY);
    margins.success[TOT_REFERENCE_BENT] = 0;
    expect_verdict(&margins, "no conclusion can be drawn");
}

TEST_MAIN(set_up, tear_down)
