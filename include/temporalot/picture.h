// temporalot/picture.h - pictures of a world, rendered by MuJoCo's OpenGL renderer or by a software
// renderer that is fast enough to draw every step on a CPU.
//
//     #include <stdio.h>
//     #include <temporalot/picture.h>
//
//     int main(void) {
//         tot_task *task = NULL;
//         tot_world *world = NULL;
//         tot_renderer *renderer = NULL;
//         tot_picture_settings settings;
//         static uint8_t rgb[224 * 224 * 3];
//         tot_picture_defaults(&settings);
//         tot_status status = tot_task_load(&task, "door-open", NULL);
//         status = status != TOT_OK ? status : tot_world_create(&world, task, NULL);
//         status = status != TOT_OK ? status : tot_world_reset(world, 0, 0);
//         if (status == TOT_OK) {
//             status = tot_renderer_create(&renderer, task, &settings, NULL);
//         }
//         status = status != TOT_OK ? status : tot_renderer_draw(renderer, world, rgb);
//         printf("%s\n", status == TOT_OK ? tot_renderer_text(renderer) : tot_error());
//         tot_renderer_free(renderer);
//         tot_world_free(world);
//         tot_task_free(task);
//         return status != TOT_OK;
//     }
#ifndef TEMPORALOT_PICTURE_H
#define TEMPORALOT_PICTURE_H

#include <temporalot/base.h>
#include <temporalot/world.h>

#ifdef __cplusplus
extern "C" {
#endif

// After each enum: its values as words, as in settings of training and options of commands.

typedef enum tot_renderer_kind {
    TOT_RENDERER_GL,    // MuJoCo's, on headless EGL or OSMesa; loaded on first use
    TOT_RENDERER_SOFT,  // this library's software renderer
} tot_renderer_kind;
#define TOT_RENDERER_WORDS "gl|soft"

typedef enum tot_quality {
    TOT_QUALITY_FULL,  // everything MuJoCo draws: shadows, reflections, several samples per pixel
    TOT_QUALITY_FAST,  // enough for the reward: no shadows, no reflections, one sample per pixel
} tot_quality;
#define TOT_QUALITY_WORDS "full|fast"

typedef enum tot_arm {
    TOT_ARM_DRAWN,
    TOT_ARM_HIDDEN,  // of the robot only the fingers are drawn: what they do to an object stays
                     // visible, and the arm, which moves in every episode, does not cover it
} tot_arm;
#define TOT_ARM_WORDS "drawn|hidden"

enum { TOT_MAX_PICTURE = 4096 };  // pixels per side
enum { TOT_MAX_ZOOM = 10 };
enum { TOT_MAX_VIEWS = 4 };  // pictures of the same state that are used together

typedef struct tot_picture_settings {
    tot_renderer_kind renderer;
    tot_quality quality;
    tot_arm arm;
    int width;  // pixels, 1 .. TOT_MAX_PICTURE
    int height;
    const char *camera;  // name of a camera of the scene; NULL: the task's default
    bool upright;        // rotate the picture by 180 degrees if the camera's up vector points down
    double aspect;       // aspect ratio (width / height) of the camera's view; 0: that of the
                         // picture
    double zoom;   // magnification; 1 (or 0): the full view of the camera; above 1: the camera
                   // looks at the centre of the workspace on the table with a field of view smaller
                   // by this factor
    double orbit;  // degrees, -180 .. 180: rotates the camera around the centre of the table,
                   // anticlockwise seen from above
    double crop[4];  // region to draw: left, top, right, bottom as fractions of the whole picture
                     // from its upper left corner; all 0: the whole picture
    bool fitted;     // tot_collect determines the crop: the region where hand and objects move
    double around_hand;  // metres, 0.01 .. 2: the camera tracks the hand and shows about this
                         // distance to each side of it; cannot be combined with zoom, orbit, crop
                         // or fitted. 0: it does not track
} tot_picture_settings;

// Which part of the scene is shown.
typedef enum tot_view {
    TOT_VIEW_CAMERA,  // the full view of the camera
    TOT_VIEW_FITTED,  // the region in which hand and objects move
    TOT_VIEW_HAND,    // the hand and its surroundings
    TOT_VIEW_BOTH,    // two pictures: fitted and hand
} tot_view;
#define TOT_ONE_VIEW_WORDS "camera|fitted|hand"
#define TOT_VIEW_WORDS     TOT_ONE_VIEW_WORDS "|both"

// Several pictures of the same state. Not copyable: `view` points to `camera`.
enum { TOT_CAMERA_NAME = 128 };
typedef struct tot_views {
    int count;  // 1 .. TOT_MAX_VIEWS
    tot_picture_settings view[TOT_MAX_VIEWS];
    char camera[TOT_MAX_VIEWS][TOT_CAMERA_NAME];  // "": the task's default
} tot_views;

// Reads a list of cameras, "corner3" or "corner:fitted,corner3:hand:hidden": each CAMERA,
// CAMERA:VIEW or CAMERA:VIEW:ARM, where CAMERA may be empty. cameras: NULL or "" is the task's
// camera alone. view: of an entry that names none; hand_margin: metres around the hand in views of
// it; common: everything else. TOT_E_ARGUMENT: unknown words, or more than TOT_MAX_VIEWS pictures.
TOT_API tot_status tot_views_read(tot_views *views, const char *cameras, tot_view view,
                                  double hand_margin, const tot_picture_settings *common);

// The number of pictures of such a list, which may exceed TOT_MAX_VIEWS.
TOT_API tot_status tot_views_count(const char *cameras, tot_view view, int *count);

// soft, full, 224 x 224, the task's camera, upright, with the paper's 4:3 view squeezed into the
// square.
TOT_API void tot_picture_defaults(tot_picture_settings *settings);

// Finds OpenGL for the renderer gl: EGL or OSMesa, on a GPU if there is one. The environment
// variable MUJOCO_GL (egl or osmesa) selects one of them, MUJOCO_EGL_DEVICE_ID a device. text (may
// be NULL) is set to a description, "egl, llvmpipe (LLVM 15.0.6, 256 bits)", valid for the lifetime
// of the process. TOT_E_MISSING: the message says what to install.
TOT_API tot_status tot_gl_check(const char **text);

// Draws worlds of one task. Not thread-safe; any number of renderers may exist.
typedef struct tot_renderer tot_renderer;

// pool (may be NULL) splits the work on one picture between threads; the pixels do not depend on
// the number of threads. TOT_E_ARGUMENT: a size out of range, or an unknown camera (the message
// lists the available ones). TOT_E_MISSING: neither EGL nor OSMesa (the message says what to
// install).
TOT_API tot_status tot_renderer_create(tot_renderer **renderer, const tot_task *task,
                                       const tot_picture_settings *settings, tot_pool *pool);

// rgb: [height][width][3], top row first, written. world is not modified.
TOT_API tot_status tot_renderer_draw(tot_renderer *renderer, const tot_world *world, uint8_t *rgb);

// Fits a view to a set of points: crop is set to the smallest region of the camera's picture, with
// the picture's aspect ratio, that contains the bounding box of all points plus `margin` metres.
// points: [count][3]. TOT_E_VALUE: the points do not move, or the camera does not see them;
// TOT_E_ARGUMENT: a moving camera, or zoom or orbit is set.
TOT_API tot_status tot_view_fit(const tot_task *task, const tot_picture_settings *settings,
                                const double *points, size_t count, double margin, double crop[4]);

// Describes how pictures were made, to be stored with them: renderer, quality, camera, upright,
// size and view, as "soft fast corner3 upright 224x224 aspect 1.3333". Valid as long as the
// renderer.
TOT_API const char *tot_renderer_text(const tot_renderer *renderer);

// renderer may be NULL.
TOT_API void tot_renderer_free(tot_renderer *renderer);

#ifdef __cplusplus
}
#endif
#endif
