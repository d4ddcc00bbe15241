// OpenGL without a window: EGL, or OSMesa where there is no EGL. Both are loaded when they are
// first asked for, so that a machine with neither runs everything else.
//
// One of them is chosen a process, because MuJoCo looks up its OpenGL functions once. Contexts are
// any number, each used by one thread at a time; a context is a thread's only between enter and
// leave, so it may be used by another the next time.
#pragma once

#include <temporalot/base.h>

// What was the calling thread's before picture_gl_enter.
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

    // Takes the functions of the library and finds a device on which contexts can be made.
    // TOT_E_MISSING says what is wrong with it; may be tried again.
    tot_status (*open)(void *library);

    tot_status (*create)(void **context);
    tot_status (*enter)(void *context, picture_gl_before *before);
    void (*leave)(const picture_gl_before *before);
    void (*destroy)(void *context);  // not entered by any thread

    // An OpenGL function by its name, or NULL. While a context is entered.
    void *(*function)(const char *name);
} picture_gl_platform;

extern const picture_gl_platform picture_gl_egl;
extern const picture_gl_platform picture_gl_osmesa;

// The platform of this process: what MUJOCO_GL names (egl, osmesa), else the first that works.
// TOT_E_MISSING says what to install. May be called from any thread, and again after a failure.
tot_status picture_gl_choose(const picture_gl_platform **platform);

// Copies the address of a library's function to slot, a pointer to a function pointer. False when
// there is none of that name.
bool picture_gl_symbol(void *library, const char *name, void *slot);
