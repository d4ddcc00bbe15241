// Pictures from a .npy or from an array of an .npz, read one at a time, so that memory does not
// grow with the length of the array.
#include "base/base.h"
#include "file/frames.h"
#include "file/npy.h"
#include "file/npz.h"
#include "file/zip_read.h"

typedef struct array_reader {
    file_source source;  // of the file or of the archive entry
    tot_npz *npz;        // NULL for a .npy
    bool entry;          // whether source is an archive entry
} array_reader;

// Errors in an entry name only the entry, so the archive is added.
static tot_status in_archive(const tot_frames *frames, tot_status status) {
    const array_reader *reader = frames->state;
    return status != TOT_OK && reader->npz != NULL ? base_fail_in(status, "%s", frames->path)
                                                   : status;
}

// Trailing bytes after the last picture: a warning for a .npy, an error for an .npz, as for any
// array.
static tot_status finish(const tot_frames *frames) {
    array_reader *reader = frames->state;
    if (reader->npz != NULL) {
        return in_archive(frames, file_zip_check_end(&reader->source, true));
    }
    file_source_warn_of_rest(&reader->source, "array");
    return TOT_OK;
}

static tot_status read_picture(tot_frames *frames, uint8_t *rgb, bool *end) {
    array_reader *reader = frames->state;
    if (frames->taken == frames->count) {
        *end = true;
        return TOT_OK;
    }
    const size_t bytes = (size_t)frames->width * (size_t)frames->height * FILE_FRAMES_CHANNELS;
    BASE_TRY(in_archive(frames, file_source_read(&reader->source, rgb, bytes, "picture")));
    return frames->taken + 1 == frames->count ? finish(frames) : TOT_OK;
}

static void close_reader(void *state) {
    array_reader *reader = state;
    BASE_UNLESS_NULL(reader);
    if (reader->entry) {
        file_zip_close_entry(&reader->source);
    } else {
        file_source_close(&reader->source);
    }
    tot_npz_close(reader->npz);
    base_free(reader);
}

static const file_frames_kind array_kind = {read_picture, NULL, close_reader};

// "12 x 3 x 4", for error messages.
static const char *shape_text(const file_npy_header *header, char text[128]) {
    text[0] = '\0';
    for (int k = 0; k < header->dimensions && strlen(text) < 100; k++) {
        base_append(text, 128, "%s%lld", k > 0 ? " x " : "", (long long)header->shape[k]);
    }
    return header->dimensions > 0 ? text : "a single number";
}

static tot_status check_header(tot_frames *frames, const file_npy_header *header,
                               const char *name) {
    char text[128];
    BASE_FAIL_IF(header->type != TOT_U8 || header->is_bool, TOT_E_UNSUPPORTED,
                 "%s: pictures are uint8, this is %s", name,
                 header->is_bool ? "bool" : tot_type_text(header->type));
    BASE_FAIL_IF(header->dimensions != 4 || header->shape[3] != FILE_FRAMES_CHANNELS, TOT_E_SHAPE,
                 "%s: pictures are steps x height x width x 3, this is %s%s", name,
                 shape_text(header, text),
                 header->dimensions == 4 && header->shape[1] == FILE_FRAMES_CHANNELS
                     ? ": transpose it with (0, 2, 3, 1)"
                     : "");
    BASE_FAIL_IF(header->shape[0] == 0, TOT_E_FORMAT, "%s: holds no picture: its shape is %s", name,
                 shape_text(header, text));
    BASE_FAIL_IF(header->fortran && header->count > 1, TOT_E_UNSUPPORTED,
                 "%s: is in Fortran order, in which pictures are not contiguous; convert it with "
                 "numpy.ascontiguousarray",
                 name);
    frames->count = header->shape[0];
    return file_frames_set_size(frames, header->shape[2], header->shape[1]);
}

tot_status file_frames_open_npy(tot_frames *frames, file_source *source) {
    file_npy_header header = {0};
    BASE_NEW(array_reader, reader, "pictures");
    frames->state = reader;
    frames->kind = &array_kind;
    reader->source = *source;
    source->file = -1;
    BASE_TRY(file_npy_read_header(&reader->source, &header));
    return check_header(frames, &header, frames->path);
}

// The default array: `frames`, or the only one.
static const char *pick(const tot_npz *npz) {
    return !tot_npz_has(npz, "frames") && tot_npz_count(npz) == 1 ? tot_npz_name(npz, 0) : "frames";
}

tot_status file_frames_check_array(tot_frames *frames, const tot_array *array, const char *name) {
    file_npy_header header = {.type = array->type, .dimensions = array->dimensions};
    header.count = tot_array_count(array);
    memcpy(header.shape, array->shape, sizeof header.shape);
    return check_header(frames, &header, name);
}

tot_status file_frames_open_entry(tot_frames *frames, tot_npz *npz, const char *array) {
    file_npy_header header = {0};
    array_reader *reader = base_alloc_zero(1, sizeof *reader, "pictures");
    if (reader == NULL) {
        tot_npz_close(npz);
        return TOT_E_MEMORY;
    }
    frames->state = reader;
    frames->kind = &array_kind;
    reader->source.file = -1;
    reader->npz = npz;
    BASE_TRY(file_npz_open_entry(npz, array, &reader->source));
    reader->entry = true;
    BASE_TRY(in_archive(frames, file_npy_read_header(&reader->source, &header)));
    return in_archive(frames, check_header(frames, &header, array));
}

tot_status file_frames_open_npz(tot_frames *frames, file_source *source, const char *array) {
    tot_npz *npz = NULL;
    BASE_TRY(file_npz_open_source(&npz, source));
    return file_frames_open_entry(frames, npz, array != NULL ? array : pick(npz));
}
