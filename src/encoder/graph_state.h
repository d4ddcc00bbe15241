// What a graph is made of; graph_build.c makes it, graph.c runs it.
#ifndef TOT_ENCODER_GRAPH_STATE_H
#define TOT_ENCODER_GRAPH_STATE_H

#include "encoder/graph.h"
#include "encoder/graph_memory.h"
#include "encoder/onednn.h"

enum {
    TOT_MOST_STEPS = 3 * TOT_MOST_LAYERS,
    TOT_MOST_ARGUMENTS = 8,
    TOT_KERNEL_NAME = 40,
    TOT_OUTSIDE = -1,  // as the target of a step: the caller's memory
};

// Numbers that flow between steps: in the order of `shape`, in a block of the memory.
typedef struct tot_value {
    dnnl_memory_desc_t shape;
    dnnl_data_type_t type;
    float scale;  // what a unit is worth; 1 for floats
    int block;
} tot_value;

// One primitive and its arguments.
typedef struct tot_step {
    int layer;  // TOT_NONE: a change of order or type
    int source, target;
    char kernel[TOT_KERNEL_NAME];
    dnnl_primitive_desc_t description;
    dnnl_primitive_t primitive;
    int count;
    dnnl_exec_arg_t arguments[TOT_MOST_ARGUMENTS];
} tot_step;

struct tot_graph {
    tot_graph_settings settings;
    tot_weights *weights;
    dnnl_engine_t engine;
    dnnl_stream_t stream;
    int value_count, block_count, step_count;
    tot_value values[TOT_MOST_STEPS];
    tot_block blocks[TOT_MOST_STEPS];
    tot_step steps[TOT_MOST_STEPS];
    int outputs[TOT_MOST_LAYERS];  // the value that each layer writes
    uint8_t *memory;               // all blocks, and behind them the scratch pad
    size_t scratch_offset;
    float *picture;     // where the loaded pictures go: value 0
    dnnl_memory_t out;  // the last step's, set to the caller's memory
    tot_graph_watcher watcher;
    void *watcher_context;
};

// Fills in everything but the settings, weights and watcher. What was made is freed with the graph.
tot_status tot_graph_build(tot_graph *graph);

#endif
