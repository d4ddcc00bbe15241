// Shared by the files of this folder: an opened source and its encoding.
#pragma once

#include <temporalot/label.h>

enum { LABEL_MOST_VIEWS = 16 };  // the largest `views` of a reward

// The pictures of a source, view by view. count is 0 if none are open.
typedef struct label_frames {
    tot_frames *views[LABEL_MOST_VIEWS];
    size_t count;
} label_frames;

// An opened trajectory: pictures to be encoded, or embeddings. Initialise with {0}; its memory is
// reused from one source to the next.
typedef struct label_opened {
    label_frames pictures;  // none for embeddings
    tot_array read;         // read from a file, or encoded
    tot_array joined;       // embeddings of several views
    tot_array embeddings;   // borrowed from `read`, `joined` or the source's array
} label_opened;

void label_close_pictures(label_frames *pictures);

// Opens a source, and reads it if it contains embeddings.
tot_status label_open(label_opened *opened, const tot_label_source *source);

// Encodes the pictures of an opened source into its embeddings.
tot_status label_encode(label_opened *opened, tot_embedder *embedder,
                        const tot_label_source *source, tot_label_watch watch, void *context);

// Also frees the memory.
void label_close(label_opened *opened);

// The path of the calibration file for these settings: as configured, or next to the weights. To be
// freed with base_free.
tot_status label_calibration_path(const tot_embedder_settings *settings, char **path);
