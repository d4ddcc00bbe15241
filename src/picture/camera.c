// Cameras: finding them by name, detecting those that are upside down, and aiming them.
#include "base/base.h"
#include "picture/renderer.h"

enum { LIST_SIZE = 700, MOST_CAMERAS = 64 };

// "corner, corner2, ...", truncated to the buffer.
static void list_cameras(const mjModel *model, char list[LIST_SIZE]) {
    list[0] = '\0';
    for (int k = 0; k < model->ncam; k++) {
        const char *name = world_mujoco.mj_id2name(model, mjOBJ_CAMERA, k);
        if (name != NULL && strlen(list) + strlen(name) + 3 <= LIST_SIZE) {
            base_append(list, LIST_SIZE, "%s%s", list[0] != '\0' ? ", " : "", name);
        }
    }
}

static const char *nearest_camera(const mjModel *model, const char *name) {
    const char *names[MOST_CAMERAS];
    size_t count = 0;
    for (int k = 0; k < model->ncam && count < MOST_CAMERAS; k++) {
        names[count++] = world_mujoco.mj_id2name(model, mjOBJ_CAMERA, k);
    }
    return base_nearest_name(name, names, count);
}

tot_status picture_camera_find(const mjModel *model, const char *name, int *camera) {
    *camera = world_mujoco.mj_name2id(model, mjOBJ_CAMERA, name);
    if (*camera >= 0) {
        return TOT_OK;
    }
    char list[LIST_SIZE];
    list_cameras(model, list);
    BASE_FAIL_IF(list[0] == '\0', TOT_E_ARGUMENT,
                 "camera: '%.100s' is not in the scene, which has none", name);
    const char *nearest = nearest_camera(model, name);
    return base_fail(TOT_E_ARGUMENT, "camera: '%.100s' is not in the scene%s%s%s; it has %s", name,
                     nearest != NULL ? ", did you mean '" : "", nearest != NULL ? nearest : "",
                     nearest != NULL ? "'?" : "", list);
}

bool picture_camera_upside_down(const mjModel *model, int camera) {
    // z of the second column of its rotation matrix, the up vector
    return model->cam_mat0[9 * camera + 7] < 0;
}

void picture_normalize(float v[3]) {
    const float size = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int k = 0; k < 3; k++) {
        v[k] = size > 1e-10F ? v[k] / size : (float)(k == 2);
    }
}

// centre between the hands' initial positions and the objects, over all tasks: metres from the
// robot's base
static const float middle[3] = {0.0F, 0.68F, 0.14F};

// Rotates about the vertical axis through the centre.
static void go_around(double degrees, mjvGLCamera *camera) {
    static const double pi = 3.14159265358979323846;
    const float cosine = (float)cos(degrees * pi / 180);
    const float sine = (float)sin(degrees * pi / 180);
    float place[3];
    for (int k = 0; k < 3; k++) {
        place[k] = camera->pos[k] - middle[k];
    }
    float *const arrows[] = {place, camera->forward, camera->up};
    for (size_t k = 0; k < BASE_LENGTH(arrows); k++) {
        const float x = arrows[k][0];
        const float y = arrows[k][1];
        arrows[k][0] = cosine * x - sine * y;
        arrows[k][1] = sine * x + cosine * y;
    }
    for (int k = 0; k < 3; k++) {
        camera->pos[k] = place[k] + middle[k];
    }
}

// Points the camera at `at`, magnified by zoom.
static void zoom_in(const float at[3], double zoom, mjvGLCamera *camera) {
    for (int k = 0; k < 3; k++) {
        camera->forward[k] = at[k] - camera->pos[k];
    }
    picture_normalize(camera->forward);
    float along = 0;
    for (int k = 0; k < 3; k++) {
        along += camera->up[k] * camera->forward[k];
    }
    for (int k = 0; k < 3; k++) {
        camera->up[k] -= along * camera->forward[k];
    }
    picture_normalize(camera->up);
    camera->frustum_bottom /= (float)zoom;
    camera->frustum_top /= (float)zoom;
}

// Points at the hand, with the zoom at which around_hand metres fill half of the picture's height
// at the centre of the table; closer objects appear larger.
static void follow(const picture_view *view, const mjData *data, mjvGLCamera *camera) {
    float hand[3], away[3];
    for (int k = 0; k < 3; k++) {
        hand[k] = (float)data->xpos[3 * view->hand + k];
        away[k] = middle[k] - camera->pos[k];
    }
    const double distance =
        (double)sqrtf(away[0] * away[0] + away[1] * away[1] + away[2] * away[2]);
    const double half = 0.5 * (double)(camera->frustum_top - camera->frustum_bottom) /
                        (double)camera->frustum_near * distance;
    zoom_in(hand, fmax(half / view->around_hand, 1), camera);
}

// A crop is a window in the picture: its frustum is off-axis.
static void cut_out(const picture_view *view, mjvGLCamera *camera) {
    const double *crop = view->crop;
    const double left = view->turned ? 1 - crop[2] : crop[0];
    const double right = view->turned ? 1 - crop[0] : crop[2];
    const double above = view->turned ? 1 - crop[3] : crop[1];
    const double below = view->turned ? 1 - crop[1] : crop[3];
    const double top = (double)camera->frustum_top;
    const double high = top - (double)camera->frustum_bottom;
    camera->frustum_center += (float)(0.5 * view->aspect * high * (left + right - 1));
    camera->frustum_top = (float)(top - above * high);
    camera->frustum_bottom = (float)(top - below * high);
}

void picture_view_aim(const picture_view *view, const mjData *data, mjvGLCamera *camera) {
    if (view->hand > 0) {
        follow(view, data, camera);
    }
    if (view->orbit != 0) {
        go_around(view->orbit, camera);
    }
    if (view->zoom > 1) {
        zoom_in(middle, view->zoom, camera);
    }
    if (view->crop[2] - view->crop[0] < 1 || view->crop[3] - view->crop[1] < 1) {
        cut_out(view, camera);
    }
}

double picture_view_aspect(const picture_view *view) {
    return view->aspect * (view->crop[2] - view->crop[0]) / (view->crop[3] - view->crop[1]);
}

float picture_view_half_width(const picture_view *view, const mjvGLCamera *camera) {
    // in MuJoCo's order of operations, so that the pixels are identical
    return 0.5f * (float)picture_view_aspect(view) * (camera->frustum_top - camera->frustum_bottom);
}

// The body that a part of the scene belongs to; -1: none.
static int body_of(const mjModel *model, const mjvGeom *geom) {
    return geom->objtype == mjOBJ_GEOM   ? model->geom_bodyid[geom->objid]
           : geom->objtype == mjOBJ_SITE ? model->site_bodyid[geom->objid]
                                         : -1;
}

void picture_view_hide(const picture_view *view, const mjModel *model, mjvScene *scene) {
    int shown = 0;
    for (int k = 0; view->hidden_end > 0 && k < scene->ngeom; k++) {
        const int body = body_of(model, &scene->geoms[k]);
        const bool hidden = body >= view->hidden && body < view->hidden_end &&
                            !(body >= view->fingers && body < view->fingers_end);
        if (!hidden) {
            scene->geoms[shown++] = scene->geoms[k];
        }
    }
    scene->ngeom = view->hidden_end > 0 ? shown : scene->ngeom;
}
