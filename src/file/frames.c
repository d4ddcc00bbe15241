// Sequences of pictures: detects the kind of source at a path. The kinds are in frames_*.c.
#include "file/frames.h"

#include <sys/stat.h>

#include "base/base.h"
#include "file/array.h"
#include "file/npy.h"
#include "file/npz.h"

// --- content detection -------------------------------------------------------------------------

typedef enum content {
    CONTENT_NPY,
    CONTENT_NPZ,
    CONTENT_PNG,
    CONTENT_OTHER,  // possibly a video
} content;

bool file_frames_is_other(const uint8_t first[8]) {
    static const struct {
        const char *bytes;
        size_t size;
    } known[] = {{"GIF8", 4}, {"\xff\xd8\xff", 3}, {"BM", 2}, {"RIFF", 4}};
    for (size_t k = 0; k < BASE_LENGTH(known); k++) {
        if (memcmp(first, known[k].bytes, known[k].size) == 0) {
            return true;
        }
    }
    return false;
}

// By the first bytes; if they are inconclusive by the name, so that a damaged .npy is reported as
// such.
static tot_status look_inside(file_source *source, content *found) {
    static const uint8_t png[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    uint8_t first[8] = {0};
    bool is_zip = false;
    BASE_TRY(file_source_is_zip(source, &is_zip));
    if (source->size >= (int64_t)sizeof first) {
        BASE_TRY(source->read(source, first, sizeof first));
    }
    if (is_zip || base_ends_in(source->name, ".npz")) {
        *found = CONTENT_NPZ;
    } else if (memcmp(first, "\x93NUMPY", 6) == 0 || base_ends_in(source->name, ".npy")) {
        *found = CONTENT_NPY;
    } else if (memcmp(first, png, sizeof png) == 0 ||
               (base_ends_in(source->name, ".png") && !file_frames_is_other(first))) {
        *found = CONTENT_PNG;
    } else {
        *found = CONTENT_OTHER;
    }
    return TOT_OK;
}

// --- sizes -------------------------------------------------------------------------------------

tot_status file_frames_set_size(tot_frames *frames, int64_t width, int64_t height) {
    BASE_FAIL_IF(
        width < 1 || height < 1 || width > TOT_MAX_IMAGE || height > TOT_MAX_IMAGE ||
            width * height > FILE_FRAMES_MOST_PIXELS,
        TOT_E_UNSUPPORTED,
        "%s: pictures of %lld x %lld pixels; 1 .. %d per side, and %d in total, are supported",
        frames->path, (long long)width, (long long)height, TOT_MAX_IMAGE, FILE_FRAMES_MOST_PIXELS);
    frames->width = (int)width;
    frames->height = (int)height;
    return TOT_OK;
}

tot_status file_frames_check_size(const tot_frames *frames, const char *name, int64_t width,
                                  int64_t height) {
    if (width == frames->width && height == frames->height) {
        return TOT_OK;
    }
    return base_fail(TOT_E_SHAPE,
                     "%s: picture %lld%s%s%s has %lld x %lld pixels, the first %d x %d",
                     frames->path, (long long)frames->taken, name != NULL ? " (" : "",
                     name != NULL ? name : "", name != NULL ? ")" : "", (long long)width,
                     (long long)height, frames->width, frames->height);
}

// --- opening -----------------------------------------------------------------------------------

static tot_status open_source(tot_frames *frames, file_source *source, const char *array) {
    content found = CONTENT_NPZ;
    if (array == NULL) {
        BASE_TRY(look_inside(source, &found));
        // the name must outlive the caller's
        source->name = frames->path;
    }
    switch (found) {
        case CONTENT_NPY:
            return file_frames_open_npy(frames, source);
        case CONTENT_NPZ:
            return file_frames_open_npz(frames, source, array);
        case CONTENT_PNG:
            return file_frames_open_picture(frames);
        default:
            return file_frames_open_video(frames, source);
    }
}

static bool is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static tot_status create(tot_frames **frames, const char *path, int threads) {
    BASE_NEW(tot_frames, made, "pictures");
    made->count = -1;
    made->time = NAN;
    made->threads = threads;
    made->path = base_copy_text(path);
    BASE_GIVE(made->path != NULL ? TOT_OK : TOT_E_MEMORY, frames, made, tot_frames_close);
}

// --- reading and properties --------------------------------------------------------------------

BASE_GETTER(int, tot_frames_width, tot_frames, frames, 0,
            frames->to_width > 0 ? frames->to_width : file_frames_excerpt_width(frames))
BASE_GETTER(int, tot_frames_height, tot_frames, frames, 0,
            frames->to_height > 0 ? frames->to_height : file_frames_excerpt_height(frames))
BASE_GETTER(int64_t, tot_frames_count, tot_frames, frames, 0,
            frames->excerpt != NULL ? file_frames_excerpt_count(frames) : frames->count)
BASE_GETTER(double, tot_frames_time, tot_frames, frames, (double)NAN, frames->time)

tot_status tot_frames_resize(tot_frames *frames, int width, int height) {
    BASE_NEED(frames);
    const size_t pixels = (size_t)frames->width * (size_t)frames->height;
    if (frames->picture == NULL && (width != file_frames_excerpt_width(frames) ||
                                    height != file_frames_excerpt_height(frames))) {
        BASE_ALLOC(frames->picture, FILE_FRAMES_CHANNELS * pixels, "picture");
    }
    frames->to_width = width;
    frames->to_height = height;
    return TOT_OK;
}

tot_status file_frames_read_stored(tot_frames *frames, uint8_t *rgb, bool *end, bool resized) {
    *end = false;
    BASE_TRY((resized ? frames->kind->read_resized : frames->kind->read)(frames, rgb, end));
    frames->taken += *end ? 0 : 1;
    return TOT_OK;
}

tot_status tot_frames_read(tot_frames *frames, uint8_t *rgb, bool *end) {
    BASE_NEED(frames, rgb, end);
    const int from_width = file_frames_excerpt_width(frames);
    const int from_height = file_frames_excerpt_height(frames);
    const int width = tot_frames_width(frames);
    const int height = tot_frames_height(frames);
    const bool resized = width != from_width || height != from_height;
    if (resized && frames->excerpt == NULL && frames->kind->read_resized != NULL) {
        return file_frames_read_stored(frames, rgb, end, true);
    }
    uint8_t *read = resized ? frames->picture : rgb;
    BASE_TRY(frames->excerpt != NULL ? file_frames_excerpt_read(frames, read, end)
                                     : file_frames_read_stored(frames, read, end, false));
    if (!*end && resized) {
        tot_resize(read, from_width, from_height, rgb, width, height);
    }
    return TOT_OK;
}

void tot_frames_close(tot_frames *frames) {
    BASE_UNLESS_NULL(frames);
    if (frames->kind != NULL && frames->kind->close != NULL) {
        frames->kind->close(frames->state);
    }
    file_frames_excerpt_free(frames->excerpt);
    BASE_RELEASE(frames->picture, frames->path, frames);
}

// --- pictures or embeddings --------------------------------------------------------------------

static bool is_pictures(const file_npy_header *header) {
    return header->type == TOT_U8 && !header->is_bool && header->dimensions == 4;
}

// Finds the array of the archive that holds pictures; NULL: none. Damaged arrays do not count here:
// reading them will report the error. Fails with TOT_E_MEMORY only.
static tot_status find_pictures(tot_npz *npz, const char *named, const char **array) {
    file_npy_header header;
    const char *name = named;
    *array = NULL;
    if (named == NULL && !tot_npz_has(npz, "embeddings")) {
        name = tot_npz_has(npz, "frames") ? "frames"
               : tot_npz_count(npz) == 1  ? tot_npz_name(npz, 0)
                                          : NULL;
    }
    if (name == NULL || !tot_npz_has(npz, name)) {
        return TOT_OK;
    }
    const tot_status status = file_npz_header(npz, name, &header);
    *array = status == TOT_OK && is_pictures(&header) ? name : NULL;
    return status == TOT_E_MEMORY ? status : TOT_OK;
}

// If it holds pictures, the frames own the archive.
static tot_status open_npz(tot_frames *frames, tot_array *array, file_source *source,
                           const char *named) {
    tot_npz *npz = NULL;
    const char *pictures = NULL;
    BASE_TRY(file_npz_open_source(&npz, source));
    tot_status status = find_pictures(npz, named, &pictures);
    if (status == TOT_OK && pictures != NULL) {
        return file_frames_open_entry(frames, npz, pictures);
    }
    status = status == TOT_OK && named == NULL ? file_npz_pick(npz, &named) : status;
    BASE_THEN(status, tot_npz_read(npz, named, array));
    tot_npz_close(npz);
    return status;
}

// Pictures or embeddings, opening the source only once.
static tot_status open_either(tot_frames *frames, tot_array *array, file_source *source,
                              const char *named) {
    content found = CONTENT_NPZ;
    file_npy_header header;
    bool is_zip = false;
    BASE_TRY(file_source_is_zip(source, &is_zip));
    if (is_zip) {
        return open_npz(frames, array, source, named);
    }
    if (named == NULL) {
        BASE_TRY(look_inside(source, &found));
    }
    bool pictures = found == CONTENT_PNG || found == CONTENT_OTHER;
    if (found == CONTENT_NPY) {
        const tot_status status = file_npy_read_header(source, &header);
        pictures = status == TOT_OK && is_pictures(&header);
        source->position = 0;
        BASE_TRY(status == TOT_E_MEMORY ? status : TOT_OK);
    }
    return pictures ? open_source(frames, source, named) : file_array_read(array, source, named);
}

// array NULL: the path must hold pictures. Without pictures, the frames have no kind.
static tot_status open_path(tot_frames *frames, tot_array *array, const char *path) {
    file_source source;
    char *file = NULL;
    const char *named = NULL;
    if (is_folder(path)) {
        return file_frames_open_folder(frames);
    }
    tot_status status = file_source_open_named(&source, path, &file, &named);
    if (status == TOT_OK) {
        status = array != NULL ? open_either(frames, array, &source, named)
                               : open_source(frames, &source, named);
        file_source_close(&source);
    }
    base_free(file);
    return status;
}

tot_status file_frames_or_array(tot_frames **frames, tot_array *array, const char *path) {
    tot_frames *made = NULL;
    *frames = NULL;
    file_array_clear(array);
    BASE_TRY(create(&made, path, 1));
    const tot_status status = open_path(made, array, path);
    if (status != TOT_OK || made->kind == NULL) {
        tot_frames_close(made);
        return status;
    }
    *frames = made;
    return TOT_OK;
}

tot_status tot_frames_open(tot_frames **frames, const char *path) {
    return tot_frames_open_threads(frames, path, 1);
}

tot_status tot_frames_open_threads(tot_frames **frames, const char *path, int threads) {
    enum { MOST = 64 };
    BASE_NEED(frames, path);
    *frames = NULL;
    BASE_FAIL_IF(threads < 1 || threads > MOST, TOT_E_ARGUMENT, "threads: %d is not in 1 .. %d",
                 threads, MOST);
    tot_frames *made = NULL;
    BASE_TRY(create(&made, path, threads));
    BASE_GIVE(open_path(made, NULL, path), frames, made, tot_frames_close);
}

// --- pictures in memory ------------------------------------------------------------------------

static tot_status copy_picture(tot_frames *frames, uint8_t *rgb, bool *end) {
    const size_t bytes = (size_t)frames->width * (size_t)frames->height * FILE_FRAMES_CHANNELS;
    *end = frames->taken == frames->count;
    if (!*end) {
        memcpy(rgb, (const uint8_t *)frames->state + (size_t)frames->taken * bytes, bytes);
    }
    return TOT_OK;
}

static const file_frames_kind memory_kind = {.read = copy_picture};

tot_status tot_frames_open_array(tot_frames **frames, const tot_array *array, const char *name) {
    BASE_NEED(frames, array, name);
    *frames = NULL;
    tot_frames *made = NULL;
    BASE_TRY(create(&made, name, 1));
    made->kind = &memory_kind;
    made->state = array->data;
    BASE_GIVE(file_frames_check_array(made, array, name), frames, made, tot_frames_close);
}
