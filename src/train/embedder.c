#include "train/embedder.h"

#include "base/base.h"
#include "base/settings.h"
#include "demo/trajectory.h"
#include "encoder/onnx.h"
#include "picture/renderer.h"
#include "train/random_play.h"

// --- views -------------------------------------------------------------------------------------

static tot_picture_settings picture_of(const tot_train_config *config, int64_t size) {
    tot_picture_settings picture;
    tot_picture_defaults(&picture);
    picture.renderer = (tot_renderer_kind)config->renderer;
    picture.quality = (tot_quality)config->quality;
    picture.width = (int)size;
    picture.height = (int)size;
    return picture;
}

tot_status train_views_of(train_views *views, const tot_train_config *config) {
    tot_picture_settings picture = picture_of(config, config->size);
    tot_views *encoder = &views->encoder;
    picture.arm = (tot_arm)config->arm;
    BASE_TRY(tot_views_read(encoder, config->camera, (tot_view)config->view, config->hand_margin,
                            &picture));
    for (int k = 0; k < encoder->count; k++) {
        // fitted and hand views start from the whole camera image
        tot_picture_settings *view = &encoder->view[k];
        view->zoom = view->fitted || view->around_hand > 0 ? 1 : config->zoom;
    }
    tot_views agent;
    picture = picture_of(config, config->pixels);
    BASE_TRY(tot_views_read(&agent, encoder->camera[0], (tot_view)config->agent_view,
                            config->hand_margin, &picture));
    views->agent = agent.view[0];
    views->agent.camera = encoder->view[0].camera;
    return TOT_OK;
}

static const char *or_null(const char *text) {
    return text[0] != '\0' ? text : NULL;
}

tot_status train_embedder_open(train_embedder *embedder, const tot_train_config *config,
                               bool pictures, tot_pool *pool) {
    *embedder = (train_embedder){.sees_pictures = pictures && config->cost_on == TOT_COST_ON_IMAGE,
                                 .zero_goal = config->demo_goal == TOT_DEMO_GOAL_ZERO,
                                 .width = TOT_OBSERVATION};
    BASE_TRY(train_views_of(&embedder->views, config));
    embedder->picture =
        (size_t)embedder->views.encoder.count * (size_t)config->size * (size_t)config->size * 3;
    if (embedder->sees_pictures) {
        const char *weights = or_null(config->weights);
        tot_weights_settings settings = {.network = or_null(config->encoder),
                                         .prefix = or_null(config->prefix),
                                         .output = or_null(config->output),
                                         .preprocess = or_null(config->preprocess),
                                         .mean = or_null(config->mean),
                                         .std = or_null(config->std),
                                         .stride = (int)config->stride};
        if (encoder_onnx_path(weights, &settings) != NULL) {
            settings.stride = 0;  // presets set it, but an ONNX network has no stride
        }
        BASE_TRY(tot_weights_load(&embedder->weights, weights, &settings));
    }
    embedder->render_pool = pool;
    return TOT_OK;
}

tot_status train_embedder_open_encoder(train_embedder *embedder, const tot_train_config *config,
                                       const tot_task *task, const uint8_t *frames, int64_t count,
                                       tot_pool *pool) {
    if (!embedder->sees_pictures) {
        return TOT_OK;
    }
    for (int k = 0; k < embedder->views.encoder.count; k++) {
        BASE_TRY(tot_renderer_create(&embedder->renderers[k], task,
                                     &embedder->views.encoder.view[k], embedder->render_pool));
    }
    tot_encoder_settings settings;
    tot_encoder_defaults(&settings);
    settings.size = (int)config->size;
    settings.batch = (int)config->encode_batch;
    settings.precision = (tot_precision)config->precision;
    settings.pool = config->pool == TOT_ON;
    if (settings.precision == TOT_PRECISION_INT8) {
        BASE_TRY(config->calibration[0] != '\0'
                     ? tot_calibration_load(&embedder->calibration, embedder->weights,
                                            config->calibration)
                     : tot_calibrate(&embedder->calibration, embedder->weights, settings.size,
                                     frames, count * embedder->views.encoder.count, pool));
        settings.calibration = embedder->calibration;
    }
    BASE_TRY(tot_encoder_create(&embedder->encoder, embedder->weights, &settings, pool));
    embedder->width = embedder->views.encoder.count * tot_encoder_width(embedder->encoder);
    return TOT_OK;
}

tot_status train_embedder_whiten(train_embedder *embedder, const tot_train_config *config,
                                 const tot_task *task) {
    const train_random_play request = {
        .task = task,
        .world = {.action_repeat = (int)config->action_repeat, .horizon = (int)config->horizon},
        .views = embedder->views.encoder.count,
        .renderers = embedder->renderers,
        .encoder = embedder->encoder,
        .episodes = config->whiten == TOT_WHITEN_OFF ? 0 : config->whiten_episodes,
        .floor = config->whiten_floor,
        .seed = (uint64_t)config->demo_seed,
    };
    return train_random_play_whiten(embedder->whitening, &request);
}

tot_status train_embedder_render(const train_embedder *embedder, const tot_world *world,
                                 uint8_t *rgb) {
    const int views = embedder->views.encoder.count;
    return picture_draw_views(embedder->renderers, views, world, embedder->picture / (size_t)views,
                              rgb);
}

tot_status train_embedder_embed(train_embedder *embedder, const float *observations,
                                const uint8_t *frames, int64_t steps, float *embeddings) {
    if (embedder->sees_pictures) {
        // vertically stacked views are contiguous in memory
        BASE_TRY(tot_encode(embedder->encoder, frames, steps * embedder->views.encoder.count,
                            embeddings));
        train_whitening_apply_views(embedder->whitening, embedder->views.encoder.count, embeddings,
                                    steps);
        return TOT_OK;
    }
    memcpy(embeddings, observations, (size_t)steps * TOT_OBSERVATION * sizeof *embeddings);
    for (int64_t k = 0; k < steps && embedder->zero_goal; k++) {
        memset(embeddings + (k + 1) * TOT_OBSERVATION - DEMO_GOAL, 0,
               DEMO_GOAL * sizeof *embeddings);
    }
    return TOT_OK;
}

void train_embedder_close(train_embedder *embedder) {
    tot_encoder_free(embedder->encoder);
    tot_calibration_free(embedder->calibration);
    tot_weights_free(embedder->weights);
    for (int k = 0; k < embedder->views.encoder.count; k++) {
        tot_renderer_free(embedder->renderers[k]);
        train_whitening_free(&embedder->whitening[k]);
    }
    tot_renderer_free(embedder->agent_renderer);
    *embedder = (train_embedder){0};
}
