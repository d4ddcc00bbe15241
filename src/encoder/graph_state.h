// What a graph is made of; graph_build.c makes it, graph.c runs it.
#pragma once

#include "encoder/graph.h"
#include "encoder/graph_memory.h"
#include "encoder/onednn.h"

enum {
    ENCODER_MOST_STEPS = 3 * ENCODER_MOST_LAYERS,
    ENCODER_MOST_ARGUMENTS = 8,
    ENCODER_KERNEL_NAME = 40,
    ENCODER_OUTSIDE = -1,  // as the target of a step: the caller's memory
};

// Numbers that flow between steps: in the order of `shape`, in a block of the memory.
typedef struct encoder_value {
    dnnl_memory_desc_t shape;
    dnnl_data_type_t type;
    float scale;  // what a unit is worth; 1 for floats
    int block;
} encoder_value;

// One primitive and its arguments.
typedef struct encoder_step {
    int layer;  // ENCODER_NONE: a change of order or type
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
    int outputs[ENCODER_MOST_LAYERS];  // the value that each layer writes
    uint8_t *memory;                   // all blocks, and behind them the scratch pad
    size_t scratch_offset;
    float *picture;     // where the loaded pictures go: value 0
    dnnl_memory_t out;  // the last step's, set to the caller's memory
    encoder_graph_watcher watcher;
    void *watcher_context;
};

// Fills in everything but the settings, weights and watcher. What was made is freed with the graph.
tot_status encoder_graph_build(encoder_graph *graph);
