// Small scenes with both renderers: features that Meta-world does not use, which must still look
// like MuJoCo's. Skipped without OpenGL. A failure writes both pictures and four times their
// difference side by side.
#include "little.h"

#include <math.h>

#include <temporalot/image.h>

enum { SIDE = 160, BYTES = 3 * SIDE * SIDE, SKIPPED = 77 };

static const double MOST_APART = 3, LEAST_PSNR = 30;

static void save_pictures(const char *name, const char *how, const uint8_t *gl,
                          const uint8_t *soft) {
    static uint8_t sheet[3 * BYTES];
    char path[256];
    for (int y = 0; y < SIDE; y++) {
        for (int k = 0; k < 3 * SIDE; k++) {
            const int a = gl[3 * SIDE * y + k], b = soft[3 * SIDE * y + k];
            uint8_t *row = sheet + 9 * SIDE * y;
            row[k] = (uint8_t)a;
            row[3 * SIDE + k] = (uint8_t)b;
            row[6 * SIDE + k] = (uint8_t)(4 * abs(a - b) < 255 ? 4 * abs(a - b) : 255);
        }
    }
    snprintf(path, sizeof path, "%s/scene-%s-%s.png", TEST_BINARY_DIR, name, how);
    assert_ok(tot_png_write(path, sheet, 3 * SIDE, SIDE));
    print_message("gl, soft and four times their difference: %s\n", path);
}

static picture_view square(tot_quality quality) {
    return (picture_view){.quality = quality,
                          .width = SIDE,
                          .height = SIDE,
                          .aspect = 1.0,
                          .zoom = 1,
                          .crop = {0, 0, 1, 1}};
}

static void compare(const char *name, const char *xml, tot_quality quality) {
    static uint8_t gl[BYTES], soft[BYTES];
    const char *how = quality == TOT_QUALITY_FULL ? "full" : "fast";
    const picture_view view = square(quality);
    little it;
    open_little(&it, xml);
    assert_ok(draw_little(&picture_backend_gl, &it, &view, gl));
    assert_ok(draw_little(&picture_backend_soft, &it, &view, soft));
    close_little(&it);
    double sum = 0, square = 0;
    for (int k = 0; k < BYTES; k++) {
        const double apart = abs(gl[k] - soft[k]);
        sum += apart / BYTES;
        square += apart * apart / BYTES;
    }
    const double psnr = square > 0 ? 10 * log10(255 * 255 / square) : 99;
    print_message("%s %s: mean difference %.2f, PSNR %.1f dB\n", name, how, sum, psnr);
    assert_true(count_colours(gl, BYTES) > 30);
    if (sum > MOST_APART || psnr < LEAST_PSNR || getenv("TEMPORALOT_KEEP_PICTURES") != NULL) {
        save_pictures(name, how, gl, soft);
    }
    assert_true(sum <= MOST_APART);
    assert_true(psnr >= LEAST_PSNR);
}

static void compare_both(const char *name, const char *xml) {
    compare(name, xml, TOT_QUALITY_FULL);
    compare(name, xml, TOT_QUALITY_FAST);
}

TEST(test_solid) {
    compare_both("solid", little_solid);
}

TEST(test_behind) {
    compare_both("behind", little_behind);
}

TEST(test_lights) {
    compare_both("lights", little_lights);
}

TEST(test_mirror) {
    compare_both("mirror", little_mirror);
}

TEST(test_box) {
    compare_both("box", little_box);
}

// MuJoCo rejects such models when loading them; one from elsewhere must do no harm.
TEST(test_damaged) {
    static uint8_t whole[BYTES], damaged[BYTES];
    const picture_view view = square(TOT_QUALITY_FULL);
    little it;
    open_little(&it, little_solid);
    mjModel *model = it.model;
    assert_ok(draw_little(&picture_backend_soft, &it, &view, whole));
    const int faces = model->mesh_facenum[0];
    model->mesh_facenum[0] = 0;
    assert_ok(draw_little(&picture_backend_soft, &it, &view, damaged));
    assert_memory_not_equal(whole, damaged, BYTES);
    model->mesh_facenum[0] = faces;
    const int width = model->tex_width[1];
    model->tex_width[1] = 0;
    assert_fails(draw_little(&picture_backend_soft, &it, &view, damaged), TOT_E_FORMAT,
                 "texture 1 of the scene: 0 x 64");
    model->tex_width[1] = 9000;
    assert_fails(draw_little(&picture_backend_soft, &it, &view, damaged), TOT_E_UNSUPPORTED,
                 "texture 1 of the scene: 9000 x 64");
    model->tex_width[1] = width;
    assert_ok(draw_little(&picture_backend_soft, &it, &view, damaged));
    assert_memory_equal(whole, damaged, BYTES);
    close_little(&it);
}

int main(void) {
    if (getenv("TEMPORALOT_VALGRIND") != NULL) {
        printf("skipped: OpenGL on the CPU takes hours under Valgrind\n");
        return 0;
    }
    if (tot_gl_check(NULL) == TOT_E_MISSING) {
        printf("skipped: %s\n", tot_error());
        return SKIPPED;
    }
    return RUN_TESTS(NULL, NULL);
}
