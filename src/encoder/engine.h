// What encoders are made of: tables of functions. A family loads weights of its kind and plans what
// is done with them; an engine runs the plan on pictures.
#pragma once

#include <temporalot/encoder.h>

typedef struct encoder_engine encoder_engine;

typedef struct encoder_plan {
    tot_weights *weights;
    tot_encoder_settings settings;  // the size may be 0 until it is planned
    tot_pool *pool;
    int lanes;  // threads that take pictures of a batch side by side

    // what the family fills in, beside the size
    const encoder_engine *engine;
    int64_t map;    // numbers that an engine writes for a picture
    int64_t width;  // numbers a picture: the map's, or its mean over `map / width` cells a channel
} encoder_plan;

struct encoder_engine {
    bool splits;  // all threads can share a single picture
    // For up to `share` pictures at a time. threads: inside the engine; more than one are those of
    // the plan's pool.
    tot_status (*create)(void **engine, const encoder_plan *plan, int share, int threads);
    // rgb: [count][size][size][3], count <= share; out: [count][map], written.
    tot_status (*run)(void *engine, const uint8_t *rgb, int count, float *out);
    void (*free)(void *engine);  // engine may be NULL
};

// Where weights come from: weights->family.
typedef struct encoder_family {
    // TOT_E_ARGUMENT, TOT_E_UNSUPPORTED: settings that do not fit these weights.
    tot_status (*plan)(encoder_plan *plan);
    void (*free)(tot_weights *weights);  // what the family put into them
} encoder_family;

// ResNets and MobileNetV2: lists of layers.
extern const encoder_family encoder_layers;

// Whatever OpenVINO reads.
extern const encoder_family encoder_onnx;

enum { ENCODER_LEAST_SIZE = 32, ENCODER_MOST_SIZE = 1024 };

// TOT_E_ARGUMENT: not a size of pictures.
tot_status encoder_check_size(int size);
