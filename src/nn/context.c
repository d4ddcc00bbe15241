#include "base/base.h"
#include "nn/nn.h"

enum { LARGE = 1 << 20 };  // 4 MB

static tot_status make_workers(tot_nn *nn) {
    size_t a = (size_t)NN_BLOCK_ROWS * NN_BLOCK_DEPTH;
    size_t b = (size_t)NN_BLOCK_COLUMNS * NN_BLOCK_DEPTH;
    nn->workers = base_alloc_zero((size_t)nn->threads, sizeof *nn->workers, "networks");
    size_t floats = (size_t)nn->threads * (a + b);
    // large enough for base_alloc to use huge pages
    floats = floats < LARGE ? LARGE : floats;
    nn->memory = base_alloc(floats, sizeof(float), "networks");
    BASE_HAVE(nn->workers, nn->memory);
    for (int k = 0; k < nn->threads; k++) {
        nn->workers[k].a = nn->memory + (size_t)k * (a + b);
        nn->workers[k].b = nn->workers[k].a + a;
    }
    return TOT_OK;
}

tot_status tot_nn_create(tot_nn **out, tot_pool *pool) {
    BASE_NEED(out);
    *out = NULL;
    BASE_NEW(tot_nn, nn, "networks");
    nn->pool = pool;
    nn->threads = tot_pool_threads(pool);
    nn->kernels = nn_kernels_get();
    BASE_GIVE(make_workers(nn), out, nn, tot_nn_free);
}

void tot_nn_free(tot_nn *nn) {
    BASE_UNLESS_NULL(nn);
    BASE_RELEASE(nn->memory, nn->workers, nn);
}

void nn_run(tot_nn *nn, size_t count, tot_job job, void *context) {
    // no job of this station can fail
    (void)tot_pool_run(nn->pool, count, job, context);
}

int64_t nn_cut(int64_t length, int64_t unit, int64_t parts, int64_t k) {
    int64_t units = (length + unit - 1) / unit;
    int64_t at = units * k / parts * unit;
    return at < length ? at : length;
}

int64_t nn_jobs(const tot_nn *nn, int64_t length, int64_t least) {
    int64_t jobs = nn->threads;
    int64_t most = length / least;
    jobs = jobs < most ? jobs : most;
    return jobs > 1 ? jobs : 1;
}
