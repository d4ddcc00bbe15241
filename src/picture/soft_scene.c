#include "picture/soft_scene.h"

#include "base/base.h"
#include "picture/renderer.h"

enum { MOST_PARTS = 3 };  // items per geom

// Allowed error of a coarser mesh, in pixels and in texels of the shadow map.
static const float CAMERA_TOLERANCE = 0.05F;
static const float MIRROR_TOLERANCE = 0.5F;
static const float SHADOW_TOLERANCE = 0.5F;

// --- guarded calls of MuJoCo -------------------------------------------------------------------

typedef struct scene_call {
    soft_scene *scene;
    const mjModel *model;
    mjData *data;
} scene_call;

static bool call_make(void *context) {
    const scene_call *call = context;
    world_mujoco.mjv_makeScene(call->model, &call->scene->mujoco, SOFT_MAX_ITEMS);
    return true;
}

static bool call_update(void *context) {
    const scene_call *call = context;
    world_mujoco.mjv_updateScene(call->model, call->data, &call->scene->options, NULL,
                                 &call->scene->camera, mjCAT_ALL, &call->scene->mujoco);
    return true;
}

tot_status soft_scene_make(soft_scene *scene, const mjModel *model, int camera) {
    world_mujoco.mjv_defaultScene(&scene->mujoco);
    world_mujoco.mjv_defaultOption(&scene->options);
    world_mujoco.mjv_defaultCamera(&scene->camera);
    scene->camera.type = mjCAMERA_FIXED;
    scene->camera.fixedcamid = camera;
    scene_call call = {scene, model, NULL};
    const tot_status status = world_mujoco_guard(call_make, &call);
    if (status != TOT_OK) {
        // its memory has been freed
        world_mujoco.mjv_defaultScene(&scene->mujoco);
        return status;
    }
    BASE_ALLOC(scene->items, SOFT_MAX_ITEMS, "the picture's parts");
    return TOT_OK;
}

void soft_scene_free(soft_scene *scene) {
    if (scene->mujoco.geoms != NULL) {
        world_mujoco.mjv_freeScene(&scene->mujoco);
    }
    base_free(scene->items);
    *scene = (soft_scene){0};
}

// --- items -------------------------------------------------------------------------------------

// Transforms an item: scaled, shifted along its own z, rotated and translated.
static void place_item(soft_item *item, const mjvGeom *geom, const float scale[3], float lift) {
    for (int row = 0; row < 3; row++) {
        const float *turn = geom->mat + 3 * row;
        for (int k = 0; k < 3; k++) {
            item->place[row][k] = turn[k] * scale[k];
            item->normal[row][k] = turn[k] * (scale[k] != 0 ? 1 / scale[k] : 0);
        }
        item->place[row][3] = geom->pos[row] + turn[2] * lift;
    }
    for (int row = 0; row < 3; row++) {
        item->back[row][3] = 0;
        for (int k = 0; k < 3; k++) {
            item->back[row][k] = item->normal[k][row];
            item->back[row][3] -= item->back[row][k] * item->place[k][3];
        }
    }
}

static void map_texture(soft_item *item, const mjvGeom *geom, const mjModel *model) {
    item->texture = -1;
    item->own_coordinates = false;
    memset(item->mapping, 0, sizeof item->mapping);
    if (geom->matid < 0 || geom->matid >= model->nmat) {
        return;
    }
    item->texture = model->mat_texid[mjNTEXROLE * geom->matid + mjTEXROLE_RGB];
    if (item->texture < 0) {
        return;
    }
    const bool uniform = model->mat_texuniform[geom->matid] != 0;
    item->own_coordinates = geom->texcoord != 0;
    if (model->tex_type[item->texture] != mjTEXTURE_2D) {
        for (int k = 0; k < 3; k++) {
            item->mapping[k][k] = uniform ? geom->size[k] : 1;
        }
        return;
    }
    for (int k = 0; k < 2; k++) {
        float scale = model->mat_texrepeat[2 * geom->matid + k];
        const float size = geom->size[k];
        // shapes that are not scaled already have their size in their vertices
        scale = geom->dataid >= 0 && size > 0 ? scale / size : scale;
        scale = uniform && size > 0 ? scale * size : scale;
        item->mapping[k][k] = k == 0 ? 0.5F * scale : -0.5F * scale;
        item->mapping[k][3] = -0.5F;
    }
}

// Whether the camera is behind a plane through a point; with a parallel projection the viewing
// direction is treated as a point at infinity.
static bool is_behind(const soft_viewpoint *viewpoint, const float point[3], const float mat[9]) {
    float away = 0;
    for (int k = 0; k < 3; k++) {
        away += (viewpoint->position[k] - viewpoint->position[3] * point[k]) * mat[3 * k + 2];
    }
    return away < 0;
}

static void dress_item(soft_item *item, const mjvGeom *geom, const mjModel *model,
                       const soft_viewpoint *viewpoint) {
    memcpy(item->colour, geom->rgba, sizeof item->colour);
    item->emission = geom->emission;
    item->specular = geom->specular;
    item->shininess = 128 * geom->shininess;
    // to this power it is 2^-11
    item->faint = item->shininess > 0 ? exp2f(-11 / item->shininess) : -2;
    item->behind = geom->type == mjGEOM_PLANE && is_behind(viewpoint, geom->pos, geom->mat);
    item->transparent = geom->rgba[3] < 0.995F || item->behind;
    item->colour[3] *= item->behind ? 0.3F : 1;
    item->reflective = !item->transparent && geom->reflectance > 0 &&
                       (geom->type == mjGEOM_PLANE || geom->type == mjGEOM_BOX);
    item->casts = geom->category != mjCAT_DECOR;
    item->fixed = geom->category == mjCAT_STATIC;
    map_texture(item, geom, model);
}

// The shapes of a geom, with their scales. Returns their number; 0 for types that are not drawn
// (height fields, skins, flexes and debug lines, none of which occur in the tasks).
static int find_parts(const mjvGeom *geom, const soft_shapes *shapes, const mjModel *model,
                      uint32_t shape[MOST_PARTS], float scale[MOST_PARTS][3],
                      float lift[MOST_PARTS]) {
    const float middle = 0.5F * (geom->size[0] + geom->size[1]);
    for (int k = 0; k < MOST_PARTS; k++) {
        memcpy(scale[k], geom->size, sizeof scale[k]);
        lift[k] = 0;
    }
    switch (geom->type) {
        case mjGEOM_SPHERE:
        case mjGEOM_ELLIPSOID:
            shape[0] = SOFT_SHAPE_SPHERE;
            return 1;
        case mjGEOM_CYLINDER:
            shape[0] = SOFT_SHAPE_CYLINDER;
            return 1;
        case mjGEOM_BOX:
            shape[0] = SOFT_SHAPE_BOX;
            return 1;
        case mjGEOM_CAPSULE:
            shape[0] = SOFT_SHAPE_CYLINDER_OPEN;
            shape[1] = SOFT_SHAPE_SPHERE_TOP;
            shape[2] = SOFT_SHAPE_SPHERE_BOTTOM;
            scale[1][2] = scale[2][2] = middle;
            lift[1] = geom->size[2] - middle;
            lift[2] = -lift[1];
            return 3;
        case mjGEOM_PLANE:
            shape[0] = (uint32_t)(SOFT_SHAPE_FIRST_MESH + model->nmesh + geom->dataid);
            shape[0] = geom->dataid < 0 ? (uint32_t)SOFT_SHAPE_PLANE : shape[0];
            scale[0][0] = geom->dataid < 0 ? geom->size[0] : 1;
            scale[0][1] = geom->dataid < 0 ? geom->size[1] : 1;
            scale[0][2] = 1;
            return shape[0] < shapes->shape_count;
        case mjGEOM_MESH:
        case mjGEOM_SDF:
            // even ids are meshes, odd ones their convex hulls
            shape[0] = (uint32_t)(SOFT_SHAPE_FIRST_MESH + geom->dataid / 2);
            scale[0][0] = scale[0][1] = scale[0][2] = 1;
            return geom->dataid >= 0 && geom->dataid / 2 < model->nmesh;
        default:
            return 0;
    }
}

static void add_geom(soft_scene *scene, const soft_shapes *shapes, const mjModel *model,
                     int number) {
    const mjvGeom *geom = scene->mujoco.geoms + number;
    uint32_t shape[MOST_PARTS];
    float scale[MOST_PARTS][3], lift[MOST_PARTS];
    const int parts = find_parts(geom, shapes, model, shape, scale, lift);
    for (int k = 0; k < parts && scene->count < SOFT_MAX_ITEMS; k++) {
        soft_item *item = &scene->items[scene->count++];
        memset(item, 0, sizeof *item);
        item->shape = item->mirror_shape = item->shadow_shape = shape[k];
        item->geom = number;
        place_item(item, geom, scale[k], lift[k]);
        dress_item(item, geom, model, &scene->viewpoint);
    }
}

// --- viewpoints --------------------------------------------------------------------------------

static void cross(float out[3], const float a[3], const float b[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static float dot(const float a[3], const float b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// The view volume of an eye: extent of its near plane, near and far.
typedef struct frustum {
    double left, right, bottom, top, near, far;
    bool parallel;
    int width, height;  // of the whole picture
    int first_row;      // of the part that is drawn
} frustum;

static void set_viewpoint(soft_viewpoint *viewpoint, const float position[3],
                          const float forward[3], const float up[3], const frustum *f) {
    float axis[3][3];  // right, up, backward
    memcpy(axis[2], forward, sizeof axis[2]);
    picture_normalize(axis[2]);
    cross(axis[0], axis[2], up);
    picture_normalize(axis[0]);
    cross(axis[1], axis[0], axis[2]);
    picture_normalize(axis[1]);
    for (int k = 0; k < 3; k++) {
        axis[2][k] = -axis[2][k];
    }
    // to the eye's coordinates x, y, z, then to the screen; depth is 1 near and 0 far
    const double half_x = SOFT_SUBPIXELS * 0.5 * f->width,
                 half_y = SOFT_SUBPIXELS * 0.5 * f->height;
    const double wide = f->right - f->left, high = f->top - f->bottom, deep = f->far - f->near;
    double project[4][4] = {{0}};
    if (f->parallel) {
        project[0][0] = half_x * 2 / wide;
        project[0][3] = half_x * (1 - (f->right + f->left) / wide);
        project[1][1] = -half_y * 2 / high;
        project[1][3] = half_y * (1 + (f->top + f->bottom) / high);
        project[2][2] = 1 / deep;
        project[2][3] = f->far / deep;
        project[3][3] = 1;
    } else {
        project[0][0] = half_x * 2 * f->near / wide;
        project[0][2] = half_x * ((f->right + f->left) / wide - 1);
        project[1][1] = -half_y * 2 * f->near / high;
        project[1][2] = -half_y * ((f->top + f->bottom) / high + 1);
        project[2][2] = f->near / deep;
        project[2][3] = f->near * f->far / deep;
        project[3][2] = -1;
    }
    for (int k = 0; k < 4; k++) {
        project[1][k] -= SOFT_SUBPIXELS * f->first_row * project[3][k];
    }
    for (int row = 0; row < 4; row++) {
        double sum = project[row][3];
        for (int k = 0; k < 3; k++) {
            sum -= project[row][k] * (double)dot(axis[k], position);
        }
        viewpoint->screen[row][3] = (float)sum;
        for (int column = 0; column < 3; column++) {
            double entry = 0;
            for (int k = 0; k < 3; k++) {
                entry += project[row][k] * (double)axis[k][column];
            }
            viewpoint->screen[row][column] = (float)entry;
        }
    }
    for (int k = 0; k < 3; k++) {
        viewpoint->position[k] = f->parallel ? axis[2][k] : position[k];
    }
    viewpoint->position[3] = f->parallel ? 0 : 1;
    viewpoint->front = 1;
    viewpoint->clipped = false;
}

static float mean(float a, float b) {
    return 0.5F * (a + b);
}

static tot_status set_camera(soft_scene *scene, const soft_scene_request *request, frustum *f) {
    const mjvGLCamera *one = &scene->mujoco.camera[0], *two = &scene->mujoco.camera[1];
    float position[3], forward[3], up[3];
    for (int k = 0; k < 3; k++) {
        position[k] = mean(one->pos[k], two->pos[k]);
        forward[k] = one->forward[k] + two->forward[k];
        up[k] = one->up[k] + two->up[k];
    }
    picture_normalize(forward);
    picture_normalize(up);
    const float high =
        mean(one->frustum_top - one->frustum_bottom, two->frustum_top - two->frustum_bottom);
    const double middle = (double)mean(one->frustum_center, two->frustum_center);
    const double half = 0.5 * picture_view_aspect(request->view) * (double)high;
    *f = (frustum){middle - half,
                   middle + half,
                   (double)mean(one->frustum_bottom, two->frustum_bottom),
                   (double)mean(one->frustum_top, two->frustum_top),
                   (double)mean(one->frustum_near, two->frustum_near),
                   (double)mean(one->frustum_far, two->frustum_far),
                   one->orthographic != 0,
                   request->width,
                   request->height,
                   request->first_row};
    BASE_FAIL_IF(!(f->near > 0 && f->far > f->near && high > 0), TOT_E_VALUE,
                 "camera: it sees from %g to %g, %g high", f->near, f->far, (double)high);
    set_viewpoint(&scene->viewpoint, position, forward, up, f);
    return TOT_OK;
}

// The camera behind the mirror: the whole world reflected at the plane through point.
static void set_mirror(soft_scene *scene, const float point[3], const float normal[3],
                       const soft_viewpoint *viewpoint) {
    const float level = dot(point, normal);
    soft_viewpoint *mirror = &scene->mirror_viewpoint;
    *mirror = *viewpoint;
    for (int row = 0; row < 4; row++) {
        const float along = dot(viewpoint->screen[row], normal);
        for (int k = 0; k < 3; k++) {
            mirror->screen[row][k] = viewpoint->screen[row][k] - 2 * along * normal[k];
        }
        mirror->screen[row][3] = viewpoint->screen[row][3] + 2 * along * level;
    }
    const float away = dot(viewpoint->position, normal) - level * viewpoint->position[3];
    for (int k = 0; k < 3; k++) {
        mirror->position[k] = viewpoint->position[k] - 2 * away * normal[k];
        mirror->plane[k] = normal[k];
    }
    mirror->plane[3] = -level;
    mirror->clipped = true;
    mirror->front = -1;
}

// Only the first reflective geom reflects, and only if the camera is in front of it. A box reflects
// on its top.
static void find_mirror(soft_scene *scene) {
    int k = 0;
    while (k < scene->count && !scene->items[k].reflective) {
        k++;
    }
    if (k == scene->count) {
        return;
    }
    const mjvGeom *geom = scene->mujoco.geoms + scene->items[k].geom;
    const float normal[3] = {geom->mat[2], geom->mat[5], geom->mat[8]};
    float point[3];
    for (int j = 0; j < 3; j++) {
        point[j] = geom->pos[j] + (geom->type == mjGEOM_BOX ? geom->size[2] * normal[j] : 0);
    }
    if (!is_behind(&scene->viewpoint, point, geom->mat)) {
        scene->mirror = k;
        scene->reflectance = geom->reflectance;
        set_mirror(scene, point, normal, &scene->viewpoint);
    }
}

static void set_shadow(soft_viewpoint *viewpoint, const mjModel *model, const mjvLight *light,
                       const frustum *camera, int size) {
    // any direction perpendicular to the light's: the same choice as MuJoCo
    float up[3];
    const float sideways[3] = {-1, 0, 0}, other[3] = {0, 1, 0};
    cross(up, light->dir, sideways);
    if (!(dot(up, up) > 0.01F)) {
        cross(up, light->dir, other);
    }
    picture_normalize(up);
    frustum f = {.near = camera->near,
                 .far = camera->far,
                 .parallel = light->directional != 0,
                 .width = size,
                 .height = size};
    const double angle =
        fmin(2 * (double)light->cutoff * (double)model->vis.map.shadowscale, 160) / 360 * mjPI;
    f.right = f.parallel ? model->stat.extent * (double)model->vis.map.shadowclip
                         : tan(angle) * camera->near;
    f.top = f.right;
    f.left = f.bottom = -f.right;
    set_viewpoint(viewpoint, light->pos, light->dir, up, &f);
}

static void set_lamp(soft_lamp *lamp, const mjvLight *light) {
    memset(lamp, 0, sizeof *lamp);
    memcpy(lamp->ambient, light->ambient, sizeof lamp->ambient);
    memcpy(lamp->diffuse, light->diffuse, sizeof lamp->diffuse);
    memcpy(lamp->specular, light->specular, sizeof lamp->specular);
    lamp->directional = light->directional != 0;
    memcpy(lamp->direction, light->dir, sizeof lamp->direction);
    picture_normalize(lamp->direction);
    for (int k = 0; k < 3; k++) {
        lamp->position[k] = lamp->directional ? -lamp->direction[k] : light->pos[k];
        lamp->attenuation[k] = light->attenuation[k];
    }
    lamp->exponent = light->exponent;
    lamp->cutoff = light->cutoff >= 180 ? -1 : cosf(light->cutoff * (float)(mjPI / 180));
}

static void set_lamps(soft_scene *scene, const mjModel *model, const frustum *camera, int size) {
    scene->lamp_count = 0;
    scene->shadow_count = 0;
    for (int k = 0; k < scene->mujoco.nlight && scene->lamp_count < SOFT_MAX_LIGHTS; k++) {
        const mjvLight *light = &scene->mujoco.lights[k];
        soft_lamp *lamp = &scene->lamps[scene->lamp_count];
        set_lamp(lamp, light);
        lamp->casts = size > 0 && light->castshadow != 0;
        if (lamp->casts) {
            set_shadow(&scene->shadow_viewpoints[scene->shadow_count], model, light, camera, size);
            scene->shadow_lamps[scene->shadow_count++] = scene->lamp_count;
        }
        scene->lamp_count++;
    }
    scene->ambient = scene->lamp_count == 0 ? 0.3F : 0;
}

// How far, in metres, the vertices of an item may move before it is visible as `pixels`.
static float tolerance(const soft_viewpoint *viewpoint, const soft_item *item,
                       const soft_shape *shape, float pixels) {
    const float(*screen)[4] = viewpoint->screen;
    const float size = sqrtf(fmaxf(dot(screen[0], screen[0]), dot(screen[1], screen[1])));
    float w = screen[3][3];
    for (int k = 0; k < 3; k++) {
        float middle = item->place[k][3];
        for (int j = 0; j < 3; j++) {
            middle += item->place[k][j] * shape->centre[j];
        }
        w += screen[3][k] * middle;
    }
    // at the item's closest point; in units of w, which are metres or one
    const float near = w - shape->radius * sqrtf(dot(screen[3], screen[3]));
    return near > 0 ? pixels * SOFT_SUBPIXELS * near / size : 0;
}

// Selects coarser meshes where the difference is not visible.
static void choose_details(soft_scene *scene, const soft_shapes *shapes) {
    for (int k = 0; k < scene->count; k++) {
        soft_item *item = &scene->items[k];
        const mjvGeom *geom = scene->mujoco.geoms + item->geom;
        if (geom->type != mjGEOM_MESH && geom->type != mjGEOM_SDF) {
            continue;
        }
        const soft_shape *shape = &shapes->shapes[item->shape];
        const int mesh = geom->dataid / 2;
        item->shape = soft_shapes_detail(
            shapes, mesh, tolerance(&scene->viewpoint, item, shape, CAMERA_TOLERANCE));
        if (scene->mirror >= 0) {
            item->mirror_shape = soft_shapes_detail(
                shapes, mesh, tolerance(&scene->mirror_viewpoint, item, shape, MIRROR_TOLERANCE));
        }
        float shadow = INFINITY;
        for (int j = 0; j < scene->shadow_count; j++) {
            const soft_viewpoint *lamp = &scene->shadow_viewpoints[j];
            shadow = fminf(shadow, tolerance(lamp, item, shape, SHADOW_TOLERANCE));
        }
        if (scene->shadow_count > 0) {
            item->shadow_shape = soft_shapes_detail(shapes, mesh, shadow);
        }
    }
}

tot_status soft_scene_update(soft_scene *scene, const soft_shapes *shapes, const mjModel *model,
                             mjData *data, const soft_scene_request *request) {
    scene_call call = {scene, model, data};
    BASE_TRY(world_mujoco_guard(call_update, &call));
    picture_view_hide(request->view, model, &scene->mujoco);
    for (int k = 0; k < 2; k++) {
        picture_view_aim(request->view, data, &scene->mujoco.camera[k]);
    }
    scene->count = 0;
    frustum camera;
    BASE_TRY(set_camera(scene, request, &camera));
    for (int k = 0; k < scene->mujoco.ngeom; k++) {
        add_geom(scene, shapes, model, k);
    }
    set_lamps(scene, model, &camera, request->shadow_size);
    scene->mirror = -1;
    if (request->shadow_size > 0) {
        find_mirror(scene);
    }
    choose_details(scene, shapes);
    return TOT_OK;
}
