// Shared by the kinds of tot_frames: each has its own file, and frames.c selects one.
#pragma once

#include <temporalot/image.h>

#include "file/source.h"

enum { FILE_FRAMES_CHANNELS = 3, FILE_FRAMES_MOST_PIXELS = 1 << 28 };

// Functions of a kind. state is private to it.
typedef struct file_frames_kind {
    tot_status (*read)(tot_frames *frames, uint8_t *rgb, bool *end);
    // the same at the requested size, using frames->picture as a buffer; NULL: no fast path
    tot_status (*read_resized)(tot_frames *frames, uint8_t *rgb, bool *end);
    void (*close)(void *state);  // state may be NULL; NULL: nothing to close
} file_frames_kind;

typedef struct file_frames_excerpt file_frames_excerpt;

struct tot_frames {
    char *path;
    int width, height;             // as stored
    int to_width, to_height;       // as read; 0: as stored
    uint8_t *picture;              // the stored picture, if it is resized
    int64_t count;                 // -1: unknown
    int64_t taken;                 // pictures read so far, including those an excerpt skips
    bool timed;                    // seconds and duration of the last picture are known
    double seconds;                // from the first picture
    double duration;               // 0: unknown
    double time;                   // presentation time; NaN: unknown
    int threads;                   // for decoding a video
    file_frames_excerpt *excerpt;  // NULL: all pictures, uncropped
    const file_frames_kind *kind;
    void *state;
};

// The next picture as stored, or by the kind's read_resized.
tot_status file_frames_read_stored(tot_frames *frames, uint8_t *rgb, bool *end, bool resized);

// The next picture of the excerpt, their number (both need an excerpt), and their size (without an
// excerpt, the stored size).
tot_status file_frames_excerpt_read(tot_frames *frames, uint8_t *rgb, bool *end);
int64_t file_frames_excerpt_count(const tot_frames *frames);
int file_frames_excerpt_width(const tot_frames *frames);
int file_frames_excerpt_height(const tot_frames *frames);

// excerpt may be NULL.
void file_frames_excerpt_free(file_frames_excerpt *excerpt);

// Whether a file name in a folder is that of a picture: PNG or JPEG, and not hidden.
bool file_frames_is_picture(const char *name);

// Whether a file begins as a GIF, JPEG, BMP or WebP, whatever its extension.
bool file_frames_is_other(const uint8_t first[8]);

// Reads a picture other than PNG (JPEG, GIF, ...) with FFmpeg; the first if there are several.
// image as in tot_png_read.
tot_status file_frames_read_other(tot_array *image, const char *path);

// Each of these fills in everything but path and taken. On failure the caller closes what was
// stored in kind and state. source is open, at its beginning, and owned by the caller; a kind that
// takes it over leaves it closed there. frames takes ownership of an npz.
tot_status file_frames_open_npy(tot_frames *frames, file_source *source);
tot_status file_frames_open_npz(tot_frames *frames, file_source *source, const char *array);
tot_status file_frames_open_entry(tot_frames *frames, tot_npz *npz, const char *array);
tot_status file_frames_open_video(tot_frames *frames, file_source *source);
tot_status file_frames_open_folder(tot_frames *frames);
tot_status file_frames_open_picture(tot_frames *frames);

// Sets the size: TOT_E_UNSUPPORTED if it is too large or empty.
tot_status file_frames_set_size(tot_frames *frames, int64_t width, int64_t height);

// Checks that an array in memory holds pictures, and takes over their size and number.
tot_status file_frames_check_array(tot_frames *frames, const tot_array *array, const char *name);

// Fails if a picture differs in size from the first one. name is its file, or NULL.
tot_status file_frames_check_size(const tot_frames *frames, const char *name, int64_t width,
                                  int64_t height);

// Checks that a video file has as many bytes as its container declares. Containers that declare
// none pass. Rewinds the source.
tot_status file_frames_check_length(file_source *source);

// Opens a path once, as pictures or as embeddings. Pictures are: a folder, a PNG, a
// four-dimensional uint8 array (in an .npz the named one, else `frames` or the only one if there is
// no `embeddings`), or anything that is neither .npy nor .npz. Embeddings are read as by
// tot_array_load, and *frames is NULL.
tot_status file_frames_or_array(tot_frames **frames, tot_array *array, const char *path);
