// What the parts of the station share: a source that was opened once, and its way through an
// embedder.
#pragma once

#include <temporalot/label.h>

// A trajectory on its way: pictures that are yet to be encoded, or embeddings. Start with {0}; its
// memory is used again from source to source.
typedef struct label_opened {
    tot_frames *frames;    // NULL: embeddings
    tot_array read;        // from a file, or encoded
    tot_array embeddings;  // borrowed: of read, or of the source's array
} label_opened;

// Opens a source; reads it where it holds embeddings.
tot_status label_open(label_opened *opened, const tot_label_source *source);

// Encodes the pictures of an opened source into its embeddings.
tot_status label_encode(label_opened *opened, tot_embedder *embedder,
                        const tot_label_source *source, tot_label_watch watch, void *context);

// Frees the memory too.
void label_close(label_opened *opened);

// Where the calibration of these settings is kept: named, or beside the weights. To be freed with
// base_free.
tot_status label_calibration_path(const tot_embedder_settings *settings, char **path);
