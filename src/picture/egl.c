// EGL: headless OpenGL on a GPU or on Mesa's software renderer.
#include "base/base.h"
#include "picture/platform.h"

// EGL's types and constants, from its specification and extension registry: the header would be an
// additional dependency for these few.
typedef void *handle;  // EGLDisplay, EGLContext, EGLConfig, EGLSurface, EGLDeviceEXT
typedef int32_t number;

enum {
    EGL_WIDTH_ALPHA = 0x3021,  // bits of alpha, blue, green, red, depth, stencil
    EGL_WIDTH_BLUE = 0x3022,
    EGL_WIDTH_GREEN = 0x3023,
    EGL_WIDTH_RED = 0x3024,
    EGL_WIDTH_DEPTH = 0x3025,
    EGL_WIDTH_STENCIL = 0x3026,
    EGL_KIND_OF_SURFACE = 0x3033,
    EGL_END_OF_LIST = 0x3038,
    EGL_KIND_OF_COLOUR = 0x303F,
    EGL_KIND_OF_API = 0x3040,
    EGL_SURFACE_DRAWN = 0x3059,
    EGL_SURFACE_READ = 0x305A,
    EGL_COLOUR_RGB = 0x308E,
    EGL_API_OPENGL = 0x30A2,
    EGL_PLATFORM_OF_DEVICE = 0x313F,
    EGL_PLATFORM_WITHOUT_SURFACE = 0x31DD,
    EGL_BIT_PBUFFER = 1,
    EGL_BIT_OPENGL = 8,
    MOST_DEVICES = 64
};

// X(result, name without "egl", parameters)
#define FUNCTIONS(X)                                                                             \
    X(handle, GetDisplay, (handle native))                                                       \
    X(unsigned, Initialize, (handle display, number * major, number * minor))                    \
    X(unsigned, Terminate, (handle display))                                                     \
    X(unsigned, ChooseConfig,                                                                    \
      (handle display, const number *list, handle *configs, number size, number *count))         \
    X(unsigned, BindAPI, (unsigned api))                                                         \
    X(unsigned, QueryAPI, (void))                                                                \
    X(handle, CreateContext, (handle display, handle config, handle shared, const number *list)) \
    X(unsigned, DestroyContext, (handle display, handle context))                                \
    X(unsigned, MakeCurrent, (handle display, handle draw, handle read, handle context))         \
    X(handle, GetCurrentContext, (void))                                                         \
    X(handle, GetCurrentDisplay, (void))                                                         \
    X(handle, GetCurrentSurface, (number which))                                                 \
    X(number, GetError, (void))                                                                  \
    X(void *, GetProcAddress, (const char *name))

static struct {
#define MEMBER(result, name, parameters) result(*name) parameters;
    FUNCTIONS(MEMBER)
#undef MEMBER
    // extensions; NULL if not available
    unsigned (*QueryDevices)(number most, handle *devices, number *count);
    handle (*GetPlatformDisplay)(unsigned platform, handle native, const number *list);
} egl;

static handle shared_display;
static handle shared_config;

// --- contexts ----------------------------------------------------------------------------------

static tot_status broken(const char *what) {
    return base_fail(TOT_E_MISSING, "egl: %s (error 0x%x)", what, (unsigned)egl.GetError());
}

// Contexts of this file are OpenGL's, whatever API the thread uses EGL with.
static tot_status create_context(void **context) {
    const unsigned api = egl.QueryAPI();
    egl.BindAPI(EGL_API_OPENGL);
    *context = egl.CreateContext(shared_display, shared_config, NULL, NULL);
    const tot_status status =
        *context != NULL ? TOT_OK : broken("no context of OpenGL can be made");
    egl.BindAPI(api);
    return status;
}

static void leave_context(const picture_gl_before *before) {
    if (before->context != NULL) {
        egl.MakeCurrent(before->display, before->draw, before->read, before->context);
    } else {
        egl.MakeCurrent(shared_display, NULL, NULL, NULL);
    }
    egl.BindAPI(before->api);
}

static tot_status enter_context(void *context, picture_gl_before *before) {
    before->api = egl.QueryAPI();
    egl.BindAPI(EGL_API_OPENGL);
    before->context = egl.GetCurrentContext();
    before->display = egl.GetCurrentDisplay();
    before->draw = egl.GetCurrentSurface(EGL_SURFACE_DRAWN);
    before->read = egl.GetCurrentSurface(EGL_SURFACE_READ);
    if (egl.MakeCurrent(shared_display, NULL, NULL, context) == 0) {
        const tot_status status = broken("a context cannot be made current without a surface");
        egl.BindAPI(before->api);
        return status;
    }
    return TOT_OK;
}

static void destroy_context(void *context) {
    egl.DestroyContext(shared_display, context);
}

static void *find_function(const char *name) {
    return egl.GetProcAddress(name);
}

// --- devices -----------------------------------------------------------------------------------

static tot_status take_functions(void *library) {
    const picture_gl_function functions[] = {
#define ENTRY(result, name, parameters) {"egl" #name, &egl.name},
        FUNCTIONS(ENTRY)
#undef ENTRY
    };
    BASE_TRY(picture_gl_take(&picture_gl_egl, library, functions, BASE_LENGTH(functions)));
    void *address = egl.GetProcAddress("eglQueryDevicesEXT");
    memcpy(&egl.QueryDevices, &address, sizeof address);
    address = egl.GetProcAddress("eglGetPlatformDisplayEXT");
    memcpy(&egl.GetPlatformDisplay, &address, sizeof address);
    return TOT_OK;
}

static bool choose_config(void) {
    static const number wanted[] = {
        EGL_WIDTH_RED,       8,
        EGL_WIDTH_GREEN,     8,
        EGL_WIDTH_BLUE,      8,
        EGL_WIDTH_ALPHA,     8,
        EGL_WIDTH_DEPTH,     24,
        EGL_WIDTH_STENCIL,   8,
        EGL_KIND_OF_COLOUR,  EGL_COLOUR_RGB,
        EGL_KIND_OF_SURFACE, EGL_BIT_PBUFFER,
        EGL_KIND_OF_API,     EGL_BIT_OPENGL,
        EGL_END_OF_LIST,
    };
    number count = 0;
    return egl.ChooseConfig(shared_display, wanted, &shared_config, 1, &count) != 0 && count > 0;
}

// Whether OpenGL works on this display. If so, it becomes the display of the process.
static bool try_display(handle display) {
    void *context = NULL;
    picture_gl_before before;
    if (display == NULL || egl.Initialize(display, NULL, NULL) == 0) {
        return false;
    }
    shared_display = display;
    bool works = choose_config() && create_context(&context) == TOT_OK;
    if (works) {
        works = enter_context(context, &before) == TOT_OK;
        if (works) {
            leave_context(&before);
        }
        destroy_context(context);
    }
    if (!works) {
        egl.Terminate(display);
    }
    return works;
}

// The device selected by the environment; -1: any. MuJoCo's Python package reads the same variable.
static tot_status read_device(number count, int64_t *device) {
    const char *requested = getenv("MUJOCO_EGL_DEVICE_ID");
    *device = -1;
    if (requested == NULL || requested[0] == '\0') {
        return TOT_OK;
    }
    BASE_TRY(base_parse_count("MUJOCO_EGL_DEVICE_ID", requested, device));
    BASE_FAIL_IF(*device < 0 || *device >= count, TOT_E_ARGUMENT,
                 "MUJOCO_EGL_DEVICE_ID: %lld is not one of the %d devices", (long long)*device,
                 (int)count);
    return TOT_OK;
}

// GPUs come first in the list, software renderers last.
static tot_status find_device(bool *found) {
    handle devices[MOST_DEVICES];
    number count = 0;
    int64_t requested = -1;
    *found = false;
    if (egl.QueryDevices == NULL || egl.GetPlatformDisplay == NULL ||
        egl.QueryDevices(MOST_DEVICES, devices, &count) == 0) {
        count = 0;
    }
    BASE_TRY(read_device(count, &requested));
    for (number k = 0; k < count && !*found; k++) {
        if (requested < 0 || requested == k) {
            *found = try_display(egl.GetPlatformDisplay(EGL_PLATFORM_OF_DEVICE, devices[k], NULL));
        }
    }
    BASE_FAIL_IF(requested >= 0 && !*found, TOT_E_MISSING,
                 "egl: device %lld (MUJOCO_EGL_DEVICE_ID) has no OpenGL", (long long)requested);
    return TOT_OK;
}

static tot_status open_library(void *library) {
    bool found = false;
    BASE_TRY(take_functions(library));
    BASE_TRY(find_device(&found));
    if (!found && egl.GetPlatformDisplay != NULL) {
        found = try_display(egl.GetPlatformDisplay(EGL_PLATFORM_WITHOUT_SURFACE, NULL, NULL));
    }
    BASE_FAIL_IF(!found && !try_display(egl.GetDisplay(NULL)), TOT_E_MISSING,
                 "egl: no device with OpenGL");
    return TOT_OK;
}

const picture_gl_platform picture_gl_egl = {
    .name = "egl",
    .soname = "libEGL.so.1",
    .open = open_library,
    .create = create_context,
    .enter = enter_context,
    .leave = leave_context,
    .destroy = destroy_context,
    .function = find_function,
};
