#include "encoder/openvino.h"

#include <dlfcn.h>
#include <glob.h>
#include <pthread.h>

#include "base/base.h"
#include "base/symbols.h"
#include "world/mujoco.h"

#define LIBRARY "libopenvino_c.so*"
#define INSTALL "run: scripts/deps --onnx, or: pip install openvino (2025 or later)"

enum { PATH_SIZE = 4096, VERSION_SIZE = 64, LEAST_YEAR = 2025 };

static encoder_openvino table;
static char loaded_path[PATH_SIZE];
static char loaded_version[VERSION_SIZE];

// --- errors ------------------------------------------------------------------------------------

tot_status encoder_openvino_fail(const encoder_openvino *openvino, const char *subject) {
    char text[700];
    const char *said = openvino->ov_get_last_err_msg();
    // exception messages start with OpenVINO source locations: keep only what follows the last one
    const char *start = said;
    for (const char *at = said; at != NULL && (at = strstr(at, ".cpp:")) != NULL; at++) {
        const char *end = strchr(at, '\n');
        start = end != NULL ? end + 1 : start;
    }
    size_t length = 0;
    for (const char *at = start; at != NULL && *at != '\0' && length + 1 < sizeof text; at++) {
        const bool space = *at == '\n' || *at == ' ' || *at == '\t';
        if (!space || (length > 0 && text[length - 1] != ' ')) {
            text[length++] = space ? ' ' : *at;
        }
    }
    while (length > 0 && text[length - 1] == ' ') {
        length--;
    }
    text[length] = '\0';
    openvino->ov_free(said);
    return base_fail(TOT_E_UNSUPPORTED, "%s: OpenVINO: %s", subject,
                     length > 0 ? text : "rejects it without a message");
}

// --- loading -----------------------------------------------------------------------------------

static tot_status take_functions(void *library, const char *path) {
    static const base_symbol functions[] = {
#define ENTRY(result, name, arguments) {#name, offsetof(encoder_openvino, name)},
        ENCODER_OPENVINO_FUNCTIONS(ENTRY)
#undef ENTRY
    };
    const char *missing = base_take_symbols(library, functions, BASE_LENGTH(functions), &table);
    BASE_FAIL_IF(missing != NULL, TOT_E_MISSING, "%s: has no function %s; " INSTALL, path, missing);
    return TOT_OK;
}

static size_t bytes_of(int type) {
    const int64_t one = 1;
    ov_shape shape = {0};
    ov_tensor *tensor = NULL;
    size_t bytes = 0;
    if (table.ov_shape_create(1, &one, &shape) == 0) {
        if (table.ov_tensor_create(type, shape, &tensor) == 0) {
            table.ov_tensor_get_byte_size(tensor, &bytes);
            table.ov_tensor_free(tensor);
        }
        table.ov_shape_free(&shape);
    }
    return bytes;
}

// Checks the numbering of element types, which OpenVINO does not guarantee: it changed in 2025.
static tot_status check_version(const char *path) {
    ov_version version = {0};
    if (table.ov_get_openvino_version(&version) == 0) {
        snprintf(loaded_version, sizeof loaded_version, "%s", version.build);
        table.ov_version_free(&version);
    }
    BASE_FAIL_IF(strtol(loaded_version, NULL, 10) < LEAST_YEAR || bytes_of(OV_F16) != 2 ||
                     bytes_of(OV_F32) != 4 || bytes_of(OV_F64) != 8,
                 TOT_E_MISSING, "%s: is OpenVINO %s, which is not supported; " INSTALL, path,
                 loaded_version);
    return TOT_OK;
}

static tot_status open_library(const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    BASE_FAIL_IF(library == NULL, TOT_E_MISSING, "OpenVINO: %s; " INSTALL, dlerror());
    // never closed, even on failure: its threads may be running
    BASE_TRY(take_functions(library, path));
    BASE_TRY(check_version(path));
    if (table.ov_core_create(&table.core) != 0) {
        return encoder_openvino_fail(&table, path);
    }
    snprintf(loaded_path, sizeof loaded_path, "%s", path);
    return TOT_OK;
}

// --- finding -----------------------------------------------------------------------------------

// The last match, by name, of FOLDER/inside/LIBRARY; false if there is none.
static bool find_file(char *path, const char *folder, const char *inside) {
    char pattern[PATH_SIZE];
    glob_t found = {0};
    if (folder == NULL || snprintf(pattern, sizeof pattern, "%s/%s/" LIBRARY, folder, inside) >=
                              (int)sizeof pattern) {
        return false;
    }
    const bool any = glob(pattern, 0, NULL, &found) == 0 && found.gl_pathc > 0;
    if (any) {
        snprintf(path, PATH_SIZE, "%s", found.gl_pathv[found.gl_pathc - 1]);
    }
    globfree(&found);
    return any;
}

// A user-specified folder: unpacked by scripts/deps, a Python package, or Intel's archive.
static bool find_asked_for(char *path, const char *folder) {
    static const char *const inside[] = {".", "lib", "libs", "openvino/libs", "runtime/lib/*"};
    for (size_t k = 0; k < BASE_LENGTH(inside); k++) {
        if (find_file(path, folder, inside[k])) {
            return true;
        }
    }
    return false;
}

// Looks for the library fetched by set-up, then for one installed by pip: next to this library, in
// the virtual environment, for this user, system-wide.
static bool find_installed(char *path) {
    return find_file(path, world_program_folder(), "../third_party/openvino/lib") ||
           find_file(path, TEMPORALOT_THIRD_PARTY, "openvino/lib") ||
           find_file(path, world_program_folder(), "../../../openvino/libs") ||
           find_file(path, getenv("VIRTUAL_ENV"), "lib/python3*/site-packages/openvino/libs") ||
           find_file(path, getenv("HOME"), ".local/lib/python3*/site-packages/openvino/libs") ||
           find_file(path, "/usr/local/lib", "python3*/*-packages/openvino/libs") ||
           find_file(path, "/usr/lib", "python3*/*-packages/openvino/libs");
}

static tot_status find_and_open(void) {
    char path[PATH_SIZE];
    const char *asked = getenv("OPENVINO_DIR");
    if (asked != NULL && asked[0] != '\0') {
        return find_asked_for(path, asked)
                   ? open_library(path)
                   : base_fail(TOT_E_MISSING,
                               "OPENVINO_DIR: %s has no libopenvino_c.so; unset it, and " INSTALL,
                               asked);
    }
    if (find_installed(path)) {
        return open_library(path);
    }
    return base_fail(TOT_E_MISSING,
                     "OpenVINO, which runs ONNX networks, is not installed; " INSTALL);
}

tot_status encoder_openvino_load(const encoder_openvino **openvino) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    const tot_status status = table.core != NULL ? TOT_OK : find_and_open();
    pthread_mutex_unlock(&lock);
    *openvino = status == TOT_OK ? &table : NULL;
    return status;
}

tot_status tot_openvino_check(const char **path, const char **version) {
    const encoder_openvino *openvino = NULL;
    BASE_TRY(encoder_openvino_load(&openvino));
    if (path != NULL) {
        *path = loaded_path;
    }
    if (version != NULL) {
        *version = loaded_version;
    }
    return TOT_OK;
}
