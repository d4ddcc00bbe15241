// What the kinds of tot_frames share: each is one file, frames.c finds the right one.
#pragma once

#include <temporalot/image.h>

#include "file/source.h"

enum { FILE_FRAMES_CHANNELS = 3, FILE_FRAMES_MOST_PIXELS = 1 << 28 };

// What a kind does. state is its own.
typedef struct file_frames_kind {
    tot_status (*read)(tot_frames *frames, uint8_t *rgb, bool *end);
    // the same in the size that was asked for, by way of frames->picture; NULL: there is no short
    // cut
    tot_status (*read_resized)(tot_frames *frames, uint8_t *rgb, bool *end);
    void (*close)(void *state);  // may be given NULL
} file_frames_kind;

typedef struct file_frames_excerpt file_frames_excerpt;

struct tot_frames {
    char *path;
    int width, height;             // as they are stored
    int to_width, to_height;       // as they are read; 0: as they are stored
    uint8_t *picture;              // as it was stored, where it is resized
    int64_t count;                 // -1: not known
    int64_t taken;                 // pictures read so far, with those that an excerpt leaves out
    bool timed;                    // seconds and duration are known: of the picture read last
    double seconds;                // from the first picture
    double duration;               // 0: not known
    double time;                   // when a player shows it; NaN: not known
    int threads;                   // that decode a video
    file_frames_excerpt *excerpt;  // NULL: all pictures, whole
    const file_frames_kind *kind;
    void *state;
};

// The next picture as it is stored.
tot_status file_frames_read_stored(tot_frames *frames, uint8_t *rgb, bool *end);

// The next picture of the excerpt, how many there are (there is an excerpt), and their size (where
// there is none, as they are stored).
tot_status file_frames_excerpt_read(tot_frames *frames, uint8_t *rgb, bool *end);
int64_t file_frames_excerpt_count(const tot_frames *frames);
int file_frames_excerpt_width(const tot_frames *frames);
int file_frames_excerpt_height(const tot_frames *frames);

// excerpt may be NULL.
void file_frames_excerpt_free(file_frames_excerpt *excerpt);

// Whether a file of this name is a picture of a folder: a PNG or a JPEG, and not hidden.
bool file_frames_is_picture(const char *name);

// Whether a file begins as a GIF, JPEG, BMP or WebP, whatever its name ends in.
bool file_frames_is_other(const uint8_t first[8]);

// A picture in a file that is no PNG (JPEG, GIF, ...), by FFmpeg; of several the first. image is as
// of tot_png_read.
tot_status file_frames_read_other(tot_array *image, const char *path);

// Each fills in all but path and taken. On failure what was put into kind and state is closed by
// the caller. source is open and at its beginning, and the caller's; a kind that keeps it leaves
// it closed there. An npz becomes the frames' own.
tot_status file_frames_open_npy(tot_frames *frames, file_source *source);
tot_status file_frames_open_npz(tot_frames *frames, file_source *source, const char *array);
tot_status file_frames_open_entry(tot_frames *frames, tot_npz *npz, const char *array);
tot_status file_frames_open_video(tot_frames *frames, file_source *source);
tot_status file_frames_open_folder(tot_frames *frames);
tot_status file_frames_open_picture(tot_frames *frames);

// Sizes that a picture may have: TOT_E_UNSUPPORTED when it is too large or has no pixels.
tot_status file_frames_set_size(tot_frames *frames, int64_t width, int64_t height);

// Whether an array in memory holds pictures; takes their size and number.
tot_status file_frames_check_array(tot_frames *frames, const tot_array *array, const char *name);

// A picture of another size than the first. name is its file, or NULL.
tot_status file_frames_check_size(const tot_frames *frames, const char *name, int64_t width,
                                  int64_t height);

// Whether the file of a video has all the bytes that its container says it has. Containers that do
// not say pass. Leaves the source at its beginning.
tot_status file_frames_check_length(file_source *source);

// Opens what stands there once: pictures (a folder, a PNG, an array of uint8 with four dimensions,
// of an .npz the one it names, else `frames` where there is no `embeddings`; or something that is
// neither .npy nor .npz), or else embeddings, which are read as tot_array_load does. *frames is
// NULL for embeddings.
tot_status file_frames_or_array(tot_frames **frames, tot_array *array, const char *path);
