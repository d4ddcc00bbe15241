// Lists of cameras: which pictures they ask for.
#include "asserts.h"

#include <string.h>

#include <temporalot/picture.h>

static tot_views views;

static tot_status read(const char *cameras, tot_view view) {
    tot_picture_settings common;
    tot_picture_defaults(&common);
    common.width = 32;
    return tot_views_read(&views, cameras, view, 0.15, &common);
}

static void check_view(int k, const char *camera, bool fitted, double around_hand, tot_arm arm) {
    const tot_picture_settings *one = &views.view[k];
    assert_int_equal(one->width, 32);
    if (camera == NULL) {
        assert_null(one->camera);
    } else {
        assert_string_equal(one->camera, camera);
    }
    assert_int_equal(one->fitted, fitted);
    assert_true(one->around_hand == around_hand);
    assert_int_equal(one->arm, arm);
}

TEST(test_the_task_s_camera) {
    static const char *const alone[] = {NULL, ""};
    for (int k = 0; k < 2; k++) {
        assert_ok(read(alone[k], TOT_VIEW_CAMERA));
        assert_int_equal(views.count, 1);
        check_view(0, NULL, false, 0, TOT_ARM_DRAWN);
        assert_ok(read(alone[k], TOT_VIEW_BOTH));
        assert_int_equal(views.count, 2);
        check_view(0, NULL, true, 0, TOT_ARM_DRAWN);
        check_view(1, NULL, false, 0.15, TOT_ARM_DRAWN);
    }
}

TEST(test_a_list) {
    assert_ok(read("corner,corner3:hand,:both:hidden", TOT_VIEW_FITTED));
    assert_int_equal(views.count, 4);
    check_view(0, "corner", true, 0, TOT_ARM_DRAWN);
    check_view(1, "corner3", false, 0.15, TOT_ARM_DRAWN);
    check_view(2, NULL, true, 0, TOT_ARM_HIDDEN);
    check_view(3, NULL, false, 0.15, TOT_ARM_HIDDEN);
}

// The number of pictures is known without limits, so that a view may be set after a list.
TEST(test_count) {
    static const struct {
        const char *cameras;
        tot_view view;
        int count;
    } cases[] = {{NULL, TOT_VIEW_CAMERA, 1},       {"", TOT_VIEW_BOTH, 2},
                 {"a,b,c", TOT_VIEW_BOTH, 6},      {"a:hand,b", TOT_VIEW_BOTH, 3},
                 {"a:both,b:", TOT_VIEW_HAND, -1}, {"a:hand:drawn,b", TOT_VIEW_HAND, 2}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        int count = 0;
        const tot_status status = tot_views_count(cases[k].cameras, cases[k].view, &count);
        assert_int_equal(status, cases[k].count > 0 ? TOT_OK : TOT_E_ARGUMENT);
        if (cases[k].count > 0) {
            assert_int_equal(count, cases[k].count);
        }
    }
}

TEST(test_refusals) {
    char name[200];
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_fails(read("corner:above", TOT_VIEW_CAMERA), TOT_E_ARGUMENT, "'above' is not a view");
    assert_fails(read("corner:", TOT_VIEW_CAMERA), TOT_E_ARGUMENT, "'' is not a view");
    assert_fails(read(":hand:gone", TOT_VIEW_CAMERA), TOT_E_ARGUMENT,
                 "'gone' is not a word for the arm: drawn or hidden");
    assert_fails(read(":hand:", TOT_VIEW_CAMERA), TOT_E_ARGUMENT, "'' is not a word for the arm");
    assert_fails(read(":hand:hidden:1", TOT_VIEW_CAMERA), TOT_E_ARGUMENT, "':1' follows");
    assert_fails(read(":hand:hidden:", TOT_VIEW_CAMERA), TOT_E_ARGUMENT, "':' follows");
    assert_fails(read("a,b,c", TOT_VIEW_BOTH), TOT_E_ARGUMENT, "more than 4 views");
    assert_fails(read(name, TOT_VIEW_CAMERA), TOT_E_ARGUMENT, "longer than");
    int count = 0;
    assert_fails(read("", (tot_view)(TOT_VIEW_BOTH + 1)), TOT_E_ARGUMENT, "view: 4");
    assert_fails(tot_views_count("", (tot_view)(TOT_VIEW_BOTH + 1), &count), TOT_E_ARGUMENT,
                 "view: 4");
    tot_picture_settings common;
    tot_picture_defaults(&common);
    assert_fails(tot_views_read(&views, ":hand", TOT_VIEW_CAMERA, 0, &common), TOT_E_ARGUMENT,
                 "hand_margin");
}

TEST_MAIN(NULL, NULL)
