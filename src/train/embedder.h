// What episodes are compared by: embeddings of pictures, or the 39 numbers of an observation.
#pragma once

#include <temporalot/encoder.h>
#include <temporalot/picture.h>
#include <temporalot/train.h>

#include "train/whitening.h"

// The views of a run: those that the encoder embeds, one below the other in a picture, and the one
// that an agent learning from pixels observes. Not to be copied: it points into itself.
typedef struct train_views {
    int count;
    tot_picture_settings view[TOT_MAX_VIEWS];
    tot_picture_settings agent;
    tot_train_text camera[TOT_MAX_VIEWS];  // their names; "": the task's
} train_views;

// Of a config, whose camera is a list: "corner3", "corner:fitted,corner:camera". TOT_E_ARGUMENT for
// a view that is not known, or too many of them.
tot_status train_views_of(train_views *views, const tot_train_config *config);

typedef struct train_embedder {
    bool sees_pictures;
    bool zero_goal;  // the goal's place is 0 in the 39 numbers
    train_views views;
    size_t picture;                          // bytes of all views together
    tot_renderer *renderers[TOT_MAX_VIEWS];  // NULL: none are needed
    tot_renderer *agent_renderer;            // of the agent's view
    tot_pool *render_pool;                   // over which the renderers share their work
    tot_weights *weights;
    tot_calibration *calibration;
    tot_encoder *encoder;
    train_whitening whitening[TOT_MAX_VIEWS];  // {0}: off
    int64_t width;                             // numbers of an embedding: of all views
} train_embedder;

// Views and weights; pictures: whether the method compares episodes by pictures at all.
tot_status train_embedder_open(train_embedder *embedder, const tot_train_config *config,
                               bool pictures, tot_pool *pool);

// The renderer of the agent's view, once that view is known; nothing where it observes numbers.
tot_status train_embedder_open_agent_view(train_embedder *embedder, const tot_train_config *config,
                                          const tot_task *task);

// The encoder and the renderers of its views, once these are known (embedder->views). frames:
// [count] pictures to measure an int8 calibration on where none is given.
tot_status train_embedder_open_encoder(train_embedder *embedder, const tot_train_config *config,
                                       const tot_task *task, const uint8_t *frames, int64_t count,
                                       tot_pool *pool);

// Plays random episodes and shrinks what they change, as the settings say; the encoder is open.
tot_status train_embedder_whiten(train_embedder *embedder, const tot_train_config *config,
                                 const tot_task *task);

// Renders all views of the world: rgb is [picture].
tot_status train_embedder_render(const train_embedder *embedder, const tot_world *world,
                                 uint8_t *rgb);

// embeddings: [steps][width], written. observations: [steps][TOT_OBSERVATION] of the moments that
// the frames show.
tot_status train_embedder_embed(train_embedder *embedder, const float *observations,
                                const uint8_t *frames, int64_t steps, float *embeddings);

// embedder may be {0}.
void train_embedder_close(train_embedder *embedder);
