// ONNX networks as weights: read by OpenVINO, compiled for a picture size when an encoder is
// created.
#pragma once

#include "encoder/weights.h"

#define ENCODER_ONNX_NO_INT8 \
    "precision: an ONNX network runs as it was exported: quantise the file itself"

// The path of the ONNX network requested from tot_weights_load; NULL if it is not an ONNX network.
const char *encoder_onnx_path(const char *path, const tot_weights_settings *settings);

// path: from encoder_onnx_path. weights: the path given to tot_weights_load, which must not name a
// different file. settings may be NULL. Errors are as for tot_weights_load.
tot_status encoder_onnx_load(tot_weights **out, const char *path, const char *weights,
                             const tot_weights_settings *settings);

// The layout of an output, and which part of it is the feature map.
typedef struct encoder_layout {
    int64_t channels;
    int64_t cells;      // cells of the map: a transformer's patches
    int64_t extra;      // tokens before the patches: class token, registers
    bool channel_last;  // the channels of a cell are contiguous
} encoder_layout;

// Determines the layout from the dimensions of the output for one picture (-1: dynamic).
// TOT_E_UNSUPPORTED if it is not a known layout.
tot_status encoder_layout_read(encoder_layout *layout, const int64_t *sides, int64_t rank);

// Copies the whole map, channels first; with pool, the class token, or the mean over the cells if
// there is none.
void encoder_layout_take(const encoder_layout *layout, const float *numbers, bool pool, float *out);
