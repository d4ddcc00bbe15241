// What the kinds of tot_frames share: each is one file, frames.c finds the right one.
#ifndef FILE_FRAMES_H
#define FILE_FRAMES_H

#include <temporalot/image.h>

#include "file/source.h"

enum { FILE_FRAMES_CHANNELS = 3, FILE_FRAMES_MOST_PIXELS = 1 << 28 };

// What a kind does. state is its own.
typedef struct file_frames_kind {
    tot_status (*read)(tot_frames *frames, uint8_t *rgb, bool *end);
    void (*close)(void *state);  // may be given NULL
} file_frames_kind;

struct tot_frames {
    char *path;
    int width, height;        // as they are stored
    int to_width, to_height;  // as they are read; 0: as they are stored
    uint8_t *picture;         // as it was stored, where it is resized
    int64_t count;            // -1: not known
    int64_t taken;            // pictures read so far
    double time;              // of the last of them, in seconds; NaN: not known
    const file_frames_kind *kind;
    void *state;
};

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

#endif
