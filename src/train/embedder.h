// What the cost looks at: pictures through the encoder, or the 39 numbers.
#ifndef TRAIN_EMBEDDER_H
#define TRAIN_EMBEDDER_H

#include <temporalot/encoder.h>
#include <temporalot/picture.h>
#include <temporalot/train.h>

// The pictures of a run: what the encoder sees of a moment, one below the other, and what an agent
// sees that looks at pixels. Not to be copied: names are pointed to.
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
    size_t picture;                          // bytes of all looks together
    tot_renderer *renderers[TOT_MAX_VIEWS];  // NULL: none are needed
    tot_renderer *agent_renderer;            // draws what the agent sees
    tot_pool *render_pool;                   // what the painters share their work over
    tot_weights *weights;
    tot_calibration *calibration;
    tot_encoder *encoder;
    int64_t width;  // numbers of an embedding: of all looks
} train_embedder;

// Looks and weights; pictures: whether the method compares episodes by pictures at all.
tot_status train_embedder_open(train_embedder *embedder, const tot_train_config *config,
                               bool pictures, tot_pool *pool);

// The painter of what the agent sees, once it is known what its view is; nothing where it sees
// numbers.
tot_status train_embedder_open_agent_view(train_embedder *embedder, const tot_train_config *config,
                                          const tot_task *task);

// The encoder and its painter, once it is known what the views are (eye->looks). frames: [count]
// pictures to measure an int8 calibration on where none is given.
tot_status train_embedder_open_encoder(train_embedder *embedder, const tot_train_config *config,
                                       const tot_task *task, const uint8_t *frames, int64_t count,
                                       tot_pool *pool);

// Draws all looks at the world: rgb is [picture].
tot_status train_embedder_render(const train_embedder *embedder, const tot_world *world,
                                 uint8_t *rgb);

// embeddings: [steps][width], written. observations: [steps][TOT_OBSERVATION] of the moments that
// the frames show.
tot_status train_embedder_embed(train_embedder *embedder, const float *observations,
                                const uint8_t *frames, int64_t steps, float *embeddings);

// eye may be {0}.
void train_embedder_close(train_embedder *embedder);

#endif
