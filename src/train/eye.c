#include "train/eye.h"

#include <string.h>

#include "base/error.h"
#include "demo/trajectory.h"

void tot_eye_look(const tot_train_config *config, tot_picture_settings *look) {
    tot_picture_defaults(look);
    look->renderer = (tot_renderer)config->renderer;
    look->quality = (tot_quality)config->quality;
    look->camera = config->camera[0] != '\0' ? config->camera : NULL;
    look->width = (int)config->size;
    look->height = (int)config->size;
    look->zoom = config->zoom;
}

void tot_eye_glance(const tot_train_config *config, tot_picture_settings *glance) {
    tot_eye_look(config, glance);
    glance->zoom = 1;
    glance->width = (int)config->pixels;
    glance->height = (int)config->pixels;
}

static const char *or_null(const char *text) {
    return text[0] != '\0' ? text : NULL;
}

tot_status tot_eye_open(tot_eye *eye, const tot_train_config *config, const tot_task *task,
                        bool pictures, tot_pool *pool) {
    *eye = (tot_eye){.sees_pictures = pictures && config->cost_on == 0,
                     .zero_goal = config->demo_goal == 0,
                     .width = TOT_OBSERVATION};
    tot_eye_look(config, &eye->look);
    tot_eye_glance(config, &eye->glance);
    if (eye->sees_pictures) {
        const tot_weights_settings settings = {.network = or_null(config->encoder),
                                               .prefix = or_null(config->prefix),
                                               .cell = (int)config->cell};
        TOT_TRY(tot_weights_load(&eye->weights, or_null(config->weights), &settings));
        TOT_TRY(tot_painter_create(&eye->painter, task, &eye->look, pool));
    }
    if (config->obs == 1) {
        TOT_TRY(tot_painter_create(&eye->glancer, task, &eye->glance, pool));
    }
    return TOT_OK;
}

tot_status tot_eye_focus(tot_eye *eye, const tot_train_config *config, const uint8_t *frames,
                         int64_t count, tot_pool *pool) {
    if (!eye->sees_pictures) {
        return TOT_OK;
    }
    tot_encoder_settings settings;
    tot_encoder_defaults(&settings);
    settings.size = (int)config->size;
    settings.batch = (int)config->encode_batch;
    settings.precision = (tot_precision)config->precision;
    settings.pool = config->pool == 1;
    if (settings.precision == TOT_PRECISION_INT8) {
        TOT_TRY(config->calibration[0] != '\0'
                    ? tot_calibration_load(&eye->calibration, eye->weights, config->calibration)
                    : tot_calibrate(&eye->calibration, eye->weights, settings.size, frames, count,
                                    pool));
        settings.calibration = eye->calibration;
    }
    TOT_TRY(tot_encoder_create(&eye->encoder, eye->weights, &settings, pool));
    eye->width = tot_encoder_width(eye->encoder);
    return TOT_OK;
}

tot_status tot_eye_embed(tot_eye *eye, const float *observations, const uint8_t *frames,
                         int64_t steps, float *embeddings) {
    if (eye->sees_pictures) {
        return tot_encode(eye->encoder, frames, steps, embeddings);
    }
    memcpy(embeddings, observations, (size_t)steps * TOT_OBSERVATION * sizeof *embeddings);
    for (int64_t k = 0; k < steps && eye->zero_goal; k++) {
        memset(embeddings + (k + 1) * TOT_OBSERVATION - TOT_GOAL, 0, TOT_GOAL * sizeof *embeddings);
    }
    return TOT_OK;
}

void tot_eye_close(tot_eye *eye) {
    tot_encoder_free(eye->encoder);
    tot_calibration_free(eye->calibration);
    tot_weights_free(eye->weights);
    tot_painter_free(eye->painter);
    tot_painter_free(eye->glancer);
    *eye = (tot_eye){0};
}
