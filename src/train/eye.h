// What the cost looks at: pictures through the encoder, or the 39 numbers.
#ifndef TOT_TRAIN_EYE_H
#define TOT_TRAIN_EYE_H

#include <temporalot/encoder.h>
#include <temporalot/picture.h>
#include <temporalot/train.h>

typedef struct tot_eye {
    bool sees_pictures;
    bool zero_goal;               // the goal's place is 0 in the 39 numbers
    tot_picture_settings look;    // of the encoder's pictures
    tot_picture_settings glance;  // of the agent's pictures
    tot_painter *painter;         // NULL: none are needed
    tot_painter *glancer;
    tot_weights *weights;
    tot_calibration *calibration;
    tot_encoder *encoder;
    int64_t width;  // numbers of an embedding
} tot_eye;

// The picture settings of a config; the texts are the config's.
void tot_eye_look(const tot_train_config *config, tot_picture_settings *look);
void tot_eye_glance(const tot_train_config *config, tot_picture_settings *glance);

// Painters and weights; pictures: whether the method compares episodes by pictures at all.
tot_status tot_eye_open(tot_eye *eye, const tot_train_config *config, const tot_task *task,
                        bool pictures, tot_pool *pool);

// The encoder. frames: [count] pictures to measure an int8 calibration on where none is given.
tot_status tot_eye_focus(tot_eye *eye, const tot_train_config *config, const uint8_t *frames,
                         int64_t count, tot_pool *pool);

// embeddings: [steps][width], written. observations: [steps][TOT_OBSERVATION] of the moments that
// the frames show.
tot_status tot_eye_embed(tot_eye *eye, const float *observations, const uint8_t *frames,
                         int64_t steps, float *embeddings);

// eye may be {0}.
void tot_eye_close(tot_eye *eye);

#endif
