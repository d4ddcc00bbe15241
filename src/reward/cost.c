// Products are computed in three levels of blocks: slices of columns (distributed over threads and
// summed in order afterwards, so that the result does not depend on the number of threads), chunks
// of 2 KB per row that are packed contiguously (rows of real embeddings are a multiple of 4 KB
// apart and would conflict in the same cache sets), and tiles of 4 x 3 frames held in registers.
#include "reward/cost.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

enum {
    BLOCK_ROWS = 128,  // episode frames packed at a time
    BLOCK_COLS = 192,  // demonstration frames packed at a time
    MOST_SLICES = 16,
    QUICK_WIDTH = 4096,  // from this width on, float64 is too expensive when only the order of
                         // costs matters
    SLICE_COLUMNS = 4096,
    MOST_SLICED_ENTRIES = 1 << 23,
    EPISODE_BYTES = BLOCK_ROWS * REWARD_PACK_BYTES,
    DEMO_BYTES = BLOCK_COLS * REWARD_PACK_BYTES,
    TILE_BYTES = REWARD_TILE_ROWS * BLOCK_COLS * 8,
    WORKER_BYTES = EPISODE_BYTES + DEMO_BYTES + TILE_BYTES,
};

typedef struct product_pass {
    reward_cost_workspace *workspace;
    reward_pairing *pairings;
    size_t count;
    const tot_embeddings *episode;
    tot_cost measure;
    bool exact;
    size_t length;     // elements per packed row
    size_t row_bytes;  // size of a packed row
    size_t slices;
    int64_t slice_width;  // a multiple of both pack lengths
} product_pass;

// Packed rows [first, end) of the episode or of a demonstration.
typedef struct packed_rows {
    int64_t first;
    int64_t end;
    const char *data;
} packed_rows;

tot_status reward_cost_workspace_create(reward_cost_workspace *workspace, int workers) {
    *workspace = (reward_cost_workspace){.product = reward_product_get(), .workers = workers};
    workspace->packs = base_alloc((size_t)workers, WORKER_BYTES, "packed frames");
    return workspace->packs != NULL ? TOT_OK : TOT_E_MEMORY;
}

void reward_cost_workspace_free(reward_cost_workspace *workspace) {
    BASE_RELEASE(workspace->packs, workspace->squares, workspace->norms);
    *workspace = (reward_cost_workspace){0};
}

bool reward_cost_is_exact(const reward_pairing *pairings, size_t count,
                          const tot_embeddings *episode) {
    bool exact = episode->type == TOT_F64;
    for (size_t k = 0; k < count; k++) {
        exact = exact || pairings[k].demo->exact || !pairings[k].demo->narrow;
    }
    return exact;
}

// Whether REWARD_QUICK may use float32 sums where REWARD_USUAL uses float64.
static bool can_be_quick(const reward_pairing *pairings, size_t count,
                         const tot_embeddings *episode) {
    bool quick = episode->type == TOT_F32 && episode->width >= QUICK_WIDTH;
    for (size_t k = 0; k < count; k++) {
        quick = quick && pairings[k].demo->single && pairings[k].demo->narrow;
    }
    return quick;
}

// Converts rows packed as float64 back to float32, their original type: an output row takes two
// packed rows.
static void narrow_rows(const reward_demo *demo, int64_t col, int64_t col_end, int64_t column,
                        float *out) {
    for (int64_t part = 0; part < REWARD_PACK_F32; part += REWARD_PACK_F64) {
        const bool there = column + part < demo->width;
        const char *rows = there ? reward_demo_rows(demo, column + part, col) : NULL;
        for (int64_t j = col; j < col_end; j++, rows += there ? demo->row_bytes : 0) {
            const double *from = (const double *)(const void *)rows;
            float *to = out + (j - col) * REWARD_PACK_F32 + part;
            for (size_t k = 0; k < REWARD_PACK_F64; k++) {
                to[k] = there ? (float)from[k] : 0;
            }
        }
    }
    memset(out + (col_end - col) * REWARD_PACK_F32, 0,
           (size_t)REWARD_TILE_COLS * REWARD_PACK_BYTES);
}

// The packed rows [col, col_end) of a demonstration. Points into the demonstration if it is packed
// in this precision; otherwise converts into `workspace`.
static const char *demo_rows(const reward_demo *demo, int64_t col, int64_t col_end, int64_t column,
                             bool exact, char *workspace) {
    const char *rows = reward_demo_rows(demo, column, col);
    if (exact == demo->exact) {
        return rows;
    }
    if (!exact) {
        narrow_rows(demo, col, col_end, column, (float *)(void *)workspace);
        return workspace;
    }
    size_t offset = (size_t)(column % REWARD_PACK_F32);
    double *out = (double *)(void *)workspace;
    for (int64_t j = col; j < col_end; j++, rows += demo->row_bytes, out += REWARD_PACK_F64) {
        const float *from = (const float *)(const void *)rows + offset;
        for (size_t k = 0; k < REWARD_PACK_F64; k++) {
            out[k] = (double)from[k];
        }
    }
    memset(out, 0, (size_t)REWARD_TILE_COLS * REWARD_PACK_BYTES);
    return workspace;
}

// out is (4, cols): products of four packed episode rows with `cols` packed demonstration rows
static void multiply(const product_pass *pass, const char *a, const char *b, size_t cols,
                     double *out, const reward_prefetch *ahead) {
    const reward_product *product = pass->workspace->product;
    bool cosine = pass->measure != TOT_COST_EUCLIDEAN;
    const void *rows_a = a;
    const void *rows_b = b;
    if (pass->exact) {
        (cosine ? product->dot_f64 : product->distance_f64)(rows_a, rows_b, cols, pass->length, out,
                                                            ahead);
    } else {
        (cosine ? product->dot_f32 : product->distance_f32)(rows_a, rows_b, cols, pass->length, out,
                                                            ahead);
    }
}

// Prefetch addresses for the next chunk of four rows starting at `row`, in units of half a packed
// row.
static void look_ahead(reward_prefetch *ahead, const tot_embeddings *episode,
                       const reward_demo *demo, int64_t row, int64_t column) {
    size_t size = tot_type_size(episode->type);
    int64_t from = smaller(column, episode->width - 1);
    for (int64_t k = 0; k < REWARD_PREFETCH; k++) {
        int64_t half = (k % 2) * (int64_t)(demo->row_bytes / 2);
        int64_t step = smaller(row + k / 2, episode->steps - 1);
        size_t offset = ((size_t)step * (size_t)episode->width + (size_t)from) * size;
        ahead->episode[k] = (const char *)episode->data + offset + half;
        ahead->demo[k] = reward_demo_rows(demo, from, smaller(row + k / 2, demo->steps - 1)) + half;
    }
}

// Adds the tiles of one block of packed rows to the sums of its entries. tile: workspace. next: see
// add_chunk.
static void add_tiles(const product_pass *pass, const reward_pairing *pairing, double *sums,
                      packed_rows episode, packed_rows demo, double *tile, int64_t next) {
    const reward_shape *base = &pairing->base;
    for (int64_t group = episode.first; group < episode.end; group += REWARD_TILE_ROWS) {
        int64_t group_end = smaller(group + REWARD_TILE_ROWS, episode.end);
        int64_t low = demo.end;
        int64_t high = demo.first - 1;
        for (int64_t i = group; i < group_end; i++) {
            low = smaller(low, larger(base->first[i], demo.first));
            high = larger(high, smaller(base->last[i], demo.end - 1));
        }
        if (low > high) {
            continue;
        }
        reward_prefetch ahead;
        look_ahead(&ahead, pass->episode, pairing->demo, group, next);
        int64_t span = (high - low + REWARD_TILE_COLS) / REWARD_TILE_COLS * REWARD_TILE_COLS;
        multiply(pass, episode.data + (size_t)(group - episode.first) * pass->row_bytes,
                 demo.data + (size_t)(low - demo.first) * pass->row_bytes, (size_t)span, tile,
                 &ahead);
        for (int64_t i = group; i < group_end; i++) {
            int64_t from = larger(base->first[i], low);
            int64_t to = smaller(base->last[i], high);
            double *out = sums + base->offset[i] - base->first[i];
            const double *in = tile + (i - group) * span - low;
            for (int64_t j = from; j <= to; j++) {
                out[j] += in[j];
            }
        }
    }
}

// Processes one chunk of columns: packs the episode's rows once, then multiplies them with the rows
// of every demonstration. next: first column of the following chunk, for prefetching.
static void add_chunk(const product_pass *pass, size_t slice, int64_t row, int64_t row_end,
                      int64_t column, int64_t next, char *packs) {
    char *a = packs;
    char *workspace = packs + EPISODE_BYTES;
    double *tile = (double *)(void *)(packs + EPISODE_BYTES + DEMO_BYTES);
    const reward_product *product = pass->workspace->product;
    int64_t rows = row_end - row;
    for (int64_t r = 0; r < rows; r++) {
        reward_pack_row(a + (size_t)r * pass->row_bytes, pass->episode, row + r, column,
                        pass->exact);
    }
    // the last group may have fewer than four rows: zero-pad it
    int64_t padded = (rows + REWARD_TILE_ROWS - 1) / REWARD_TILE_ROWS * REWARD_TILE_ROWS;
    memset(a + (size_t)rows * pass->row_bytes, 0, (size_t)(padded - rows) * pass->row_bytes);

    double *squares = pass->workspace->squares + slice * (size_t)pass->episode->steps + row;
    for (int64_t r = 0; r < rows; r++) {
        const void *packed = a + (size_t)r * pass->row_bytes;
        squares[r] += pass->exact ? product->square_f64(packed, pass->length)
                                  : product->square_f32(packed, pass->length);
    }
    for (size_t k = 0; k < pass->count; k++) {
        const reward_pairing *pairing = &pass->pairings[k];
        const reward_shape *base = &pairing->base;
        double *sums = pairing->sums + slice * reward_shape_entries(base);
        int64_t low = base->cols;
        int64_t high = -1;
        for (int64_t i = row; i < row_end; i++) {
            low = smaller(low, base->first[i]);
            high = larger(high, base->last[i]);
        }
        // one tile less than the workspace holds, which leaves room for the zero padding of the
        // last tile
        const int64_t step = BLOCK_COLS - REWARD_TILE_COLS;
        for (int64_t col = low; col <= high; col += step) {
            int64_t col_end = smaller(col + step, high + 1);
            const char *b = demo_rows(pairing->demo, col, col_end, column, pass->exact, workspace);
            add_tiles(pass, pairing, sums, (packed_rows){row, row_end, a},
                      (packed_rows){col, col_end, b}, tile, next);
        }
    }
}

static tot_status product_job(void *context, size_t index, int worker) {
    const product_pass *pass = context;
    size_t slice = index % pass->slices;
    int64_t row = (int64_t)(index / pass->slices) * BLOCK_ROWS;
    int64_t row_end = smaller(row + BLOCK_ROWS, pass->episode->steps);
    int64_t column = (int64_t)slice * pass->slice_width;
    int64_t column_end = smaller(column + pass->slice_width, pass->episode->width);
    int64_t length = (int64_t)pass->length;
    char *packs = pass->workspace->packs + (size_t)worker * WORKER_BYTES;

    // clear the sums this job accumulates; no other job writes them
    memset(pass->workspace->squares + slice * (size_t)pass->episode->steps + row, 0,
           (size_t)(row_end - row) * sizeof(double));
    for (size_t k = 0; k < pass->count; k++) {
        const reward_shape *base = &pass->pairings[k].base;
        size_t from = base->offset[row];
        memset(pass->pairings[k].sums + slice * reward_shape_entries(base) + from, 0,
               (base->offset[row_end] - from) * sizeof(double));
    }
    for (; column < column_end; column += length) {
        add_chunk(pass, slice, row, row_end, column, column + length, packs);
    }
    return TOT_OK;
}

static void set_precision(product_pass *pass, bool exact) {
    pass->exact = exact;
    pass->length = reward_pack_length(pass->episode->width, exact);
    pass->row_bytes = pass->length * (exact ? sizeof(double) : sizeof(float));
}

static size_t choose_slices(const reward_pairing *pairings, size_t count, int64_t width) {
    int64_t slices = larger(1, smaller(MOST_SLICES, width / SLICE_COLUMNS));
    for (size_t k = 0; k < count; k++) {
        int64_t entries = (int64_t)reward_shape_entries(&pairings[k].base);
        slices = larger(1, smaller(slices, MOST_SLICED_ENTRIES / entries));
    }
    return (size_t)slices;
}

// Sums the slices of the squared norms and rejects frames without a usable norm. Sets *retry if the
// norms are out of range for float32.
static tot_status finish_norms(const product_pass *pass, const char *name,
                               const tot_reward_config *config, bool *retry) {
    reward_cost_workspace *workspace = pass->workspace;
    size_t steps = (size_t)pass->episode->steps;
    bool cosine = config->cost != TOT_COST_EUCLIDEAN;
    *retry = false;
    for (size_t i = 0; i < steps; i++) {
        double square = 0;
        for (size_t slice = 0; slice < pass->slices; slice++) {
            square += workspace->squares[slice * steps + i];
        }
        workspace->norms[i] = sqrt(square);
        if (!pass->exact && !reward_norm_is_narrow(workspace->norms[i])) {
            // too large, too small or NaN: decide in float64
            *retry = true;
            return TOT_OK;
        }
        if (!isfinite(square)) {
            return reward_embeddings_refuse(pass->episode, (int64_t)i, name);
        }
        BASE_FAIL_IF(cosine && square == 0 && config->zero_frame == TOT_ZERO_REFUSE, TOT_E_VALUE,
                     "%s: step %zu is all zero, and the cosine of a zero frame is undefined "
                     "(zero_frame treat-as-far accepts it)",
                     name, i);
    }
    return TOT_OK;
}

// Turns the products into the frame-to-frame cost, in place in slice 0.
static void finish_base(const product_pass *pass, const reward_pairing *pairing) {
    const reward_shape *base = &pairing->base;
    size_t entries = reward_shape_entries(base);
    const double *norms = pass->workspace->norms;
    for (int64_t i = 0; i < base->rows; i++) {
        for (size_t e = base->offset[i]; e < base->offset[i + 1]; e++) {
            double sum = 0;
            for (size_t slice = 0; slice < pass->slices; slice++) {
                sum += pairing->sums[slice * entries + e];
            }
            if (pass->measure == TOT_COST_EUCLIDEAN) {
                pairing->sums[e] = sqrt(sum);
                continue;
            }
            int64_t j = base->first[i] + (int64_t)(e - base->offset[i]);
            double product = norms[i] * pairing->demo->norms[j];
            const double cost = product > 0 ? 1 - sum / product : 1;
            pairing->sums[e] = pass->measure == TOT_COST_CHORD ? sqrt(fmax(2 * cost, 0)) : cost;
        }
    }
}

// Mean over h of the frame-to-frame cost at (i + h, j + h), both clamped to their last frame.
static void add_context(const reward_pairing *pairing, int64_t context) {
    const reward_shape *shape = &pairing->shape;
    const reward_shape *base = &pairing->base;
    int64_t last_row = shape->rows - 1;
    int64_t last_col = shape->cols - 1;
    double corner = pairing->sums[reward_shape_at(base, last_row, last_col)];
    for (int64_t i = 0; i < shape->rows; i++) {
        double *out = pairing->cost + shape->offset[i] - shape->first[i];
        for (int64_t j = shape->first[i]; j <= shape->last[i]; j++) {
            out[j] = 0;
        }
        // beyond this many steps both indices of every pair are clamped to the last frame
        int64_t reach = smaller(context, larger(last_row - i, last_col - shape->first[i]) + 1);
        for (int64_t h = 0; h < reach; h++) {
            int64_t row = smaller(i + h, last_row);
            const double *in = pairing->sums + base->offset[row] - base->first[row];
            int64_t j = shape->first[i];
            int64_t unclamped = smaller(shape->last[i], last_col - h);
            for (; j <= unclamped; j++) {
                out[j] += in[j + h];
            }
            for (; j <= shape->last[i]; j++) {
                out[j] += in[last_col];
            }
        }
        for (int64_t j = shape->first[i]; j <= shape->last[i]; j++) {
            out[j] = (out[j] + (double)(context - reach) * corner) / (double)context;
        }
    }
}

static tot_status reserve(const product_pass *pass) {
    reward_cost_workspace *workspace = pass->workspace;
    size_t steps = (size_t)pass->episode->steps;
    BASE_RESERVE(workspace->squares, workspace->squares_capacity, steps * pass->slices, "norms");
    BASE_RESERVE(workspace->norms, workspace->norms_capacity, steps, "norms");
    for (size_t k = 0; k < pass->count; k++) {
        reward_pairing *pairing = &pass->pairings[k];
        size_t products = reward_shape_entries(&pairing->base) * pass->slices;
        BASE_RESERVE(pairing->sums, pairing->sums_capacity, products, "frame-to-frame cost");
        BASE_RESERVE(pairing->cost, pairing->cost_capacity, reward_shape_entries(&pairing->shape),
                     "cost matrix");
    }
    return TOT_OK;
}

tot_status reward_cost_compute(reward_cost_workspace *workspace, reward_pairing *pairings,
                               size_t count, const tot_embeddings *episode, const char *name,
                               const tot_reward_config *config, reward_precision precision,
                               tot_pool *pool) {
    const bool exact = precision == REWARD_EXACT ||
                       (reward_cost_is_exact(pairings, count, episode) &&
                        !(precision == REWARD_QUICK && can_be_quick(pairings, count, episode)));
    product_pass pass = {.workspace = workspace,
                         .pairings = pairings,
                         .count = count,
                         .episode = episode,
                         .measure = (tot_cost)config->cost};
    set_precision(&pass, exact);
    pass.slices = choose_slices(pairings, count, episode->width);
    int64_t width = (episode->width + (int64_t)pass.slices - 1) / (int64_t)pass.slices;
    pass.slice_width = (width + REWARD_PACK_F32 - 1) / REWARD_PACK_F32 * REWARD_PACK_F32;
    BASE_TRY(reserve(&pass));

    size_t blocks = ((size_t)episode->steps + BLOCK_ROWS - 1) / BLOCK_ROWS;
    bool retry = false;
    BASE_TRY(tot_pool_run(pool, blocks * pass.slices, product_job, &pass));
    BASE_TRY(finish_norms(&pass, name, config, &retry));
    if (retry) {
        set_precision(&pass, true);
        BASE_TRY(tot_pool_run(pool, blocks * pass.slices, product_job, &pass));
        BASE_TRY(finish_norms(&pass, name, config, &retry));
    }
    for (size_t k = 0; k < count; k++) {
        finish_base(&pass, &pairings[k]);
        add_context(&pairings[k], config->context);
    }
    return TOT_OK;
}
