// A network at a size, a batch and a precision on oneDNN: a list of primitives and their memory.
#ifndef TOT_ENCODER_GRAPH_H
#define TOT_ENCODER_GRAPH_H

#include "encoder/calibration.h"

typedef struct tot_graph tot_graph;

typedef struct tot_graph_settings {
    int size;     // pixels a side
    int batch;    // pictures at a time
    int threads;  // OpenMP threads inside oneDNN
    tot_precision precision;
    const tot_calibration *calibration;  // for int8
} tot_graph_settings;

tot_status tot_graph_create(tot_graph **graph, tot_weights *weights,
                            const tot_graph_settings *settings);

// rgb: [batch][size][size][3]; out: [batch][channels][map][map], written.
tot_status tot_graph_run(tot_graph *graph, const uint8_t *rgb, float *out);

// After every layer of a graph in f32: its outputs, in some order.
typedef void (*tot_graph_watcher)(void *context, int layer, const float *outputs, size_t count);

// Calls watcher (may be NULL) at every later run.
void tot_graph_watch(tot_graph *graph, tot_graph_watcher watcher, void *context);

// What oneDNN chose for a layer ("brgconv:avx2"); "" when there is no such layer.
const char *tot_graph_kernel(const tot_graph *graph, int layer);

// Whether the CPU multiplies numbers of 8 bits faster than floats (VNNI).
bool tot_graph_has_int8(void);

// graph may be NULL.
void tot_graph_free(tot_graph *graph);

#endif
