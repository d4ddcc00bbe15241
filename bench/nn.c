// temporalot bench nn: every network operation at the sizes of the paper's agent, compared with
// PyTorch. The tests check the same table.
#include <string.h>

#include "base/error.h"
#include "bench.h"
#include "nn_ops.h"

enum { REPEATS = 15, FEW_REPEATS = 3 };
static const double MANY_FLOPS = 2e10;  // above this, a few repeats are enough

typedef struct nn_bench {
    tot_nn *nn;
    int threads;
    bench_peer_figures figures[BENCH_MOST_FIGURES];
    size_t figure_count;
} nn_bench;

static tot_status forward(void *context) {
    op *made = context;
    made->forward(made);
    return TOT_OK;
}

static tot_status backward(void *context) {
    op *made = context;
    made->backward(made);
    return TOT_OK;
}

static tot_status add_one(const nn_bench *all, op *made, const char *work, bench_call call,
                          double flops) {
    char note[48];
    bench_line line = {.work = work, .threads = all->threads, .peer = "PyTorch"};
    BASE_TRY(bench_median(call, made, flops > MANY_FLOPS ? FEW_REPEATS : REPEATS, &line.ms));
    line.peer_ms = bench_peer_find(all->figures, all->figure_count, work);
    if (flops > 0) {
        snprintf(note, sizeof note, "%.1f GFLOPS", flops / line.ms * 1e-6);
        line.note = note;
    }
    bench_add(&line);
    return TOT_OK;
}

static tot_status bench_row(const nn_bench *all, const op_row *row) {
    char name[64];
    char work[96];
    op made;
    op_name(row, name, sizeof name);
    tot_status status = op_make(&made, row, all->nn)
                            ? TOT_OK
                            : base_fail(TOT_E_MEMORY, "bench: no memory for %s", name);
    bool twofold = made.backward != NULL && made.backward != op_nothing;
    snprintf(work, sizeof work, "nn %s%s", name, twofold ? " forward" : "");
    BASE_THEN(status, add_one(all, &made, work, forward, made.flops));
    if (status == TOT_OK && twofold) {
        snprintf(work, sizeof work, "nn %s backward", name);
        status = add_one(all, &made, work, backward, 2 * made.flops);
    }
    op_free(&made);
    return status;
}

static tot_status bench_on(int threads) {
    nn_bench all = {.threads = threads};
    tot_pool *pool = NULL;
    all.figure_count = bench_peer_run("nn.py", threads, "", all.figures);
    BASE_TRY(tot_pool_create(&pool, threads));
    tot_status status = tot_nn_create(&all.nn, pool);
    for (int k = 0; status == TOT_OK && k < OP_ROWS; k++) {
        if ((op_rows[k].uses & bench) != 0) {
            status = bench_row(&all, &op_rows[k]);
        }
    }
    tot_nn_free(all.nn);
    tot_pool_free(pool);
    return status;
}

tot_status bench_nn(int threads) {
    return bench_each_count(threads, bench_on);
}
