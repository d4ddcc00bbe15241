// The family of networks defined as lists of layers: runs our own kernels where they are faster,
// otherwise oneDNN.
#include "base/base.h"
#include "encoder/direct.h"
#include "encoder/engine.h"
#include "encoder/graph.h"
#include "encoder/onednn.h"

enum { DEFAULT_SIZE = 224 };

// --- our own kernels ----------------------------------------------------------------------------

static tot_status create_direct(void **engine, const encoder_plan *plan, int share, int threads) {
    encoder_direct *direct = NULL;
    const tot_status status = encoder_direct_create(&direct, plan->weights, plan->settings.size,
                                                    share, threads > 1 ? plan->pool : NULL);
    *engine = direct;
    return status;
}

static tot_status run_direct(void *engine, const uint8_t *rgb, int count, float *out) {
    return encoder_direct_run(engine, rgb, count, out);
}

static void free_direct(void *engine) {
    encoder_direct_free(engine);
}

static const encoder_engine direct_engine = {
    .splits = true, .create = create_direct, .run = run_direct, .free = free_direct};

// --- oneDNN -------------------------------------------------------------------------------------

typedef struct graphs {
    encoder_graph *many;  // `share` pictures at once
    encoder_graph *one;   // a single picture; NULL if share is 1
    int share;
    int64_t numbers;  // bytes per picture
    int64_t map;
} graphs;

static void free_graphs(void *engine) {
    graphs *this = engine;
    BASE_UNLESS_NULL(this);
    encoder_graph_free(this->many);
    encoder_graph_free(this->one);
    base_free(this);
}

static tot_status create_graph(encoder_graph **graph, const encoder_plan *plan, int batch,
                               int threads) {
    const encoder_graph_settings settings = {
        .size = plan->settings.size,
        .batch = batch,
        .threads = threads,
        .precision = plan->settings.precision,
        .calibration = plan->settings.calibration,
    };
    return encoder_graph_create(graph, plan->weights, &settings);
}

static tot_status create_graphs(void **engine, const encoder_plan *plan, int share, int threads) {
    graphs *this = base_alloc_zero(1, sizeof *this, "encoder");
    *engine = this;
    BASE_HAVE(this);
    this->share = share;
    this->map = plan->map;
    this->numbers = (int64_t)plan->settings.size * plan->settings.size * ENCODER_PICTURE_CHANNELS;
    BASE_TRY(create_graph(&this->many, plan, share, threads));
    return share > 1 ? create_graph(&this->one, plan, 1, threads) : TOT_OK;
}

// A graph has a fixed batch size: the remaining pictures run one by one.
static tot_status run_graphs(void *engine, const uint8_t *rgb, int count, float *out) {
    const graphs *this = engine;
    for (int64_t done = 0; done < count;) {
        const bool many = count - done >= this->share;
        BASE_TRY(encoder_graph_run(many ? this->many : this->one, rgb + done * this->numbers,
                                   out + done * this->map));
        done += many ? this->share : 1;
    }
    return TOT_OK;
}

static const encoder_engine graph_engine = {
    .splits = true, .create = create_graphs, .run = run_graphs, .free = free_graphs};

// --- planning -----------------------------------------------------------------------------------

static tot_status check_calibration(const tot_weights *weights,
                                    const tot_calibration *calibration) {
    BASE_FAIL_IF(calibration == NULL, TOT_E_ARGUMENT, "precision: int8 needs a calibration");
    BASE_FAIL_IF(strcmp(calibration->hash, weights->hash) != 0, TOT_E_ARGUMENT,
                 "calibration: made for the weights %s (%s), not %s (%s)", calibration->hash,
                 calibration->network, weights->hash, weights->network.info->name);
    return TOT_OK;
}

static tot_status check_precision(const encoder_plan *plan) {
    switch (plan->settings.precision) {
        case TOT_PRECISION_F32:
            return TOT_OK;
        case TOT_PRECISION_INT8:
            return check_calibration(plan->weights, plan->settings.calibration);
        case TOT_PRECISION_BF16:
            return encoder_onednn_has_bf16()
                       ? TOT_OK
                       : base_fail(TOT_E_UNSUPPORTED, "precision: this CPU does not support bf16");
    }
    return base_fail(TOT_E_ARGUMENT, "precision: %d is not known", (int)plan->settings.precision);
}

static tot_status plan_layers(encoder_plan *plan) {
    const encoder_network *network = &plan->weights->network;
    if (plan->settings.size == 0) {
        plan->settings.size = DEFAULT_SIZE;
    }
    BASE_TRY(encoder_check_size(plan->settings.size));
    BASE_TRY(check_precision(plan));
    const int64_t side = encoder_network_size(network, network->count - 1, plan->settings.size);
    plan->map = encoder_network_channels(network) * side * side;
    plan->width = plan->settings.pool ? encoder_network_channels(network) : plan->map;
    plan->engine = plan->settings.precision == TOT_PRECISION_F32 && encoder_direct_wanted()
                       ? &direct_engine
                       : &graph_engine;
    return TOT_OK;
}

const encoder_family encoder_layers = {.plan = plan_layers, .free = encoder_layers_free};
