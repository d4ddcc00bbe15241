// 3x3 convolutions of one picture, channels innermost: a row of outputs is a matrix product whose a
// is the picture itself, read in place.

// Splits a row into pieces of the height of a tile or slightly less: 37 is 6 6 5 5 5 5 5.
typedef struct pieces {
    int64_t count, height, higher;
} pieces;

static pieces cut_row(int64_t length) {
    pieces cut = {.count = (length + TILE_ROWS - 1) / TILE_ROWS};
    cut.height = length / cut.count;
    cut.higher = length % cut.count;
    return cut;
}

// zero where the gate is not positive
ALWAYS void tile_gate(tile_sums *sum, int height, const float *gate, int64_t stride) {
    UNROLL
    for (int i = 0; i < height; i++) {
        UNROLL
        for (int v = 0; v < WIDTH; v++) {
            vec open = *(const vec *)(gate + i * stride + v * LANES);
            sum->at[i][v] = (vec)((mask)sum->at[i][v] & (open > 0));
        }
    }
}

// `height` adjacent outputs, NN_PANEL filters of them
ALWAYS void map_tile(const nn_conv_map *map, int height, const float *in, const float *weight,
                     const float *bias, const float *gate, float *out) {
    tile_sums sum;
    tile_clear(&sum, height);
    int64_t depth = 3 * map->channels;
    for (int64_t row = 0; row < 3; row++) {
        tile_add_rows(&sum, height, in + row * map->in_width * map->channels,
                      map->stride * map->channels, weight + row * depth * NN_PANEL, depth);
    }
    if (bias != NULL) {
        tile_bias(&sum, height, bias);
    }
    if (map->relu) {
        tile_relu(&sum, height);
    }
    if (gate != NULL) {
        tile_gate(&sum, height, gate, map->filters);
    }
    tile_store(&sum, height, out, map->filters);
}

#define MAP_TILE(H)                                                                        \
    static void map_tile_##H(const nn_conv_map *map, const float *in, const float *weight, \
                             const float *bias, const float *gate, float *out) {           \
        map_tile(map, H, in, weight, bias, gate, out);                                     \
    }
HEIGHTS(MAP_TILE)
#define MAP_NAME(H) map_tile_##H,
static void (*const map_tiles[])(const nn_conv_map *map, const float *in, const float *weight,
                                 const float *bias, const float *gate,
                                 float *out) = {HEIGHTS(MAP_NAME)};

// One panel of filters for the whole picture: its weights stay in the L1 cache.
static void map_panel(const nn_conv_map *map, int64_t panel, const pieces *cut) {
    int64_t filter = panel * NN_PANEL;
    const float *weight = map->weight + filter * 9 * map->channels;
    const float *bias = map->bias != NULL ? map->bias + filter : NULL;
    for (int64_t y = 0; y < map->side; y++) {
        const float *in = map->in + y * map->stride * map->in_width * map->channels;
        float *out = map->out + y * map->out_width * map->filters + filter;
        const float *gate =
            map->gate != NULL ? map->gate + y * map->side * map->filters + filter : NULL;
        for (int64_t p = 0, x = 0; p < cut->count; p++) {
            int64_t height = cut->height + (p < cut->higher ? 1 : 0);
            map_tiles[height - 1](map, in + x * map->stride * map->channels, weight, bias,
                                  gate != NULL ? gate + x * map->filters : NULL,
                                  out + x * map->filters);
            x += height;
        }
    }
}

static void conv_map(const nn_conv_map *map) {
    pieces cut = cut_row(map->side);
    for (int64_t panel = 0; panel < map->filters / NN_PANEL; panel++) {
        map_panel(map, panel, &cut);
    }
}

// --- gradient of the weight --------------------------------------------------------------------

enum { ROWS_AT_ONCE = 2 };  // rows of outputs: with their inputs they fit the L1 cache

ALWAYS void sum_tile(const nn_conv_sum *sum, int height, int64_t rows, const float *in,
                     const float *dout, float *to) {
    tile_sums total;
    tile_load(&total, height, to, sum->filters);
    for (int64_t row = 0; row < rows; row++) {
        tile_add_columns(&total, height, in + row * sum->stride * sum->in_width * sum->channels,
                         sum->stride * sum->channels, dout + row * sum->dout_width * sum->filters,
                         sum->filters, sum->side);
    }
    tile_store(&total, height, to, sum->filters);
}

#define SUM_TILE(H)                                                                 \
    static void sum_tile_##H(const nn_conv_sum *sum, int64_t rows, const float *in, \
                             const float *dout, float *to) {                        \
        sum_tile(sum, H, rows, in, dout, to);                                       \
    }
HEIGHTS(SUM_TILE)
#define SUM_NAME(H) sum_tile_##H,
static void (*const sum_tiles[])(const nn_conv_sum *sum, int64_t rows, const float *in,
                                 const float *dout, float *to) = {HEIGHTS(SUM_NAME)};

// Several rows of outputs against the three rows of the kernel.
static void sum_rows_of_outputs(const nn_conv_sum *sum, int64_t y, int64_t rows,
                                const pieces *cut) {
    const float *dout = sum->dout + y * sum->dout_width * sum->filters;
    for (int64_t row = 0; row < 3; row++) {
        const float *in = sum->in + (y * sum->stride + row) * sum->in_width * sum->channels;
        float *to = sum->sum + row * 3 * sum->channels * sum->filters;
        for (int64_t p = 0, i = 0; p < cut->count; p++) {
            int64_t height = cut->height + (p < cut->higher ? 1 : 0);
            for (int64_t j = 0; j < sum->filters; j += NN_PANEL) {
                sum_tiles[height - 1](sum, rows, in + i, dout + j, to + i * sum->filters + j);
            }
            i += height;
        }
    }
}

static void conv_sum(const nn_conv_sum *sum) {
    pieces cut = cut_row(3 * sum->channels);
    for (int64_t y = 0; y < sum->side; y += ROWS_AT_ONCE) {
        int64_t rows = sum->side - y < ROWS_AT_ONCE ? sum->side - y : ROWS_AT_ONCE;
        sum_rows_of_outputs(sum, y, rows, &cut);
    }
    for (int64_t y = 0; y < sum->side; y++) {
        for (int64_t x = 0; x < sum->side; x++) {
            const float *dout = sum->dout + (y * sum->dout_width + x) * sum->filters;
            for (int64_t j = 0; j < sum->filters; j++) {
                sum->bias[j] += dout[j];
            }
        }
    }
}

// --- pictures to floats ------------------------------------------------------------------------

static int64_t clamp_to(int64_t value, int64_t size) {
    return value < 0 ? 0 : value < size ? value : size - 1;
}

// One row of one channel, shifted by x, with replicated edges.
static void view_row(int64_t size, int64_t x, const uint8_t *from, float *to) {
    int64_t first = clamp_to(-x, size + 1);  // start and end of the picture within the row
    int64_t end = clamp_to(size - x, size + 1);
    for (int64_t k = first; k < end; k++) {
        to[k] = (float)from[k + x] / 255.0f - 0.5f;
    }
    for (int64_t k = 0; k < first; k++) {
        to[k] = (float)from[0] / 255.0f - 0.5f;
    }
    for (int64_t k = end; k < size; k++) {
        to[k] = (float)from[size - 1] / 255.0f - 0.5f;
    }
}

static void make_view(const nn_view *view) {
    int64_t size = view->size;
    for (int64_t y = 0; y < size; y++) {
        int64_t from_y = clamp_to(y + view->y, size);
        for (int64_t channel = 0; channel < view->channels; channel++) {
            view_row(size, view->x, view->picture + (channel * size + from_y) * size,
                     view->row + channel * size);
        }
        transpose(view->channels, size, view->row, size, view->out + y * size * view->channels,
                  view->channels);
    }
}
