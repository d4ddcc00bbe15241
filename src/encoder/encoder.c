
#include "base/base.h"
#include "base/settings.h"
#include "encoder/engine.h"
#include "encoder/weights.h"

enum { DEFAULT_SIZE = 224, DEFAULT_BATCH = 8 };

// Per-thread state.
typedef struct lane {
    void *engine;
    float *map;  // [share] feature maps, if they are averaged; otherwise NULL
} lane;

struct tot_encoder {
    encoder_plan plan;
    char text[160];
    int share;  // maximum pictures per lane
    int lanes_count;
    lane *lanes;
    void *wide;  // runs one picture on all threads; NULL with one thread, or if it cannot split

    // the batch being encoded
    const uint8_t *rgb;
    float *out;
    int64_t count;
};

// --- names --------------------------------------------------------------------------------------

enum { PRECISIONS = TOT_PRECISION_BF16 + 1 };

const char *tot_precision_text(tot_precision precision) {
    static _Thread_local char words[PRECISIONS][8];
    return (size_t)precision < PRECISIONS
               ? base_word_at(TOT_PRECISION_WORDS, (int)precision, words[precision], sizeof *words)
               : "unknown";
}

tot_status tot_precision_find(tot_precision *precision, const char *name) {
    BASE_NEED(precision, name);
    char list[64];
    const int place = base_word_find(TOT_PRECISION_WORDS, name);
    BASE_FAIL_IF(place < 0, TOT_E_ARGUMENT, "precision: '%s' is not %s", name,
                 base_words_list(TOT_PRECISION_WORDS, list, sizeof list));
    *precision = (tot_precision)place;
    return TOT_OK;
}

void tot_encoder_defaults(tot_encoder_settings *settings) {
    BASE_NEED_OR(, settings);
    *settings = (tot_encoder_settings){
        .size = DEFAULT_SIZE, .batch = DEFAULT_BATCH, .precision = TOT_PRECISION_F32};
}

// --- creation -----------------------------------------------------------------------------------

tot_status encoder_check_size(int size) {
    return size >= TOT_MIN_ENCODER_SIZE && size <= TOT_MAX_ENCODER_SIZE
               ? TOT_OK
               : base_fail(TOT_E_ARGUMENT, "size: %d is not in %d .. %d", size,
                           TOT_MIN_ENCODER_SIZE, TOT_MAX_ENCODER_SIZE);
}

static tot_status create_lane(const tot_encoder *encoder, lane *this) {
    const encoder_plan *plan = &encoder->plan;
    BASE_TRY(plan->engine->create(&this->engine, plan, encoder->share, 1));
    if (plan->width != plan->map) {
        BASE_ALLOC(this->map, (size_t)(encoder->share * plan->map), "encoder");
    }
    return TOT_OK;
}

static tot_status create_lanes(tot_encoder *encoder) {
    const encoder_plan *plan = &encoder->plan;
    const int threads = tot_pool_threads(plan->pool);
    const int batch = plan->settings.batch;
    encoder->share = (batch + plan->lanes - 1) / plan->lanes;
    BASE_ALLOC_ZERO(encoder->lanes, (size_t)plan->lanes, "encoder");
    encoder->lanes_count = plan->lanes;
    for (int k = 0; k < plan->lanes; k++) {
        BASE_TRY(create_lane(encoder, &encoder->lanes[k]));
    }
    return threads > 1 && plan->engine->splits
               ? plan->engine->create(&encoder->wide, plan, 1, threads)
               : TOT_OK;
}

static void write_text(tot_encoder *encoder) {
    const tot_encoder_settings *settings = &encoder->plan.settings;
    const tot_weights *weights = encoder->plan.weights;
    const tot_network_info *info = tot_weights_network(weights);
    const int stride = tot_weights_stride(weights);
    char cut[16] = "";
    if (stride != info->stride) {
        snprintf(cut, sizeof cut, "%d", stride);
    }
    snprintf(encoder->text, sizeof encoder->text, "%s %s %d %s%s %s", info->name,
             tot_precision_text(settings->precision), settings->size,
             settings->pool ? "pooled" : "map", cut, tot_weights_hash(weights));
}

static tot_status set_up(tot_encoder *encoder) {
    encoder_plan *plan = &encoder->plan;
    const int threads = tot_pool_threads(plan->pool);
    const int batch = plan->settings.batch;
    BASE_FAIL_IF(batch < 1 || batch > TOT_MAX_ENCODER_BATCH, TOT_E_ARGUMENT,
                 "batch: %d is not in 1 .. %d", batch, TOT_MAX_ENCODER_BATCH);
    plan->lanes = threads < batch ? threads : batch;
    BASE_TRY(plan->weights->family->plan(plan));
    write_text(encoder);
    return create_lanes(encoder);
}

tot_status tot_encoder_create(tot_encoder **out, tot_weights *weights,
                              const tot_encoder_settings *settings, tot_pool *pool) {
    BASE_NEED(out, weights, settings);
    *out = NULL;
    BASE_NEW(tot_encoder, encoder, "encoder");
    encoder->plan = (encoder_plan){.weights = weights, .settings = *settings, .pool = pool};
    BASE_GIVE(set_up(encoder), out, encoder, tot_encoder_free);
}

BASE_GETTER(int64_t, tot_encoder_width, tot_encoder, encoder, 0, encoder->plan.width)
BASE_GETTER(int, tot_encoder_size, tot_encoder, encoder, 0, encoder->plan.settings.size)
BASE_GETTER(const char *, tot_encoder_text, tot_encoder, encoder, NULL, encoder->text)

void tot_encoder_free(tot_encoder *encoder) {
    BASE_UNLESS_NULL(encoder);
    for (int k = 0; k < encoder->lanes_count; k++) {
        encoder->plan.engine->free(encoder->lanes[k].engine);
        base_free(encoder->lanes[k].map);
    }
    if (encoder->wide != NULL) {
        encoder->plan.engine->free(encoder->wide);
    }
    BASE_RELEASE(encoder->lanes, encoder);
}

// --- encoding -----------------------------------------------------------------------------------

// Averages each channel of a map. maps: [count][channels][places]; out: [count][channels].
static void average(const encoder_plan *plan, const float *maps, int64_t count, float *out) {
    const int64_t places = plan->map / plan->width;
    for (int64_t k = 0; k < count * plan->width; k++) {
        double sum = 0;
        for (int64_t place = 0; place < places; place++) {
            sum += (double)maps[k * places + place];
        }
        out[k] = (float)(sum / (double)places);
    }
}

static int64_t picture_bytes(const encoder_plan *plan) {
    return (int64_t)plan->settings.size * plan->settings.size * ENCODER_PICTURE_CHANNELS;
}

// maps: NULL if the engine writes to out directly. count <= share.
static tot_status run_engine(const tot_encoder *encoder, void *engine, float *maps, int64_t first,
                             int64_t count) {
    const encoder_plan *plan = &encoder->plan;
    const uint8_t *rgb = encoder->rgb + first * picture_bytes(plan);
    float *out = encoder->out + first * plan->width;
    BASE_TRY(plan->engine->run(engine, rgb, (int)count, maps != NULL ? maps : out));
    if (maps != NULL) {
        average(plan, maps, count, out);
    }
    return TOT_OK;
}

static tot_status run_lane(void *context, size_t index, int worker) {
    (void)worker;
    const tot_encoder *encoder = context;
    const lane *this = &encoder->lanes[index];
    const int64_t first = encoder->count * (int64_t)index / encoder->lanes_count;
    const int64_t end = encoder->count * (int64_t)(index + 1) / encoder->lanes_count;
    return first < end ? run_engine(encoder, this->engine, this->map, first, end - first) : TOT_OK;
}

tot_status tot_encode(tot_encoder *encoder, const uint8_t *rgb, int64_t count, float *out) {
    BASE_NEED(encoder);
    const encoder_plan *plan = &encoder->plan;
    const int64_t batch = plan->settings.batch;
    BASE_FAIL_IF(count < 0, TOT_E_ARGUMENT, "count: %lld pictures", (long long)count);
    if (count > 0) {
        BASE_NEED(rgb, out);
    }
    for (int64_t done = 0; done < count; done += encoder->count) {
        const int64_t left = count - done;
        encoder->count = left < batch ? left : batch;
        encoder->rgb = rgb + done * picture_bytes(plan);
        encoder->out = out + done * plan->width;
        if (encoder->count == 1 && encoder->wide != NULL) {
            BASE_TRY(run_engine(encoder, encoder->wide, encoder->lanes[0].map, 0, 1));
        } else {
            BASE_TRY(tot_pool_run(plan->pool, (size_t)encoder->lanes_count, run_lane, encoder));
        }
    }
    return TOT_OK;
}
