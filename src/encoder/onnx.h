// ONNX networks as weights: read by OpenVINO, fitted to a size of pictures when an encoder is made.
#pragma once

#include "encoder/weights.h"

#define ENCODER_ONNX_NO_INT8 \
    "precision: an ONNX network runs as it was exported: quantise the file itself"

// The path of the ONNX network that tot_weights_load is asked for; NULL: of none.
const char *encoder_onnx_path(const char *path, const tot_weights_settings *settings);

// path: as encoder_onnx_path; weights: what tot_weights_load was given, which must not be another
// file. settings may be NULL. As tot_weights_load.
tot_status encoder_onnx_load(tot_weights **out, const char *path, const char *weights,
                             const tot_weights_settings *settings);

// How the numbers of an output lie, and which of them are the map.
typedef struct encoder_layout {
    int64_t channels;
    int64_t cells;      // of the map: patches of a transformer
    int64_t extra;      // tokens before them: class token, registers
    bool channel_last;  // all channels of a cell lie together
} encoder_layout;

// From the sides of an output for one picture, -1 where one is not fixed; TOT_E_UNSUPPORTED: it is
// none of these.
tot_status encoder_layout_read(encoder_layout *layout, const int64_t *sides, int64_t rank);

// The whole map, channel first, or what stands for all of it: the class token, else the mean.
void encoder_layout_take(const encoder_layout *layout, const float *numbers, bool pool, float *out);
