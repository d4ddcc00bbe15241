// Machines without EGL, without OSMesa, or without both: a wrapped dlopen hides them.
#include "rendering.h"

#include <dlfcn.h>

static bool hide_egl;
static bool hide_osmesa;

void *__real_dlopen(const char *name, int flags);
void *__wrap_dlopen(const char *name, int flags);

void *__wrap_dlopen(const char *name, int flags) {
    const bool hidden = name != NULL && ((hide_egl && strstr(name, "EGL") != NULL) ||
                                         (hide_osmesa && strstr(name, "OSMesa") != NULL));
    return __real_dlopen(hidden ? "libnot-there.so.0" : name, flags);
}

static tot_status draw_something(uint8_t *rgb) {
    const tot_picture_settings settings = settings_of(TOT_RENDERER_GL, TOT_QUALITY_FAST, 16, 16);
    scene push = {0};
    tot_renderer *renderer = NULL;
    open_scene(&push, "push", 0);
    tot_status status = tot_renderer_create(&renderer, push.task, &settings, NULL);
    if (status == TOT_OK) {
        status = tot_renderer_draw(renderer, push.world, rgb);
    }
    tot_renderer_free(renderer);
    close_scene(&push);
    return status;
}

// The order matters: a library that was found is kept.
TEST(test_neither) {
    uint8_t rgb[16 * 16 * 3];
    hide_egl = true;
    hide_osmesa = true;
    assert_fails(tot_gl_check(NULL), TOT_E_MISSING, "libegl1 libgl1-mesa-dri libosmesa6");
    assert_fails(draw_something(rgb), TOT_E_MISSING, "the renderer soft");
    assert_fails(tot_gl_check(NULL), TOT_E_MISSING, "egl: libnot-there.so.0");
    assert_fails(tot_gl_check(NULL), TOT_E_MISSING, "; osmesa: libnot-there.so.0");
}

TEST(test_variable) {
    // only the named one is tried
    hide_egl = false;
    setenv("MUJOCO_GL", "osmesa", 1);
    assert_fails(tot_gl_check(NULL), TOT_E_MISSING, "(osmesa: ");
    unsetenv("MUJOCO_GL");
}

TEST(test_device) {
    setenv("MUJOCO_GL", "egl", 1);
    void *library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library != NULL) {
        setenv("MUJOCO_EGL_DEVICE_ID", "63", 1);
        assert_fails(tot_gl_check(NULL), TOT_E_ARGUMENT, "MUJOCO_EGL_DEVICE_ID: 63");
        setenv("MUJOCO_EGL_DEVICE_ID", "first", 1);
        assert_fails(tot_gl_check(NULL), TOT_E_ARGUMENT, "MUJOCO_EGL_DEVICE_ID");
        dlclose(library);
    }
    unsetenv("MUJOCO_EGL_DEVICE_ID");
    unsetenv("MUJOCO_GL");
}

TEST(test_fallback) {
    uint8_t rgb[16 * 16 * 3];
    const char *text = NULL;
    hide_egl = true;
    hide_osmesa = false;
    if (getenv("TEMPORALOT_VALGRIND") != NULL) {
        // OSMesa leaks
        skip();
    }
    if (tot_gl_check(&text) == TOT_E_MISSING) {
        print_message("no OSMesa here: %s\n", tot_error());
        skip();
    }
    assert_ok(tot_gl_check(&text));
    assert_non_null(strstr(text, "osmesa, "));
    assert_ok(draw_something(rgb));
    assert_true(count_colours(rgb, sizeof rgb) > 10);
    // the library found first is kept, whatever the variable says now
    setenv("MUJOCO_GL", "egl", 1);
    assert_ok(tot_gl_check(&text));
    assert_non_null(strstr(text, "osmesa, "));
}

int main(void) {
    unsetenv("MUJOCO_GL");
    return RUN_TESTS(NULL, NULL);
}
