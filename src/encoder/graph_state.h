// The internals of encoder_graph: built by graph_build.c, run by graph.c.
#pragma once

#include "encoder/graph.h"
#include "encoder/graph_memory.h"
#include "encoder/onednn.h"

enum {
    ENCODER_MOST_STEPS = 3 * ENCODER_MOST_LAYERS,
    ENCODER_MOST_ARGUMENTS = 8,
    ENCODER_KERNEL_NAME = 40,
    ENCODER_OUTSIDE = -1,  // target of the last step: the caller's memory
};

// Data passed between steps, with the layout `shape`, in a memory block.
typedef struct encoder_value {
    dnnl_memory_desc_t shape;
    dnnl_data_type_t type;
    float scale;  // quantisation scale; 1 for floats
    int block;
} encoder_value;

// One primitive and its arguments.
typedef struct encoder_step {
    int layer;  // ENCODER_NONE: a reorder
    int source, target;
    char kernel[ENCODER_KERNEL_NAME];
    dnnl_primitive_desc_t description;
    dnnl_primitive_t primitive;
    int count;
    dnnl_exec_arg_t arguments[ENCODER_MOST_ARGUMENTS];
} encoder_step;

struct encoder_graph {
    encoder_graph_settings settings;
    tot_weights *weights;
    dnnl_engine_t engine;
    dnnl_stream_t stream;
    int value_count, block_count, step_count;
    encoder_value values[ENCODER_MOST_STEPS];
    encoder_block blocks[ENCODER_MOST_STEPS];
    encoder_step steps[ENCODER_MOST_STEPS];
    int outputs[ENCODER_MOST_LAYERS];  // the output value of each layer
    uint8_t *memory;                   // all blocks, followed by the scratchpad
    size_t scratch_offset;
    float *picture;     // value 0: the preprocessed pictures
    dnnl_memory_t out;  // output of the last step, bound to the caller's memory
    encoder_graph_watcher watcher;
    void *watcher_context;
};

// Fills in everything except settings, weights and watcher. On failure, what was created is freed
// with the graph.
tot_status encoder_graph_build(encoder_graph *graph);
