// Matrix products. The larger side of the result is split into one piece per thread; a piece
// consists of packed blocks, which the vector code multiplies. Every element of the result is the
// same sum in the same order, however the pieces are split.
#include "nn/nn.h"
#include "base/error.h"

typedef struct piece_context {
    tot_nn *nn;
    const tot_matmul *product;
    const float *bias;
    bool relu;
    bool by_columns;  // which side is split
    int64_t pieces;
} piece_context;

// range of rows and columns of a piece
typedef struct region {
    int64_t row, row_end;
    int64_t column, column_end;
} region;

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

// Packs the rows of depth k .. k + depth of b from a column on; or of the transpose of a, from a
// row.
static nn_packing pack(const float *matrix, int64_t stride, bool transposed, int64_t k,
                       int64_t depth, int64_t column, int64_t columns, float *to) {
    return (nn_packing){
        .depth = depth,
        .columns = columns,
        .from = transposed ? matrix + column * stride + k : matrix + k * stride + column,
        .stride = stride,
        .transposed = transposed,
        .to = to,
    };
}

// Multiplies a block of the depth, starting at k, for the columns of `panels` and all rows of the
// region; b is packed while the first rows are processed.
static void multiply_packed(const piece_context *piece, const region *part, const nn_worker *own,
                            int64_t column, int64_t k, const nn_packing *panels) {
    const tot_matmul *product = piece->product;
    const nn_kernels *kernels = piece->nn->kernels;
    int64_t depth = panels->depth;
    bool last = k + depth == product->depth;
    int64_t rows_at_once = NN_BLOCK_ROWS / kernels->tile_rows * kernels->tile_rows;
    for (int64_t row = part->row; row < part->row_end; row += rows_at_once) {
        int64_t rows = least(rows_at_once, part->row_end - row);
        nn_packing packing = pack(product->a, product->a_stride, !product->a_transposed, k, depth,
                                  row, rows, own->a);
        kernels->pack_tiles(&packing);
        nn_block block = {
            .rows = rows,
            .columns = panels->columns,
            .depth = depth,
            .a = own->a,
            .b = own->b,
            .packing = row == part->row ? panels : NULL,
            .c = product->c + row * product->c_stride + column,
            .c_stride = product->c_stride,
            .add = product->accumulate || k > 0,
            .relu = piece->relu && last,
            .bias = piece->bias != NULL && last ? piece->bias + column : NULL,
        };
        kernels->block(&block);
    }
}

// depth is split into blocks of similar size: the same for every piece
static int64_t block_depth(int64_t depth) {
    int64_t blocks = (depth + NN_BLOCK_DEPTH - 1) / NN_BLOCK_DEPTH;
    return (depth + blocks - 1) / blocks;
}

static void multiply_region(const piece_context *piece, const region *part, const nn_worker *own) {
    const tot_matmul *product = piece->product;
    int64_t step = block_depth(product->depth);
    for (int64_t column = part->column; column < part->column_end; column += NN_BLOCK_COLUMNS) {
        int64_t columns = least(NN_BLOCK_COLUMNS, part->column_end - column);
        for (int64_t k = 0; k < product->depth; k += step) {
            int64_t depth = least(step, product->depth - k);
            nn_packing packing = pack(product->b, product->b_stride, product->b_transposed, k,
                                      depth, column, columns, own->b);
            multiply_packed(piece, part, own, column, k, &packing);
        }
    }
}

// A result with a few columns: dot products of rows, no packing.
static bool is_narrow(const tot_matmul *product) {
    return product->columns <= NN_FEW && !product->a_transposed && product->b_transposed &&
           !product->accumulate;
}

static void multiply_narrow(const piece_context *piece, const region *part) {
    const tot_matmul *product = piece->product;
    nn_dots dots = {
        .rows = part->row_end - part->row,
        .columns = product->columns,
        .depth = product->depth,
        .x = product->a + part->row * product->a_stride,
        .weight = product->b,
        .bias = piece->bias,
        .c = product->c + part->row * product->c_stride,
        .x_stride = product->a_stride,
        .weight_stride = product->b_stride,
        .c_stride = product->c_stride,
        .relu = piece->relu,
    };
    piece->nn->kernels->dot_rows(&dots);
}

static tot_status multiply_piece(void *context, size_t index, int worker) {
    const piece_context *piece = context;
    const tot_matmul *product = piece->product;
    int64_t k = (int64_t)index;
    region part = {.row_end = product->rows, .column_end = product->columns};
    if (piece->by_columns) {
        part.column = nn_cut(product->columns, NN_PANEL, piece->pieces, k);
        part.column_end = nn_cut(product->columns, NN_PANEL, piece->pieces, k + 1);
    } else {
        int64_t tile = piece->nn->kernels->tile_rows;
        part.row = nn_cut(product->rows, tile, piece->pieces, k);
        part.row_end = nn_cut(product->rows, tile, piece->pieces, k + 1);
    }
    if (is_narrow(product)) {
        multiply_narrow(piece, &part);
    } else {
        multiply_region(piece, &part, &piece->nn->workers[worker]);
    }
    return TOT_OK;
}

void nn_multiply_then(tot_nn *nn, const tot_matmul *product, const float *bias, bool relu) {
    bool by_columns = product->columns >= product->rows && !is_narrow(product);
    piece_context piece = {
        .nn = nn,
        .product = product,
        .bias = bias,
        .relu = relu,
        .by_columns = by_columns,
        .pieces = nn_jobs(nn, by_columns ? product->columns : product->rows, 4 * NN_PANEL),
    };
    nn_run(nn, (size_t)piece.pieces, multiply_piece, &piece);
}

void tot_multiply(tot_nn *nn, const tot_matmul *product) {
    BASE_NEED_OR(, nn, product);
    if (product->rows > 0 && product->columns > 0) {
        nn_multiply_then(nn, product, NULL, false);
    }
}
