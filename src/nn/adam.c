// Adam and the soft target update, split into pieces for the threads.
#include "nn/nn.h"
#include "base/base.h"

enum {
    PIECE_UNIT = 16,         // a cache line
    PIECE_LEAST = 16 * 1024  // smaller pieces are not worth a thread
};

typedef struct adam_context {
    tot_nn *nn;
    const tot_adam *adam;
    float rate, root, keep;
    int64_t jobs;
} adam_context;

static tot_status adam_job(void *context, size_t index, int worker) {
    (void)worker;
    const adam_context *all = context;
    const tot_adam *adam = all->adam;
    int64_t at = nn_cut(adam->count, PIECE_UNIT, all->jobs, (int64_t)index);
    int64_t end = nn_cut(adam->count, PIECE_UNIT, all->jobs, (int64_t)index + 1);
    nn_adam_piece piece = {
        .count = end - at,
        .parameters = adam->parameters + at,
        .gradients = adam->gradients + at,
        .first = adam->first + at,
        .second = adam->second + at,
        .target = adam->target != NULL ? adam->target + at : NULL,
        .rate = all->rate,
        .root = all->root,
        .keep = all->keep,
        .tau = (float)adam->tau,
    };
    all->nn->kernels->adam(&piece);
    return TOT_OK;
}

void tot_adam_step(tot_nn *nn, const tot_adam *adam) {
    BASE_NEED_OR(, nn, adam);
    adam_context all = {
        .nn = nn,
        .adam = adam,
        .rate = (float)(adam->learning_rate / (1 - pow(0.9, (double)adam->step))),
        .root = (float)sqrt(1 - pow(0.999, (double)adam->step)),
        .keep = (float)(1 - adam->learning_rate * adam->weight_decay),
        .jobs = nn_jobs(nn, adam->count, PIECE_LEAST),
    };
    nn_run(nn, (size_t)all.jobs, adam_job, &all);
}

typedef struct follow_context {
    tot_nn *nn;
    int64_t count;
    float *target;
    const float *source;
    float tau;
    int64_t jobs;
} follow_context;

static tot_status follow_job(void *context, size_t index, int worker) {
    (void)worker;
    const follow_context *all = context;
    int64_t at = nn_cut(all->count, PIECE_UNIT, all->jobs, (int64_t)index);
    int64_t end = nn_cut(all->count, PIECE_UNIT, all->jobs, (int64_t)index + 1);
    all->nn->kernels->follow(end - at, all->target + at, all->source + at, all->tau);
    return TOT_OK;
}

void tot_soft_update(tot_nn *nn, int64_t count, float *target, const float *source, double tau) {
    BASE_NEED_OR(, nn, target, source);
    follow_context all = {
        .nn = nn,
        .count = count,
        .target = target,
        .source = source,
        .tau = (float)tau,
        .jobs = nn_jobs(nn, count, PIECE_LEAST),
    };
    nn_run(nn, (size_t)all.jobs, follow_job, &all);
}
