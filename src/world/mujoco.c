#include "world/mujoco.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/base.h"
#include "base/symbols.h"

#define LIBRARY "libmujoco.so.3.3.0"

enum { PATH_SIZE = 4096 };

typedef void (*message_handler)(const char *text);

world_mujoco_table world_mujoco;

// Handlers of the calling thread only: the process-wide ones (mju_user_error, ...) belong to the
// program that uses this library. The pinned version exports the former for its bindings.
typedef struct handler_table {
    void (*set_error)(message_handler handler);
    void (*set_warning)(message_handler handler);
    message_handler (*get_error)(void);
    message_handler (*get_warning)(void);
} handler_table;
static handler_table thread_handlers;

static pthread_mutex_t load_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool loaded;
static char loaded_path[PATH_SIZE];

// --- errors ------------------------------------------------------------------------------------

static _Thread_local jmp_buf *way_back;
static _Thread_local char error_text[512];

static void on_error(const char *text) {
    snprintf(error_text, sizeof error_text, "%s", text);
    for (char *letter = error_text; *letter != '\0'; letter++) {
        if (*letter == '\n') {
            *letter = ' ';
        }
    }
    longjmp(*way_back, 1);
}

static void on_warning(const char *text) {
    // the counters in mjData have the same information, and are checked instead
    (void)text;
}

// Memory allocated by MuJoCo in the current guarded call. MuJoCo does not free it on failure.
enum { MOST_TAKEN = 64 };
static _Thread_local void *taken[MOST_TAKEN];
static _Thread_local size_t taken_count;
static _Thread_local bool refused;  // out of memory

static void *allocate(size_t bytes) {
    void *pointer = base_alloc(1, bytes, "MuJoCo");
    refused = refused || pointer == NULL;
    if (pointer != NULL && way_back != NULL && taken_count < MOST_TAKEN) {
        taken[taken_count++] = pointer;
    }
    return pointer;
}

static void release(void *pointer) {
    for (size_t k = 0; k < taken_count; k++) {
        if (taken[k] == pointer) {
            taken[k] = taken[--taken_count];
            break;
        }
    }
    base_free(pointer);
}

tot_status world_mujoco_guard(bool (*call)(void *context), void *context) {
    jmp_buf here;
    const message_handler error = thread_handlers.get_error();
    const message_handler warning = thread_handlers.get_warning();
    thread_handlers.set_error(on_error);
    thread_handlers.set_warning(on_warning);
    way_back = &here;
    taken_count = 0;
    refused = false;
    volatile bool jumped = false;
    volatile bool good = false;
    if (setjmp(here) == 0) {
        good = call(context);
    } else {
        jumped = true;
    }
    way_back = NULL;
    thread_handlers.set_error(error);
    thread_handlers.set_warning(warning);
    while (!good && taken_count > 0) {
        base_free(taken[--taken_count]);
    }
    taken_count = 0;
    BASE_FAIL_IF(!good && refused, TOT_E_MEMORY, "MuJoCo: there is no memory for it");
    return jumped ? base_fail(TOT_E_PHYSICS, "MuJoCo: %s", error_text) : TOT_OK;
}

// --- finding and loading -----------------------------------------------------------------------

// The file that contains this code: the shared library, or the program if linked statically.
static bool own_file(char *path, size_t size) {
    Dl_info found;
    struct link_map *map = NULL;
    if (dladdr1((const void *)&world_mujoco, &found, (void **)&map, RTLD_DL_LINKMAP) != 0 &&
        map != NULL && map->l_name != NULL && map->l_name[0] != '\0') {
        return snprintf(path, size, "%s", map->l_name) < (int)size;
    }
    const ssize_t length = readlink("/proc/self/exe", path, size - 1);
    path[length > 0 ? length : 0] = '\0';
    return length > 0;
}

const char *world_program_folder(void) {
    static _Thread_local char folder[PATH_SIZE];
    char path[PATH_SIZE];
    if (!own_file(path, sizeof path) || realpath(path, folder) == NULL) {
        folder[0] = '\0';
    }
    char *slash = strrchr(folder, '/');
    if (slash != NULL) {
        *slash = '\0';
    }
    return folder;
}

const char *world_place_near(char *path, size_t size, const char *relative) {
    const int length = snprintf(path, size, "%s/%s", world_program_folder(), relative);
    return length > 0 && (size_t)length < size ? path : "";
}

static tot_status take_functions(void *library, const char *path) {
    static const base_symbol functions[] = {
#define ENTRY(name) {#name, offsetof(world_mujoco_table, name)},
        WORLD_MUJOCO_FUNCTIONS(ENTRY)
#undef ENTRY
    };
    static const base_symbol handlers[] = {
        {"_mjPRIVATE__set_tls_error_fn", offsetof(handler_table, set_error)},
        {"_mjPRIVATE__set_tls_warning_fn", offsetof(handler_table, set_warning)},
        {"_mjPRIVATE__get_tls_error_fn", offsetof(handler_table, get_error)},
        {"_mjPRIVATE__get_tls_warning_fn", offsetof(handler_table, get_warning)},
    };
    const char *missing =
        base_take_symbols(library, functions, BASE_LENGTH(functions), &world_mujoco);
    if (missing == NULL) {
        missing = base_take_symbols(library, handlers, BASE_LENGTH(handlers), &thread_handlers);
    }
    BASE_FAIL_IF(missing != NULL, TOT_E_MISSING, "%s: has no function %s; run: scripts/deps", path,
                 missing);
    return TOT_OK;
}

// MuJoCo allocates through this library's allocator, unless the program has set its own hooks.
static void take_memory(void *library) {
    void *(**allocate_slot)(size_t) = dlsym(library, "mju_user_malloc");
    void (**release_slot)(void *) = dlsym(library, "mju_user_free");
    if (allocate_slot != NULL && release_slot != NULL && *allocate_slot == NULL &&
        *release_slot == NULL) {
        *allocate_slot = allocate;
        *release_slot = release;
    }
}

static tot_status open_library(const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    BASE_FAIL_IF(library == NULL, TOT_E_MISSING, "%s; run: scripts/deps", dlerror());
    int (*version)(void) = NULL;
    static const base_symbol number = {"mj_version", 0};
    tot_status status = TOT_OK;
    if (base_take_symbols(library, &number, 1, &version) != NULL) {
        status = base_fail(TOT_E_MISSING, "%s: is not MuJoCo: it has no mj_version", path);
    } else if (version() != WORLD_MUJOCO_VERSION) {
        status = base_fail(TOT_E_MISSING,
                           "%s: is MuJoCo %d.%d.%d, and Meta-world 3.1.1 needs 3.3.0; "
                           "unset MUJOCO_DIR or run: scripts/deps",
                           path, version() / 100, version() / 10 % 10, version() % 10);
    } else {
        status = take_functions(library, path);
    }
    if (status != TOT_OK) {
        dlclose(library);
        return status;
    }
    take_memory(library);
    snprintf(loaded_path, sizeof loaded_path, "%s", path);
    return TOT_OK;
}

// Opens the library from the first place that has it. found is set if any had.
static tot_status open_first(const char *const *places, size_t count, bool *found) {
    char path[PATH_SIZE];
    *found = false;
    for (size_t k = 0; k < count; k++) {
        if (snprintf(path, sizeof path, "%s/" LIBRARY, places[k]) < (int)sizeof path &&
            access(path, F_OK) == 0) {
            *found = true;
            return open_library(path);
        }
    }
    return TOT_OK;
}

static tot_status load_asked_for(const char *folder) {
    char below[PATH_SIZE];
    snprintf(below, sizeof below, "%s/lib", folder);
    const char *const places[] = {below, folder};
    bool found = false;
    BASE_TRY(open_first(places, 2, &found));
    BASE_FAIL_IF(!found, TOT_E_MISSING,
                 "MUJOCO_DIR: neither %s/lib nor %s has " LIBRARY
                 "; unset it and run: scripts/deps",
                 folder, folder);
    return TOT_OK;
}

static tot_status load_from_anywhere(void) {
    char share[PATH_SIZE], site[PATH_SIZE], beside[PATH_SIZE];
    // an installed copy, Python packages around a wheel, a checkout
    const char *const places[] = {
        world_place_near(share, sizeof share, "../share/temporalot/mujoco/lib"),
        world_place_near(site, sizeof site, "../../../mujoco"),
        TEMPORALOT_THIRD_PARTY "/mujoco/lib",
        world_place_near(beside, sizeof beside, "../third_party/mujoco/lib"),
    };
    bool found = false;
    BASE_TRY(open_first(places, BASE_LENGTH(places), &found));
    BASE_FAIL_IF(!found && open_library(LIBRARY) != TOT_OK, TOT_E_MISSING,
                 "MuJoCo 3.3.0: no " LIBRARY
                 " in %s, %s or where the system looks for libraries; "
                 "run: scripts/deps, or set MUJOCO_DIR",
                 places[0], places[2]);
    return TOT_OK;
}

tot_status world_mujoco_load(void) {
    if (atomic_load_explicit(&loaded, memory_order_acquire)) {
        return TOT_OK;
    }
    pthread_mutex_lock(&load_lock);
    tot_status status = TOT_OK;
    if (!atomic_load(&loaded)) {
        const char *asked = getenv("MUJOCO_DIR");
        status = asked != NULL && asked[0] != '\0' ? load_asked_for(asked) : load_from_anywhere();
        atomic_store_explicit(&loaded, status == TOT_OK, memory_order_release);
    }
    pthread_mutex_unlock(&load_lock);
    return status;
}

const char *world_mujoco_path(void) {
    return atomic_load(&loaded) ? loaded_path : "";
}
