// The public renderer: checks settings, finds the camera, and dispatches to one of the two
// backends.
#include "base/base.h"
#include "base/settings.h"
#include "picture/renderer.h"
#include "world/sawyer.h"

enum { TEXT_SIZE = 160 };

struct tot_renderer {
    const picture_backend *kind;
    void *state;
    const tot_task *task;
    picture_view view;
    char text[TEXT_SIZE];
};

static const picture_backend *const kinds[] = {
    [TOT_RENDERER_GL] = &picture_backend_gl,
    [TOT_RENDERER_SOFT] = &picture_backend_soft,
};

void tot_picture_defaults(tot_picture_settings *settings) {
    BASE_NEED_OR(, settings);
    *settings = (tot_picture_settings){
        .renderer = TOT_RENDERER_SOFT,
        .quality = TOT_QUALITY_FULL,
        .width = 224,
        .height = 224,
        .upright = true,
        .aspect = 4.0 / 3.0,
        .zoom = 1,
    };
}

// --- settings ----------------------------------------------------------------------------------

static tot_status check_word(const char *name, const char *words, int place) {
    char word[16];
    BASE_FAIL_IF(place < 0 || base_word_at(words, place, word, sizeof word)[0] == '\0',
                 TOT_E_ARGUMENT, "%s: %d is not known", name, place);
    return TOT_OK;
}

static tot_status check_size(const char *name, int size) {
    BASE_FAIL_IF(size < 1 || size > TOT_MAX_PICTURE, TOT_E_ARGUMENT,
                 "%s: %d is not in 1 .. %d pixels", name, size, TOT_MAX_PICTURE);
    return TOT_OK;
}

static bool has_crop(const double crop[4]) {
    return crop[0] != 0 || crop[1] != 0 || crop[2] != 0 || crop[3] != 0;
}

static tot_status check_crop(const double crop[4]) {
    const double least = 1.0 / TOT_MAX_ZOOM - 1e-9;
    const bool inside = crop[0] >= 0 && crop[1] >= 0 && crop[2] <= 1 && crop[3] <= 1 &&
                        crop[2] - crop[0] >= least && crop[3] - crop[1] >= least;
    return inside || !has_crop(crop)
               ? TOT_OK
               : base_fail(TOT_E_ARGUMENT,
                           "crop: %g,%g,%g,%g is not left, top, right, bottom in 0 .. 1 with at "
                           "least %g between them",
                           crop[0], crop[1], crop[2], crop[3], 1.0 / TOT_MAX_ZOOM);
}

static tot_status check_settings(const tot_picture_settings *settings) {
    enum { WIDEST = 1000 };
    BASE_TRY(check_word("renderer", TOT_RENDERER_WORDS, (int)settings->renderer));
    BASE_TRY(check_word("quality", TOT_QUALITY_WORDS, (int)settings->quality));
    BASE_TRY(check_word("arm", TOT_ARM_WORDS, (int)settings->arm));
    BASE_TRY(check_size("width", settings->width));
    BASE_TRY(check_size("height", settings->height));
    const double aspect = settings->aspect;
    BASE_FAIL_IF(aspect != 0 && !(aspect >= 1.0 / WIDEST && aspect <= WIDEST), TOT_E_ARGUMENT,
                 "aspect: %g is neither 0 nor in %g .. %d", aspect, 1.0 / WIDEST, WIDEST);
    BASE_FAIL_IF(settings->zoom != 0 && !(settings->zoom >= 1 && settings->zoom <= TOT_MAX_ZOOM),
                 TOT_E_ARGUMENT, "zoom: %g is not in 1 .. %d", settings->zoom, TOT_MAX_ZOOM);
    BASE_FAIL_IF(!(settings->orbit >= -180 && settings->orbit <= 180), TOT_E_ARGUMENT,
                 "orbit: %g is not in -180 .. 180", settings->orbit);
    const double around = settings->around_hand;
    BASE_FAIL_IF(around != 0 && !(around >= 0.01 && around <= 2), TOT_E_ARGUMENT,
                 "around_hand: %g is not in 0.01 .. 2 metres", around);
    BASE_FAIL_IF(around > 0 && (settings->zoom > 1 || settings->orbit != 0 || settings->fitted ||
                                has_crop(settings->crop)),
                 TOT_E_ARGUMENT, "view: one of the hand has no zoom, orbit and crop of its own");
    return check_crop(settings->crop);
}

// The end of the range of bodies below a body: MuJoCo numbers them depth first.
static int subtree_end(const mjModel *model, int body) {
    int end = body + 1;
    while (end < model->nbody && model->body_parentid[end] >= body) {
        end++;
    }
    return end;
}

static void hide_arm(picture_view *view, const tot_task *task) {
    view->hidden = task->model->body_rootid[task->hand];
    view->hidden_end = subtree_end(task->model, view->hidden);
    view->fingers = task->hand;
    view->fingers_end = subtree_end(task->model, view->fingers);
}

tot_status picture_view_resolve(picture_view *view, const tot_task *task,
                                const tot_picture_settings *settings) {
    BASE_TRY(check_settings(settings));
    *view = (picture_view){.quality = settings->quality,
                           .width = settings->width,
                           .height = settings->height,
                           .aspect = settings->aspect,
                           .zoom = settings->zoom > 1 ? settings->zoom : 1,
                           .orbit = settings->orbit,
                           .crop = {0, 0, 1, 1},
                           .hand = settings->around_hand > 0 ? task->hand : 0,
                           .around_hand = settings->around_hand};
    if (has_crop(settings->crop)) {
        memcpy(view->crop, settings->crop, sizeof view->crop);
    }
    if (settings->arm == TOT_ARM_HIDDEN) {
        hide_arm(view, task);
    }
    if (view->aspect == 0) {
        view->aspect = (double)view->width / (double)view->height;
    }
    const char *camera = settings->camera != NULL ? settings->camera : task->info.camera;
    BASE_TRY(picture_camera_find(task->model, camera, &view->camera));
    view->turned = settings->upright && picture_camera_upside_down(task->model, view->camera);
    return TOT_OK;
}

// --- renderers ----------------------------------------------------------------------------------

static void describe(tot_renderer *renderer, const tot_picture_settings *settings) {
    const picture_view *view = &renderer->view;
    char kind[16], quality[16], arm[16];
    const char *camera = world_mujoco.mj_id2name(renderer->task->model, mjOBJ_CAMERA, view->camera);
    snprintf(renderer->text, sizeof renderer->text, "%s %s %.60s %s %dx%d aspect %.4f",
             base_word_at(TOT_RENDERER_WORDS, (int)settings->renderer, kind, sizeof kind),
             base_word_at(TOT_QUALITY_WORDS, (int)settings->quality, quality, sizeof quality),
             camera, settings->upright ? "upright" : "unturned", view->width, view->height,
             view->aspect);
    if (view->zoom > 1) {
        base_append(renderer->text, sizeof renderer->text, " zoom %g", view->zoom);
    }
    if (view->orbit != 0) {
        base_append(renderer->text, sizeof renderer->text, " orbit %g", view->orbit);
    }
    if (view->hand > 0) {
        base_append(renderer->text, sizeof renderer->text, " hand %g", view->around_hand);
    }
    if (settings->arm != TOT_ARM_DRAWN) {
        base_append(renderer->text, sizeof renderer->text, " arm %s",
                    base_word_at(TOT_ARM_WORDS, (int)settings->arm, arm, sizeof arm));
    }
    if (view->crop[2] - view->crop[0] < 1 || view->crop[3] - view->crop[1] < 1) {
        base_append(renderer->text, sizeof renderer->text, " crop %g,%g,%g,%g", view->crop[0],
                    view->crop[1], view->crop[2], view->crop[3]);
    }
}

tot_status tot_renderer_create(tot_renderer **out, const tot_task *task,
                               const tot_picture_settings *settings, tot_pool *pool) {
    BASE_NEED(out, task, settings);
    *out = NULL;
    picture_view view;
    BASE_TRY(picture_view_resolve(&view, task, settings));
    BASE_NEW(tot_renderer, renderer, "renderer");
    renderer->kind = kinds[settings->renderer];
    renderer->task = task;
    renderer->view = view;
    describe(renderer, settings);
    BASE_GIVE(renderer->kind->create(&renderer->state, task->model, &renderer->view, pool), out,
              renderer, base_free);
}

tot_status tot_renderer_draw(tot_renderer *renderer, const tot_world *world, uint8_t *rgb) {
    BASE_NEED(renderer, world, rgb);
    BASE_FAIL_IF(world->task != renderer->task, TOT_E_ARGUMENT,
                 "picture: a renderer of %s cannot draw a world of %s%s", renderer->task->info.name,
                 world->task->info.name,
                 world->task->definition == renderer->task->definition
                     ? " that was loaded another time"
                     : "");
    BASE_FAIL_IF(!world->ready, TOT_E_ARGUMENT,
                 "picture: the world of %s was not reset, and shows nothing",
                 world->task->info.name);
    return renderer->kind->draw(renderer->state, &world->model, world->data, rgb);
}

tot_status picture_draw_views(tot_renderer *const *renderers, int count, const tot_world *world,
                              size_t picture, uint8_t *rgb) {
    for (int k = 0; k < count; k++) {
        BASE_TRY(tot_renderer_draw(renderers[k], world, rgb + (size_t)k * picture));
    }
    return TOT_OK;
}

BASE_GETTER(const char *, tot_renderer_text, tot_renderer, renderer, NULL, renderer->text)

void tot_renderer_free(tot_renderer *renderer) {
    BASE_UNLESS_NULL(renderer);
    renderer->kind->free(renderer->state);
    base_free(renderer);
}
