// Headless OpenGL: EGL, or OSMesa if there is no EGL. Both are loaded on first use, so that
// everything else runs on a machine with neither.
//
// One of them is chosen per process, because MuJoCo looks up its OpenGL functions only once. There
// can be any number of contexts, each used by one thread at a time; a context is bound to a thread
// only between enter and leave, so another thread can use it next.
#pragma once

#include <temporalot/base.h>

// The thread's bindings before picture_gl_enter.
typedef struct picture_gl_before {
    unsigned int api;
    void *display;
    void *draw;
    void *read;
    void *context;
} picture_gl_before;

typedef struct picture_gl_platform {
    const char *name;    // as in the environment variable MUJOCO_GL
    const char *soname;  // of the library

    // Loads the functions of the library and finds a device on which contexts can be created.
    // TOT_E_MISSING: the message gives the reason; can be tried again.
    tot_status (*open)(void *library);

    tot_status (*create)(void **context);
    tot_status (*enter)(void *context, picture_gl_before *before);
    void (*leave)(const picture_gl_before *before);
    void (*destroy)(void *context);  // must not be current in any thread

    // An OpenGL function by name, or NULL. Requires a current context.
    void *(*function)(const char *name);
} picture_gl_platform;

extern const picture_gl_platform picture_gl_egl;
extern const picture_gl_platform picture_gl_osmesa;

// The platform of this process: the one named by MUJOCO_GL (egl, osmesa), else the first that
// works. TOT_E_MISSING: the message says what to install. Can be called from any thread, and again
// after a failure.
tot_status picture_gl_choose(const picture_gl_platform **platform);

typedef struct picture_gl_function {
    const char *name;
    void *slot;  // a pointer to a function pointer: receives the address
} picture_gl_function;

// Looks up the functions of a platform's library. TOT_E_MISSING names the first that it lacks.
tot_status picture_gl_take(const picture_gl_platform *platform, void *library,
                           const picture_gl_function *functions, size_t count);
