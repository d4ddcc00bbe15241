// Encoders are tables of functions. A family loads its kind of weights and plans how to run them;
// an engine executes the plan on pictures.
#pragma once

#include <temporalot/encoder.h>

typedef struct encoder_engine encoder_engine;

typedef struct encoder_plan {
    tot_weights *weights;
    tot_encoder_settings settings;  // the size may be 0 before planning
    tot_pool *pool;
    int lanes;  // threads that process pictures of a batch in parallel

    // set by the family, together with the size
    const encoder_engine *engine;
    int64_t map;    // elements that an engine writes per picture
    int64_t width;  // elements per embedding: map, or the mean of map / width places per channel
} encoder_plan;

struct encoder_engine {
    bool splits;  // can run a single picture on all threads
    // For up to `share` pictures at a time. threads: inside the engine; if more than one, the
    // threads of the plan's pool.
    tot_status (*create)(void **engine, const encoder_plan *plan, int share, int threads);
    // rgb: [count][size][size][3], count <= share; out: [count][map], written.
    tot_status (*run)(void *engine, const uint8_t *rgb, int count, float *out);
    void (*free)(void *engine);  // engine may be NULL
};

// The origin of the weights: weights->family.
typedef struct encoder_family {
    // TOT_E_ARGUMENT, TOT_E_UNSUPPORTED: settings that are invalid for these weights.
    tot_status (*plan)(encoder_plan *plan);
    void (*free)(tot_weights *weights);  // frees the family's data in the weights
} encoder_family;

// ResNets and MobileNetV2: lists of layers.
extern const encoder_family encoder_layers;

// Any network that OpenVINO can read.
extern const encoder_family encoder_onnx;

// TOT_E_ARGUMENT if size is out of range for pictures.
tot_status encoder_check_size(int size);
