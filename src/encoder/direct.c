#include "encoder/direct.h"

#include "base/base.h"
#include "encoder/direct_state.h"
#include "encoder/graph_memory.h"

enum {
    BLOCK_BYTES = 192 << 10,  // input bytes per block of products, to stay in the L2 cache
    LEAST_ROWS = 54,          // minimum rows per block, to amortise reading the kernel
    LARGE_MAP = 28,           // side of maps that exceed the caches in batches, for 224-pixel input
    WINOGRAD_TILES = 48,      // tiles per block
    ROWS = 4,                 // output rows per depthwise or pooling job
    SMALL_MAP = 7,            // pixels per side: too few for 4 x 4 tiles
};

bool encoder_direct_wanted(void) {
    return tot_cpu() == TOT_CPU_AVX2;
}

// --- planning -----------------------------------------------------------------------------------

static void set_activation(encoder_direct_step *step) {
    step->low = step->layer->activation == ENCODER_LAYER_LINEAR ? -INFINITY : 0;
    step->high = step->layer->activation == ENCODER_LAYER_RELU6 ? 6 : INFINITY;
}

static int within(int least, int number, int most) {
    return number < least ? least : number > most ? most : number;
}

// Splits the panels over several jobs if there are too few blocks for the threads.
static void plan_product(const encoder_direct *direct, encoder_direct_step *step) {
    const int threads = tot_pool_threads(direct->pool);
    const int bytes = step->taps * step->depth * (int)sizeof(float);
    step->method = &encoder_method_product;
    step->panels = (step->layer->out + ENCODER_TILE_COLUMNS - 1) / ENCODER_TILE_COLUMNS;
    step->block = within(LEAST_ROWS, BLOCK_BYTES / bytes, ENCODER_BLOCK_ROWS);
    const int blocks = (step->out_size * step->out_size + step->block - 1) / step->block;
    step->groups = 1;
    while (threads > 1 && blocks * step->groups < 4 * threads && 2 * step->groups <= step->panels) {
        step->groups *= 2;
    }
}

static void plan_winograd(encoder_direct *direct, encoder_direct_step *step) {
    const int threads = tot_pool_threads(direct->pool);
    const int channels = step->layer->in > step->layer->out ? step->layer->in : step->layer->out;
    step->tile = step->out_size <= SMALL_MAP ? 2 : 4;
    const int positions = (step->tile + 2) * (step->tile + 2);
    step->panels = (step->layer->out + ENCODER_TILE_COLUMNS - 1) / ENCODER_TILE_COLUMNS;
    step->block = WINOGRAD_TILES;
    const int tiles = encoder_step_tiles(step) * encoder_step_tiles(step);
    const bool shared = threads > 1 && tiles < 2 * threads * step->block;
    step->method = shared ? &encoder_method_winograd_shared : &encoder_method_winograd;
    const int count = shared ? tiles * direct->batch : step->block;
    const size_t sums = (size_t)positions * (size_t)count * (size_t)channels;
    direct->sums_count = sums > direct->sums_count ? sums : direct->sums_count;
}

static void plan_step(encoder_direct *direct, int index) {
    const encoder_network *network = &direct->weights->network;
    encoder_direct_step *step = &direct->steps[index];
    const encoder_layer *layer = &network->layers[index];
    const bool first = layer->source == ENCODER_PICTURE;
    step->layer = layer;
    step->in_size = first ? direct->size + 2 * layer->padding
                          : encoder_network_size(network, layer->source, direct->size);
    step->out_size = encoder_network_size(network, index, direct->size);
    step->in_channels = layer->in;
    step->padding = first ? 0 : layer->padding;
    // pixels of a picture row are contiguous, with all taps of a kernel row: one run per row
    step->columns = first ? 1 : layer->kernel;
    step->taps = layer->kernel * step->columns;
    step->depth = first ? layer->kernel * layer->in : layer->in;
    step->block = ROWS;
    set_activation(step);
    if (encoder_layer_is_pool(layer)) {
        step->method = &encoder_method_pool;
    } else if (layer->groups > 1) {
        step->method = &encoder_method_by_channel;
    } else if (layer->kernel == 3 && layer->stride == 1) {
        plan_winograd(direct, step);
    } else {
        plan_product(direct, step);
    }
}

static tot_status find_weights(encoder_direct *direct, int index) {
    encoder_direct_step *step = &direct->steps[index];
    step->bias = direct->weights->biases[index];
    if (step->method == &encoder_method_pool) {
        return TOT_OK;
    }
    const encoder_direct_layout layout = step->tile == 2   ? ENCODER_WINOGRAD_2
                                         : step->tile == 4 ? ENCODER_WINOGRAD_4
                                         : step->method == &encoder_method_by_channel
                                             ? ENCODER_CHANNELS
                                             : ENCODER_PANELS;
    return encoder_direct_pack(direct->weights, index, layout, &step->kernel);
}

// --- memory -------------------------------------------------------------------------------------

// The memory block each layer writes to, and its lifetime. A layer with a residual overwrites it in
// place: nothing reads the residual afterwards.
typedef struct placing {
    encoder_block blocks[ENCODER_MOST_LAYERS];
    size_t numbers[ENCODER_MOST_LAYERS];  // elements per picture, by block
    int block_of[ENCODER_MOST_LAYERS];
    int count;
} placing;

static void find_blocks(const encoder_direct *direct, placing *this) {
    const encoder_network *network = &direct->weights->network;
    for (int k = 0; k < network->count; k++) {
        const encoder_layer *layer = &network->layers[k];
        const size_t pixels = (size_t)direct->steps[k].out_size * (size_t)direct->steps[k].out_size;
        if (layer->source != ENCODER_PICTURE) {
            this->blocks[this->block_of[layer->source]].last = k;
        }
        if (layer->residual != ENCODER_NONE) {
            this->block_of[k] = this->block_of[layer->residual];
            this->blocks[this->block_of[k]].last = k;
            continue;
        }
        this->blocks[this->count] = (encoder_block){.first = k, .last = k};
        this->numbers[this->count] = pixels * (size_t)layer->out;
        this->block_of[k] = this->count++;
    }
}

static bool crosses(const encoder_block *block, int cut) {
    return block->first < cut && block->last >= cut;
}

// The last cut after a large map that is crossed by only one block.
static int find_cut(const encoder_direct *direct, const placing *this) {
    int cut = 0;
    for (int k = 1; k < direct->step_count && direct->batch > 1; k++) {
        int crossing = 0;
        for (int block = 0; block < this->count; block++) {
            crossing += crosses(&this->blocks[block], k);
        }
        if (crossing == 1 && direct->steps[k - 1].out_size * 224 >= LARGE_MAP * direct->size) {
            cut = k;
        }
    }
    return cut;
}

static tot_status place_outputs(encoder_direct *direct, placing *this) {
    const encoder_network *network = &direct->weights->network;
    find_blocks(direct, this);
    direct->cut = find_cut(direct, this);
    for (int k = 0; k < this->count; k++) {
        const bool alone = this->blocks[k].last < direct->cut;
        this->blocks[k].bytes =
            (alone ? 1 : (size_t)direct->batch) * this->numbers[k] * sizeof(float);
        // the outputs that cross the cut accumulate while the pictures run one by one
        if (crosses(&this->blocks[k], direct->cut)) {
            this->blocks[k].first = 0;
        }
    }
    direct->memory = base_alloc_zero(encoder_blocks_place(this->blocks, this->count), 1, "encoder");
    BASE_HAVE(direct->memory);
    for (int k = 0; k < network->count; k++) {
        const encoder_layer *layer = &network->layers[k];
        encoder_direct_step *step = &direct->steps[k];
        const int block = this->block_of[k];
        step->target = direct->memory + this->blocks[block].offset / sizeof(float);
        step->target_step = crosses(&this->blocks[block], direct->cut) ? this->numbers[block] : 0;
        step->residual = layer->residual != ENCODER_NONE ? step->target : NULL;
        if (layer->source == ENCODER_PICTURE) {
            step->source = direct->picture;
            step->source_step =
                (size_t)step->in_size * (size_t)step->in_size * ENCODER_PICTURE_CHANNELS;
        } else {
            step->source = direct->steps[layer->source].target;
            step->source_step = direct->steps[layer->source].target_step;
        }
    }
    return TOT_OK;
}

static tot_status make_workers(encoder_direct *direct) {
    const int threads = tot_pool_threads(direct->pool);
    BASE_ALLOC_ZERO(direct->workers, (size_t)threads, "encoder");
    direct->worker_count = threads;
    for (int k = 0; k < threads; k++) {
        direct->workers[k].sums = base_alloc_zero(2 * direct->sums_count, sizeof(float), "encoder");
        BASE_HAVE(direct->workers[k].sums);
    }
    // no step uses both at once
    direct->all_sums = direct->workers[0].sums;
    return TOT_OK;
}

static tot_status make_picture(encoder_direct *direct) {
    const encoder_direct_step *first = &direct->steps[0];
    const size_t side = (size_t)first->in_size;
    size_t zeros = 0;
    for (int k = 0; k < direct->step_count; k++) {
        const encoder_direct_step *step = &direct->steps[k];
        const size_t row = (size_t)step->in_size * (size_t)step->in_channels;
        zeros = row > zeros ? row : zeros;
    }
    direct->zeros = base_alloc_zero(zeros, sizeof(float), "encoder");
    direct->picture = base_alloc_zero(
        (size_t)direct->batch * side * side * ENCODER_PICTURE_CHANNELS, sizeof(float), "encoder");
    BASE_HAVE(direct->zeros, direct->picture);
    return TOT_OK;
}

static tot_status build(encoder_direct *direct) {
    direct->step_count = direct->weights->network.count;
    for (int k = 0; k < direct->step_count; k++) {
        plan_step(direct, k);
        BASE_TRY(find_weights(direct, k));
    }
    BASE_TRY(make_picture(direct));
    BASE_TRY(make_workers(direct));
    BASE_NEW(placing, placed, "encoder");
    BASE_FINALLY(place_outputs(direct, placed), base_free(placed));
}

tot_status encoder_direct_create(encoder_direct **out, tot_weights *weights, int size, int batch,
                                 tot_pool *pool) {
    *out = NULL;
    BASE_NEW(encoder_direct, direct, "encoder");
#if defined(__x86_64__)
    direct->kernels = &encoder_direct_avx2;
#endif
    direct->weights = weights;
    direct->pool = pool;
    direct->size = size;
    direct->batch = batch;
    BASE_GIVE(build(direct), out, direct, encoder_direct_free);
}

void encoder_direct_free(encoder_direct *direct) {
    BASE_UNLESS_NULL(direct);
    for (int k = 0; k < direct->worker_count; k++) {
        base_free(direct->workers[k].sums);
    }
    BASE_RELEASE(direct->workers, direct->memory, direct->picture, direct->zeros, direct);
}

// --- running ------------------------------------------------------------------------------------

// Converts one picture into its zero-padded frame.
static tot_status load_rows(void *context, size_t picture, int worker) {
    (void)worker;
    const encoder_direct *direct = context;
    const size_t frame = (size_t)direct->steps[0].layer->padding;
    const size_t side = (size_t)direct->steps[0].in_size;
    const size_t size = (size_t)direct->size;
    for (size_t y = 0; y < size; y++) {
        direct->kernels->load(direct->rgb + (picture * size + y) * size * ENCODER_PICTURE_CHANNELS,
                              size,
                              direct->picture + ((picture * side + y + frame) * side + frame) *
                                                    ENCODER_PICTURE_CHANNELS);
    }
    return TOT_OK;
}

static tot_status run_job(void *context, size_t index, int worker) {
    const encoder_direct *direct = context;
    direct->step.method->run(direct, index, worker);
    return TOT_OK;
}

// Runs one step, for the pictures starting at `first`.
static tot_status run_step(encoder_direct *direct, int index, size_t first) {
    encoder_direct_step *step = &direct->step;
    *step = direct->steps[index];
    step->source += first * step->source_step;
    step->target += first * step->target_step;
    step->residual = step->residual != NULL ? step->target : NULL;
    for (direct->stage = 0; direct->stage < step->method->stages; direct->stage++) {
        BASE_TRY(tot_pool_run(direct->pool, step->method->jobs(direct), run_job, direct));
    }
    if (direct->watcher != NULL) {
        direct->watcher(direct->watcher_context, index);
    }
    return TOT_OK;
}

static tot_status run_steps(encoder_direct *direct, int count) {
    direct->count = 1;
    for (int picture = 0; picture < count && direct->cut > 0; picture++) {
        for (int k = 0; k < direct->cut; k++) {
            BASE_TRY(run_step(direct, k, (size_t)picture));
        }
    }
    direct->count = count;
    for (int k = direct->cut; k < direct->step_count; k++) {
        BASE_TRY(run_step(direct, k, 0));
    }
    return TOT_OK;
}

static tot_status store_map(void *context, size_t picture, int worker) {
    (void)worker;
    const encoder_direct *direct = context;
    const encoder_direct_step *last = &direct->steps[direct->step_count - 1];
    const int pixels = last->out_size * last->out_size;
    const size_t numbers = (size_t)pixels * (size_t)last->layer->out;
    direct->kernels->transpose(last->target + picture * numbers, pixels, last->layer->out,
                               direct->out + picture * numbers);
    return TOT_OK;
}

tot_status encoder_direct_run(encoder_direct *direct, const uint8_t *rgb, int count, float *out) {
    direct->rgb = rgb;
    direct->out = out;
    BASE_TRY(tot_pool_run(direct->pool, (size_t)count, load_rows, direct));
    BASE_TRY(run_steps(direct, count));
    return tot_pool_run(direct->pool, (size_t)count, store_map, direct);
}

void encoder_direct_watch(encoder_direct *direct, encoder_direct_watcher watcher, void *context) {
    direct->watcher = watcher;
    direct->watcher_context = context;
}

const char *encoder_direct_kernel(const encoder_direct *direct, int layer) {
    const encoder_direct_step *step = &direct->steps[layer];
    if (step->tile > 0) {
        return step->tile == 4 ? "winograd 4x4" : "winograd 2x2";
    }
    return step->method->name;
}
