// A network on oneDNN for a given size, batch and precision: a list of primitives and their memory.
#pragma once

#include "encoder/weights.h"

// The largest activations of each layer, for int8 quantisation.
struct tot_calibration {
    char network[32];
    char hash[17];  // hash of the weights
    int size;       // side of the pictures in pixels
    int64_t pictures;
    int layers;
    float most[ENCODER_MOST_LAYERS];  // largest absolute output per layer
};

typedef struct encoder_graph encoder_graph;

typedef struct encoder_graph_settings {
    int size;     // pixels per side
    int batch;    // pictures per run
    int threads;  // OpenMP threads inside oneDNN
    tot_precision precision;
    const tot_calibration *calibration;  // required for int8
} encoder_graph_settings;

tot_status encoder_graph_create(encoder_graph **graph, tot_weights *weights,
                                const encoder_graph_settings *settings);

// rgb: [batch][size][size][3]; out: [batch][channels][map][map], written.
tot_status encoder_graph_run(encoder_graph *graph, const uint8_t *rgb, float *out);

// Receives the outputs of each layer of an f32 graph, in unspecified order.
typedef void (*encoder_graph_watcher)(void *context, int layer, const float *outputs, size_t count);

// Sets the watcher (may be NULL) for subsequent runs.
void encoder_graph_watch(encoder_graph *graph, encoder_graph_watcher watcher, void *context);

// The implementation oneDNN chose for a layer ("brgconv:avx2"); "" if there is no such layer.
const char *encoder_graph_kernel(const encoder_graph *graph, int layer);

// Whether the CPU multiplies 8-bit integers faster than floats (VNNI).
bool encoder_graph_has_int8(void);

// graph may be NULL.
void encoder_graph_free(encoder_graph *graph);
