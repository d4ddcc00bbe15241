// What a direct network is made of; direct.c makes it, direct_steps.c has its loops.
#pragma once

#include "encoder/direct.h"
#include "encoder/direct_kernels.h"

enum { ENCODER_BLOCK_ROWS = 96 };  // output pixels of a block at most

typedef struct encoder_direct_step encoder_direct_step;

// How a layer is computed. Jobs are independent of each other; a worker runs one at a time.
typedef struct encoder_direct_method {
    const char *name;
    int stages;  // all jobs of a stage are done before the next begins
    size_t (*jobs)(const encoder_direct *direct, const encoder_direct_step *step, int stage);
    void (*run)(const encoder_direct *direct, const encoder_direct_step *step, int stage,
                size_t job, int worker);
} encoder_direct_method;

struct encoder_direct_step {
    const encoder_direct_method *method;
    const encoder_layer *layer;
    int in_size, out_size;  // pixels per side
    int in_channels;        // numbers from one pixel to the next
    int padding;            // pixels outside that count as zero; 0 for a picture, which has a frame
    int taps, columns;      // rows of numbers that lie together: taps in all, columns of them a row
    int depth;              // numbers of each
    int panels;             // of 16 output channels
    int block;              // output pixels, or tiles, of a job
    int groups;             // jobs that share the panels of a block
    int tile;               // of Winograd: 2 or 4
    const float *kernel, *bias;
    float low, high;
    float *source, *target;
    const float *residual;
    // numbers from one picture to the next where each runs alone; 0: they use the same memory
    size_t source_step, target_step;
};

// What a worker needs for itself.
typedef struct encoder_direct_worker {
    const float *rows[ENCODER_BLOCK_ROWS * 9];
    float *sums;  // of Winograd: what goes in and what comes out of the products
} encoder_direct_worker;

struct encoder_direct {
    const encoder_direct_kernels *kernels;
    tot_weights *weights;
    tot_pool *pool;
    int size, batch;
    int step_count;
    int cut;  // the first steps, whose outputs are large, run picture by picture
    encoder_direct_step steps[ENCODER_MOST_LAYERS];
    float *memory;   // of the outputs of the layers
    float *picture;  // [batch][size + 2 padding][size + 2 padding][3], the frame zero
    float *zeros;    // as many as the widest row outside needs
    int worker_count;
    encoder_direct_worker *workers;
    size_t sums_count;  // numbers of a worker's sums, each half
    float *all_sums;    // the same for a whole layer, when its tiles are shared
    encoder_direct_watcher watcher;
    void *watcher_context;

    // the run
    int count;  // pictures
    const uint8_t *rgb;
    float *out;
    encoder_direct_step step;
    int stage;
};

extern const encoder_direct_method encoder_method_product;
extern const encoder_direct_method encoder_method_winograd;  // blocks of tiles, each start to end
extern const encoder_direct_method encoder_method_winograd_shared;  // all tiles in three stages
extern const encoder_direct_method encoder_method_by_channel;
extern const encoder_direct_method encoder_method_pool;

// Pixels of a step's output in this run.
static inline int encoder_step_pixels(const encoder_direct *direct,
                                      const encoder_direct_step *step) {
    return direct->count * step->out_size * step->out_size;
}

// Winograd's tiles a side of a map.
static inline int encoder_step_tiles(const encoder_direct_step *step) {
    return (step->out_size + step->tile - 1) / step->tile;
}
