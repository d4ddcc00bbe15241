// MuJoCo's own renderer, off-screen. With the same settings the pixels are identical to those of
// Python's mujoco.Renderer.
#include "base/base.h"
#include "picture/renderer.h"
#include "picture/platform.h"

enum { MOST_GEOMS = 10000 };  // in a scene; mujoco.Renderer's default

typedef struct gl_state {
    const picture_view *view;
    const picture_gl_platform *platform;
    void *context;  // the platform's
    mjvOption option;
    mjvCamera camera;
    mjvScene scene;
    mjrContext renderer;

    // of the current call
    const mjModel *model;
    mjData *data;
    uint8_t *rgb;
} gl_state;

// --- creating ----------------------------------------------------------------------------------

static bool make_scene(void *context) {
    gl_state *state = context;
    world_mujoco.mjv_makeScene(state->model, &state->scene, MOST_GEOMS);
    return true;
}

// Uploads shapes and textures to the current OpenGL context.
static bool make_renderer(void *context) {
    gl_state *state = context;
    const bool full = state->view->quality == TOT_QUALITY_FULL;
    mjModel model = *state->model;
    model.vis.global.offwidth = state->view->width;
    model.vis.global.offheight = state->view->height;
    if (!full) {
        model.vis.quality.offsamples = 0;
        model.vis.quality.shadowsize = 0;
    }
    world_mujoco.mjr_makeContext(&model, &state->renderer, mjFONTSCALE_150);
    world_mujoco.mjr_setBuffer(mjFB_OFFSCREEN, &state->renderer);
    return true;
}

// MuJoCo's errors while drawing come from OpenGL, not from the simulation.
static tot_status guarded(bool (*call)(void *context), gl_state *state) {
    const tot_status status = world_mujoco_guard(call, state);
    return status == TOT_E_PHYSICS ? base_fail_in(TOT_E_UNSUPPORTED, "renderer gl") : status;
}

static tot_status prepare(gl_state *state) {
    BASE_TRY(picture_gl_choose(&state->platform));
    tot_status status = guarded(make_scene, state);
    if (status != TOT_OK) {
        // its memory has been freed
        world_mujoco.mjv_defaultScene(&state->scene);
        return status;
    }
    state->scene.flags[mjRND_SHADOW] = state->view->quality == TOT_QUALITY_FULL;
    state->scene.flags[mjRND_REFLECTION] = state->view->quality == TOT_QUALITY_FULL;
    BASE_TRY(state->platform->create(&state->context));
    picture_gl_before before;
    BASE_TRY(state->platform->enter(state->context, &before));
    status = guarded(make_renderer, state);
    if (status != TOT_OK) {
        // partially created objects are freed with the OpenGL context
        world_mujoco.mjr_defaultContext(&state->renderer);
    }
    state->platform->leave(&before);
    return status;
}

static void free_state(void *context) {
    gl_state *state = context;
    picture_gl_before before;
    if (state->context != NULL) {
        if (state->platform->enter(state->context, &before) == TOT_OK) {
            if (state->renderer.glInitialized != 0) {
                world_mujoco.mjr_freeContext(&state->renderer);
            }
            state->platform->leave(&before);
        }
        state->platform->destroy(state->context);
    }
    world_mujoco.mjv_freeScene(&state->scene);
    base_free(state);
}

static tot_status create(void **out, const mjModel *model, const picture_view *view,
                         tot_pool *pool) {
    (void)pool;
    BASE_NEW(gl_state, state, "gl renderer");
    state->view = view;
    state->model = model;
    world_mujoco.mjv_defaultOption(&state->option);
    world_mujoco.mjv_defaultCamera(&state->camera);
    world_mujoco.mjv_defaultScene(&state->scene);
    world_mujoco.mjr_defaultContext(&state->renderer);
    state->camera.type = mjCAMERA_FIXED;
    state->camera.fixedcamid = view->camera;
    BASE_GIVE(prepare(state), out, state, free_state);
}

// --- drawing -----------------------------------------------------------------------------------

static bool draw_scene(void *context) {
    gl_state *state = context;
    const mjrRect all = {0, 0, state->view->width, state->view->height};
    world_mujoco.mjv_updateScene(state->model, state->data, &state->option, NULL, &state->camera,
                                 mjCAT_ALL, &state->scene);
    picture_view_hide(state->view, state->model, &state->scene);
    for (int eye = 0; eye < 2; eye++) {
        mjvGLCamera *camera = &state->scene.camera[eye];
        picture_view_aim(state->view, state->data, camera);
        camera->frustum_width = picture_view_half_width(state->view, camera);
    }
    world_mujoco.mjr_render(all, &state->scene, &state->renderer);
    world_mujoco.mjr_readPixels(state->rgb, NULL, all, &state->renderer);
    return true;
}

static void swap_pixels(uint8_t *a, uint8_t *b) {
    for (int k = 0; k < 3; k++) {
        const uint8_t kept = a[k];
        a[k] = b[k];
        b[k] = kept;
    }
}

// OpenGL's rows are bottom first. Rotated by 180 degrees they are in order, but reversed.
static void turn_rows(uint8_t *rgb, int width, int height) {
    for (int y = 0; y < height; y++) {
        uint8_t *row = rgb + (size_t)y * (size_t)width * 3;
        for (int x = 0; x < width / 2; x++) {
            swap_pixels(row + 3 * x, row + 3 * (width - 1 - x));
        }
    }
}

static void reverse_rows(uint8_t *rgb, int width, int height) {
    const size_t row = (size_t)width * 3;
    for (int y = 0; y < height / 2; y++) {
        uint8_t *upper = rgb + (size_t)y * row;
        uint8_t *lower = rgb + (size_t)(height - 1 - y) * row;
        for (size_t k = 0; k < row; k++) {
            const uint8_t kept = upper[k];
            upper[k] = lower[k];
            lower[k] = kept;
        }
    }
}

static tot_status draw(void *context, const mjModel *model, mjData *data, uint8_t *rgb) {
    gl_state *state = context;
    picture_gl_before before;
    state->model = model;
    state->data = data;
    state->rgb = rgb;
    BASE_TRY(state->platform->enter(state->context, &before));
    const tot_status status = guarded(draw_scene, state);
    state->platform->leave(&before);
    BASE_TRY(status);
    if (state->view->turned) {
        turn_rows(rgb, state->view->width, state->view->height);
    } else {
        reverse_rows(rgb, state->view->width, state->view->height);
    }
    return TOT_OK;
}

const picture_backend picture_backend_gl = {
    .create = create,
    .draw = draw,
    .free = free_state,
};
