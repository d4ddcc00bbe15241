// A camera that orbits the table.
#include "rendering.h"

enum { SIDE = 96 };

static uint8_t *draw(double orbit) {
    tot_picture_settings settings = settings_of(TOT_RENDERER_SOFT, TOT_QUALITY_FAST, SIDE, SIDE);
    settings.camera = "corner";
    settings.orbit = orbit;
    return draw_once(&door, &settings);
}

static double away(const uint8_t *from, double orbit) {
    uint8_t *other = draw(orbit);
    const double mean = mean_difference(from, other, SIDE * SIDE * 3);
    free(other);
    return mean;
}

// The farther around, the more the picture differs; half a turn is the same in both directions.
TEST(test_turns) {
    uint8_t *still = draw(0);
    uint8_t *behind = draw(180);
    assert_true(away(still, 2) > 0);
    assert_true(away(still, 2) < away(still, 10));
    assert_true(away(still, 10) < away(still, 45));
    assert_true(away(behind, -180) < 0.1);
    assert_true(away(behind, 0) > 10);
    free(behind);
    free(still);
}

// Its description, invalid values, and that no view can be fitted to it.
TEST(test_settings) {
    static const double bad[] = {181, -200, 1e300, (double)__builtin_nanf("")};
    tot_picture_settings settings = settings_of(TOT_RENDERER_SOFT, TOT_QUALITY_FAST, SIDE, SIDE);
    tot_renderer *renderer = NULL;
    const double points[] = {0, 0.6, 0.1, 0.1, 0.7, 0.2};
    double crop[4];
    settings.orbit = -12.5;
    assert_ok(tot_renderer_create(&renderer, door.task, &settings, NULL));
    assert_non_null(strstr(tot_renderer_text(renderer), " orbit -12.5"));
    tot_renderer_free(renderer);
    assert_fails(tot_view_fit(door.task, &settings, points, 2, 0.1, crop), TOT_E_ARGUMENT,
                 "with orbit -12.5");
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        settings.orbit = bad[k];
        assert_fails(tot_renderer_create(&renderer, door.task, &settings, NULL), TOT_E_ARGUMENT,
                     "orbit: ");
    }
}

TEST_MAIN(open_door, close_door)
