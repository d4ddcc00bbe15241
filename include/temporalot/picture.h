// temporalot/picture.h - pictures of a world: MuJoCo's own OpenGL renderer, and a software renderer
// of ours that is fast enough for every step on a CPU.
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

typedef enum tot_renderer_kind {
    TOT_RENDERER_GL,    // MuJoCo's: EGL without a display, or OSMesa; loaded when first asked for
    TOT_RENDERER_SOFT,  // ours
} tot_renderer_kind;

typedef enum tot_quality {
    TOT_QUALITY_FULL,  // everything MuJoCo draws: shadows, reflections, several samples a pixel
    TOT_QUALITY_FAST,  // what the reward needs: no shadows, no reflections, one sample
} tot_quality;

enum { TOT_MAX_PICTURE = 4096 };  // pixels per side
enum { TOT_MAX_ZOOM = 10 };
enum { TOT_MAX_VIEWS = 4 };  // pictures of one moment that are used together

typedef struct tot_picture_settings {
    tot_renderer_kind renderer;
    tot_quality quality;
    int width;  // pixels, 1 .. TOT_MAX_PICTURE
    int height;
    const char *camera;  // a camera of the scene; NULL: the task's own
    bool upright;        // turn by 180 degrees where the camera's up vector points down
    double aspect;       // width over height of what the camera sees; 0: that of the picture
    double zoom;   // 1 (or 0): all that the camera sees; above: it looks at the middle of the table
                   // where the hand works, and sees so many times less to each side
    double orbit;  // degrees, -180 .. 180: the camera goes so far around the middle of the table,
                   // anticlockwise as seen from above, and turns with it
    double crop[4];  // left, top, right, bottom of the part that is drawn, in shares of the whole
                     // picture from its upper left corner; all 0: the whole picture
    bool fitted;     // tot_collect finds the crop: where hand and objects move
    double around_hand;  // metres, above 0: the camera looks at the hand and goes along with it,
                         // and shows about so much to each side of it; without zoom, orbit and crop
} tot_picture_settings;

// What is looked at.
typedef enum tot_view {
    TOT_VIEW_CAMERA,  // all that the camera sees
    TOT_VIEW_FITTED,  // the part in which hand and objects move
    TOT_VIEW_HAND,    // the hand and what is near it
    TOT_VIEW_BOTH,    // fitted and hand
} tot_view;

// The pictures of a view. pictures[0]: everything else about them; it becomes the first, and [1]
// the second where there are two. hand_margin: metres around the hand. Returns how many: 1 or 2.
TOT_API int tot_view_pictures(tot_picture_settings pictures[2], tot_view view, double hand_margin);

// soft, full, 224 x 224, the task's camera, upright, and the paper's 4:3 view squeezed into it.
TOT_API void tot_picture_defaults(tot_picture_settings *settings);

// Finds OpenGL for the renderer gl: EGL or OSMesa, on a GPU where there is one. The environment
// variable MUJOCO_GL (egl or osmesa) picks one, MUJOCO_EGL_DEVICE_ID a device. text (may be NULL)
// is given what was found, "egl, llvmpipe (LLVM 15.0.6, 256 bits)"; it lives as long as the
// process. TOT_E_MISSING says what to install.
TOT_API tot_status tot_gl_check(const char **text);

// Draws the worlds of one task. To be used by one thread at a time; any number of them may exist.
typedef struct tot_renderer tot_renderer;

// pool (may be NULL) shares one picture's work between threads; the bytes are the same for any
// number of them. TOT_E_ARGUMENT: a size out of range, or an unknown camera (the text lists those
// there are). TOT_E_MISSING: no EGL and no OSMesa (the text says what to install).
TOT_API tot_status tot_renderer_create(tot_renderer **renderer, const tot_task *task,
                                       const tot_picture_settings *settings, tot_pool *pool);

// rgb: [height][width][3], top row first, written. The world is only read.
TOT_API tot_status tot_renderer_draw(tot_renderer *renderer, const tot_world *world, uint8_t *rgb);

// Fits a view to where things go: crop is given the smallest part of the camera's picture, as wide
// a share as high, that holds the box around all points with so many metres to spare. points:
// [count][3]. TOT_E_VALUE: nothing moves, or the camera does not show it; TOT_E_ARGUMENT: a camera
// that moves, or a zoom or orbit.
TOT_API tot_status tot_view_fit(const tot_task *task, const tot_picture_settings *settings,
                                const double *points, size_t count, double margin, double crop[4]);

// What a file of pictures must record: renderer, quality, camera, upright, size and view, as
// "soft fast corner3 upright 224x224 aspect 1.3333". Lives as long as the renderer.
TOT_API const char *tot_renderer_text(const tot_renderer *renderer);

// renderer may be NULL.
TOT_API void tot_renderer_free(tot_renderer *renderer);

#ifdef __cplusplus
}
#endif
#endif
