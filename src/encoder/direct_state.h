// The internals of encoder_direct: created by direct.c, loops in direct_steps.c, kernels packed by
// direct_weights.c.
#pragma once

#include "encoder/direct.h"
#include "encoder/direct_kernels.h"

enum { ENCODER_BLOCK_ROWS = 96 };  // maximum output pixels per block

// How a layer, the current step of the run, is computed. Jobs are independent; a worker runs one at
// a time.
typedef struct encoder_direct_method {
    const char *name;
    int stages;  // all jobs of a stage finish before the next stage starts
    size_t (*jobs)(const encoder_direct *direct);
    void (*run)(const encoder_direct *direct, size_t job, int worker);
} encoder_direct_method;

typedef struct encoder_direct_step {
    const encoder_direct_method *method;
    const encoder_layer *layer;
    int in_size, out_size;  // pixels per side
    int in_channels;        // elements between pixels
    int padding;            // zero padding in pixels; 0 for the picture, stored with its padding
    int taps, columns;      // contiguous input runs per output pixel: in total, and per kernel row
    int depth;              // elements per run
    int panels;             // number of 16-channel panels
    int block;              // output pixels, tiles or rows per job
    int groups;             // jobs that share the panels of a block
    int tile;               // Winograd tile size: 2 or 4; 0 for other methods
    const float *kernel, *bias;
    float low, high;
    float *source, *target;
    const float *residual;
    // elements between pictures when they run one by one; 0: they share the same memory
    size_t source_step, target_step;
} encoder_direct_step;

// Per-worker workspace.
typedef struct encoder_direct_worker {
    const float *rows[ENCODER_BLOCK_ROWS * 9];
    float *sums;  // Winograd: inputs and outputs of the products
} encoder_direct_worker;

struct encoder_direct {
    const encoder_direct_kernels *kernels;
    tot_weights *weights;
    tot_pool *pool;
    int size, batch;
    int step_count;
    int cut;  // the first `cut` steps, whose outputs are large, run one picture at a time
    encoder_direct_step steps[ENCODER_MOST_LAYERS];
    float *memory;   // outputs of the layers
    float *picture;  // [batch][size + 2 padding][size + 2 padding][3], zero-padded
    float *zeros;    // a row of zeros, as long as the longest input row
    int worker_count;
    encoder_direct_worker *workers;
    size_t sums_count;  // elements in each half of a worker's sums
    float *all_sums;    // for a whole layer, when its tiles are shared between workers
    encoder_direct_watcher watcher;
    void *watcher_context;

    // state of the current run
    int count;  // number of pictures
    const uint8_t *rgb;
    float *out;
    encoder_direct_step step;
    int stage;
};

extern const encoder_direct_method encoder_method_product;
extern const encoder_direct_method encoder_method_winograd;         // one block of tiles per job
extern const encoder_direct_method encoder_method_winograd_shared;  // all tiles, in three stages
extern const encoder_direct_method encoder_method_by_channel;
extern const encoder_direct_method encoder_method_pool;

// Winograd tiles per side of a map.
static inline int encoder_step_tiles(const encoder_direct_step *step) {
    return (step->out_size + step->tile - 1) / step->tile;
}

// The layouts of the layers' kernels.
typedef enum encoder_direct_layout {
    ENCODER_PANELS,      // of 16 output channels: [panels][kernel rows][kernel columns][in][16],
                         // zero-padded
    ENCODER_CHANNELS,    // a depthwise 3x3 kernel: [9][channels]
    ENCODER_WINOGRAD_2,  // a Winograd-transformed 3x3 kernel for 2 x 2 tiles:
                         // [positions][panels][in][16]
    ENCODER_WINOGRAD_4,  // the same for 4 x 4 tiles
} encoder_direct_layout;

// The kernel of a layer in this layout. Lives as long as the weights.
tot_status encoder_direct_pack(tot_weights *weights, int layer, encoder_direct_layout layout,
                               const float **data);
