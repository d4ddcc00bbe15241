// Pictures to embeddings for callers that know no structs.

#include <temporalot/encoder.h>
#include <temporalot/image.h>

#include "base/base.h"
#include "flat/flat.h"

struct tot_flat_encoder {
    tot_weights *weights;
    tot_calibration *calibration;
    tot_encoder_settings settings;
    tot_weights_settings kind;
    char network[FLAT_VALUE];
    char prefix[FLAT_VALUE];
    char output[FLAT_VALUE];
    char preprocess[FLAT_VALUE];
    char mean[FLAT_VALUE];
    char std[FLAT_VALUE];
    char calibration_path[FLAT_VALUE];
    flat_threads threads;
    tot_encoder *encoder;  // of the pool in threads
    uint8_t *resized;      // [batch][size][size][3], where pictures are of another size
};

static tot_status take_setting(void *context, const char *name, const char *value) {
    static const char *const names[] = {"network", "prefix",     "stride", "size",
                                        "batch",   "precision",  "pool",   "calibration",
                                        "output",  "preprocess", "mean",   "std"};
    tot_flat_encoder *encoder = context;
    tot_weights_settings *kind = &encoder->kind;
    const struct {
        const char *name;
        char *text;  // [FLAT_VALUE]
        const char **setting;
    } texts[] = {
        {"network", encoder->network, &kind->network},
        {"prefix", encoder->prefix, &kind->prefix},
        {"output", encoder->output, &kind->output},
        {"preprocess", encoder->preprocess, &kind->preprocess},
        {"mean", encoder->mean, &kind->mean},
        {"std", encoder->std, &kind->std},
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        if (strcmp(name, texts[k].name) == 0) {
            *texts[k].setting = strcpy(texts[k].text, value);
            return TOT_OK;
        }
    }
    if (strcmp(name, "calibration") == 0) {
        strcpy(encoder->calibration_path, value);
    } else if (strcmp(name, "stride") == 0) {
        return flat_int(name, value, &encoder->kind.stride);
    } else if (strcmp(name, "size") == 0) {
        return flat_int(name, value, &encoder->settings.size);
    } else if (strcmp(name, "batch") == 0) {
        return flat_int(name, value, &encoder->settings.batch);
    } else if (strcmp(name, "precision") == 0) {
        return tot_precision_find(&encoder->settings.precision, value);
    } else if (strcmp(name, "pool") == 0) {
        return flat_switch(name, value, &encoder->settings.pool);
    } else {
        return base_fail_unknown(name, names, sizeof names / sizeof *names,
                                 "encoder: '%s' is not a setting", name);
    }
    return TOT_OK;
}

// The encoder itself, again in a child after a fork: its threads are the parent's.
static tot_status start(tot_flat_encoder *encoder) {
    if (!flat_threads_stale(&encoder->threads) && encoder->encoder != NULL) {
        return TOT_OK;
    }
    encoder->encoder = NULL;
    BASE_TRY(flat_threads_start(&encoder->threads));
    BASE_TRY(tot_encoder_create(&encoder->encoder, encoder->weights, &encoder->settings,
                                encoder->threads.pool));
    encoder->settings.size = tot_encoder_size(encoder->encoder);
    return TOT_OK;
}

static tot_status set_up(tot_flat_encoder *encoder, const char *weights, const char *settings,
                         int threads) {
    tot_encoder_defaults(&encoder->settings);
    BASE_TRY(flat_settings(settings, take_setting, encoder));
    BASE_TRY(flat_threads_init(&encoder->threads, threads));
    BASE_TRY(tot_weights_load(&encoder->weights, weights, &encoder->kind));
    if (encoder->calibration_path[0] != '\0') {
        BASE_TRY(tot_calibration_load(&encoder->calibration, encoder->weights,
                                      encoder->calibration_path));
        encoder->settings.calibration = encoder->calibration;
    }
    return start(encoder);
}

tot_status tot_flat_encoder_create(tot_flat_encoder **out, const char *weights,
                                   const char *settings, int threads) {
    BASE_FAIL_IF(out == NULL, TOT_E_ARGUMENT, "encoder: NULL");
    *out = NULL;
    tot_flat_encoder *encoder = base_alloc_zero(1, sizeof *encoder, "encoder");
    BASE_HAVE(encoder);
    BASE_GIVE(set_up(encoder, weights, settings, threads), out, encoder, tot_flat_encoder_free);
}

void tot_flat_encoder_free(tot_flat_encoder *encoder) {
    if (encoder == NULL) {
        return;
    }
    if (!flat_threads_stale(&encoder->threads)) {
        tot_encoder_free(encoder->encoder);
        flat_threads_free(&encoder->threads);
        tot_calibration_free(encoder->calibration);
        tot_weights_free(encoder->weights);
    }
    BASE_RELEASE(encoder->resized, encoder);
}

int64_t tot_flat_encoder_width(const tot_flat_encoder *encoder) {
    return encoder != NULL ? tot_encoder_width(encoder->encoder) : 0;
}

int tot_flat_encoder_size(const tot_flat_encoder *encoder) {
    return encoder != NULL ? encoder->settings.size : 0;
}

const char *tot_flat_encoder_text(const tot_flat_encoder *encoder) {
    return encoder != NULL ? tot_encoder_text(encoder->encoder) : "";
}

tot_status tot_flat_encode(tot_flat_encoder *encoder, const uint8_t *rgb, int64_t count, int width,
                           int height, float *out) {
    BASE_FAIL_IF(
        encoder == NULL || rgb == NULL || out == NULL || count < 0 || width < 1 || height < 1,
        TOT_E_ARGUMENT, "encode: no encoder, no pictures or no room for them");
    BASE_TRY(start(encoder));
    const int size = encoder->settings.size;
    if (width == size && height == size) {
        return tot_encode(encoder->encoder, rgb, count, out);
    }
    const size_t bytes = (size_t)size * (size_t)size * 3;
    if (encoder->resized == NULL) {
        encoder->resized = base_alloc((size_t)encoder->settings.batch, bytes, "pictures");
        BASE_HAVE(encoder->resized);
    }
    for (int64_t done = 0; done < count;) {
        int64_t some = 0;
        for (; some < encoder->settings.batch && done + some < count; some++) {
            const size_t from = (size_t)(done + some) * (size_t)width * (size_t)height * 3;
            tot_resize(rgb + from, width, height, encoder->resized + bytes * (size_t)some, size,
                       size);
        }
        BASE_TRY(tot_encode(encoder->encoder, encoder->resized, some,
                            out + done * tot_encoder_width(encoder->encoder)));
        done += some;
    }
    return TOT_OK;
}
