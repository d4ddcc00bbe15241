#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "encoder/direct.h"
#include "encoder/graph.h"
#include "encoder/onednn.h"

enum { LEAST_SIZE = 32, MOST_SIZE = 1024, MOST_BATCH = 256, DEFAULT_SIZE = 224, DEFAULT_BATCH = 8 };

// What runs the network: our own kernels, or oneDNN's.
typedef struct engine {
    encoder_direct *direct;
    encoder_graph *many;  // `share` pictures at once
    encoder_graph *one;   // a single one; NULL when share is 1
    int share;
} engine;

// What one thread works with.
typedef struct lane {
    engine engine;
    float *map;  // [share] maps, when they are averaged
} lane;

struct tot_encoder {
    tot_weights *weights;
    tot_encoder_settings settings;
    tot_pool *pool;
    char text[96];
    int64_t map;    // numbers of a whole map
    int64_t width;  // numbers a picture
    int share;      // pictures a lane at most
    int lanes_count;
    lane *lanes;
    engine wide;  // a single picture on all threads; empty when there is one thread

    // the piece that is being encoded
    const uint8_t *rgb;
    float *out;
    int64_t count;
};

// --- names --------------------------------------------------------------------------------------

static const char *const precisions[] = {"f32", "int8", "bf16"};

enum { PRECISIONS = sizeof precisions / sizeof *precisions };

const char *tot_precision_text(tot_precision precision) {
    const size_t count = sizeof precisions / sizeof *precisions;
    return (size_t)precision < count ? precisions[precision] : "unknown";
}

tot_status tot_precision_find(tot_precision *precision, const char *name) {
    BASE_NEED(precision, name);
    for (int k = 0; k < PRECISIONS; k++) {
        if (strcmp(name, precisions[k]) == 0) {
            *precision = (tot_precision)k;
            return TOT_OK;
        }
    }
    return base_fail(TOT_E_ARGUMENT, "precision: '%s' is not f32, int8 or bf16", name);
}

void tot_encoder_defaults(tot_encoder_settings *settings) {
    BASE_NEED_OR(, settings);
    *settings = (tot_encoder_settings){
        .size = DEFAULT_SIZE, .batch = DEFAULT_BATCH, .precision = TOT_PRECISION_F32};
}

// --- creating -----------------------------------------------------------------------------------

static tot_status check_calibration(const tot_weights *weights,
                                    const tot_calibration *calibration) {
    if (calibration == NULL) {
        return base_fail(TOT_E_ARGUMENT, "precision: int8 needs a calibration");
    }
    if (strcmp(calibration->hash, weights->hash) != 0) {
        return base_fail(TOT_E_ARGUMENT, "calibration: made for the weights %s (%s), not %s (%s)",
                         calibration->hash, calibration->network, weights->hash,
                         weights->network.info->name);
    }
    return TOT_OK;
}

static tot_status check_settings(const tot_weights *weights, const tot_encoder_settings *settings) {
    if (settings->size < LEAST_SIZE || settings->size > MOST_SIZE) {
        return base_fail(TOT_E_ARGUMENT, "size: %d is not in %d .. %d", settings->size, LEAST_SIZE,
                         MOST_SIZE);
    }
    if (settings->batch < 1 || settings->batch > MOST_BATCH) {
        return base_fail(TOT_E_ARGUMENT, "batch: %d is not in 1 .. %d", settings->batch,
                         MOST_BATCH);
    }
    switch (settings->precision) {
        case TOT_PRECISION_F32:
            return TOT_OK;
        case TOT_PRECISION_INT8:
            return check_calibration(weights, settings->calibration);
        case TOT_PRECISION_BF16:
            return encoder_onednn_has_bf16()
                       ? TOT_OK
                       : base_fail(TOT_E_UNSUPPORTED, "precision: this CPU does not have bf16");
    }
    return base_fail(TOT_E_ARGUMENT, "precision: %d is not known", (int)settings->precision);
}

static tot_status create_graph(encoder_graph **graph, const tot_encoder *encoder, int batch,
                               int threads) {
    const encoder_graph_settings settings = {
        .size = encoder->settings.size,
        .batch = batch,
        .threads = threads,
        .precision = encoder->settings.precision,
        .calibration = encoder->settings.calibration,
    };
    return encoder_graph_create(graph, encoder->weights, &settings);
}

// threads: inside the engine; more than one are those of the pool.
static tot_status create_engine(engine *this, const tot_encoder *encoder, int share, int threads) {
    this->share = share;
    if (encoder->settings.precision == TOT_PRECISION_F32 && encoder_direct_wanted()) {
        return encoder_direct_create(&this->direct, encoder->weights, encoder->settings.size, share,
                                     threads > 1 ? encoder->pool : NULL);
    }
    BASE_TRY(create_graph(&this->many, encoder, share, threads));
    return share > 1 ? create_graph(&this->one, encoder, 1, threads) : TOT_OK;
}

static void free_engine(engine *this) {
    encoder_direct_free(this->direct);
    encoder_graph_free(this->many);
    encoder_graph_free(this->one);
}

static tot_status create_lane(tot_encoder *encoder, lane *this) {
    BASE_TRY(create_engine(&this->engine, encoder, encoder->share, 1));
    if (encoder->settings.pool) {
        this->map = base_alloc((size_t)(encoder->share * encoder->map), sizeof(float), "encoder");
        return this->map != NULL ? TOT_OK : TOT_E_MEMORY;
    }
    return TOT_OK;
}

static tot_status create_lanes(tot_encoder *encoder) {
    const int threads = tot_pool_threads(encoder->pool);
    const int batch = encoder->settings.batch;
    const int count = threads < batch ? threads : batch;
    encoder->share = (batch + count - 1) / count;
    encoder->lanes = base_alloc_zero((size_t)count, sizeof *encoder->lanes, "encoder");
    if (encoder->lanes == NULL) {
        return TOT_E_MEMORY;
    }
    encoder->lanes_count = count;
    for (int k = 0; k < count; k++) {
        BASE_TRY(create_lane(encoder, &encoder->lanes[k]));
    }
    return threads > 1 ? create_engine(&encoder->wide, encoder, 1, threads) : TOT_OK;
}

tot_status tot_encoder_create(tot_encoder **out, tot_weights *weights,
                              const tot_encoder_settings *settings, tot_pool *pool) {
    BASE_NEED(out, weights, settings);
    *out = NULL;
    BASE_TRY(check_settings(weights, settings));
    tot_encoder *encoder = base_alloc_zero(1, sizeof *encoder, "encoder");
    if (encoder == NULL) {
        return TOT_E_MEMORY;
    }
    const encoder_network *network = &weights->network;
    const int side = encoder_network_size(network, network->count - 1, settings->size);
    encoder->weights = weights;
    encoder->settings = *settings;
    encoder->pool = pool;
    encoder->map = (int64_t)encoder_network_channels(network) * side * side;
    encoder->width = settings->pool ? encoder_network_channels(network) : encoder->map;
    const int stride = encoder_network_stride(network);
    char cut[16] = "";
    if (stride != network->info->stride) {
        snprintf(cut, sizeof cut, "%d", stride);
    }
    snprintf(encoder->text, sizeof encoder->text, "%s %s %d %s%s %s", network->info->name,
             tot_precision_text(settings->precision), settings->size,
             settings->pool ? "pooled" : "map", cut, weights->hash);
    const tot_status status = create_lanes(encoder);
    if (status != TOT_OK) {
        tot_encoder_free(encoder);
        return status;
    }
    *out = encoder;
    return TOT_OK;
}

int64_t tot_encoder_width(const tot_encoder *encoder) {
    BASE_NEED_OR(0, encoder);
    return encoder->width;
}

const char *tot_encoder_text(const tot_encoder *encoder) {
    BASE_NEED_OR(NULL, encoder);
    return encoder->text;
}

void tot_encoder_free(tot_encoder *encoder) {
    if (encoder == NULL) {
        return;
    }
    for (int k = 0; k < encoder->lanes_count; k++) {
        free_engine(&encoder->lanes[k].engine);
        base_free(encoder->lanes[k].map);
    }
    free_engine(&encoder->wide);
    base_free(encoder->lanes);
    base_free(encoder);
}

// --- encoding -----------------------------------------------------------------------------------

// maps: [count][channels][places]; out: [count][channels].
static void average(const tot_encoder *encoder, const float *maps, int64_t count, float *out) {
    const int64_t places = encoder->map / encoder->width;
    for (int64_t k = 0; k < count * encoder->width; k++) {
        double sum = 0;
        for (int64_t place = 0; place < places; place++) {
            sum += (double)maps[k * places + place];
        }
        out[k] = (float)(sum / (double)places);
    }
}

// oneDNN's graphs have a fixed number of pictures: what is left over goes one by one.
static tot_status run_graphs(const tot_encoder *encoder, const engine *this, const uint8_t *rgb,
                             int64_t count, float *maps) {
    const int64_t pixels = (int64_t)encoder->settings.size * encoder->settings.size;
    for (int64_t done = 0; done < count;) {
        const bool many = count - done >= this->share;
        BASE_TRY(encoder_graph_run(many ? this->many : this->one,
                                   rgb + done * pixels * ENCODER_PICTURE_CHANNELS,
                                   maps + done * encoder->map));
        done += many ? this->share : 1;
    }
    return TOT_OK;
}

// count <= share.
static tot_status run_engine(const tot_encoder *encoder, const engine *this, float *maps,
                             int64_t first, int64_t count) {
    const int64_t pixels = (int64_t)encoder->settings.size * encoder->settings.size;
    const uint8_t *rgb = encoder->rgb + first * pixels * ENCODER_PICTURE_CHANNELS;
    float *out = encoder->out + first * encoder->width;
    float *to = maps != NULL ? maps : out;
    BASE_TRY(this->direct != NULL ? encoder_direct_run(this->direct, rgb, (int)count, to)
                                  : run_graphs(encoder, this, rgb, count, to));
    if (maps != NULL) {
        average(encoder, maps, count, out);
    }
    return TOT_OK;
}

static tot_status run_lane(void *context, size_t index, int worker) {
    (void)worker;
    const tot_encoder *encoder = context;
    const lane *this = &encoder->lanes[index];
    const int64_t first = encoder->count * (int64_t)index / encoder->lanes_count;
    const int64_t end = encoder->count * (int64_t)(index + 1) / encoder->lanes_count;
    return first < end ? run_engine(encoder, &this->engine, this->map, first, end - first) : TOT_OK;
}

tot_status tot_encode(tot_encoder *encoder, const uint8_t *rgb, int64_t count, float *out) {
    BASE_NEED(encoder);
    const int64_t numbers =
        (int64_t)encoder->settings.size * encoder->settings.size * ENCODER_PICTURE_CHANNELS;
    if (count < 0) {
        return base_fail(TOT_E_ARGUMENT, "count: %lld pictures", (long long)count);
    }
    if (count > 0) {
        BASE_NEED(rgb, out);
    }
    for (int64_t done = 0; done < count; done += encoder->count) {
        const int64_t left = count - done;
        encoder->count = left < encoder->settings.batch ? left : encoder->settings.batch;
        encoder->rgb = rgb + done * numbers;
        encoder->out = out + done * encoder->width;
        if (encoder->count == 1 && encoder->wide.share > 0) {
            BASE_TRY(run_engine(encoder, &encoder->wide, encoder->lanes[0].map, 0, 1));
        } else {
            BASE_TRY(tot_pool_run(encoder->pool, (size_t)encoder->lanes_count, run_lane, encoder));
        }
    }
    return TOT_OK;
}
