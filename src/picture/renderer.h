// The interface of a renderer backend. There are two: MuJoCo's (gl.c) and this library's (soft.c);
// each fills one table, and picture.c resolves and checks all settings before calling it.
#pragma once

#include <temporalot/picture.h>

#include "world/mujoco.h"

// The view, resolved once for all pictures of a renderer.
typedef struct picture_view {
    tot_quality quality;
    int width;  // pixels, 1 .. TOT_MAX_PICTURE
    int height;
    int camera;                // its id in the model
    double aspect;             // aspect ratio of the camera's view, always > 0
    double zoom;               // >= 1; 1: the scene's own camera
    double orbit;              // degrees around the centre of the table
    double crop[4];            // left, top, right, bottom as fractions of the whole picture
    int hand;                  // body that the camera tracks; 0: none, it does not move
    double around_hand;        // metres to each side of it
    int hidden, hidden_end;    // bodies that are not drawn, from `hidden` to before `hidden_end`,
    int fingers, fingers_end;  // except these, which are among them; hidden_end 0: all are drawn
    bool turned;               // the picture is returned rotated by 180 degrees
} picture_view;

typedef struct picture_backend {
    // state is NULL on entry, and only set on success. model is the task's: shapes, materials and
    // textures of all worlds. model and view outlive the state. pool may be NULL.
    tot_status (*create)(void **state, const mjModel *model, const picture_view *view,
                         tot_pool *pool);

    // model and data are the world's: its own body_pos and site_pos, all else shared with the
    // task's. rgb: [height][width][3], top row first, already rotated if the view requires it. data
    // is left unchanged (MuJoCo's functions take it without const, and use its stack temporarily).
    tot_status (*draw)(void *state, const mjModel *model, mjData *data, uint8_t *rgb);

    // state is not NULL. Can be called on another thread than the one that drew.
    void (*free)(void *state);
} picture_backend;

extern const picture_backend picture_backend_gl;
extern const picture_backend picture_backend_soft;

// The id of a camera. TOT_E_ARGUMENT: no camera of that name; the message lists the available ones.
tot_status picture_camera_find(const mjModel *model, const char *name, int *camera);

// Whether the camera's up vector points down in the initial state of the scene.
bool picture_camera_upside_down(const mjModel *model, int camera);

// Normalises a vector; a zero vector becomes the z axis.
void picture_normalize(float v[3]);

// Checks the settings, and fills in the task's defaults.
tot_status picture_view_resolve(picture_view *view, const tot_task *task,
                                const tot_picture_settings *settings);

// Draws the world with each of the renderers, all of one size: rgb is [count][picture], where
// picture is the number of bytes per view.
tot_status picture_draw_views(tot_renderer *const *renderers, int count, const tot_world *world,
                              size_t picture, uint8_t *rgb);

// Unit vectors at a point: right and up in the picture, and towards the camera along its ray.
tot_status picture_axes(const tot_task *task, const tot_picture_settings *settings,
                        const double point[3], double axes[3][3]);

// Aims the camera at the hand, or moves it by orbit and zoom, and narrows its frustum to the crop.
// Call it right after mjv_updateScene. No effect without tracking, orbit, zoom and crop.
void picture_view_aim(const picture_view *view, const mjData *data, mjvGLCamera *camera);

// Takes out of the scene what is not to be drawn. Call it right after mjv_updateScene.
void picture_view_hide(const picture_view *view, const mjModel *model, mjvScene *scene);

// Aspect ratio of the view through the crop.
double picture_view_aspect(const picture_view *view);

// Half the width of the camera's view on the near plane, after mjv_updateScene has filled in the
// rest: the value for mjvGLCamera.frustum_width of both eyes.
float picture_view_half_width(const picture_view *view, const mjvGLCamera *camera);
