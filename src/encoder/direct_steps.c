// The loops of each layer: which input rows and kernel panels form which tile.
#include "encoder/direct_state.h"

static int least(int a, int b) {
    return a < b ? a : b;
}

// First row of tile `index` when `rows` are split evenly over as few tiles as possible: tiles of 5
// and 6 rows run equally fast, a tile of a single row does not.
static int first_row(int rows, int index) {
    const int tiles = (rows + ENCODER_TILE_ROWS - 1) / ENCODER_TILE_ROWS;
    return rows * index / tiles;
}

// --- products -----------------------------------------------------------------------------------

// Output pixels in this run, over all pictures.
static int all_pixels(const encoder_direct *direct) {
    return direct->count * direct->step.out_size * direct->step.out_size;
}

// Blocks are split evenly, too.
static int block_count(const encoder_direct *direct) {
    return (all_pixels(direct) + direct->step.block - 1) / direct->step.block;
}

static size_t product_jobs(const encoder_direct *direct) {
    return (size_t)(block_count(direct) * direct->step.groups);
}

// An output pixel and the input of its picture.
typedef struct place {
    int x, y;  // in the output
    const float *picture;
} place;

static place find_place(const encoder_direct_step *step, int pixel) {
    const int out = step->out_size;
    const size_t numbers = (size_t)step->in_size * (size_t)step->in_size;
    return (place){
        .x = pixel % out,
        .y = pixel / out % out,
        .picture =
            step->source + (size_t)(pixel / (out * out)) * numbers * (size_t)step->in_channels,
    };
}

static void next_place(const encoder_direct_step *step, place *at) {
    if (++at->x == step->out_size) {
        at->x = 0;
        if (++at->y == step->out_size) {
            at->y = 0;
            at->picture +=
                (size_t)step->in_size * (size_t)step->in_size * (size_t)step->in_channels;
        }
    }
}

// Pointers to the inputs of an output pixel, one per tap, ENCODER_TILE_ROWS apart.
static void find_inputs(const encoder_direct *direct, const encoder_direct_step *step,
                        const place *at, const float **rows) {
    const int in = step->in_size;
    const int x = at->x * step->layer->stride - step->padding;
    const int y = at->y * step->layer->stride - step->padding;
    for (int row = 0; row < step->layer->kernel; row++) {
        const bool row_inside = y + row >= 0 && y + row < in;
        for (int column = 0; column < step->columns; column++) {
            const bool inside = row_inside && x + column >= 0 && x + column < in;
            const int offset = ((y + row) * in + x + column) * step->in_channels;
            *rows = inside ? at->picture + offset : direct->zeros;
            rows += ENCODER_TILE_ROWS;
        }
    }
}

// Sets how much of the next panel each of `tiles` tiles prefetches, so that all of it arrives in
// time. A small panel is in the cache anyway. Returns by how many elements `ahead` advances per
// tile.
static size_t share_ahead(encoder_tile *tile, int tiles) {
    enum { NEAR = 96 };  // cache lines
    const int lines = tile->taps * tile->depth;
    tile->ahead_lines = lines < NEAR ? 0 : tiles < 8 ? (8 + tiles - 1) / tiles : 1;
    tile->ahead = tile->panel + (size_t)lines * ENCODER_TILE_COLUMNS;
    return (size_t)(lines / 8 * tile->ahead_lines) * ENCODER_TILE_COLUMNS;
}

// A block of output pixels, split into tiles.
typedef struct pixels {
    int first, count;
    int tiles;
    int starts[ENCODER_BLOCK_ROWS / ENCODER_TILE_ROWS + 2];  // first pixels, and the end
} pixels;

static void multiply_tiles(const encoder_direct *direct, const encoder_direct_step *step,
                           const pixels *block, const float *const *rows, int panel) {
    const size_t channels = (size_t)step->layer->out;
    const size_t column = (size_t)panel * ENCODER_TILE_COLUMNS;
    encoder_tile tile = {
        .taps = step->taps,
        .depth = step->depth,
        .panel = step->kernel + column * (size_t)(step->taps * step->depth),
        .stride = channels,
        .columns = least(ENCODER_TILE_COLUMNS, (int)(channels - column)),
        .ending = {.bias = step->bias + column, .low = step->low, .high = step->high},
    };
    const size_t further = share_ahead(&tile, block->tiles);
    for (int k = 0; k < block->tiles; k++) {
        const size_t at = (size_t)(block->first + block->starts[k]) * channels + column;
        tile.rows = rows + k * step->taps * ENCODER_TILE_ROWS;
        tile.out = step->target + at;
        tile.ending.residual = step->residual != NULL ? step->residual + at : NULL;
        direct->kernels->multiply[block->starts[k + 1] - block->starts[k] - 1](&tile);
        tile.ahead += further;
    }
}

static void find_rows(const encoder_direct *direct, const encoder_direct_step *step,
                      const pixels *block, const float **rows) {
    place at = find_place(step, block->first);
    for (int k = 0; k < block->tiles; k++) {
        const int count = block->starts[k + 1] - block->starts[k];
        for (int r = 0; r < count; r++) {
            find_inputs(direct, step, &at, rows + k * step->taps * ENCODER_TILE_ROWS + r);
            next_place(step, &at);
        }
    }
}

static void run_product(const encoder_direct *direct, size_t job, int worker) {
    const encoder_direct_step *step = &direct->step;
    const int number = (int)(job / (size_t)step->groups);
    const int group = (int)(job % (size_t)step->groups);
    const int all = all_pixels(direct);
    const int blocks = block_count(direct);
    pixels block = {.first = all * number / blocks};
    block.count = all * (number + 1) / blocks - block.first;
    block.tiles = (block.count + ENCODER_TILE_ROWS - 1) / ENCODER_TILE_ROWS;
    for (int k = 0; k <= block.tiles; k++) {
        block.starts[k] = first_row(block.count, k);
    }
    const float **rows = direct->workers[worker].rows;
    find_rows(direct, step, &block, rows);
    const int end = step->panels * (group + 1) / step->groups;
    for (int panel = step->panels * group / step->groups; panel < end; panel++) {
        multiply_tiles(direct, step, &block, rows, panel);
    }
}

const encoder_direct_method encoder_method_product = {"product", 1, product_jobs, run_product};

// --- Winograd -----------------------------------------------------------------------------------

// A range of tiles with the inputs and outputs of their products.
typedef struct tiles {
    const encoder_direct *direct;
    const encoder_direct_step *step;
    int first, count;  // among all tiles of the batch
    float *in, *out;   // [positions][count][channels]
} tiles;

static int positions_of(const encoder_direct_step *step) {
    return (step->tile + 2) * (step->tile + 2);
}

// The position of tile `index` of the batch: returns its picture, sets its first pixel.
static int tile_place(const encoder_direct_step *step, int index, int *y, int *x) {
    const int side = encoder_step_tiles(step);
    *y = index / side % side * step->tile;
    *x = index % side * step->tile;
    return index / (side * side);
}

static void transform_in(const tiles *this, int index) {
    const encoder_direct_step *step = this->step;
    const int in = step->in_size;
    const int side = step->tile + 2;
    const size_t channels = (size_t)step->layer->in;
    int y, x;
    const int picture = tile_place(step, this->first + index, &y, &x);
    encoder_winograd_tile tile = {
        .sums = this->in + (size_t)index * channels,
        .stride = (size_t)this->count * channels,
        .channels = step->layer->in,
    };
    for (int k = 0; k < side * side; k++) {
        const int at_y = y - 1 + k / side;
        const int at_x = x - 1 + k % side;
        const bool inside = at_y >= 0 && at_y < in && at_x >= 0 && at_x < in;
        tile.pixels[k] = inside
                             ? step->source + (size_t)((picture * in + at_y) * in + at_x) * channels
                             : this->direct->zeros;
    }
    this->direct->kernels->winograd_in[step->tile == 4](&tile);
}

static void transform_out(const tiles *this, int index) {
    const encoder_direct_step *step = this->step;
    const int out = step->out_size;
    const size_t channels = (size_t)step->layer->out;
    int y, x;
    const int picture = tile_place(step, this->first + index, &y, &x);
    const size_t at = (size_t)((picture * out + y) * out + x) * channels;
    const encoder_winograd_tile tile = {
        .sums = this->out + (size_t)index * channels,
        .stride = (size_t)this->count * channels,
        .channels = step->layer->out,
        .out = step->target + at,
        .row = (size_t)out * channels,
        .column = channels,
        .height = least(step->tile, out - y),
        .width = least(step->tile, out - x),
        .ending = {.bias = step->bias,
                   .residual = step->residual != NULL ? step->residual + at : NULL,
                   .low = step->low,
                   .high = step->high},
    };
    this->direct->kernels->winograd_out[step->tile == 4](&tile);
}

// The matrix product of one Winograd position.
static void multiply_position(const tiles *this, int position) {
    const encoder_direct_step *step = this->step;
    const size_t in = (size_t)step->layer->in;
    const size_t out = (size_t)step->layer->out;
    const float *from = this->in + (size_t)position * (size_t)this->count * in;
    float *to = this->out + (size_t)position * (size_t)this->count * out;
    const float *rows[ENCODER_TILE_ROWS];
    const int tile_count = (this->count + ENCODER_TILE_ROWS - 1) / ENCODER_TILE_ROWS;
    encoder_tile tile = {
        .rows = rows,
        .taps = 1,
        .depth = step->layer->in,
        .stride = out,
        .ending = {
            .bias = this->direct->zeros, .low = -__builtin_inff(), .high = __builtin_inff()}};
    for (int panel = 0; panel < step->panels; panel++) {
        const size_t column = (size_t)panel * ENCODER_TILE_COLUMNS;
        tile.panel = step->kernel + ((size_t)position * (size_t)step->panels + (size_t)panel) * in *
                                        ENCODER_TILE_COLUMNS;
        tile.columns = least(ENCODER_TILE_COLUMNS, (int)(out - column));
        const size_t further = share_ahead(&tile, tile_count);
        int row = 0;
        for (int k = 0; k < tile_count; k++) {
            const int next = first_row(this->count, k + 1);
            for (int r = row; r < next; r++) {
                rows[r - row] = from + (size_t)r * in;
            }
            tile.out = to + (size_t)row * out + column;
            this->direct->kernels->multiply[next - row - 1](&tile);
            tile.ahead += further;
            row = next;
        }
    }
}

static int all_tiles(const encoder_direct *direct) {
    return direct->count * encoder_step_tiles(&direct->step) * encoder_step_tiles(&direct->step);
}

static size_t winograd_jobs(const encoder_direct *direct) {
    return (size_t)((all_tiles(direct) + direct->step.block - 1) / direct->step.block);
}

static void run_winograd(const encoder_direct *direct, size_t job, int worker) {
    const encoder_direct_step *step = &direct->step;
    tiles this = {.direct = direct, .step = step, .first = (int)job * step->block};
    this.count = least(step->block, all_tiles(direct) - this.first);
    this.in = direct->workers[worker].sums;
    this.out = this.in + direct->sums_count;
    for (int k = 0; k < this.count; k++) {
        transform_in(&this, k);
    }
    for (int k = 0; k < positions_of(step); k++) {
        multiply_position(&this, k);
    }
    for (int k = 0; k < this.count; k++) {
        transform_out(&this, k);
    }
}

const encoder_direct_method encoder_method_winograd = {"winograd", 1, winograd_jobs, run_winograd};

static size_t shared_jobs(const encoder_direct *direct) {
    return (size_t)(direct->stage == 1 ? positions_of(&direct->step) : all_tiles(direct));
}

static void run_shared(const encoder_direct *direct, size_t job, int worker) {
    (void)worker;
    const encoder_direct_step *step = &direct->step;
    tiles this = {.direct = direct, .step = step, .count = all_tiles(direct)};
    this.in = direct->all_sums;
    this.out = this.in + (size_t)(positions_of(step) * this.count * step->layer->in);
    if (direct->stage == 0) {
        transform_in(&this, (int)job);
    } else if (direct->stage == 1) {
        multiply_position(&this, (int)job);
    } else {
        transform_out(&this, (int)job);
    }
}

const encoder_direct_method encoder_method_winograd_shared = {"winograd", 3, shared_jobs,
                                                              run_shared};

// --- row by row: depthwise convolution and pooling ----------------------------------------------

static size_t row_jobs(const encoder_direct *direct) {
    const int rows = direct->count * direct->step.out_size;
    return (size_t)((rows + direct->step.block - 1) / direct->step.block);
}

static const float *input_row(const encoder_direct *direct, const encoder_direct_step *step,
                              int row, int tap) {
    const int in = step->in_size;
    const int y = row % step->out_size * step->layer->stride - 1 + tap;
    if (y < 0 || y >= in) {
        return direct->zeros;
    }
    return step->source +
           (size_t)((row / step->out_size * in + y) * in) * (size_t)step->in_channels;
}

static void run_by_channel(const encoder_direct *direct, size_t job, int worker) {
    (void)worker;
    const encoder_direct_step *step = &direct->step;
    const int end = least((int)(job + 1) * step->block, direct->count * step->out_size);
    encoder_channel_row row = {
        .width = step->in_size,
        .channels = step->layer->out,
        .stride = step->layer->stride,
        .count = step->out_size,
        .kernel = step->kernel,
        .bias = step->bias,
        .low = step->low,
        .high = step->high,
    };
    for (int k = (int)job * step->block; k < end; k++) {
        for (int tap = 0; tap < 3; tap++) {
            row.rows[tap] = input_row(direct, step, k, tap);
        }
        row.out = step->target + (size_t)(k * step->out_size) * (size_t)step->layer->out;
        direct->kernels->by_channel(&row);
    }
}

const encoder_direct_method encoder_method_by_channel = {"by channel", 1, row_jobs, run_by_channel};

static void run_pool(const encoder_direct *direct, size_t job, int worker) {
    (void)worker;
    const encoder_direct_step *step = &direct->step;
    const int end = least((int)(job + 1) * step->block, direct->count * step->out_size);
    for (int k = (int)job * step->block; k < end; k++) {
        const float *rows[3];
        for (int tap = 0; tap < 3; tap++) {
            // replace a row outside the map by the middle one, which is always inside
            const float *row = input_row(direct, step, k, tap);
            rows[tap] = row == direct->zeros ? input_row(direct, step, k, 1) : row;
        }
        direct->kernels->pool(
            rows, step->in_size, step->layer->out, step->out_size,
            step->target + (size_t)(k * step->out_size) * (size_t)step->layer->out);
    }
}

const encoder_direct_method encoder_method_pool = {"max pooling", 1, row_jobs, run_pool};
