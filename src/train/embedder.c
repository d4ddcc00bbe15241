#include "train/embedder.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "demo/trajectory.h"

// --- looks -------------------------------------------------------------------------------------

// One entry of a list of cameras, "NAME" or "NAME:VIEW"; list is moved behind it. fitted: the
// setting `view`, where the entry does not say.
static tot_status read_look(const char **list, tot_train_text name, bool *fitted) {
    const size_t length = strcspn(*list, ",");
    const size_t colon = strcspn(*list, ",:");
    snprintf(name, sizeof(tot_train_text), "%.*s", (int)colon, *list);
    if (colon < length) {
        char view[32];
        snprintf(view, sizeof view, "%.*s", (int)(length - colon - 1), *list + colon + 1);
        *fitted = strcmp(view, "fitted") == 0;
        if (!*fitted && strcmp(view, "camera") != 0) {
            return base_fail(TOT_E_ARGUMENT, "camera: '%s' is not a view: camera or fitted", view);
        }
    }
    *list += length + ((*list)[length] == ',' ? 1 : 0);
    return TOT_OK;
}

static void fill_look(tot_picture_settings *look, const tot_train_config *config,
                      const char *camera) {
    tot_picture_defaults(look);
    look->renderer = (tot_renderer)config->renderer;
    look->quality = (tot_quality)config->quality;
    look->camera = camera[0] != '\0' ? camera : NULL;
    look->width = (int)config->size;
    look->height = (int)config->size;
    look->zoom = config->zoom;
}

tot_status train_looks_of(train_looks *looks, const tot_train_config *config) {
    const char *list = config->camera;
    looks->count = 0;
    do {
        if (looks->count == TOT_MAX_LOOKS) {
            return base_fail(TOT_E_ARGUMENT, "camera: '%s' has more than %d looks", config->camera,
                             TOT_MAX_LOOKS);
        }
        const int k = looks->count++;
        bool fitted = config->view == TOT_VIEW_FITTED;
        BASE_TRY(read_look(&list, looks->camera[k], &fitted));
        fill_look(&looks->look[k], config, looks->camera[k]);
        looks->look[k].fitted = fitted;
        // the part that is fitted is of all that the camera sees
        looks->look[k].zoom = fitted ? 1 : config->zoom;
    } while (list[0] != '\0');
    fill_look(&looks->agent, config, looks->camera[0]);
    looks->agent.zoom = 1;
    looks->agent.width = (int)config->pixels;
    looks->agent.height = (int)config->pixels;
    looks->agent.fitted = config->agent_view == TOT_VIEW_FITTED;
    return TOT_OK;
}

static const char *or_null(const char *text) {
    return text[0] != '\0' ? text : NULL;
}

tot_status train_embedder_open(train_embedder *eye, const tot_train_config *config, bool pictures,
                               tot_pool *pool) {
    *eye = (train_embedder){.sees_pictures = pictures && config->cost_on == TOT_COST_ON_IMAGE,
                            .zero_goal = config->demo_goal == TOT_DEMO_GOAL_ZERO,
                            .width = TOT_OBSERVATION};
    BASE_TRY(train_looks_of(&eye->looks, config));
    eye->picture = (size_t)eye->looks.count * (size_t)config->size * (size_t)config->size * 3;
    if (eye->sees_pictures) {
        const tot_weights_settings settings = {.network = or_null(config->encoder),
                                               .prefix = or_null(config->prefix),
                                               .cell = (int)config->cell};
        BASE_TRY(tot_weights_load(&eye->weights, or_null(config->weights), &settings));
    }
    eye->painting = pool;
    return TOT_OK;
}

tot_status train_embedder_open_agent_view(train_embedder *eye, const tot_train_config *config,
                                          const tot_task *task) {
    return config->obs == TOT_OBS_PIXELS
               ? tot_painter_create(&eye->glancer, task, &eye->looks.agent, eye->painting)
               : TOT_OK;
}

tot_status train_embedder_open_encoder(train_embedder *eye, const tot_train_config *config,
                                       const tot_task *task, const uint8_t *frames, int64_t count,
                                       tot_pool *pool) {
    if (!eye->sees_pictures) {
        return TOT_OK;
    }
    for (int k = 0; k < eye->looks.count; k++) {
        BASE_TRY(tot_painter_create(&eye->painters[k], task, &eye->looks.look[k], eye->painting));
    }
    tot_encoder_settings settings;
    tot_encoder_defaults(&settings);
    settings.size = (int)config->size;
    settings.batch = (int)config->encode_batch;
    settings.precision = (tot_precision)config->precision;
    settings.pool = config->pool == 1;
    if (settings.precision == TOT_PRECISION_INT8) {
        BASE_TRY(config->calibration[0] != '\0'
                     ? tot_calibration_load(&eye->calibration, eye->weights, config->calibration)
                     : tot_calibrate(&eye->calibration, eye->weights, settings.size, frames,
                                     count * eye->looks.count, pool));
        settings.calibration = eye->calibration;
    }
    BASE_TRY(tot_encoder_create(&eye->encoder, eye->weights, &settings, pool));
    eye->width = eye->looks.count * tot_encoder_width(eye->encoder);
    return TOT_OK;
}

tot_status train_embedder_render(const train_embedder *eye, const tot_world *world, uint8_t *rgb) {
    const size_t one = eye->picture / (size_t)eye->looks.count;
    for (int k = 0; k < eye->looks.count; k++) {
        BASE_TRY(tot_painter_draw(eye->painters[k], world, rgb + (size_t)k * one));
    }
    return TOT_OK;
}

tot_status train_embedder_embed(train_embedder *eye, const float *observations,
                                const uint8_t *frames, int64_t steps, float *embeddings) {
    if (eye->sees_pictures) {
        // looks that stand one below the other lie one behind the other
        return tot_encode(eye->encoder, frames, steps * eye->looks.count, embeddings);
    }
    memcpy(embeddings, observations, (size_t)steps * TOT_OBSERVATION * sizeof *embeddings);
    for (int64_t k = 0; k < steps && eye->zero_goal; k++) {
        memset(embeddings + (k + 1) * TOT_OBSERVATION - DEMO_GOAL, 0,
               DEMO_GOAL * sizeof *embeddings);
    }
    return TOT_OK;
}

void train_embedder_close(train_embedder *eye) {
    tot_encoder_free(eye->encoder);
    tot_calibration_free(eye->calibration);
    tot_weights_free(eye->weights);
    for (int k = 0; k < eye->looks.count; k++) {
        tot_painter_free(eye->painters[k]);
    }
    tot_painter_free(eye->glancer);
    *eye = (train_embedder){0};
}
