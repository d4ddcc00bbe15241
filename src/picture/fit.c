// Fitting a view to demonstrations: the part of a camera's picture in which hand and objects move.
#include "base/base.h"
#include "file/region.h"
#include "picture/renderer.h"
#include "world/sawyer.h"

static const double least_extent = 0.01;  // metres; a smaller extent counts as no movement

typedef struct bounds {
    double low[3], high[3];
} bounds;

static bounds bounds_of(const double *points, size_t count, double margin) {
    bounds box = {.low = {INFINITY, INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t k = 0; k < 3 * count; k++) {
        box.low[k % 3] = fmin(box.low[k % 3], points[k]);
        box.high[k % 3] = fmax(box.high[k % 3], points[k]);
    }
    for (int k = 0; k < 3; k++) {
        box.low[k] -= margin;
        box.high[k] += margin;
    }
    return box;
}

// Position of a point in the picture, as fractions of its width and height from the upper left
// corner. False: it is behind the camera.
static bool project(const mjModel *model, const picture_view *view, const double point[3],
                    double *u, double *v) {
    const double *position = model->cam_pos + 3 * view->camera;
    const double *axes = model->cam_mat0 + 9 * view->camera;  // columns: right, up, backwards
    const double high = tan(model->cam_fovy[view->camera] * mjPI / 360);
    double seen[3] = {0};
    for (int row = 0; row < 3; row++) {
        for (int k = 0; k < 3; k++) {
            seen[k] += axes[3 * row + k] * (point[row] - position[row]);
        }
    }
    const double depth = -seen[2];
    if (!(depth > 0.01)) {
        return false;
    }
    *u = 0.5 + 0.5 * seen[0] / (depth * high * view->aspect);
    *v = 0.5 - 0.5 * seen[1] / (depth * high);
    if (view->turned) {
        *u = 1 - *u;
        *v = 1 - *v;
    }
    return true;
}

tot_status tot_view_fit(const tot_task *task, const tot_picture_settings *settings,
                        const double *points, size_t count, double margin, double crop[4]) {
    BASE_NEED(task, settings, crop);
    if (count > 0) {
        BASE_NEED(points);
    }
    BASE_FAIL_IF(!isfinite(margin), TOT_E_ARGUMENT, "view: a margin of %g", margin);
    picture_view view;
    BASE_TRY(picture_view_resolve(&view, task, settings));
    const mjModel *model = task->model;
    const char *camera = world_mujoco.mj_id2name(model, mjOBJ_CAMERA, view.camera);
    BASE_FAIL_IF(model->cam_bodyid[view.camera] != 0, TOT_E_ARGUMENT,
                 "view: camera %s moves, and no view can be fitted to it", camera);
    BASE_FAIL_IF(view.zoom > 1 || view.orbit != 0, TOT_E_ARGUMENT,
                 "view: with %s %g no view can be fitted", view.zoom > 1 ? "zoom" : "orbit",
                 view.zoom > 1 ? view.zoom : view.orbit);
    for (size_t k = 0; k < 3 * count; k++) {
        BASE_FAIL_IF(!isfinite(points[k]), TOT_E_VALUE, "view: %g where a position is expected",
                     points[k]);
    }
    const bounds box = bounds_of(points, count, margin);
    double extent = 0;
    double range[4] = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int k = 0; k < 3; k++) {
        extent = fmax(extent, box.high[k] - box.low[k] - 2 * margin);
    }
    BASE_FAIL_IF(!(extent >= least_extent), TOT_E_VALUE,
                 "view: nothing moves in the demonstrations, and no view can be fitted to "
                 "them");
    for (int corner = 0; corner < 8; corner++) {
        double point[3], u, v;
        for (int k = 0; k < 3; k++) {
            point[k] = (corner >> k & 1) != 0 ? box.high[k] : box.low[k];
        }
        BASE_FAIL_IF(!project(model, &view, point, &u, &v), TOT_E_VALUE,
                     "view: camera %s does not see where the hand goes", camera);
        range[0] = fmin(range[0], u);
        range[1] = fmin(range[1], v);
        range[2] = fmax(range[2], u);
        range[3] = fmax(range[3], v);
    }
    const double u = (range[0] + range[2]) / 2;
    const double v = (range[1] + range[3]) / 2;
    BASE_FAIL_IF(!(u > 0 && u < 1 && v > 0 && v < 1), TOT_E_VALUE,
                 "view: camera %s does not see where the hand goes", camera);
    file_region_around(range, range + 2, 1.0 / TOT_MAX_ZOOM, crop);
    return TOT_OK;
}

static void normalize(double v[3]) {
    const double size = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int k = 0; k < 3; k++) {
        v[k] /= size;
    }
}

tot_status picture_axes(const tot_task *task, const tot_picture_settings *settings,
                        const double point[3], double axes[3][3]) {
    picture_view view;
    BASE_TRY(picture_view_resolve(&view, task, settings));
    const mjModel *model = task->model;
    const double *columns = model->cam_mat0 + 9 * view.camera;
    double *right = axes[0], *up = axes[1], *near = axes[2];
    double along = 0;
    for (int k = 0; k < 3; k++) {
        near[k] = model->cam_pos[3 * view.camera + k] - point[k];
        up[k] = view.turned ? -columns[3 * k + 1] : columns[3 * k + 1];
    }
    normalize(near);
    for (int k = 0; k < 3; k++) {
        along += up[k] * near[k];
    }
    for (int k = 0; k < 3; k++) {
        up[k] -= along * near[k];
    }
    normalize(up);
    for (int k = 0; k < 3; k++) {
        right[k] = up[(k + 1) % 3] * near[(k + 2) % 3] - up[(k + 2) % 3] * near[(k + 1) % 3];
    }
    return TOT_OK;
}
