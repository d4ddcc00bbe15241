// Pictures, one after another: finds out what a path leads to. The kinds are in frames_*.c.
#include "file/frames.h"

#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/memory.h"
#include "file/npy.h"
#include "file/npz.h"

// --- what there is -----------------------------------------------------------------------------

typedef enum content {
    CONTENT_NPY,
    CONTENT_NPZ,
    CONTENT_PNG,
    CONTENT_OTHER,  // a video, perhaps
} content;

static bool ends_in(const char *path, const char *ending) {
    const size_t length = strlen(path);
    const size_t tail = strlen(ending);
    return length >= tail && strcmp(path + length - tail, ending) == 0;
}

// From the first bytes; where they say nothing, from the name, so that a damaged .npy is called
// one.
static tot_status look_inside(tot_source *source, content *found) {
    static const uint8_t png[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    uint8_t first[8] = {0};
    bool is_zip = false;
    TOT_TRY(tot_source_is_zip(source, &is_zip));
    if (source->size >= (int64_t)sizeof first) {
        TOT_TRY(source->read(source, first, sizeof first));
    }
    if (is_zip || ends_in(source->name, ".npz")) {
        *found = CONTENT_NPZ;
    } else if (memcmp(first, "\x93NUMPY", 6) == 0 || ends_in(source->name, ".npy")) {
        *found = CONTENT_NPY;
    } else if (memcmp(first, png, sizeof png) == 0 || ends_in(source->name, ".png")) {
        *found = CONTENT_PNG;
    } else {
        *found = CONTENT_OTHER;
    }
    return TOT_OK;
}

// "FILE.npz:NAME": opens the longest beginning that is a file. *file is then its name, to be freed
// with tot_free, and *array points behind the colon in path.
static tot_status open_named(tot_source *source, const char *path, char **file,
                             const char **array) {
    *file = tot_copy_text(path);
    if (*file == NULL) {
        return TOT_E_MEMORY;
    }
    char *colon;
    while ((colon = strrchr(*file, ':')) != NULL) {
        bool absent = false;
        *colon = '\0';
        *array = path + (colon - *file) + 1;
        const tot_status status = tot_source_open(source, *file, &absent);
        if (!absent) {
            return status;
        }
    }
    return tot_fail(TOT_E_FILE, "%s: cannot open: no such file", path);
}

// --- sizes -------------------------------------------------------------------------------------

tot_status tot_frames_set_size(tot_frames *frames, int64_t width, int64_t height) {
    if (width < 1 || height < 1 || width > TOT_MAX_IMAGE || height > TOT_MAX_IMAGE ||
        width * height > TOT_FRAMES_MOST_PIXELS) {
        return tot_fail(TOT_E_UNSUPPORTED,
                        "%s: pictures of %lld x %lld pixels; 1 .. %d a side, and %d in all, are "
                        "possible",
                        frames->path, (long long)width, (long long)height, TOT_MAX_IMAGE,
                        TOT_FRAMES_MOST_PIXELS);
    }
    frames->width = (int)width;
    frames->height = (int)height;
    return TOT_OK;
}

tot_status tot_frames_check_size(const tot_frames *frames, const char *name, int64_t width,
                                 int64_t height) {
    if (width == frames->width && height == frames->height) {
        return TOT_OK;
    }
    return tot_fail(TOT_E_SHAPE, "%s: picture %lld%s%s%s has %lld x %lld pixels, the first %d x %d",
                    frames->path, (long long)frames->taken, name != NULL ? " (" : "",
                    name != NULL ? name : "", name != NULL ? ")" : "", (long long)width,
                    (long long)height, frames->width, frames->height);
}

// --- opening -----------------------------------------------------------------------------------

static tot_status open_content(tot_frames *frames, tot_source *source) {
    content found = CONTENT_OTHER;
    TOT_TRY(look_inside(source, &found));
    switch (found) {
        case CONTENT_NPY:
            return tot_frames_open_npy(frames, source);
        case CONTENT_NPZ:
            return tot_frames_open_npz(frames, source, NULL);
        case CONTENT_PNG:
            return tot_frames_open_picture(frames);
        default:
            return tot_frames_open_video(frames, source);
    }
}

static tot_status open_array(tot_frames *frames) {
    tot_source source = {.file = -1};
    char *file = NULL;
    const char *array = NULL;
    tot_status status = open_named(&source, frames->path, &file, &array);
    if (status == TOT_OK) {
        status = tot_frames_open_npz(frames, &source, array);
        tot_source_close(&source);
    }
    tot_free(file);
    return status;
}

static bool is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static tot_status open_path(tot_frames *frames) {
    tot_source source;
    bool absent = false;
    if (is_folder(frames->path)) {
        return tot_frames_open_folder(frames);
    }
    tot_status status = tot_source_open(&source, frames->path, &absent);
    if (status != TOT_OK) {
        return absent && strchr(frames->path, ':') != NULL ? open_array(frames) : status;
    }
    status = open_content(frames, &source);
    tot_source_close(&source);
    return status;
}

tot_status tot_frames_open(tot_frames **frames, const char *path) {
    *frames = NULL;
    tot_frames *made = tot_alloc_zero(1, sizeof *made, "pictures");
    if (made == NULL) {
        return TOT_E_MEMORY;
    }
    made->path = tot_copy_text(path);
    made->count = -1;
    const tot_status status = made->path != NULL ? open_path(made) : TOT_E_MEMORY;
    if (status != TOT_OK) {
        tot_frames_close(made);
        return status;
    }
    *frames = made;
    return TOT_OK;
}

// --- the rest ----------------------------------------------------------------------------------

int tot_frames_width(const tot_frames *frames) {
    return frames->width;
}

int tot_frames_height(const tot_frames *frames) {
    return frames->height;
}

int64_t tot_frames_count(const tot_frames *frames) {
    return frames->count;
}

tot_status tot_frames_read(tot_frames *frames, uint8_t *rgb, bool *end) {
    *end = false;
    TOT_TRY(frames->kind->read(frames, rgb, end));
    frames->taken += *end ? 0 : 1;
    return TOT_OK;
}

void tot_frames_close(tot_frames *frames) {
    if (frames == NULL) {
        return;
    }
    if (frames->kind != NULL) {
        frames->kind->close(frames->state);
    }
    tot_free(frames->path);
    tot_free(frames);
}

// --- pictures or embeddings --------------------------------------------------------------------

static bool is_pictures(const tot_npy_header *header) {
    return header->type == TOT_U8 && !header->is_bool && header->dimensions == 4;
}

// array is NULL when none was named.
static tot_status look_at_npz(tot_source *source, const char *array, bool *pictures) {
    tot_npz *npz = NULL;
    tot_source entry;
    tot_npy_header header;
    TOT_TRY(tot_npz_open_source(&npz, source));
    tot_status status = TOT_OK;
    if (array == NULL && !tot_npz_has(npz, "embeddings")) {
        array = tot_npz_has(npz, "frames") ? "frames"
                : tot_npz_count(npz) == 1  ? tot_npz_name(npz, 0)
                                           : NULL;
    }
    if (array != NULL && tot_npz_has(npz, array)) {
        status = tot_npz_open_entry(npz, array, &entry);
        if (status == TOT_OK) {
            status = tot_npy_read_header(&entry, &header);
            *pictures = status == TOT_OK && is_pictures(&header);
            tot_npz_close_entry(&entry);
        }
    }
    tot_npz_close(npz);
    return status;
}

static tot_status look_at(tot_source *source, bool *pictures) {
    content found = CONTENT_OTHER;
    tot_npy_header header;
    TOT_TRY(look_inside(source, &found));
    if (found == CONTENT_NPZ) {
        return look_at_npz(source, NULL, pictures);
    }
    if (found != CONTENT_NPY) {
        *pictures = true;
        return TOT_OK;
    }
    TOT_TRY(tot_npy_read_header(source, &header));
    *pictures = is_pictures(&header);
    return TOT_OK;
}

static tot_status look_at_named(const char *path, bool *pictures) {
    tot_source source = {.file = -1};
    char *file = NULL;
    const char *array = NULL;
    tot_status status = open_named(&source, path, &file, &array);
    if (status == TOT_OK) {
        status = look_at_npz(&source, array, pictures);
        tot_source_close(&source);
    }
    tot_free(file);
    return status;
}

tot_status tot_frames_look(const char *path, bool *pictures) {
    tot_source source;
    bool absent = false;
    *pictures = is_folder(path);
    if (*pictures) {
        return TOT_OK;
    }
    tot_status status = tot_source_open(&source, path, &absent);
    if (status == TOT_OK) {
        status = look_at(&source, pictures);
        tot_source_close(&source);
    } else if (absent && strchr(path, ':') != NULL) {
        status = look_at_named(path, pictures);
    }
    return status == TOT_E_MEMORY ? status : TOT_OK;
}
