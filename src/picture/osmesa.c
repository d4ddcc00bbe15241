// OSMesa: Mesa's software renderer, drawing into memory, as a fallback if there is no EGL.
#include "base/base.h"
#include "picture/platform.h"

enum {
    GL_BYTES = 0x1401,    // GL_UNSIGNED_BYTE
    GL_COLOURS = 0x1908,  // GL_RGBA, called OSMESA_RGBA by OSMesa
    DEPTH_BITS = 24,
    STENCIL_BITS = 8,
    SIDE = 16  // of the context's own buffer, which is not drawn to
};

static struct {
    void *(*create)(unsigned format, int depth, int stencil, int accumulation, void *shared);
    void (*destroy)(void *context);
    unsigned char (*make_current)(void *context, void *buffer, unsigned type, int width,
                                  int height);
    void *(*function)(const char *name);
} mesa;

typedef struct surface {
    void *context;
    uint8_t picture[SIDE][SIDE][4];
} surface;

static tot_status open_library(void *library) {
    const picture_gl_function functions[] = {
        {"OSMesaCreateContextExt", &mesa.create},
        {"OSMesaDestroyContext", &mesa.destroy},
        {"OSMesaMakeCurrent", &mesa.make_current},
        {"OSMesaGetProcAddress", &mesa.function},
    };
    return picture_gl_take(&picture_gl_osmesa, library, functions, BASE_LENGTH(functions));
}

static tot_status create_context(void **context) {
    *context = NULL;
    BASE_NEW(surface, made, "OSMesa context");
    made->context = mesa.create(GL_COLOURS, DEPTH_BITS, STENCIL_BITS, 0, NULL);
    if (made->context == NULL) {
        base_free(made);
        return base_fail(TOT_E_MISSING, "osmesa: cannot create an OpenGL context");
    }
    *context = made;
    return TOT_OK;
}

static tot_status enter_context(void *context, picture_gl_before *before) {
    surface *made = context;
    *before = (picture_gl_before){0};
    BASE_FAIL_IF(mesa.make_current(made->context, made->picture, GL_BYTES, SIDE, SIDE) == 0,
                 TOT_E_MISSING, "osmesa: cannot make the context current");
    return TOT_OK;
}

static void leave_context(const picture_gl_before *before) {
    (void)before;
    mesa.make_current(NULL, NULL, GL_BYTES, 0, 0);
}

static void destroy_context(void *context) {
    surface *made = context;
    mesa.destroy(made->context);
    base_free(made);
}

static void *find_function(const char *name) {
    return mesa.function(name);
}

const picture_gl_platform picture_gl_osmesa = {
    .name = "osmesa",
    .soname = "libOSMesa.so.8",
    .open = open_library,
    .create = create_context,
    .enter = enter_context,
    .leave = leave_context,
    .destroy = destroy_context,
    .function = find_function,
};
