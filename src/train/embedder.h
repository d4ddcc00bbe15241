// What episodes are compared by: embeddings of pictures, or the 39-dimensional state observation.
#pragma once

#include <temporalot/encoder.h>
#include <temporalot/picture.h>
#include <temporalot/train.h>

#include "train/whitening.h"

// The views of a run: those the encoder embeds, stacked vertically in a picture, and the one
// observed by an agent that learns from pixels. Not copyable, as tot_views.
typedef struct train_views {
    tot_views encoder;
    tot_picture_settings agent;  // with the name of its camera in `encoder`
} train_views;

// Creates the views of a config, whose camera is a list. TOT_E_ARGUMENT for an unknown view, or too
// many.
tot_status train_views_of(train_views *views, const tot_train_config *config);

typedef struct train_embedder {
    bool sees_pictures;
    bool zero_goal;  // the goal position is set to 0 in state observations
    train_views views;
    size_t picture;                          // bytes of all views together
    tot_renderer *renderers[TOT_MAX_VIEWS];  // NULL if no pictures are needed
    tot_renderer *agent_renderer;            // for the agent's view
    tot_pool *render_pool;                   // threads used by the renderers
    tot_weights *weights;
    tot_calibration *calibration;
    tot_encoder *encoder;
    train_whitening whitening[TOT_MAX_VIEWS];  // {0} if disabled
    int64_t width;                             // embedding width, all views together
} train_embedder;

// Sets up views and weights. pictures: whether the method compares episodes by pictures.
tot_status train_embedder_open(train_embedder *embedder, const tot_train_config *config,
                               bool pictures, tot_pool *pool);

// Creates the encoder and the renderers of its views (embedder->views), which must be known.
// frames: [count] pictures for the int8 calibration, used if none is given.
tot_status train_embedder_open_encoder(train_embedder *embedder, const tot_train_config *config,
                                       const tot_task *task, const uint8_t *frames, int64_t count,
                                       tot_pool *pool);

// Runs random episodes and fits the whitening according to the settings. The encoder must be open.
tot_status train_embedder_whiten(train_embedder *embedder, const tot_train_config *config,
                                 const tot_task *task);

// Renders all views of the world. rgb: [picture], written.
tot_status train_embedder_render(const train_embedder *embedder, const tot_world *world,
                                 uint8_t *rgb);

// embeddings: [steps][width], written. observations: [steps][TOT_OBSERVATION], of the same time
// steps as the frames.
tot_status train_embedder_embed(train_embedder *embedder, const float *observations,
                                const uint8_t *frames, int64_t steps, float *embeddings);

// embedder may be {0}.
void train_embedder_close(train_embedder *embedder);
