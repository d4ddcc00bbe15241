#include "file/ffmpeg.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>

#include "base/base.h"
#include "base/symbols.h"

// the version that was compiled against; the build names a suffix if FFmpeg has one
#define LIBRARY(name, major) "lib" name TEMPORALOT_FFMPEG_SUFFIX ".so." AV_STRINGIFY(major)

file_ffmpeg_table file_ffmpeg;
static atomic_bool loaded;
static pthread_mutex_t load_lock = PTHREAD_MUTEX_INITIALIZER;

static tot_status open_library(const char *name, const base_symbol *symbols, size_t count) {
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    BASE_FAIL_IF(library == NULL, TOT_E_MISSING,
                 "FFmpeg, which reads and writes videos: %s; run: scripts/deps", dlerror());
    // never closed: the other library may use it
    const char *missing = base_take_symbols(library, symbols, count, &file_ffmpeg);
    BASE_FAIL_IF(missing != NULL, TOT_E_MISSING, "%s: has no function %s; run: scripts/deps", name,
                 missing);
    return TOT_OK;
}

static tot_status open_libraries(void) {
#define NAME(name)  #name
#define ENTRY(name) {NAME(name), offsetof(file_ffmpeg_table, name)},
    static const base_symbol format[] = {FILE_FFMPEG_FORMAT_FUNCTIONS(ENTRY)};
    static const base_symbol scale[] = {FILE_FFMPEG_SCALE_FUNCTIONS(ENTRY)};
#undef ENTRY
#undef NAME
    BASE_TRY(
        open_library(LIBRARY("avformat", LIBAVFORMAT_VERSION_MAJOR), format, BASE_LENGTH(format)));
    return open_library(LIBRARY("swscale", LIBSWSCALE_VERSION_MAJOR), scale, BASE_LENGTH(scale));
}

tot_status file_ffmpeg_load(void) {
    if (atomic_load_explicit(&loaded, memory_order_acquire)) {
        return TOT_OK;
    }
    pthread_mutex_lock(&load_lock);
    tot_status status = TOT_OK;
    if (!atomic_load(&loaded)) {
        status = open_libraries();
        atomic_store_explicit(&loaded, status == TOT_OK, memory_order_release);
    }
    pthread_mutex_unlock(&load_lock);
    return status;
}
