// Pictures without the robot's arm: the fingers and the scene stay, and both renderers agree.
#include "rendering.h"

enum { SIDE = 96 };

static uint8_t *draw(tot_renderer_kind renderer, tot_arm arm) {
    tot_picture_settings settings = settings_of(renderer, TOT_QUALITY_FAST, SIDE, SIDE);
    settings.camera = "corner";
    settings.arm = arm;
    return draw_once(&door, &settings);
}

typedef enum colour { RED, CYAN } colour;

// The arm is dark red, one of the fingers cyan.
static int pixels_of(const uint8_t *rgb, colour which) {
    int count = 0;
    for (int k = 0; k < SIDE * SIDE; k++) {
        const int red = rgb[3 * k], green = rgb[3 * k + 1], blue = rgb[3 * k + 2];
        const bool matches = which == RED ? red > 2 * green && red > 2 * blue && red > 40
                                          : green > 2 * red && blue > 2 * red && green > 80;
        count += matches ? 1 : 0;
    }
    return count;
}

TEST(test_only_the_fingers_stay) {
    uint8_t *drawn = draw(TOT_RENDERER_SOFT, TOT_ARM_DRAWN);
    uint8_t *hidden = draw(TOT_RENDERER_SOFT, TOT_ARM_HIDDEN);
    assert_true(pixels_of(drawn, RED) > 300);
    assert_true(pixels_of(hidden, RED) < 30);  // the tips of the fingers
    assert_true(pixels_of(drawn, CYAN) > 5);
    assert_true(pixels_of(hidden, CYAN) >= pixels_of(drawn, CYAN));
    // what the arm did not cover has not changed
    int equal = 0;
    for (int k = 0; k < SIDE * SIDE; k++) {
        equal += memcmp(drawn + 3 * k, hidden + 3 * k, 3) == 0 ? 1 : 0;
    }
    assert_true(equal > SIDE * SIDE / 2 && equal < SIDE * SIDE - 300);
    free(drawn);
    free(hidden);
}

TEST(test_opengl_agrees) {
    const char *text = NULL;
    if (tot_gl_check(&text) != TOT_OK) {
        skip();
    }
    uint8_t *soft = draw(TOT_RENDERER_SOFT, TOT_ARM_HIDDEN);
    uint8_t *gl = draw(TOT_RENDERER_GL, TOT_ARM_HIDDEN);
    uint8_t *drawn = draw(TOT_RENDERER_GL, TOT_ARM_DRAWN);
    const double away = mean_difference(soft, gl, SIDE * SIDE * 3);
    const double arm = mean_difference(drawn, gl, SIDE * SIDE * 3);
    if (!(away < arm / 10)) {
        fail_msg("%g away from OpenGL's picture; the arm is %g", away, arm);
    }
    free(soft);
    free(gl);
    free(drawn);
}

TEST(test_settings) {
    tot_picture_settings settings = settings_of(TOT_RENDERER_SOFT, TOT_QUALITY_FAST, SIDE, SIDE);
    tot_renderer *renderer = NULL;
    settings.arm = TOT_ARM_HIDDEN;
    assert_text(&settings, "soft fast corner3 upright 96x96 aspect 1.3333 arm hidden");
    settings.arm = (tot_arm)2;
    assert_fails(tot_renderer_create(&renderer, door.task, &settings, NULL), TOT_E_ARGUMENT,
                 "arm: 2");
}

TEST_MAIN(open_door, close_door)
