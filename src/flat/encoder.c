// Flat API: encoding pictures.

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
    tot_encoder *encoder;  // uses the pool in threads
    uint8_t *resized;      // [batch][size][size][3], if pictures have another size
};

static const base_setting settings_of_encoders[] = {
    FLAT_INT(tot_flat_encoder, "stride", kind.stride),
    FLAT_INT(tot_flat_encoder, "size", settings.size),
    FLAT_INT(tot_flat_encoder, "batch", settings.batch),
    FLAT_WORD(tot_flat_encoder, "pool", settings.pool, TOT_SWITCH_WORDS),
    FLAT_TEXT(tot_flat_encoder, "calibration", calibration_path),
};

static tot_status take_setting(void *context, const char *name, const char *value) {
    tot_flat_encoder *encoder = context;
    tot_weights_settings *kind = &encoder->kind;
    // NULL if not given; may be empty
    char *const texts[] = {encoder->network,    encoder->prefix, encoder->output,
                           encoder->preprocess, encoder->mean,   encoder->std};
    const char **const given[] = {&kind->network,    &kind->prefix, &kind->output,
                                  &kind->preprocess, &kind->mean,   &kind->std};
    static const char *const others[] = {"network", "prefix", "output",    "preprocess",
                                         "mean",    "std",    "precision", NULL};
    static const flat_table table = {"encoder", settings_of_encoders,
                                     BASE_LENGTH(settings_of_encoders), others};
    for (size_t k = 0; k < BASE_LENGTH(texts); k++) {
        if (strcmp(name, others[k]) == 0) {
            *given[k] = strcpy(texts[k], value);
            return TOT_OK;
        }
    }
    return strcmp(name, "precision") == 0 ? tot_precision_find(&encoder->settings.precision, value)
                                          : flat_set(&table, encoder, NULL, name, value);
}

// Creates the encoder; also after a fork, since the child does not have the parent's threads.
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
    BASE_NEED(out);
    *out = NULL;
    BASE_NEW(tot_flat_encoder, encoder, "encoder");
    BASE_GIVE(set_up(encoder, weights, settings, threads), out, encoder, tot_flat_encoder_free);
}

void tot_flat_encoder_free(tot_flat_encoder *encoder) {
    BASE_UNLESS_NULL(encoder);
    if (!flat_threads_stale(&encoder->threads)) {
        tot_encoder_free(encoder->encoder);
        flat_threads_free(&encoder->threads);
        tot_calibration_free(encoder->calibration);
        tot_weights_free(encoder->weights);
    }
    BASE_RELEASE(encoder->resized, encoder);
}

BASE_GETTER(int64_t, tot_flat_encoder_width, tot_flat_encoder, encoder, 0,
            tot_encoder_width(encoder->encoder))
BASE_GETTER(int, tot_flat_encoder_size, tot_flat_encoder, encoder, 0, encoder->settings.size)
BASE_GETTER(const char *, tot_flat_encoder_text, tot_flat_encoder, encoder, "",
            tot_encoder_text(encoder->encoder))

tot_status tot_flat_encode(tot_flat_encoder *encoder, const uint8_t *rgb, int64_t count, int width,
                           int height, float *out) {
    BASE_NEED(encoder, rgb, out);
    BASE_FAIL_IF(count < 0 || width < 1 || height < 1, TOT_E_ARGUMENT,
                 "encode: no pictures or no room for them");
    BASE_TRY(start(encoder));
    const int size = encoder->settings.size;
    if (width == size && height == size) {
        return tot_encode(encoder->encoder, rgb, count, out);
    }
    const size_t bytes = (size_t)size * (size_t)size * 3;
    if (encoder->resized == NULL) {
        BASE_ALLOC(encoder->resized, (size_t)encoder->settings.batch * bytes, "pictures");
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
