// Multiplication of packed blocks, and packing.
#include <string.h>

enum { LINE = 16 };  // floats in a cache line

// --- a tile of a block -------------------------------------------------------------------------

// Writes a tile at the right edge, where c has fewer columns than a panel.
__attribute__((noinline)) static void store_edge(const float *sum, int height, int64_t columns,
                                                 const nn_block *block, float *c,
                                                 const float *bias) {
    for (int i = 0; i < height; i++) {
        for (int64_t j = 0; j < columns; j++) {
            float value = sum[i * NN_PANEL + j] + (block->add ? c[i * block->c_stride + j] : 0);
            value += bias != NULL ? bias[j] : 0;
            c[i * block->c_stride + j] = block->relu && value < 0 ? 0 : value;
        }
    }
}

ALWAYS void block_tile(const nn_block *block, int height, const float *a, const float *b, float *c,
                       const float *bias, int64_t columns) {
    tile_sums sum;
    tile_clear(&sum, height);
    // first and last cache line may differ: c need not be aligned
    UNROLL
    for (int i = 0; i < height; i++) {
        __builtin_prefetch(c + i * block->c_stride, 1, 3);
        __builtin_prefetch(c + i * block->c_stride + NN_PANEL - 1, 1, 3);
    }
    tile_add_columns(&sum, height, a, TILE_ROWS, b, NN_PANEL, block->depth);
    if (columns < NN_PANEL) {
        float edge[TILE_ROWS * NN_PANEL];
        tile_store(&sum, height, edge, NN_PANEL);
        store_edge(edge, height, columns, block, c, bias);
        return;
    }
    if (block->add) {
        UNROLL
        for (int i = 0; i < height; i++) {
            UNROLL
            for (int v = 0; v < WIDTH; v++) {
                sum.at[i][v] += *(const vec *)(c + i * block->c_stride + v * LANES);
            }
        }
    }
    if (bias != NULL) {
        tile_bias(&sum, height, bias);
    }
    if (block->relu) {
        tile_relu(&sum, height);
    }
    tile_store(&sum, height, c, block->c_stride);
}

#define BLOCK_TILE(H)                                                                           \
    static void block_tile_##H(const nn_block *block, const float *a, const float *b, float *c, \
                               const float *bias, int64_t columns) {                            \
        block_tile(block, H, a, b, c, bias, columns);                                           \
    }
HEIGHTS(BLOCK_TILE)
#define BLOCK_NAME(H) block_tile_##H,
static void (*const block_tiles[])(const nn_block *block, const float *a, const float *b, float *c,
                                   const float *bias, int64_t columns) = {HEIGHTS(BLOCK_NAME)};

// --- packing -----------------------------------------------------------------------------------

typedef float floats4 __attribute__((vector_size(16), aligned(4), may_alias));

// to[k][i] = from[i][k] for 4 x 4 values
ALWAYS void transpose_quad(const float *from, int64_t from_stride, float *to, int64_t to_stride) {
    floats4 a = *(const floats4 *)from;
    floats4 b = *(const floats4 *)(from + from_stride);
    floats4 c = *(const floats4 *)(from + 2 * from_stride);
    floats4 d = *(const floats4 *)(from + 3 * from_stride);
    floats4 ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    floats4 ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    floats4 cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    floats4 cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    *(floats4 *)to = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
    *(floats4 *)(to + to_stride) = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
    *(floats4 *)(to + 2 * to_stride) = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
    *(floats4 *)(to + 3 * to_stride) = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

// the same for 2 x 4 values
ALWAYS void transpose_pair(const float *from, int64_t from_stride, float *to, int64_t to_stride) {
    floats4 a = *(const floats4 *)from;
    floats4 b = *(const floats4 *)(from + from_stride);
    floats4 low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    floats4 high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    memcpy(to, &low, 8);
    memcpy(to + to_stride, (const char *)&low + 8, 8);
    memcpy(to + 2 * to_stride, &high, 8);
    memcpy(to + 3 * to_stride, (const char *)&high + 8, 8);
}

// to: [columns][rows] of from: [rows][columns]
static void transpose(int64_t rows, int64_t columns, const float *from, int64_t from_stride,
                      float *to, int64_t to_stride) {
    int64_t whole_columns = columns / 4 * 4;
    int64_t i = 0;
    for (; i + 4 <= rows; i += 4) {
        for (int64_t k = 0; k < whole_columns; k += 4) {
            transpose_quad(from + i * from_stride + k, from_stride, to + k * to_stride + i,
                           to_stride);
        }
    }
    for (; i + 2 <= rows; i += 2) {
        for (int64_t k = 0; k < whole_columns; k += 4) {
            transpose_pair(from + i * from_stride + k, from_stride, to + k * to_stride + i,
                           to_stride);
        }
    }
    for (; i < rows; i++) {
        for (int64_t k = 0; k < whole_columns; k++) {
            to[k * to_stride + i] = from[i * from_stride + k];
        }
    }
    for (int64_t k = whole_columns; k < columns; k++) {
        for (int64_t r = 0; r < rows; r++) {
            to[k * to_stride + r] = from[r * from_stride + k];
        }
    }
}

// One value of every row of a tile.
ALWAYS void copy_tile_row(const float *from, int64_t height, float *to) {
    if (height < TILE_ROWS) {
        memcpy(to, from, (size_t)height * sizeof *to);
        return;
    }
    UNROLL
    for (int r = 0; r + 4 <= TILE_ROWS; r += 4) {
        *(floats4 *)(to + r) = *(const floats4 *)(from + r);
    }
    UNROLL
    for (int r = TILE_ROWS / 4 * 4; r < TILE_ROWS; r++) {
        to[r] = from[r];
    }
}

// Packs tiles of TILE_ROWS rows of a: [depth][TILE_ROWS]. In a partial last tile the unused part is
// not written.
static void pack_tiles(const nn_packing *packing) {
    int64_t depth = packing->depth;
    int64_t rows = packing->columns;
    if (packing->transposed) {
        for (int64_t i = 0; i < rows; i += TILE_ROWS) {
            transpose(rows - i < TILE_ROWS ? rows - i : TILE_ROWS, depth,
                      packing->from + i * packing->stride, packing->stride, packing->to + i * depth,
                      TILE_ROWS);
        }
        return;
    }
    // in the memory order of a: its lines are read once
    for (int64_t k = 0; k < depth; k++) {
        const float *from = packing->from + k * packing->stride;
        float *to = packing->to + k * TILE_ROWS;
        for (int64_t i = 0; i < rows; i += TILE_ROWS) {
            copy_tile_row(from + i, rows - i < TILE_ROWS ? rows - i : TILE_ROWS, to + i * depth);
        }
    }
}

// A partial last panel.
static void pack_edge(const nn_packing *packing, int64_t j, int64_t columns, float *to) {
    memset(to, 0, (size_t)(packing->depth * NN_PANEL) * sizeof *to);
    for (int64_t k = 0; k < packing->depth; k++) {
        for (int64_t c = 0; c < columns; c++) {
            to[k * NN_PANEL + c] = packing->transposed
                                       ? packing->from[(j + c) * packing->stride + k]
                                       : packing->from[k * packing->stride + j + c];
        }
    }
}

// The panel that begins at column j.
static void pack_panel(const nn_packing *packing, int64_t j) {
    float *to = packing->to + j * packing->depth;
    int64_t columns = packing->columns - j;
    if (columns < NN_PANEL) {
        pack_edge(packing, j, columns, to);
    } else if (packing->transposed) {
        transpose(NN_PANEL, packing->depth, packing->from + j * packing->stride, packing->stride,
                  to, NN_PANEL);
    } else {
        for (int64_t k = 0; k < packing->depth; k++) {
            memcpy(to + k * NN_PANEL, packing->from + k * packing->stride + j,
                   NN_PANEL * sizeof *to);
        }
    }
}

// Prefetches a part of the source of the panel at column j: its lines are far apart, and
// prefetching during the multiplication of the previous panel hides the latency.
static void expect_panel(const nn_packing *packing, int64_t j, int64_t part, int64_t parts) {
    int64_t columns = packing->columns - j < NN_PANEL ? packing->columns - j : NN_PANEL;
    int64_t rows = packing->transposed ? columns : packing->depth;
    int64_t length = packing->transposed ? packing->depth : columns;
    const float *from = packing->from + (packing->transposed ? j * packing->stride : j);
    int64_t lines = (length + LINE - 1) / LINE;
    int64_t at = rows * lines * part / parts;
    int64_t left = rows * lines * (part + 1) / parts - at;
    int64_t line = at % lines;
    for (const float *row = from + at / lines * packing->stride; left > 0; left--) {
        __builtin_prefetch(row + line * LINE, 0, 2);
        line++;
        if (line == lines) {
            line = 0;
            row += packing->stride;
        }
    }
}

// --- a block of a product ----------------------------------------------------------------------

// Multiplies one panel of b with all rows of the block.
static void multiply_panel(const nn_block *block, int64_t j) {
    const float *b = block->b + j * block->depth;
    const float *bias = block->bias != NULL ? block->bias + j : NULL;
    int64_t columns = block->columns - j < NN_PANEL ? block->columns - j : NN_PANEL;
    int64_t tiles = (block->rows + TILE_ROWS - 1) / TILE_ROWS;
    bool more = block->packing != NULL && j + NN_PANEL < block->columns;
    for (int64_t t = 0; t < tiles; t++) {
        int64_t i = t * TILE_ROWS;
        int64_t height = block->rows - i < TILE_ROWS ? block->rows - i : TILE_ROWS;
        if (more) {
            expect_panel(block->packing, j + NN_PANEL, t, tiles);
        }
        block_tiles[height - 1](block, block->a + i * block->depth, b,
                                block->c + i * block->c_stride + j, bias, columns);
    }
}

static void multiply_block(const nn_block *block) {
    for (int64_t j = 0; j < block->columns; j += NN_PANEL) {
        if (block->packing != NULL) {
            pack_panel(block->packing, j);
        }
        multiply_panel(block, j);
    }
}
