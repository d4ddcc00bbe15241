// Choosing the source of OpenGL.
#include "picture/platform.h"

#include <dlfcn.h>
#include <pthread.h>

#include <temporalot/picture.h>

#include "base/base.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const picture_gl_platform *chosen;
static char chosen_text[160];

tot_status picture_gl_take(const picture_gl_platform *platform, void *library,
                           const picture_gl_function *functions, size_t count) {
    for (size_t k = 0; k < count; k++) {
        void *address = dlsym(library, functions[k].name);
        BASE_FAIL_IF(address == NULL, TOT_E_MISSING, "%s: %s has no function %s", platform->name,
                     platform->soname, functions[k].name);
        // ISO C has no conversion from an object pointer to a function pointer
        memcpy(functions[k].slot, &address, sizeof address);
    }
    return TOT_OK;
}

// "egl, llvmpipe (LLVM 15.0.6, 512 bits)"
static tot_status describe(const picture_gl_platform *platform) {
    enum { RENDERER = 0x1F01 };  // GL_RENDERER
    void *context = NULL;
    picture_gl_before before;
    const unsigned char *(*get_string)(unsigned int name) = NULL;
    const char *device = NULL;
    BASE_TRY(platform->create(&context));
    tot_status status = platform->enter(context, &before);
    if (status == TOT_OK) {
        void *address = platform->function("glGetString");
        memcpy(&get_string, &address, sizeof address);
        device = get_string != NULL ? (const char *)get_string(RENDERER) : NULL;
        snprintf(chosen_text, sizeof chosen_text, "%s, %s", platform->name,
                 device != NULL ? device : "a device without a name");
        platform->leave(&before);
    }
    platform->destroy(context);
    return status;
}

// MuJoCo takes its OpenGL functions from the first library of the process with global symbols; so
// the chosen one is opened with RTLD_GLOBAL, and one that does not work never is. None is closed
// again: drivers leave thread-exit handlers behind.
static tot_status try_platform(const picture_gl_platform *platform) {
    void *library = dlopen(platform->soname, RTLD_NOW | RTLD_LOCAL);
    BASE_FAIL_IF(library == NULL, TOT_E_MISSING, "%s: %s", platform->name, dlerror());
    tot_status status = platform->open(library);
    BASE_THEN(status, describe(platform));
    if (status == TOT_OK && dlopen(platform->soname, RTLD_NOW | RTLD_GLOBAL) == NULL) {
        status = base_fail(TOT_E_MISSING, "%s: %s", platform->name, dlerror());
    }
    return status;
}

static tot_status nothing_works(const char *reasons) {
    return base_fail(TOT_E_MISSING,
                     "renderer gl: no off-screen OpenGL is available (%s); as root, run: apt-get "
                     "install -y libegl1 libgl1-mesa-dri libosmesa6, or use the renderer soft",
                     reasons);
}

static tot_status choose(void) {
    static const picture_gl_platform *const platforms[] = {&picture_gl_egl, &picture_gl_osmesa};
    const char *requested = getenv("MUJOCO_GL");
    char reasons[700] = "";
    // other values of the variable (glfw, ...) mean a window, which is of no use here
    const bool named = requested != NULL && (strcmp(requested, picture_gl_egl.name) == 0 ||
                                             strcmp(requested, picture_gl_osmesa.name) == 0);
    for (size_t k = 0; k < BASE_LENGTH(platforms); k++) {
        if (named && strcmp(requested, platforms[k]->name) != 0) {
            continue;
        }
        const tot_status status = try_platform(platforms[k]);
        if (status == TOT_OK) {
            chosen = platforms[k];
            return TOT_OK;
        }
        if (status != TOT_E_MISSING) {
            return status;
        }
        base_append(reasons, sizeof reasons, "%s%.300s", reasons[0] != '\0' ? "; " : "",
                    tot_error());
    }
    return nothing_works(reasons);
}

tot_status picture_gl_choose(const picture_gl_platform **platform) {
    pthread_mutex_lock(&lock);
    const tot_status status = chosen != NULL ? TOT_OK : choose();
    *platform = chosen;
    pthread_mutex_unlock(&lock);
    return status;
}

tot_status tot_gl_check(const char **text) {
    const picture_gl_platform *platform = NULL;
    BASE_TRY(picture_gl_choose(&platform));
    if (text != NULL) {
        *text = chosen_text;
    }
    return TOT_OK;
}
