// What a renderer is to the rest of this station. There are two: MuJoCo's (gl.c) and ours (soft.c);
// each fills one table, and picture.c has resolved and checked all settings before it is called.
#pragma once

#include <temporalot/picture.h>

#include "world/mujoco.h"

// What is drawn, resolved once for all pictures of a renderer.
typedef struct picture_view {
    tot_quality quality;
    int width;  // pixels, 1 .. TOT_MAX_PICTURE
    int height;
    int camera;          // its number in the model
    double aspect;       // width over height of what the camera sees, always > 0
    double zoom;         // >= 1; 1: the camera as it stands in the scene
    double orbit;        // degrees around the middle of the table
    double crop[4];      // left, top, right, bottom in shares of the whole picture
    int hand;            // body that the camera looks at; 0: none, it stands still
    double around_hand;  // metres to each side of it
    bool turned;         // the picture is handed out turned by 180 degrees
} picture_view;

typedef struct picture_backend {
    const char *name;  // "gl", "soft": as in tot_renderer_text

    // state is NULL, and set on success only. model is the task's: the shapes, materials and
    // textures of all worlds. model and view outlive the state. pool may be NULL.
    tot_status (*create)(void **state, const mjModel *model, const picture_view *view,
                         tot_pool *pool);

    // model and data are the world's: its own body_pos and site_pos, all else shared with the
    // task's. rgb: [height][width][3], top row first, turned already where the view says so. data
    // is left as it was (MuJoCo's functions take it without const, and use its stack for a while).
    tot_status (*draw)(void *state, const mjModel *model, mjData *data, uint8_t *rgb);

    // state is not NULL. May be called on another thread than the one that drew.
    void (*free)(void *state);
} picture_backend;

extern const picture_backend picture_backend_gl;
extern const picture_backend picture_backend_soft;

// The number of a camera. TOT_E_ARGUMENT: there is none of that name; the text lists those there
// are.
tot_status picture_camera_find(const mjModel *model, const char *name, int *camera);

// Whether the camera's up vector points down where the scene starts.
bool picture_camera_upside_down(const mjModel *model, int camera);

// Makes a vector one long; one of no length becomes the z axis.
void picture_normalize(float v[3]);

// Checks settings, and fills in what they leave to the task.
tot_status picture_view_resolve(picture_view *view, const tot_task *task,
                                const tot_picture_settings *settings);

// Turns the camera to where the hand works, or to the hand itself, and narrows what it sees to the
// crop. Comes right after mjv_updateScene; does nothing when zoom is 1 and the crop is the whole
// picture.
void picture_view_aim(const picture_view *view, const mjData *data, mjvGLCamera *camera);

// Width over height of what is seen through the crop.
double picture_view_aspect(const picture_view *view);

// Half the width of what the camera sees on the near plane, given that mjv_updateScene has filled
// in the rest: what mjvGLCamera.frustum_width of both eyes is set to.
float picture_view_half_width(const picture_view *view, const mjvGLCamera *camera);
