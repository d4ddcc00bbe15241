// A network at a size, a batch and a precision on oneDNN: a list of primitives and their memory.
#pragma once

#include "encoder/calibration.h"

typedef struct encoder_graph encoder_graph;

typedef struct encoder_graph_settings {
    int size;     // pixels per side
    int batch;    // pictures at a time
    int threads;  // OpenMP threads inside oneDNN
    tot_precision precision;
    const tot_calibration *calibration;  // for int8
} encoder_graph_settings;

tot_status encoder_graph_create(encoder_graph **graph, tot_weights *weights,
                                const encoder_graph_settings *settings);

// rgb: [batch][size][size][3]; out: [batch][channels][map][map], written.
tot_status encoder_graph_run(encoder_graph *graph, const uint8_t *rgb, float *out);

// After every layer of a graph in f32: its outputs, in some order.
typedef void (*encoder_graph_watcher)(void *context, int layer, const float *outputs, size_t count);

// Calls watcher (may be NULL) at every later run.
void encoder_graph_watch(encoder_graph *graph, encoder_graph_watcher watcher, void *context);

// What oneDNN chose for a layer ("brgconv:avx2"); "" when there is no such layer.
const char *encoder_graph_kernel(const encoder_graph *graph, int layer);

// Whether the CPU multiplies numbers of 8 bits faster than floats (VNNI).
bool encoder_graph_has_int8(void);

// graph may be NULL.
void encoder_graph_free(encoder_graph *graph);
